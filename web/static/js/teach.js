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
      ? firstOpen() === undefined
        ? t("Tap a piece to correct it. Then keep them.")
        : t("Tap what has a question mark and say what it is. Only what you have confirmed is kept.")
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
              scanWays(lesson.kind, take, lesson.name || t("my box")),
            ),
          ],
      progressCard(set, kinds),
      known?.sets.length > 0 && useCard(),
    ],
    bar: lesson.scan
      ? [
          button(t("Throw away"), drop),
          labels().length
            ? primary(n("Keep {n} piece", "Keep {n} pieces", labels().length), keep, { icon: "check" })
            : primary(t("Keep"), keep, { disabled: true }),
        ]
      : [],
  };
}

function take(scan) {
  Object.assign(lesson, { scan, codes: new Map(), gone: new Set() });
}

function drop() {
  lesson.scan = null;
  redraw();
}

/** What a piece of the scan is: as a person said it, or as the set knows it. */
function settled(piece, index) {
  if (lesson.gone.has(index)) return null;
  return lesson.codes.get(index) ?? (piece.status === "sure" ? piece.code : null);
}

/** What was only read, or is not sure: nothing of it is kept before a person has confirmed it. */
const guessed = (piece) => (piece.status === "sure" ? null : (piece.code ?? piece.guess ?? null));

/** Each piece of the scan that is settled, with its code. */
const labels = () =>
  lesson.scan.pieces.flatMap((piece, index) => (settled(piece, index) ? [[index, settled(piece, index)]] : []));

/** The first piece that a person must still name, those after `last` before the others. */
function firstOpen(last = -1) {
  const open = lesson.scan.pieces.flatMap((piece, index) =>
    settled(piece, index) || lesson.gone.has(index) ? [] : [index],
  );
  return open.find((index) => index > last) ?? open[0];
}

/** Ask what a piece is; whoever names one that was open is asked for the next. */
function pick(index) {
  const piece = lesson.scan.pieces[index];
  const wasOpen = !settled(piece, index) && !lesson.gone.has(index);
  const done = () => {
    const next = wasOpen ? firstOpen(index) : undefined;
    if (next === undefined) redraw();
    else pick(next);
  };
  app.game.pick(
    lesson.kind,
    [],
    (code) => (lesson.gone.delete(index), lesson.codes.set(index, code), done()),
    () => (lesson.gone.add(index), done()),
    { guess: settled(piece, index) ?? guessed(piece), shown: () => crop({ ...piece, index }) },
  );
}

function readCards() {
  setTimeout(() => drawCrops(lesson.scan));
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
          lesson.scan.pieces.map((piece, index) =>
            h("li", { key: `piece-${index}` }, crop({ ...piece, index }), named(piece, index)),
          ),
        ),
      ),
  ];
}

/** A piece's name as a button: settled, only guessed, left out, or still to be said. */
function named(piece, index) {
  const onclick = () => pick(index);
  const code = settled(piece, index);
  if (code) {
    const label = t("{piece}: tap to correct", { piece: app.game.sayPiece(code) });
    return h("button", { type: "button", onclick, "aria-label": label }, app.game.piece(code));
  }
  if (lesson.gone.has(index)) return h("button", { type: "button", onclick }, h("span", t("left out")));
  const guess = guessed(piece);
  if (!guess) return h("button.guess", { type: "button", onclick }, h("span", t("What is this?")));
  const label = `${app.game.sayPiece(guess)}. ${t("Right?")}`;
  return h(
    "button.guess",
    { type: "button", onclick, "aria-label": label },
    app.game.piece(guess),
    h("small", t("Right?")),
  );
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
