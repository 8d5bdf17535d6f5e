// Any find by hand in four taps: its two pictures, its century, its number. The printable set needs only two.

import { redraw, sheet } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, closeSheet, sheetFrame } from "../js/parts.js";
import { t } from "../js/texts.js";
import { printed, symbol, tile } from "./pieces.js";
import { kindName, parse } from "./rules.js";

const KINDS = ["V", "J", "M", "B"];
const NAMES = { V: "vase", J: "jug", M: "mask", B: "bracelet" };
const PAIRS = KINDS.flatMap((left) => KINDS.filter((right) => right !== left).map((right) => [left, right]));
let made = {};

/** Ask for a find; `onPick(code)` gets it, `onRemove` (if given) takes the old one away.
 * `teaching` {guess, shown} shows the piece that is meant; what was read on it stands ready to be confirmed. */
export function pickFind({ used = new Set(), onPick, onRemove, teaching = null }) {
  made = { used, onPick, onRemove, teaching, ...ready(teaching?.guess) };
  sheet(draw);
}

/** The parts of a guess that were read. */
function ready(guess) {
  if (!guess) return {};
  const { left, number, right, century } = parse(guess);
  return {
    guess,
    pair: left === "?" || right === "?" ? undefined : [left, right],
    century: century ?? undefined,
    number: number.includes("?") ? undefined : number,
  };
}

const STEPS = {
  pair: () => [t("Which two pictures?"), pairs()],
  century: () => [t("Which century? (lower right)"), centuries()],
  number: () => [t("Which number? (lower left)"), numbers(made.tens)],
  check: () => [t("Is this right?"), check()],
};

function draw() {
  const { pair, century, number, asking, teaching } = made;
  const [title, step] = STEPS[asking ?? (!pair ? "pair" : !century ? "century" : !number ? "number" : "check")]();
  return sheetFrame(
    title,
    teaching ? h("div.meant", teaching.shown(), soFar()) : soFar(),
    step,
    h(
      "div.actions",
      (pair || asking) && button(t("Back"), back, { kind: "quiet" }),
      made.onRemove && button(t("Take it away"), () => finish(made.onRemove), { kind: "quiet", icon: "trash" }),
    ),
  );
}

/** What is known of the find by now; what was read on it can be tapped to correct it. */
function soFar() {
  const { pair, century, number, tens, guess, asking } = made;
  const correct = (what) => () => (Object.assign(made, { asking: what, tens: undefined }), redraw());
  const told = (what, text) => {
    if (!guess || asking) return h("b", { key: what }, text);
    const label = t("{piece}: tap to correct", { piece: text });
    return h("button.told", { type: "button", key: what, "aria-label": label, onclick: correct(what) }, text);
  };
  return h(
    "div.so-far",
    guess && !asking && h("small", t("Read on it. Tap what is wrong:")),
    pair && (!guess || asking) && halves(pair),
    number && asking !== "number" && told("number", t("number {number}", { number })),
    century && asking !== "century" && told("century", t("century {century}", { century })),
    tens !== undefined && h("b", `${tens}_`),
  );
}

/** One part is said: go on with what is still open. */
function take(part) {
  Object.assign(made, part, { asking: undefined, tens: undefined });
  redraw();
}

function back() {
  if (made.tens !== undefined) made.tens = undefined;
  else if (made.asking) made.asking = undefined;
  else if (made.century && !made.guess) made.century = undefined;
  else made.pair = undefined;
  redraw();
}

const code = ({ pair, number, century }) => `${pair[0]}${number}${pair[1]}${century}`;

/** The whole find beside the piece that is meant: a person says that it is right. */
function check() {
  return h(
    "div.check",
    tile(code(made)),
    button(t("That is right"), () => finish(() => made.onPick(code(made))), { kind: "primary", icon: "check" }),
  );
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
          onclick: () => take({ pair }),
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
        { type: "button", key: `c${century}`, onclick: () => take({ century }) },
        String(century),
      ),
    ),
  );
}

function numbers(tens) {
  const likely = tens === undefined && !made.teaching && printed(...made.pair, made.century);
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
    h(
      "p.small",
      tens !== undefined ? t("Its second digit:") : likely ? t("Or its first digit:") : t("Its first digit:"),
    ),
    h(
      "div.keys.digits",
      { key: tens === undefined ? "tens" : "ones" },
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => {
        const number = `${tens}${digit}`;
        const whole = made.pair && code({ ...made, number });
        const gone = tens !== undefined && made.used.has(whole);
        const tap = () => {
          if (tens === undefined) {
            made.tens = digit;
            redraw();
          } else if (made.guess) take({ number });
          else finish(() => made.onPick(whole));
        };
        return h("button", { type: "button", key: `d${digit}`, disabled: gone, onclick: tap }, String(digit));
      }),
    ),
  ];
}
