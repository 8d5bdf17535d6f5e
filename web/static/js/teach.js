// Teaching a box: lay pieces down, photograph, check what was read, keep; until all of them are known.

import * as api from "./api.js";
import { app, ask, attempt, notice, redraw, seated } from "./app.js";
import { h } from "./dom.js";
import { joinScreen } from "./join.js";
import { button, card, choice, primary } from "./parts.js";
import { crop, drawCrops, photograph, troubles } from "./photo.js";
import { scanWays } from "./scan.js";
import { n, t } from "./texts.js";

const LOOK_AGAIN = 2000;
const lesson = { name: "", kind: null, scan: null, codes: new Map(), gone: new Set() };
let known = null;
let visit = -1;

async function look() {
  const told = await ask(() => api.get("/api/sets"));
  if (told) known = told;
  redraw();
  if (known?.sets.some((one) => one.learning)) setTimeout(look, LOOK_AGAIN);
}

/** The page for teaching. */
export function teachScreen() {
  if (!seated()) return joinScreen();
  if (visit !== app.visits) {
    visit = app.visits;
    look();
  }
  const kinds = app.game.teachable();
  lesson.kind ||= kinds[0].kind;
  if (known) lesson.name ||= known.sets[0]?.name ?? t("my box");
  const set = known?.sets.find((one) => one.name === lesson.name);
  return {
    title: t("Teach a box"),
    now: lesson.scan ? t("Check every piece.") : t("Lay some pieces down and photograph them."),
    hint: lesson.scan
      ? t("Tap a piece to correct it. Then keep them.")
      : t("Face up, not touching, all of them upright. One to five photographs of each piece are enough."),
    mine: true,
    body: [
      lesson.scan
        ? readCards()
        : [
            card(
              null,
              choice(
                t("What to teach"),
                kinds.map((one) => [one.kind, one.name]),
                lesson.kind,
                (kind) => ((lesson.kind = kind), redraw()),
              ),
              scanWays(lesson.kind, take),
            ),
          ],
      progressCard(set, kinds),
      known?.sets.length > 0 && useCard(),
    ],
    bar: lesson.scan
      ? [
          button(t("Throw away"), drop),
          primary(n("Keep {n} piece", "Keep {n} pieces", labels().length), keep, {
            icon: "check",
            disabled: !labels().length,
          }),
        ]
      : [],
  };
}

function take(scan) {
  Object.assign(lesson, { scan, codes: new Map(), gone: new Set() });
  app.putAside = scan.id;
}

function drop() {
  lesson.scan = null;
  redraw();
}

/** What each piece of the scan is, where that is known. */
const labels = () =>
  lesson.scan.pieces.flatMap((piece, index) => {
    const code = lesson.codes.get(index) ?? piece.code;
    return code && !lesson.gone.has(index) ? [[index, code]] : [];
  });

function readCards() {
  setTimeout(() => drawCrops(lesson.scan));
  const pick = (index) =>
    app.game.pick(
      lesson.kind,
      [],
      (code) => (lesson.gone.delete(index), lesson.codes.set(index, code), redraw()),
      () => (lesson.gone.add(index), redraw()),
      true,
    );
  return [
    card(
      null,
      photograph(lesson.scan),
      troubles(lesson.scan),
      !lesson.scan.pieces.length && h("p", t("No piece was found. Try another light, or another background.")),
    ),
    lesson.scan.pieces.length > 0 &&
      card(
        t("What was read"),
        h(
          "ul.lessons",
          lesson.scan.pieces.map((piece, index) => {
            const code = lesson.gone.has(index) ? null : (lesson.codes.get(index) ?? piece.code);
            return h(
              "li",
              { key: `piece-${index}` },
              crop({ ...piece, index }),
              h(
                "button",
                {
                  type: "button",
                  onclick: () => pick(index),
                  "aria-label": code
                    ? t("{piece}: tap to correct", { piece: app.game.sayPiece(code) })
                    : t("Say what this is"),
                },
                code ? app.game.piece(code) : h("span", lesson.gone.has(index) ? t("left out") : t("What is this?")),
              ),
            );
          }),
        ),
      ),
  ];
}

async function keep() {
  const told = await attempt(() =>
    api.post(`/api/sets/${encodeURIComponent(lesson.name)}/pieces`, {
      scan: lesson.scan.id,
      labels: Object.fromEntries(labels()),
    }),
  );
  if (!told) return;
  lesson.scan = null;
  notice(t("Kept. The next ones, please."));
  look();
}

function progressCard(set, kinds) {
  const taught = Object.keys(set?.labels || {});
  return card(
    t("Your box"),
    h(
      "label.field",
      h("span", t("Name")),
      h("input", {
        value: lesson.name,
        maxlength: 40,
        oninput: (event) => ((lesson.name = event.target.value.trim() || t("my box")), redraw()),
      }),
    ),
    kinds.map((one) => {
      const count = taught.filter((code) => one.has(code)).length;
      return h(
        "div.progress",
        { key: one.kind },
        h("span", t("{name}: {count} of {all}", { name: one.name, count, all: one.count })),
        h("progress", { max: one.count, value: Math.min(count, one.count), "aria-label": one.name }),
      );
    }),
    set?.learning && h("p.small", { role: "status" }, t("Learning …")),
    set?.trouble && h("p.wrong", set.trouble),
    taught.length > 0 &&
      h(
        "div.tray.little",
        { role: "group", "aria-label": t("Already taught") },
        taught.map((code) => app.game.piece(code)),
      ),
  );
}

function useCard() {
  const use = async (name) => {
    if (await attempt(() => api.put("/api/sets/in-use", { name }))) look();
  };
  return card(
    t("Read by"),
    choice(
      t("Read by"),
      [["", t("the printable set")], ...known.sets.map((one) => [one.name, one.name])],
      known.in_use ?? "",
      use,
    ),
  );
}
