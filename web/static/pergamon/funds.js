// Research funds: the backs of two cards, a figure for everyone, the cards turned over.

import { command, mayActFor, redraw } from "../js/app.js";
import { h } from "../js/dom.js";
import { card, primary } from "../js/parts.js";
import { enteringByHand, openScan, scanBar, scanCard } from "../js/scan.js";
import { decimal, n, t } from "../js/texts.js";
import { advice } from "./advice.js";
import { fundsTrack, people, site } from "./board.js";
import { happened } from "./happened.js";
import { cardName, fundsCard, roman } from "./pieces.js";

const BACKS = [
  ["bag", "bag"],
  ["bag", "chest"],
  ["chest", "chest"],
];
const VALUES = { bag: [1, 2, 3, 4], chest: [5, 6, 7, 8] };
let draft = {};

function draftFor(state) {
  const key = `${state.round} ${state.phase} ${state.to_act}`;
  if (draft.key !== key) draft = { key };
  return draft;
}

/** Two cards are drawn, backs up. */
export function drawScreen(state) {
  const mine = mayActFor(null);
  const draft = draftFor(state);
  const left = (back) => VALUES[back].reduce((sum, value) => sum + state.funds.unseen[value], 0);
  return {
    now: t("Draw two funds cards, backs up."),
    hint: t("Lay them beside the board without turning them over. Which backs do they show?"),
    mine,
    help: "funds",
    ...twoCards(state, mine, {
      begun: Boolean(draft.backs),
      byHand: () =>
        h(
          "div.hands",
          BACKS.map((backs) => {
            const gone = backs.some((back) => backs.filter((other) => other === back).length > left(back));
            return h(
              "button.hand",
              {
                type: "button",
                key: backs.join(),
                disabled: gone,
                "aria-pressed": String(draft.backs === backs),
                class: draft.backs === backs ? "chosen" : "",
                onclick: () => ((draft.backs = backs), redraw()),
              },
              h(
                "span",
                backs.map((back) => fundsCard(back, "")),
              ),
              h("small", gone ? t("no longer possible") : `${cardName(backs[0])} + ${cardName(backs[1])}`),
            );
          }),
        ),
      rest: [card(t("Still in the pile"), pile(state)), card(t("Excavation site"), site(state))],
      done:
        draft.backs &&
        primary(t("These two cards"), () => command({ do: "draw_funds", backs: draft.backs }), { icon: "check" }),
    }),
  };
}

/** Body and bar of a screen that asks for two cards: by a scan or by hand. */
function twoCards(state, mine, { begun, byHand, rest, done }) {
  enteringByHand(begun);
  const scan = mine && openScan();
  return {
    body: [
      happened(state),
      mine && scanCard({ expect: "funds", count: 2 }),
      mine && !scan && card(t("By hand"), byHand()),
      rest,
    ],
    bar: scan ? scanBar() : mine && done ? [done] : [],
  };
}

function pile(state) {
  return h(
    "ul.pile",
    Object.entries(state.funds.unseen).map(([value, count]) =>
      h(
        "li",
        {
          class: `${count ? "" : "gone"} ${value < 5 ? "bag" : "chest"}`,
          "aria-label": t("value {value}: {count} left", { value, count }),
        },
        h("b", value),
        h("small", `× ${count}`),
      ),
    ),
  );
}

/** Everyone places their figure, one after another. */
export function placeScreen(state) {
  const mine = mayActFor(state.to_act);
  const draft = draftFor(state);
  const known = advice()?.funds;
  const chosen = mine ? draft.space : undefined;
  const next = state.order.slice(state.order.indexOf(state.to_act) + 1);
  return {
    who: state.to_act,
    now: mine
      ? t("{name}: choose your funds space.", { name: state.to_act })
      : t("{name} chooses a funds space.", { name: state.to_act }),
    hint: mine
      ? t("Right: acts early, few coins. Left: acts late, more coins and deeper galleries.")
      : next.length
        ? t("Then: {names}.", { names: next.join(", ") })
        : "",
    mine,
    help: "funds",
    body: [
      happened(state),
      card(
        null,
        h(
          "div.drawn",
          state.funds.backs.map((back) => fundsCard(back)),
          known && odds(known.odds),
        ),
        fundsTrack(state, {
          pick: mine ? (space) => ((draft.space = space), redraw()) : null,
          chosen,
          pays: paysOf(known),
        }),
      ),
      chosen && known && payCard(known, chosen),
      card(t("Excavation site"), site(state)),
      card(t("Players"), people(state)),
    ],
    bar: mine
      ? [
          primary(
            chosen ? t("Figure on space {space}", { space: chosen }) : t("Choose a space"),
            () => command({ do: "place_figure", player: state.to_act, space: chosen }),
            { disabled: !chosen, icon: chosen ? "check" : undefined },
          ),
        ]
      : [],
  };
}

