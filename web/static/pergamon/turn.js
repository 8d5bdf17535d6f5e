// One player's turn: dig, exhibit, store. Only what is allowed can be tapped; the rest says why.

import { command, mayActFor, myName, redraw } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, card, primary } from "../js/parts.js";
import { n, t } from "../js/texts.js";
import { advice } from "./advice.js";
import { people, site } from "./board.js";
import { exhibitPart, planCard } from "./exhibit.js";
import { happened } from "./happened.js";
import { coins, roman, tile } from "./pieces.js";
import { feeFor, fits, nameOf, playerOf } from "./rules.js";

let turn = {};

/** The screen of the phase *excavate*: the one to act plays, the others see it and may plan. */
export function turnScreen(state) {
  const key = `${state.round} ${state.to_act}`;
  if (turn.key !== key) turn = { key, step: null, gallery: null, discard: new Set(), row: [], polish: 0 };
  if (turn.version !== state.version)
    Object.assign(turn, { version: state.version, gallery: null, row: [], polish: 0, breakUp: null, step: null });
  const player = playerOf(state, state.to_act);
  turn.discard = new Set([...turn.discard].filter((code) => player.finds.includes(code)));
  return mayActFor(state.to_act) ? acting(state, player) : waiting(state, player);
}

function acting(state, player) {
  const step = turn.step ?? likelyStep(state, player);
  const part = { dig: digPart, exhibit: () => exhibitPart(state, player, turn), end: endPart }[step](state, player);
  return {
    who: player.name,
    mine: true,
    help: "turn",
    now: part.now,
    hint: part.hint,
    body: [
      happened(state),
      steps(state, step),
      part.body,
      step !== "dig" && card(t("Excavation site"), site(state)),
      card(t("Players"), people(state)),
    ],
    bar: part.bar,
  };
}

function likelyStep(state, player) {
  if (!state.turn.dug && !state.turn.exhibited && state.galleries.some((_, index) => !whyNot(state, player, index)))
    return "dig";
  const rows = player.finds.some((left) => player.finds.some((right) => left !== right && fits(left, right)));
  return rows ? "exhibit" : "end";
}

function steps(state, step) {
  const names = { dig: t("Dig"), exhibit: t("Exhibit"), end: t("Store") };
  return h(
    "div.steps",
    { role: "tablist", "aria-label": t("Parts of your turn") },
    Object.entries(names).map(([name, label], index) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          key: name,
          "aria-selected": String(name === step),
          onclick: () => ((turn.step = name), redraw()),
        },
        h("small", String(index + 1)),
        label,
        name === "dig" && state.turn.dug && h("span", { "aria-label": t("done") }, " ✓"),
      ),
    ),
  );
}

/** Why a gallery cannot be dug now; "" if it can. */
function whyNot(state, player, index) {
  const deepest = state.board.deepest_gallery[state.figures[player.name] - 1];
  if (state.turn.dug) return t("already dug in this turn");
  if (state.turn.exhibited) return t("digging comes before exhibiting");
  if (!state.galleries[index].length) return t("nothing to dig");
  if (index + 1 > deepest)
    return t("too deep: space {space} reaches down to {gallery}", {
      space: state.figures[player.name],
      gallery: roman(deepest),
    });
  if (player.coins < index + 1) return t("costs {price}, you have {coins}", { price: index + 1, coins: player.coins });
  return "";
}

function digPart(state, player) {
  const chosen = turn.gallery;
  const can = state.galleries.map((_, index) => whyNot(state, player, index));
  const any = can.some((why) => !why);
  const best = (index) => {
    const rows = advice(player.name)?.suggestions?.galleries?.[index].rows || [];
    const value = Math.max(0, ...rows.map((row) => row.value));
    return value ? t("best row with it: {value}", { value }) : "";
  };
  const rowOf = (index) =>
    can[index]
      ? { why: can[index], className: "shut" }
      : {
          why: best(index),
          onclick: () => ((turn.gallery = chosen === index ? null : index), redraw()),
          className: chosen === index ? "chosen" : "open",
        };
  return {
    now: state.turn.dug
      ? t("You have dug.")
      : any
        ? t("{name}: dig in one gallery, or not.", { name: player.name })
        : t("{name}: nothing to dig for you.", { name: player.name }),
    hint: t("You have {coins}.", { coins: n("{n} coin", "{n} coins", player.coins) }),
    body: [
      card(t("Excavation site"), site(state, rowOf)),
      player.finds.length > 0 && card(t("Your finds"), tray(player.finds)),
    ],
    bar: [
      chosen === null
        ? button(any ? t("Do not dig") : t("Go on"), () => ((turn.step = "exhibit"), redraw()), {
            kind: any ? "" : "primary",
          })
        : primary(
            n("Pay {n} coin, take gallery {gallery}", "Pay {n} coins, take gallery {gallery}", chosen + 1, {
              gallery: roman(chosen + 1),
            }),
            () => command({ do: "dig", player: player.name, gallery: chosen + 1 }),
            { icon: "check" },
          ),
    ],
  };
}

