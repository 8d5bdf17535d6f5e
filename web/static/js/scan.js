// Scanning: the table's camera or the phone's own, the photograph with its outlines, and one tap for what is unsure.

import * as api from "./api.js";
import { app, ask, attempt, command, redraw } from "./app.js";
import { h } from "./dom.js";
import { button, card, icon, primary } from "./parts.js";
import { asForm, crop, drawCrops, photograph, photoInput, troubles } from "./photo.js";
import { n, t } from "./texts.js";

let mended = { id: null, codes: new Map(), gone: new Set(), added: [] };
let expecting = {};

const LOOK_AGAIN = 3000;
let lookedAt = 0;

/** Whether the table has an eye that works now, and what it has read; a camera may come and go. */
export async function lookAtScan() {
  lookedAt = Date.now();
  try {
    const { scan, camera, says } = await api.get("/api/scans/current");
    if (camera !== app.camera || says !== app.cameraSays || scan?.id !== app.scan?.id) redraw();
    Object.assign(app, { scan, camera, cameraSays: says });
  } catch (refusal) {
    if (refusal.code !== "no_connection") throw refusal;
  }
}

setInterval(() => {
  const asked = document.querySelector(".scan-ways");
  if (asked && !document.hidden && Date.now() - lookedAt >= LOOK_AGAIN) lookAtScan();
}, LOOK_AGAIN);

let byHand = false;

/** Somebody enters pieces by hand on this phone: what the camera reads by itself does not push in. */
export function enteringByHand(entering) {
  byHand = entering;
}

/** The scan that waits for a person at this table, if this phone has not put it aside. */
export function openScan() {
  if (!app.scan || app.putAside === app.scan.id || (byHand && app.scan.source === "watch")) return null;
  if (mended.id !== app.scan.id) mended = { id: app.scan.id, codes: new Map(), gone: new Set(), added: [] };
  return app.scan;
}

/** The pieces as read and mended: {index, kind, code, status, alternatives}. */
function pieces() {
  const read = openScan().pieces.map((piece, index) => {
    const code = mended.codes.get(index);
    return { ...piece, index, ...(code ? { code, status: "mended" } : {}) };
  });
  return [
    ...read.filter((piece) => !mended.gone.has(piece.index)),
    ...mended.added.map((code, at) => ({ code, status: "mended", index: `added-${at}`, at })),
  ];
}

const settled = (piece) => piece.status === "sure" || piece.status === "mended";

/** What still needs an answer. What matches nothing may lie about, once enough pieces are known. */
function openQuestions(found) {
  const enough = found.filter(settled).length >= expecting.count;
  return found.filter((piece) => !settled(piece) && !(enough && piece.status === "unknown"));
}

/** The card that offers a scan or shows what it read. */
export function scanCard({ expect, count }) {
  expecting = { expect, count };
  return openScan() ? readCard() : askCard();
}

function askCard() {
  return card(
    t("Scan"),
    scanWays(expecting.expect, (read) => {
      app.scan = read;
      app.putAside = null;
    }),
  );
}

/** The ways to a photograph; `take` gets what was read in it. With `teach` it is for teaching that set. */
export function scanWays(expect, take, teach) {
  const about = teach ? { expect, teach } : { expect };
  const scan = async (body) => {
    app.reading = true;
    redraw();
    const read = await attempt(() => api.post("/api/scans", body));
    app.reading = false;
    if (read) take(read);
    redraw();
  };
  if (app.reading)
    return h(
      "p.reading",
      { role: "status" },
      h("span.spinner", { "aria-hidden": "true" }),
      t("Reading the photograph …"),
    );
  return h(
    "div.scan-ways",
    app.camera &&
      button(t("The table's camera"), () => scan({ source: "camera", ...about }), { icon: "eye", kind: "big" }),
    h(
      "label.button.big",
      { class: app.camera ? "" : "wide" },
      icon("camera"),
      h("span", t("Photograph with this phone")),
      photoInput(async (photo) => scan(await asForm(photo, about))),
    ),
    app.cameraSays && h("p.small.wide", { role: "status" }, app.cameraSays),
  );
}

