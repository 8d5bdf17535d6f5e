// After the game: who won, what every point was for, the points round by round, and the best row as a picture.

import { go } from "../js/app.js";
import { h, svg } from "../js/dom.js";
import { button, card, person } from "../js/parts.js";
import { list, n, t } from "../js/texts.js";
import { row } from "./pieces.js";
import { LAST_ROUND } from "./rules.js";

const REASONS = ["exhibit", "museum", "prize", "oldest"];
const reasonName = (reason) =>
  ({ exhibit: t("exhibiting"), museum: t("museum spaces"), prize: t("prizes"), oldest: t("oldest objects") })[reason];

/** The screen of a game that is over. */
export function resultScreen(state) {
  return {
    now:
      state.winners.length > 1
        ? t("{names} win together.", { names: list(state.winners) })
        : t("{name} wins!", { name: state.winners[0] }),
    hint: tieLine(state),
    who: state.winners[0],
    mine: true,
    help: "evaluation",
    body: resultBody(state),
    bar: [button(t("New game"), () => go("/new"), { kind: "primary" }), button(t("Past games"), () => go("/past"))],
  };
}

function tieLine(state) {
  const most = Math.max(...state.players.map((player) => player.points));
  const tied = state.players.filter((player) => player.points === most);
  if (tied.length < 2) return n("With {n} point.", "With {n} points.", most);
  return state.winners.length > 1
    ? t("The same points, and nobody exhibits anything.")
    : t("{names} have {most} points each; the oldest exhibited object decides.", {
        names: list(tied.map((player) => player.name)),
        most,
      });
}

/** Points by source, round by round, and the best row. */
export function resultBody(state) {
  const best = bestRow(state);
  return [
    card(t("Points"), h("div.scroll", { tabindex: 0, role: "group", "aria-label": t("Points") }, pointsTable(state))),
    card(t("Points by round"), chart(state)),
    best &&
      card(
        t("{name}'s best row, worth {value}", { name: best.name, value: best.value }),
        h("div.scroll", { tabindex: 0, role: "group", "aria-label": t("The row as a picture") }, row(best.finds)),
      ),
  ];
}

function pointsTable(state) {
  const ranked = [...state.players].sort((a, b) => b.points - a.points);
  const sum = (name, reason) =>
    state.scores
      .filter((score) => score.player === name && score.reason === reason)
      .reduce((points, score) => points + score.points, 0);
  return h(
    "table.points-table",
    h(
      "thead",
      h(
        "tr",
        h("td"),
        ranked.map((player) => h("th", { scope: "col" }, person(player.name))),
      ),
    ),
    h(
      "tbody",
      REASONS.map((reason) =>
        h(
          "tr",
          h("th", { scope: "row" }, reasonName(reason)),
          ranked.map((player) => h("td", String(sum(player.name, reason)))),
        ),
      ),
      h(
        "tr.total",
        h("th", { scope: "row" }, t("all")),
        ranked.map((player) => h("td", String(player.points))),
      ),
    ),
  );
}

/** Cumulated points of every player after each round. */
function course(state, name) {
  let points = 0;
  return Array.from({ length: LAST_ROUND }, (_, index) => {
    for (const score of state.scores) if (score.player === name && score.round === index + 1) points += score.points;
    return points;
  });
}

function chart(state) {
  const most = Math.max(10, ...state.players.map((player) => player.points));
  const [left, right, top, bottom] = [26, 300, 10, 170];
  const x = (round) => left + ((right - left) * round) / LAST_ROUND;
  const y = (points) => bottom - ((bottom - top) * points) / most;
  const marks = [0, Math.round(most / 2), most];
  const label = state.players.map((player) => `${player.name}: ${course(state, player.name).join(", ")}`).join("; ");
  return svg(
    "svg.chart",
    { viewBox: "0 0 336 196", role: "img", "aria-label": label },
    marks.map((mark) => svg("path.grid", { d: `M${left} ${y(mark)}H${right}` })),
    marks.map((mark) => svg("text", { x: left - 5, y: y(mark) + 4, "text-anchor": "end" }, String(mark))),
    [5, 7, 9, 12].map((round) => svg("path.grid.evaluation", { d: `M${x(round)} ${top}V${bottom}` })),
    [1, 3, 5, 7, 9, 12].map((round) =>
      svg("text", { x: x(round), y: bottom + 18, "text-anchor": "middle" }, String(round)),
    ),
    ends(state, y).map(({ player, at }) => {
      const points = [0, ...course(state, player.name)].map((value, round) => `${x(round)} ${y(value)}`);
      return svg(
        "g",
        { class: player.colour },
        svg("path.course", { d: `M${points.join("L")}` }),
        svg("text.name", { x: right + 5, y: at + 4 }, `${[...player.name.trim()][0].toUpperCase()} ${player.points}`),
      );
    }),
  );
}

/** Where each line's label goes, pushed apart so that none covers another. */
function ends(state, y) {
  const sorted = state.players.map((player) => ({ player, at: y(player.points) })).sort((a, b) => a.at - b.at);
  sorted.forEach((end, index) => {
    if (index) end.at = Math.max(end.at, sorted[index - 1].at + 14);
  });
  return sorted;
}

function bestRow(state) {
  const rows = state.players.flatMap((player) =>
    player.collections.map((collection) => ({ name: player.name, ...collection })),
  );
  const own = rows.filter((one) => state.winners.includes(one.name));
  return (own.length ? own : rows).sort((a, b) => b.value - a.value)[0];
}