const tray = (finds) =>
  h(
    "div.tray",
    finds.map((code) => tile(code)),
  );

function endPart(state, player) {
  const kept = player.finds.length - turn.discard.size;
  const fee = feeFor(kept);
  const poor = fee > player.coins;
  const flip = (code) => {
    turn.discard.has(code) ? turn.discard.delete(code) : turn.discard.add(code);
    redraw();
  };
  return {
    now: poor
      ? t("Storing {kept} finds costs {fee}: throw some away.", { kept, fee })
      : t("{name}: store your finds, end your turn.", { name: player.name }),
    hint: t("Three finds are stored for nothing; every three more, or part of it, cost one coin."),
    body: [
      card(
        t("Your finds"),
        player.finds.length
          ? h(
              "div.tray",
              player.finds.map((code) =>
                h(
                  "button.keep",
                  {
                    type: "button",
                    key: code,
                    class: turn.discard.has(code) ? "thrown" : "",
                    "aria-pressed": String(turn.discard.has(code)),
                    onclick: () => flip(code),
                    "aria-label": t("Throw away: {find}", { find: tile(code).getAttribute("aria-label") }),
                  },
                  tile(code, { label: "" }),
                ),
              ),
            )
          : h("p", t("You have no finds.")),
        player.finds.length > 0 && h("p.small", t("Tap a find to throw it into the box.")),
        h(
          "p.sum",
          n("{n} find kept", "{n} finds kept", kept),
          h("span", t("fee: "), coins(fee)),
          h("span", t("you have "), coins(player.coins)),
        ),
      ),
      ways(player),
    ],
    bar: [
      primary(
        turn.discard.size || fee
          ? [
              turn.discard.size ? n("Throw {n} away", "Throw {n} away", turn.discard.size) : "",
              fee ? n("pay {n}", "pay {n}", fee) : "",
              t("end turn"),
            ]
              .filter(Boolean)
              .join(", ")
          : t("End the turn"),
        () => command({ do: "end_turn", player: player.name, discard: [...turn.discard] }),
        { disabled: poor, icon: "check" },
      ),
    ],
  };
}

/** The fee for everything, and coin by coin what to throw away to save it; one tap chooses. */
function ways(player) {
  const known = advice(player.name)?.storing || [];
  if (known.length < 2) return null;
  return card(
    t("Save the fee?"),
    known.map((way) =>
      h(
        "button.suggestion",
        {
          type: "button",
          key: way.fee,
          disabled: !way.affordable,
          onclick: () => ((turn.discard = new Set(way.discard)), redraw()),
        },
        way.discard.length
          ? h(
              "span.tray.little",
              way.discard.map((code) => tile(code)),
            )
          : h("span", t("Keep everything")),
        h(
          "b",
          [
            way.discard.length ? n("throw {n} away", "throw {n} away", way.discard.length) : "",
            n("pay {n}", "pay {n}", way.fee),
          ]
            .filter(Boolean)
            .join(", "),
        ),
      ),
    ),
  );
}

function waiting(state, player) {
  const me = playerOf(state, myName());
  const after = state.waiting.slice(1).map(nameOf);
  return {
    who: player.name,
    now: t("{name} digs, exhibits and stores.", { name: player.name }),
    hint: after.length ? t("Then: {names}.", { names: after.join(", ") }) : t("Then the round ends."),
    help: "turn",
    body: [
      happened(state),
      card(t("Excavation site"), site(state)),
      me?.finds.length > 0 && card(t("Your finds"), tray(me.finds)),
      me && planCard(me),
      card(t("Players"), people(state)),
    ],
  };
}
