// An evaluation, step by step: who gets what and why, then which markers to move on the real board.

import { myName, redraw, settings, whenState } from "../js/app.js";
import { h } from "../js/dom.js";
import { badge, button, card, primary } from "../js/parts.js";
import { n, t } from "../js/texts.js";
import { museum } from "./board.js";
import { line, why } from "./happened.js";
import { kindSign, marker } from "./pieces.js";
import { EVALUATIONS, kindName, LAST_ROUND } from "./rules.js";

let pending = null;

/** The round that this state's last command evaluated; 0 if none. */
export function evaluated(state) {
  if (!state.events?.some((event) => event.what === "stored")) return 0;
  if (state.phase === "over") return LAST_ROUND;
  const began = state.events.find((event) => event.what === "round_began");
  return began && EVALUATIONS[began.round - 1] ? began.round - 1 : 0;
}

whenState((state) => {
  const round = state.game === "pergamon" ? evaluated(state) : 0;
  if (round) {
    const key = state.version;
    if (pending?.key !== key && settings.get("evaluated", 0) !== key) pending = { key, round, state, step: 0 };
  } else if (pending && (state.game !== "pergamon" || state.round <= pending.round)) pending = null;
});

/** The same at a glance, for those who only watch. */
export function evaluationCard(state) {
  const round = evaluated(state);
  const events = state.events.filter((event) => ["scored", "moved", "fell_out"].includes(event.what));
  if (!round || !events.length) return null;
  const lines = events.map((event) => line(state, event));
  return card(t("Evaluation after round {round}.", { round }), h("ul.lines", lines));
}

/** Whether an evaluation waits to be looked through on this phone. */
export const evaluationWaits = () => pending !== null;

function done() {
  settings.set("evaluated", pending.key);
  pending = null;
  window.scrollTo(0, 0);
  redraw();
}

/** The evaluation's screen. */
export function evaluationScreen() {
  const { round, state, step } = pending;
  const steps = stepsOf(state, round);
  const shown = steps[Math.min(step, steps.length - 1)];
  const last = step >= steps.length - 1;
  const next = () => {
    pending.step += 1;
    window.scrollTo(0, 0);
    redraw();
  };
  return {
    title: t("Evaluation"),
    now: shown.now,
    hint: shown.hint,
    mine: true,
    help: "evaluation",
    body: [
      h(
        "p.step-of",
        t("Evaluation after round {round}: step {step} of {steps}", { round, step: step + 1, steps: steps.length }),
      ),
      card(null, shown.body),
    ],
    bar: [
      step > 0 && button(t("Back"), () => ((pending.step -= 1), redraw())),
      last
        ? primary(round === LAST_ROUND ? t("To the result") : t("Done"), done, { icon: "check" })
        : primary(t("Next"), next),
    ],
  };
}

function stepsOf(state, round) {
  const scored = (reason) => state.events.filter((event) => event.what === "scored" && event.reason === reason);
  const moves = state.events.filter((event) => event.what === "moved" || event.what === "fell_out");
  const hidden = state.house_rules.hidden_points && state.phase !== "over";
  const kind = EVALUATIONS[round];
  const steps = [
    {
      now: t("Points for the museum."),
      hint: hidden
        ? t("Points are hidden: you see your own. Every marker scores the points of its space.")
        : t("Every marker scores the points of its space. Take so many tickets:"),
      body: scored("museum").length
        ? tally(state, scored("museum"))
        : h(
            "p",
            hidden && !myName()
              ? t("Look at the board: every marker scores its space.")
              : t("Nobody has anything in the museum."),
          ),
    },
    {
      now: t("The prize for the oldest {kind}.", { kind: kindName(kind) }),
      hint: t("2 points for whoever exhibits the oldest whole {kind}.", { kind: kindName(kind) }),
      body: [
        h("p.centre.huge", kindSign(kind)),
        scored("prize").length
          ? h(
              "ul.lines",
              scored("prize").map((event) => line(state, event)),
            )
          : h("p", hidden ? t("It is not yours.") : t("Nobody exhibits one: nobody gets the prize.")),
      ],
    },
  ];
  if (round === LAST_ROUND) {
    steps.push({
      now: t("The three oldest objects."),
      hint: t("3, 2 and 1 points, whatever their kind."),
      body: scored("oldest").length
        ? h(
            "ul.lines",
            scored("oldest").map((event) => line(state, event)),
          )
        : h("p", t("Nothing is exhibited.")),
    });
  } else {
    const shift = { 5: 3, 7: 4, 9: 5 }[round];
    steps.push({
      now: n("Now move every marker down {n} space.", "Now move every marker down {n} spaces.", shift),
      hint: moves.length
        ? t("On the real board. What falls off space 1 leaves the museum.")
        : t("There is none to move."),
      body: [
        h(
          "ul.lines",
          moves.map((event) => line(state, event)),
        ),
        h("p.small", t("Then it looks like this:")),
        museum(state),
        h(
          "p",
          t("Round {round}: figures back to their players, both funds cards into the box. {name} is first player.", {
            round: round + 1,
            name: state.first_player,
          }),
        ),
      ],
    });
  }
  return steps;
}

function tally(state, events) {
  const names = [...new Set(events.map((event) => event.player))];
  return h(
    "ul.tally",
    names.map((name) => {
      const own = events.filter((event) => event.player === name);
      const sum = own.reduce((points, event) => points + event.points, 0);
      return h(
        "li",
        { key: name },
        h("p", badge(name), h("b.grow", { dir: "auto" }, name), h("b.points", n("{n} point", "{n} points", sum))),
        h(
          "ul.lines",
          own.map((event) => h("li", marker(state, event), h("span", `${why(event)}: `, h("b", String(event.points))))),
        ),
      );
    }),
  );
}
