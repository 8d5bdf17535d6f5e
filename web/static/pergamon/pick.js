// Any find by hand in four taps: its two pictures, its century, its number. The printable set needs only two.

import { redraw, sheet } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, closeSheet, sheetFrame } from "../js/parts.js";
import { t } from "../js/texts.js";
import { printed, symbol, tile } from "./pieces.js";
import { kindName } from "./rules.js";

const KINDS = ["V", "J", "M", "B"];
const NAMES = { V: "vase", J: "jug", M: "mask", B: "bracelet" };
const PAIRS = KINDS.flatMap((left) => KINDS.filter((right) => right !== left).map((right) => [left, right]));
let made = {};

/** Ask for a find; `onPick(code)` gets it, `onRemove` (if given) takes the old one away. */
export function pickFind({ used = new Set(), onPick, onRemove }) {
  made = { used, onPick, onRemove };
  sheet(draw);
}

function draw() {
  const { pair, century, tens } = made;
  const step = !pair ? pairs() : !century ? centuries() : numbers(tens);
  return sheetFrame(
    !pair ? t("Which two pictures?") : !century ? t("Which century? (lower right)") : t("Which number? (lower left)"),
    h(
      "div.so-far",
      pair && halves(pair),
      century && h("b", t("century {century}", { century })),
      tens !== undefined && h("b", `${tens}_`),
    ),
    step,
    h(
      "div.actions",
      pair && button(t("Back"), back, { kind: "quiet" }),
      made.onRemove && button(t("Take it away"), () => finish(made.onRemove), { kind: "quiet", icon: "trash" }),
    ),
  );
}

function back() {
  if (made.tens !== undefined) made.tens = undefined;
  else if (made.century) made.century = undefined;
  else made.pair = undefined;
  redraw();
}

function finish(act) {
  closeSheet();
  act();
}

const halves = ([left, right]) => h("span.halves", symbol(`${NAMES[left]}-right`), symbol(`${NAMES[right]}-left`));

function pairs() {
  return h(
    "div.pairs",
    PAIRS.map((pair) =>
      h(
        "button",
        {
          type: "button",
          key: pair.join(""),
          "aria-label": t("{left} on the left, {right} on the right", {
            left: kindName(pair[0]),
            right: kindName(pair[1]),
          }),
          onclick: () => ((made.pair = pair), redraw()),
        },
        halves(pair),
      ),
    ),
  );
}

function centuries() {
  return h(
    "div.keys",
    [1, 2, 3, 4, 5].map((century) =>
      h(
        "button",
        { type: "button", key: `c${century}`, onclick: () => ((made.century = century), redraw()) },
        String(century),
      ),
    ),
  );
}

function numbers(tens) {
  const likely = tens === undefined && printed(...made.pair, made.century);
  return [
    likely &&
      h(
        "button.likely",
        {
          type: "button",
          key: "likely",
          disabled: made.used.has(likely),
          onclick: () => finish(() => made.onPick(likely)),
        },
        tile(likely),
        h(
          "span",
          made.used.has(likely)
            ? t("The printable set's {number} already lies on the table.", { number: likely.slice(1, 3) })
            : t("{number}, of the printable set", { number: likely.slice(1, 3) }),
        ),
      ),
    h("p.small", tens === undefined ? t("Or its first digit:") : t("Its second digit:")),
    h(
      "div.keys.digits",
      { key: tens === undefined ? "tens" : "ones" },
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => {
        const code = `${made.pair[0]}${tens}${digit}${made.pair[1]}${made.century}`;
        const gone = tens !== undefined && made.used.has(code);
        const tap = () => {
          if (tens === undefined) {
            made.tens = digit;
            redraw();
          } else finish(() => made.onPick(code));
        };
        return h("button", { type: "button", key: `d${digit}`, disabled: gone, onclick: tap }, String(digit));
      }),
    ),
  ];
}
