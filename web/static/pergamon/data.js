// The board's numbers, confirmed once against the real board, space by space.

import * as api from "../js/api.js";
import { attempt, notice, redraw, sheet } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, card, closeSheet, icon, primary, sheetFrame, stepper } from "../js/parts.js";
import { t } from "../js/texts.js";
import { roman } from "./pieces.js";

const PLACE = "/api/description/pergamon/data";
let known = null;
let draft = null;

async function look() {
  known = {};
  try {
    known = await api.get(PLACE);
  } catch {
    known = { data: null };
  }
  redraw();
}

/** On the page for a new game: whether the board's numbers are confirmed, and the way to do it. */
export function dataCard() {
  if (!known) look();
  if (!known?.data) return null;
  const open = () => {
    draft = { step: 0, ...JSON.parse(JSON.stringify(known.data)) };
    sheet(draw);
  };
  return card(
    t("The board's numbers"),
    known.wrong &&
      h(
        "p.wrong",
        { role: "alert" },
        t("The file {file} cannot be used (line {line}: {message}). The numbers as shipped are used.", {
          file: known.file,
          ...known.wrong,
        }),
      ),
    h(
      "p",
      known.data.confirmed
        ? [icon("check"), " ", t("Confirmed against the real board.")]
        : t("Not confirmed yet. Compare them with your own board once; it takes two minutes."),
    ),
    button(known.data.confirmed ? t("Look at them again") : t("Compare with the board"), open, {
      kind: "entry",
      icon: "eye",
    }),
  );
}

const STEPS = 15;

function draw() {
  const { step } = draft;
  const go = (by) => {
    draft.step += by;
    redraw();
  };
  const body = step < 13 ? space(step) : step === 13 ? museumPoints() : raiderSpaces();
  return sheetFrame(
    step < 13
      ? t("Funds space {n} of 13, from the left", { n: step + 1 })
      : step === 13
        ? t("Points of the museum's spaces")
        : t("Where the tomb raider stands"),
    h("progress", {
      max: STEPS,
      value: step + 1,
      "aria-label": t("Step {step} of {steps}", { step: step + 1, steps: STEPS }),
    }),
    body,
    h(
      "div.actions",
      step > 0 && button(t("Back"), () => go(-1)),
      step < STEPS - 1
        ? primary(t("As on the board"), () => go(1), { icon: "check" })
        : primary(t("All is as on the board"), save, { icon: "check" }),
    ),
  );
}

function space(index) {
  const set = (list) => (value) => {
    draft[list][index] = value;
    redraw();
  };
  return h(
    "div",
    { key: `space-${index}` },
    stepper(t("Coins"), draft.coins[index], { most: 20, change: set("coins") }),
    stepper(t("Deepest gallery"), draft.deepest_gallery[index], {
      least: 1,
      most: 5,
      change: set("deepest_gallery"),
      why: roman(draft.deepest_gallery[index]),
    }),
  );
}

function museumPoints() {
  return h(
    "div.museum-steps",
    { key: "museum" },
    draft.museum_points.map((points, index) =>
      stepper(t("Space {space}", { space: index + 1 }), points, {
        most: 20,
        change: (value) => {
          draft.museum_points[index] = value;
          redraw();
        },
      }),
    ),
  );
}

function raiderSpaces() {
  const names = { two_chests: t("Two chests"), bag_and_chest: t("A bag and a chest"), two_bags: t("Two bags") };
  return h(
    "div",
    { key: "raider" },
    h("p.small", t("Only for two players: the space with the picture of these backs.")),
    Object.entries(names).map(([key, name]) =>
      stepper(name, draft.raider[key], {
        least: 1,
        most: 13,
        change: (value) => {
          draft.raider[key] = value;
          redraw();
        },
      }),
    ),
  );
}

async function save() {
  const data = { ...draft, confirmed: true };
  delete data.step;
  const kept = await attempt(() => api.put(PLACE, { data }));
  if (!kept) return;
  known = { ...known, data: kept.data, wrong: null };
  closeSheet();
  notice(t("The board's numbers are confirmed; new games use them."));
}
