// What the last command brought about, as things to do with one's hands; and what an undo would take back.

import { redraw } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, iconButton } from "../js/parts.js";
import { list, n, t } from "../js/texts.js";
import { figure, marker, roman } from "./pieces.js";
import { nameOf, RAIDER, say, sayObject } from "./rules.js";

const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const TELL = {
  laid: (event) => t("{find} into gallery {gallery}.", { find: cap(say(event.find)), gallery: roman(event.gallery) }),
  placed: (event) => t("{who}: figure on funds space {space}.", { who: cap(nameOf(event.player)), space: event.space }),
  paid: (event) =>
    n("{who} takes {n} coin.", "{who} takes {n} coins.", event.coins, { who: cap(nameOf(event.player)) }),
  returned: (event) => n("{n} coin goes back to the supply.", "{n} coins go back to the supply.", event.coins),
  dug: (event) =>
    n("{name} pays {n} coin", "{name} pays {n} coins", event.gallery, { name: event.player }) +
    " " +
    n("and takes the find of gallery {gallery}.", "and takes the {n} finds of gallery {gallery}.", event.finds.length, {
      gallery: roman(event.gallery),
    }),
  looted: (event) =>
    event.gallery
      ? n("The tomb raider pays {n} coin", "The tomb raider pays {n} coins", event.gallery) +
        " " +
        n(
          "and loots gallery {gallery}: its find goes to the box.",
          "and loots gallery {gallery}: its {n} finds go to the box.",
          event.finds.length,
          { gallery: roman(event.gallery) },
        )
      : t("The tomb raider finds nothing that he can pay for."),
  broken_up: (event) =>
    t("{name} breaks up collection {marker}: its finds go to the box.", { name: event.player, marker: event.marker }),
  moved: (event) =>
    t("{name}'s marker {marker}: from space {start} down to {end}.", {
      name: event.player,
      marker: event.marker,
      start: event.start,
      end: event.end,
    }),
  fell_out: (event) =>
    t("{name}'s marker {marker} falls out: marker back to {name}, its finds to the box.", {
      name: event.player,
      marker: event.marker,
    }),
  exhibited: (event) =>
    t("{name} puts the round marker {marker} on museum space {space}, the square one on the row.", {
      name: event.player,
      marker: event.marker,
      space: event.space,
    }),
  scored: (event) =>
    n("{name} takes {n} point: {why}.", "{name} takes {n} points: {why}.", event.points, {
      name: event.player,
      why: why(event),
    }),
  stored: (event) => stored(event),
  round_began: (event) =>
    t("Round {round}: figures back to their players, both funds cards into the box. {name} is first player.", {
      round: event.round,
      name: event.first_player,
    }),
};

function stored(event) {
  const parts = [];
  if (event.discarded.length)
    parts.push(n("throws {n} find into the box", "throws {n} finds into the box", event.discarded.length));
  if (event.fee) parts.push(n("pays {n} coin for storing", "pays {n} coins for storing", event.fee));
  return parts.length ? `${event.player} ${list(parts)}.` : t("{name} ends the turn.", { name: event.player });
}

/** What points were given for. */
export function why(event) {
  if (event.reason === "exhibit") return t("exhibited a collection");
  if (event.reason === "museum")
    return t("marker {marker} on space {space}", { marker: event.marker, space: event.space });
  const object = sayObject(event.object);
  const text =
    event.reason === "prize"
      ? t("the oldest {kind}, {object}", { kind: sayObject(event.object).split(" ")[0], object })
      : t("one of the three oldest objects, {object}", { object });
  return event.tied ? t("{text} (the years tie: exhibited earlier)", { text }) : text;
}

const HANDS = new Set(Object.keys(TELL));

/** One line of what happened, with the piece it is about. */
export function line(state, event) {
  const piece = event.marker
    ? marker(state, event)
    : event.player
      ? figure(event.player)
      : event.what === "looted"
        ? figure(RAIDER)
        : null;
  return h("li", piece, h("span", TELL[event.what](event)));
}

const evaluationIn = (events) =>
  events.some((event) => event.what === "stored") &&
  events.some((event) => ["moved", "fell_out", "scored"].includes(event.what));

let done = -1;

/** What the last command asks everyone's hands to do, until it is ticked off; an evaluation has its own page. */
export function happened(state) {
  const events = state.events.filter(
    (event) => HANDS.has(event.what) && event.what !== "laid" && !(event.what === "round_began" && event.round === 1),
  );
  if (!events.length || done === state.version || evaluationIn(events)) return null;
  const title = events.some((event) => event.what === "paid")
    ? t("Pay out, from right to left")
    : t("Do this on the board");
  const tick = () => {
    done = state.version;
    redraw();
  };
  return h(
    "section.card.happened",
    { key: `happened-${state.version}` },
    events.length > 1 && h("h2", title),
    h(
      "div.row",
      h(
        "ul.lines.grow",
        events.map((event) => line(state, event)),
      ),
      events.length === 1 && iconButton("check", t("Done"), tick),
    ),
    events.length > 1 && button(t("Done"), tick, { icon: "check", kind: "quiet" }),
  );
}

/** What an undo takes back, in words, and what to put back on the table; null if there is nothing. */
export function takenBack(state) {
  const first = state.events.find((event) => event.what !== "round_began");
  if (state.phase === "place_figures" && !Object.keys(state.figures).some((name) => name !== RAIDER)) {
    return {
      text: t("The two funds cards that were drawn."),
      table: t("turn nothing over; the same cards stay on the table."),
    };
  }
  if (!first) return null;
  const texts = {
    laid: () => ({
      text: t("The finds that were laid out just now."),
      table: t("take the new finds out of the galleries again."),
    }),
    placed: () => ({
      text: t("{name}'s figure on space {space}.", { name: first.player, space: first.space }),
      table: t("take the figure off the funds track."),
    }),
    paid: () => ({
      text: t("Turning over the funds cards, and the coins paid out."),
      table: t("give the coins back, and what the tomb raider looted."),
    }),
    dug: () => ({
      text: t("{name}'s dig in gallery {gallery}.", { name: first.player, gallery: roman(first.gallery) }),
      table: t("put the finds back into gallery {gallery}, take back the coins.", { gallery: roman(first.gallery) }),
    }),
    exhibit: (event) => ({
      text: t("{name}'s collection {marker} on space {space}.", {
        name: event.player,
        marker: event.marker,
        space: event.space,
      }),
      table: t("put the markers back where they were, take back the point."),
    }),
    stored: () => ({
      text: state.events.some((event) => event.what === "scored" || event.what === "round_began")
        ? t("The end of {name}'s turn, and with it the end of round {round}.", {
            name: first.player,
            round: state.phase === "over" ? state.round : state.round - 1,
          })
        : t("The end of {name}'s turn.", { name: first.player }),
      table: first.fee || first.discarded.length ? t("give back the fee and what was thrown away.") : "",
    }),
  };
  const exhibited = state.events.find((event) => event.what === "exhibited");
  return exhibited ? texts.exhibit(exhibited) : (texts[first.what]?.() ?? { text: t("The last step.") });
}
