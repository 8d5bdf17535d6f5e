// The table at a glance: for a tablet or a television, and for whoever wants to look around.

import { h } from "../js/dom.js";
import { badge, card } from "../js/parts.js";
import { n, t } from "../js/texts.js";
import { advice } from "./advice.js";
import { calendar, fundsTrack, museum, people, site } from "./board.js";
import { evaluationCard } from "./evaluation.js";
import { happened } from "./happened.js";
import { fundsCard, kindSign, row, tile } from "./pieces.js";
import { kindName, say, sayObject } from "./rules.js";

/** The whole table. */
export function table(state) {
  return h(
    "div.overview",
    h(
      "div.wing",
      card(t("Calendar"), calendar(state), prizeLine()),
      card(t("Excavation site"), site(state)),
      happened(state),
    ),
    h(
      "div.wing",
      card(t("Funds track"), cards(state), fundsTrack(state)),
      card(t("Players"), people(state)),
      evaluationCard(state),
    ),
    h("div.wing", card(t("Museum"), museum(state)), card(t("Collections"), collections(state))),
  );
}

function cards(state) {
  const shown = state.funds.values.length ? state.funds.values : state.funds.backs;
  return shown.length
    ? h(
        "div.drawn",
        shown.map((name) => fundsCard(name)),
        state.funds.values.length > 0 &&
          h("p.big", t("{n} coins", { n: state.funds.values[0] + state.funds.values[1] })),
      )
    : null;
}

function prizeLine() {
  const next = advice()?.evaluation;
  if (!next) return null;
  return h(
    "p.prize",
    kindSign(next.kind),
    h(
      "span",
      t("Evaluation after round {round}.", { round: next.round }),
      " ",
      next.prize
        ? t("{name} leads for the oldest {kind} ({object}).", {
            name: next.prize.player,
            kind: kindName(next.kind),
            object: sayObject(next.prize.object),
          })
        : t("Nobody exhibits a {kind} yet.", { kind: kindName(next.kind) }),
    ),
  );
}

/** Every collection in the museum and every find in somebody's hands. */
export function collections(state) {
  return h(
    "ul.holdings",
    state.players.map((player) =>
      h(
        "li",
        { key: player.name },
        h(
          "p",
          badge(player.name),
          h("b.grow", { dir: "auto" }, player.name),
          h("small", n("{n} find", "{n} finds", player.finds.length)),
        ),
        player.collections.map((collection) =>
          h(
            "div.small-row",
            { key: collection.marker },
            h("b", `${collection.marker}`),
            row(collection.finds, "little"),
            h("small", t("space {space}", { space: collection.space })),
          ),
        ),
        player.finds.length > 0 &&
          h(
            "div.tray.little",
            { role: "img", "aria-label": player.finds.map(say).join("; ") },
            player.finds.map((code) => tile(code, { label: "" })),
          ),
      ),
    ),
  );
}
