// The board, drawn for a phone: excavation site, funds track, museum, calendar, players.

import { h } from "../js/dom.js";
import { person } from "../js/parts.js";
import { n, t } from "../js/texts.js";
import { coins, figure, kindSign, marker, roman, symbol, tile } from "./pieces.js";
import { EVALUATIONS, kindName, LAST_ROUND, nameOf, RAIDER } from "./rules.js";

/** The five galleries. `row(index)` may give {onclick, why, className} for each; finds just laid are marked. */
export function site(state, rowOf = () => ({})) {
  const fresh = new Set(state.events.filter((event) => event.what === "laid").map((event) => event.find));
  return h(
    "ol.site",
    { "aria-label": t("Excavation site") },
    state.galleries.map((finds, index) => {
      const { onclick, why, className = "" } = rowOf(index);
      const inside = [
        h("span.depth", h("b", roman(index + 1)), h("small", coins(index + 1))),
        h(
          "span.finds",
          finds.length
            ? finds.map((code) => tile(code, { className: fresh.has(code) ? "fresh" : "" }))
            : h("span.empty", t("empty")),
        ),
        why && h("small.why", why),
      ];
      return h(
        "li.gallery",
        { class: `g${index + 1}`, key: `gallery-${index}` },
        onclick
          ? h(
              "button",
              {
                type: "button",
                class: className,
                onclick,
                "aria-pressed": String(className.includes("chosen")),
                "aria-label":
                  t("Gallery {gallery}", { gallery: roman(index + 1) }) +
                  ", " +
                  n("{n} coin", "{n} coins", index + 1) +
                  ", " +
                  n("{n} find", "{n} finds", finds.length),
              },
              inside,
            )
          : h("div", { class: className }, inside),
      );
    }),
  );
}

/** The 13 funds spaces as on the board, in two lines. `pick(space)` makes free ones buttons. */
export function fundsTrack(state, { pick, chosen, pays } = {}) {
  const on = Object.fromEntries(Object.entries(state.figures).map(([name, space]) => [space, name]));
  const last = state.events.find((event) => event.what === "placed")?.space;
  const space = (number) => {
    const who = on[number];
    const gallery = roman(state.board.deepest_gallery[number - 1]);
    const wanted = state.board.coins[number - 1];
    const raider = state.raider ? raiderSign(state, number) : null;
    const label = t("Space {space}: {coins}, down to gallery {gallery}", {
      space: number,
      coins: n("{n} coin", "{n} coins", wanted),
      gallery,
    });
    const seen = h(
      "span.seen",
      { "aria-hidden": "true" },
      h("small.number", String(number)),
      h("span.wants", symbol("coin"), h("b", String(wanted))),
      h("span.down", gallery),
      who ? h("span.sits", figure(who)) : raider && h("span.sits.ghost", raider),
      pays?.[number] && !who && h("small.pays", pays[number]),
    );
    const inside = [seen, h("span.unseen", who ? `${label}, ${nameOf(who)}` : label)];
    const free = pick && !who;
    const className = `${who ? "taken" : ""} ${number === chosen ? "chosen" : ""} ${number === last ? "fresh" : ""}`;
    return h(
      "li",
      { key: `space-${number}`, class: className },
      free
        ? h(
            "button",
            {
              type: "button",
              "data-space": number,
              "aria-pressed": String(number === chosen),
              onclick: () => pick(number),
            },
            inside,
          )
        : h("div", inside),
    );
  };
  const spaces = state.board.coins.map((_, index) => index + 1);
  return h(
    "div.track",
    h("ol.spaces", { "aria-label": t("Funds track, spaces 1 to 7") }, spaces.slice(0, 7).map(space)),
    h("ol.spaces", { "aria-label": t("Funds track, spaces 8 to 13") }, spaces.slice(7).map(space)),
    h(
      "p.small.legend",
      t("Coins are handed out from right to left; the leftmost takes the rest."),
      pays && [" ", h("span.pays", "3–9"), t("what a space would pay as the figures sit now.")],
    ),
  );
}

function raiderSign(state, number) {
  const { two_chests, bag_and_chest, two_bags } = state.board.raider;
  const backs = { [two_chests]: ["chest", "chest"], [bag_and_chest]: ["bag", "chest"], [two_bags]: ["bag", "bag"] }[
    number
  ];
  return backs && !state.figures[RAIDER] ? backs.map((back) => symbol(back)) : null;
}

/** The museum: six rows of four spaces, the best on top. `after` shows markers as they would stand. */
export function museum(state, { after, highlight } = {}) {
  const markers = after || state.museum;
  const moved = new Set(
    state.events
      .filter((event) => ["moved", "exhibited"].includes(event.what))
      .map((event) => `${event.player} ${event.marker}`),
  );
  const at = {};
  for (const one of markers) (at[one.space] ||= []).push(one);
  const points = state.board.museum_points;
  const rows = [];
  for (let top = points.length; top > 0; top -= 4)
    rows.push([top - 3, top - 2, top - 1, top].filter((space) => space > 0));
  return h(
    "div.museum",
    { role: "group", "aria-label": t("Museum") },
    rows.map((spaces) => {
      const worth = points[spaces[0] - 1];
      const same = spaces.every((space) => points[space - 1] === worth);
      return h(
        "div.shelf",
        { key: `shelf-${spaces[0]}` },
        h("span.worth", same ? n("{n} point", "{n} points", worth) : ""),
        spaces.map((space) =>
          h(
            "div.spot",
            { class: space === highlight ? "chosen" : "", key: `spot-${space}` },
            h("small", String(space), !same && h("i", ` ${points[space - 1]}`)),
            (at[space] || []).map((one) =>
              marker(state, one, !after && moved.has(`${one.player} ${one.marker}`) ? "fresh" : ""),
            ),
          ),
        ),
      );
    }),
  );
}

/** The twelve rounds with their evaluations. */
export function calendar(state) {
  return h(
    "ol.calendar",
    { "aria-label": t("Calendar: round {round} of {last}", { round: state.round, last: LAST_ROUND }) },
    Array.from({ length: LAST_ROUND }, (_, index) => index + 1).map((round) =>
      h(
        "li",
        {
          class: `${round === state.round ? "today" : ""} ${round < state.round ? "gone" : ""} ${EVALUATIONS[round] ? "evaluation" : ""}`,
          title: EVALUATIONS[round]
            ? t("Evaluation, prize for the oldest {kind}", { kind: kindName(EVALUATIONS[round]) })
            : null,
        },
        h("b", String(round)),
        EVALUATIONS[round] && kindSign(EVALUATIONS[round]),
      ),
    ),
  );
}

/** Everyone with coins, points, finds; the one to act is marked. */
export function people(state) {
  const changed = new Set(
    state.events
      .filter((event) => ["paid", "dug", "exhibited", "stored"].includes(event.what))
      .map((event) => event.player),
  );
  return h(
    "ul.people",
    state.players.map((player) =>
      h(
        "li",
        { key: player.name, class: player.name === state.to_act ? "acting" : "" },
        person(player.name),
        state.first_player === player.name && state.phase !== "over" && h("span.tag", t("first")),
        h("span.purse", { class: changed.has(player.name) ? "changed" : "" }, coins(player.coins)),
        h("span.points", player.points === undefined ? "?" : n("{n} pt", "{n} pts", player.points)),
      ),
    ),
    state.raider &&
      h(
        "li",
        { key: RAIDER },
        h("span.person", figure(RAIDER), h("span.name", t("Tomb raider"))),
        h("span.purse", coins(state.raider.coins)),
        h("span.points"),
      ),
  );
}