function readCard() {
  setTimeout(() => drawCrops(app.scan));
  const found = pieces();
  const open = openQuestions(found);
  const known = found.filter(settled).sort((a, b) => app.game.comparePieces(a.code, b.code));
  const fit = known.length + open.length === expecting.count;
  return h(
    "div.read",
    card(
      null,
      photograph(app.scan, changedLabels(known)),
      h(
        "p.found",
        { role: "status", class: fit && !open.length ? "good" : "" },
        n("{n} piece found", "{n} pieces found", known.length + open.length),
        fit ? null : t(", but {count} are needed", { count: expecting.count }),
        open.length > 0 && n("; {n} is not sure", "; {n} are not sure", open.length),
        ".",
      ),
      troubles(app.scan),
    ),
    open.map(question),
    card(
      t("What was read"),
      h("ul.found-list", known.map(settledPiece)),
      h(
        "div.actions",
        known.length + open.length < expecting.count &&
          button(
            t("Add one by hand"),
            () => app.game.pick(expecting.expect, taken(), (code) => (mended.added.push(code), redraw())),
            { icon: "plus" },
          ),
        button(t("Scan again"), throwAway, { icon: "camera", kind: "quiet" }),
      ),
    ),
  );
}

/** Where a piece goes now that others were mended, if the photograph says otherwise. */
function changedLabels(known) {
  const codes = taken();
  return known.flatMap((piece) => {
    const text = app.game.whereTo(codes, piece.code) || "✓";
    const same = piece.status === "sure" && (piece.where || "✓") === text;
    return same || !piece.corners || known.length < expecting.count ? [] : [{ corners: piece.corners, text }];
  });
}

const taken = () => pieces().flatMap((piece) => (settled(piece) ? [piece.code] : []));

function mend(index, code) {
  mended.codes.set(index, code);
  redraw();
}

function question(piece) {
  const choices = [...new Set([piece.code, ...(piece.alternatives || []).map((one) => one.code ?? one)])]
    .filter(Boolean)
    .slice(0, 6);
  return card(
    choices.length ? t("Which one is this?") : t("What is this?"),
    piece.trouble && h("p.small", piece.trouble),
    h(
      "div.asked",
      crop(piece),
      h(
        "div.alternatives",
        choices.map((code) =>
          h(
            "button",
            {
              type: "button",
              key: code,
              onclick: () => mend(piece.index, code),
              "aria-label": app.game.sayPiece(code),
            },
            app.game.piece(code),
          ),
        ),
      ),
    ),
    h(
      "div.actions",
      button(t("Another one"), () => app.game.pick(expecting.expect, taken(), (code) => mend(piece.index, code)), {
        kind: "quiet",
      }),
      button(t("Not a piece"), () => (mended.gone.add(piece.index), redraw()), { kind: "quiet", icon: "trash" }),
    ),
  );
}

function settledPiece(piece) {
  const where = app.game.whereTo?.(taken(), piece.code);
  const change = () =>
    app.game.pick(
      expecting.expect,
      taken().filter((code) => code !== piece.code),
      (code) => ("at" in piece ? (mended.added[piece.at] = code) && redraw() : mend(piece.index, code)),
      () => ("at" in piece ? mended.added.splice(piece.at, 1) : mended.gone.add(piece.index), redraw()),
    );
  return h(
    "li",
    { key: `piece-${piece.index}` },
    h(
      "button",
      {
        type: "button",
        onclick: change,
        "aria-label": t("{piece}: tap to correct", { piece: app.game.sayPiece(piece.code) }),
      },
      app.game.piece(piece.code),
    ),
    where && h("small", t("into {gallery}", { gallery: where })),
  );
}

/** This scan has had its time; thrown away for everyone if it was not used. */
function putAside() {
  app.putAside = app.scan?.id;
  redraw();
}

function throwAway() {
  putAside();
  ask(() => api.remove("/api/scans/current"));
}

/** The button that confirms what was read and mended. */
export function scanBar() {
  const found = pieces();
  const known = found.filter(settled);
  const ready = known.length === expecting.count && !openQuestions(found).length;
  const confirm = async () => {
    const codes = known.map((piece) => piece.code);
    if (app.game.sortFirst(app.state, codes) || (await command(app.game.fromPieces(app.state, codes)))) putAside();
  };
  return [
    primary(
      ready ? t("That is right") : known.length > expecting.count ? t("Too many pieces") : t("Answer what is not sure"),
      confirm,
      { disabled: !ready, icon: ready ? "check" : undefined },
    ),
  ];
}