/** Fewest to most coins that somebody gets. */
function range(pay) {
  const coins = Object.values(pay.at);
  const [least, most] = [Math.min(...coins), Math.max(...coins)];
  return least === most ? String(least) : `${least}–${most}`;
}

/** For every space the coins it would pay, as far as is known. */
function paysOf(known) {
  return known && Object.fromEntries(known.spaces.map((one) => [one.space, range(one.pay)]));
}

function odds(chances) {
  const sums = Object.entries(chances);
  const most = Math.max(...sums.map(([, chance]) => chance));
  const mean = sums.reduce((total, [sum, chance]) => total + sum * chance, 0);
  return h(
    "div.odds",
    h(
      "p",
      t("{least} to {most} coins, {mean} on average", {
        least: sums[0][0],
        most: sums.at(-1)[0],
        mean: decimal(mean),
      }),
    ),
    h(
      "div.bars",
      { role: "img", "aria-label": sums.map(([sum, chance]) => `${sum}: ${Math.round(chance * 100)} %`).join(", ") },
      sums.map(([sum, chance]) =>
        h(
          "span",
          { key: sum },
          h("i", { style: { height: `${Math.max(3, (40 * chance) / most)}px` } }),
          h("small", sum),
        ),
      ),
    ),
  );
}

function payCard(known, space) {
  const about = known.spaces.find((one) => one.space === space);
  if (!about) return null;
  const digs = Object.entries(about.digs);
  return card(
    t("Space {space}", { space }),
    h(
      "ul.facts",
      h("li", t("You may dig down to gallery {gallery}.", { gallery: roman(about.deepest_gallery) })),
      h(
        "li",
        t("With the figures that sit now it pays {coins}, on average {mean}.", {
          coins: range(about.pay),
          mean: decimal(about.pay.expected),
        }),
      ),
      about.at_worst.expected < about.pay.expected - 0.05 &&
        h(
          "li",
          t("If the others get in your way: {coins}, on average {mean}.", {
            coins: range(about.at_worst),
            mean: decimal(about.at_worst.expected),
          }),
        ),
      digs.length > 0 &&
        h(
          "li",
          t("Money enough for: {list}", {
            list: digs.map(([gallery, chance]) => `${roman(Number(gallery))} ${Math.round(chance * 100)} %`).join(", "),
          }),
        ),
    ),
  );
}

/** The two cards are turned over. */
export function revealScreen(state) {
  const mine = mayActFor(null);
  const draft = draftFor(state);
  draft.values ||= [];
  const ready = draft.values[0] && draft.values[1];
  const count = (value, index) => state.funds.unseen[value] - (draft.values[1 - index] === value ? 1 : 0);
  return {
    now: t("Turn over the two funds cards."),
    hint: t("Everyone sits. What are the cards worth?"),
    mine,
    help: "funds",
    ...twoCards(state, mine, {
      begun: draft.values.length > 0,
      byHand: () =>
        state.funds.backs.map((back, index) =>
          h(
            "div.values",
            {
              role: "radiogroup",
              "aria-label": t("Value of the {card}", { card: cardName(back) }),
              key: `card-${index}`,
            },
            fundsCard(back),
            VALUES[back].map((value) =>
              h(
                "button.value",
                {
                  type: "button",
                  role: "radio",
                  "aria-checked": String(draft.values[index] === value),
                  class: draft.values[index] === value ? "chosen" : "",
                  disabled: count(value, index) < 1,
                  onclick: () => ((draft.values[index] = value), redraw()),
                },
                h("b", String(value)),
                h("small", count(value, index) < 1 ? t("all used") : n("{n} left", "{n} left", count(value, index))),
              ),
            ),
          ),
        ),
      rest: card(t("Funds track"), fundsTrack(state)),
      done: primary(
        ready ? t("Hand out {n} coins", { n: draft.values[0] + draft.values[1] }) : t("Choose both values"),
        () => command({ do: "reveal_funds", values: draft.values }),
        { disabled: !ready, icon: ready ? "check" : undefined },
      ),
    }),
  };
}
