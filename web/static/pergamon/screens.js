// Pergamon on a phone: which screen each phase has, and what the companion's frame asks of a game.

import { app, seated } from "../js/app.js";
import { h } from "../js/dom.js";
import { whoAmI } from "../js/join.js";
import { t } from "../js/texts.js";
import { dataCard } from "./data.js";
import { evaluationScreen, evaluationWaits } from "./evaluation.js";
import { drawScreen, placeScreen, revealScreen } from "./funds.js";
import { takenBack } from "./happened.js";
import { help, helpPage, reminderCard } from "./help.js";
import { layOutScreen, sortFirst } from "./layout.js";
import { pickFind } from "./pick.js";
import { pickFunds } from "./pick_funds.js";
import { cardName, fundsCard, loadArt, roman, tile } from "./pieces.js";
import { resultBody, resultScreen } from "./result.js";
import { byAge, isFind, isFindGuess, LAST_ROUND, openGalleries, say } from "./rules.js";
import { turnScreen } from "./turn.js";
import { table } from "./watch.js";

const SCREENS = {
  lay_out: layOutScreen,
  draw_funds: drawScreen,
  place_figures: placeScreen,
  reveal_funds: revealScreen,
  excavate: turnScreen,
  over: resultScreen,
};

const phaseName = (phase) =>
  ({
    lay_out: t("Lay out"),
    draw_funds: t("Funds"),
    place_figures: t("Funds"),
    reveal_funds: t("Funds"),
    excavate: t("Excavate"),
    over: t("The end"),
  })[phase];

const title = (state) =>
  h(
    "span.title",
    h("b", t("Round {round} of {last}", { round: state.round, last: LAST_ROUND })),
    h("small", phaseName(state.phase)),
  );

function screen() {
  const state = app.state;
  if (!seated()) return watch();
  const shown = evaluationWaits() ? evaluationScreen() : SCREENS[state.phase](state);
  return { title: title(state), ...shown, body: [whoAmI(), shown.body, unconfirmed(state)] };
}

/** Until an owner has checked the board's numbers, the page says so. */
function unconfirmed(state) {
  return state.board.confirmed
    ? null
    : h(
        "p.small.centre.unconfirmed",
        t("The board's numbers are not confirmed yet."),
        " ",
        h("a", { href: "#/new" }, t("Compare them with your board.")),
      );
}

function watch() {
  const state = app.state;
  if (!state.game) return { title: "Pergamon", now: t("No game is being played."), body: [] };
  const shown = state.phase === "over" ? resultScreen(state) : SCREENS[state.phase](state);
  return {
    title: title(state),
    now: shown.now,
    who: shown.who,
    wide: true,
    help: shown.help,
    body: [state.phase === "over" && resultBody(state), table(state), unconfirmed(state)],
    bar: [],
  };
}

const OPTIONS = {
  order_track: () => ({
    label: t("Order track"),
    hint: t("The next figures are placed in the order from left to right, not clockwise."),
  }),
  free_sorting: () => ({
    label: t("Free sorting"),
    hint: t("The first player orders finds of the same century as they like."),
  }),
  raider_takes_rest: () => ({
    label: t("The tomb raider takes the rest"),
    hint: t("If he is leftmost. Off: he takes only his space's coins."),
  }),
  hidden_points: () => ({ label: t("Hidden points"), hint: t("Everyone sees only their own points until the end.") }),
};

/** What the page around needs of this game. */
export async function open() {
  const style = h("link", { rel: "stylesheet", href: new URL("pergamon.css", import.meta.url).href });
  const styled = new Promise((done) => (style.onload = style.onerror = done));
  document.head.append(style);
  await Promise.all([loadArt(), styled]);
  return {
    name: "pergamon",
    screen,
    watch,
    takenBack,
    help,
    helpPage,
    card: reminderCard,
    resultBody,
    dataCard,
    option: (name) => OPTIONS[name](),
    optionFits: (name, players) =>
      name === "raider_takes_rest" ? players === 2 : name === "order_track" ? players > 2 : true,
    piece: (code) => (isFindGuess(code) ? tile(code, { label: "" }) : fundsCard(code, "")),
    sayPiece: (code) => (isFindGuess(code) ? say(code) : cardName(code)),
    comparePieces: (a, b) => (isFind(a) && isFind(b) ? byAge(a, b) : 0),
    pick: (kind, used, onPick, onRemove, teaching = null) =>
      kind === "finds"
        ? pickFind({ used: new Set(used), onPick, onRemove, teaching })
        : pickFunds({ state: teaching ? null : app.state, onPick, onRemove, teaching }),
    teachable: () => [
      { kind: "finds", name: t("Finds"), count: 60, has: isFind },
      { kind: "funds", name: t("Funds cards"), count: 10, has: (code) => !isFind(code) },
    ],
    whereTo: (codes, code) =>
      app.state.phase === "lay_out" ? roman(openGalleries(app.state)[[...codes].sort(byAge).indexOf(code)] + 1) : "",
    sortFirst,
    fromPieces,
  };
}

/** The command that confirmed pieces mean now. */
function fromPieces(state, codes) {
  if (state.phase === "lay_out") return { do: "lay_out", finds: [...codes].sort(byAge) };
  if (state.phase === "draw_funds") return { do: "draw_funds", backs: codes };
  const values = codes.map(Number);
  const fitting = (one) => one.every((value, index) => (value < 5 ? "bag" : "chest") === state.funds.backs[index]);
  return { do: "reveal_funds", values: fitting(values) ? values : values.reverse() };
}
