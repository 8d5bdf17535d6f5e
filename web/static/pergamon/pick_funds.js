// A funds card by hand: one tap.

import { sheet } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, closeSheet, sheetFrame } from "../js/parts.js";
import { t } from "../js/texts.js";
import { cardName, fundsCard } from "./pieces.js";

const BACKS = ["bag", "chest"];
const VALUES = [1, 2, 3, 4, 5, 6, 7, 8];

function possible(state) {
  if (!state) return [...BACKS, ...VALUES];
  if (state.phase === "draw_funds") return BACKS;
  return VALUES.filter(
    (value) => state.funds.unseen[value] > 0 && state.funds.backs.includes(value < 5 ? "bag" : "chest"),
  );
}

/** Ask for a back, or for the value of a card whose back lies there; without a state for any card.
 * `teaching` shows the piece that is meant, and what it was guessed to be. */
export function pickFunds({ state, onPick, onRemove, teaching }) {
  const choices = possible(state).map(String);
  const finish = (act) => {
    closeSheet();
    act();
  };
  sheet(() =>
    sheetFrame(
      t("Which card is it?"),
      teaching?.shown(),
      h(
        "div.alternatives",
        choices.map((name) =>
          h(
            "button",
            {
              type: "button",
              key: name,
              class: teaching?.guess === name ? "guess" : "",
              "aria-label": teaching?.guess === name ? `${cardName(name)}. ${t("Right?")}` : cardName(name),
              onclick: () => finish(() => onPick(name)),
            },
            fundsCard(name, ""),
            teaching?.guess === name && h("small", t("Right?")),
          ),
        ),
      ),
      onRemove && button(t("Not a piece"), () => finish(onRemove), { kind: "quiet", icon: "trash" }),
    ),
  );
}
