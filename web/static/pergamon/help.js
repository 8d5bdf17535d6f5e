// Help where it is needed, all of it on one page, and a reminder card to print.

import { go } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, card } from "../js/parts.js";
import { t } from "../js/texts.js";
import { kindSign, row, symbol, tile } from "./pieces.js";
import { kindNames } from "./rules.js";

const EXAMPLE = ["B26V5", "V48J2", "J57V2"];

const TOPICS = {
  lay_out: () => [
    t("Lay out"),
    [
      t("Turn over as many finds as there are galleries with fewer than four finds."),
      t(
        "The youngest goes into the open gallery nearest to the surface, the next one below, the oldest at the bottom.",
      ),
      t(
        "A find's age: the century at its lower right counts first, then the number at its lower left. Small is young.",
      ),
    ],
    h(
      "div.legend-tile",
      tile("V48J2"),
      h(
        "ul",
        h("li", t("Left: the right half of a vase, number 48.")),
        h("li", t("Right: the left half of a jug, century 2.")),
      ),
    ),
  ],
  funds: () => [
    t("Research funds"),
    [
      t("Two cards, backs up. A bag is worth 1 to 4, a chest 5 to 8. Every value exists three times."),
      t(
        "One after another, everyone puts their figure on a free space. It says how many coins you get and how deep you may dig.",
      ),
      t(
        "Then the cards are turned over. From right to left everyone takes their coins while they last; the leftmost takes all that is left.",
      ),
      t("Two players: the tomb raider stands where the backs show. He takes coins and loots like a third player."),
    ],
    h("div.legend", symbol("bag", t("bag")), "1–4", symbol("chest", t("chest")), "5–8"),
  ],
  turn: () => [
    t("Your turn: dig, exhibit, store"),
    [
      t(
        "Dig, if you like: take all finds of one gallery for as many coins as its number, no deeper than your space allows.",
      ),
      t(
        "Exhibit, as often as you like: a row of finds whose halves make whole objects. It is worth the centuries of its objects; the open halves at both ends count nothing.",
      ),
      t("Polish: one coin makes it one point more, at most three for a collection, in round 12 as many as you like."),
      t(
        "The marker goes to the space of the value. First all markers on that space and below move down by one. You get 1 point at once.",
      ),
      t("Store: three finds for nothing, every three more cost a coin. Or throw some away."),
    ],
    h(
      "div.example",
      row(EXAMPLE),
      h("p.small", t("Two whole objects: a vase of 548 and a jug of 257. Worth 5 + 2 = 7.")),
    ),
  ],
  evaluation: () => [
    t("Evaluation"),
    [
      t("After rounds 5, 7, 9 and 12 every marker scores the points of its space."),
      t(
        "The oldest exhibited whole vase (round 5), jug (7), mask (9) or bracelet (12) gets 2 points. A bigger year is older.",
      ),
      t(
        "Then every marker moves down: 3 spaces after round 5, 4 after round 7, 5 after round 9. What falls off space 1 is out.",
      ),
      t(
        "At the very end the three oldest objects score 3, 2 and 1 points. Most points win; on a tie the oldest object.",
      ),
    ],
    h(
      "div.legend",
      [
        ["V", 5],
        ["J", 7],
        ["M", 9],
        ["B", 12],
      ].map(([kind, round]) => h("span", kindSign(kind), h("b", String(round)))),
    ),
  ],
};

/** One topic's help. */
export function help(topic, heading = "h3") {
  const [title, lines, picture] = TOPICS[topic]();
  return h(
    "div.help",
    h(heading, title),
    h(
      "ul",
      lines.map((text) => h("li", text)),
    ),
    picture,
  );
}

/** All of the help. */
export function helpPage() {
  return {
    title: t("Help"),
    body: [
      Object.keys(TOPICS).map((topic) => card(null, help(topic, "h2"))),
      card(
        t("The kinds"),
        h(
          "div.legend.kinds",
          ["V", "J", "M", "B"].map((kind) => h("span", kindSign(kind), kindNames(kind))),
        ),
      ),
      button(t("Reminder card to print"), () => go("/card"), { icon: "print", kind: "entry" }),
    ],
  };
}

/** A card for everyone at the table. */
export function reminderCard() {
  return {
    title: t("Reminder card"),
    body: [
      h(
        "div.reminder",
        h("p.name", "Pergamon"),
        Object.keys(TOPICS).map((topic) => help(topic, "h2")),
      ),
    ],
    bar: [button(t("Print"), () => print(), { icon: "print", kind: "primary" })],
  };
}
