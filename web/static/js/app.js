// What this phone knows, and the few things that every screen does with it.

import * as api from "./api.js";
import { t } from "./texts.js";

/** Everything that a screen is drawn from. */
export const app = {
  state: null, // the table's state, as this phone may see it
  game: null, // the screens of the game being played
  games: [], // the games that can be set up
  me: null, // this phone's seat {id, player}; without a player it acts for everyone
  seats: [], // every phone's seat
  asking: [], // phones that ask to be let in
  join: null, // the link for other phones
  scan: null, // the table's reading that waits for a person
  camera: false, // whether the table has an eye of its own
  online: null, // null until the first state has come
  notice: null, // {text, kind}: a line that goes away by itself
  sheet: null, // a function that draws the open sheet
  busy: false, // a command is on its way
  visits: 0, // counts the pages that were opened
};

let draw = () => {};
let waiting = false;

/** Name the function that draws the page. */
export function drawWith(paint) {
  draw = paint;
}

/** Draw the page soon, once for all changes made until then. */
export function redraw() {
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => {
    waiting = false;
    draw();
  });
}

/** Go to another page of the companion. */
export function go(path) {
  app.sheet = null;
  if (location.hash === `#${path}`) redraw();
  else location.hash = path;
}

/** Open a sheet from below; nothing closes it. */
export function sheet(paint) {
  app.sheet = paint;
  redraw();
}

let noticeGone;

/** Say something in passing. */
export function notice(text, kind = "") {
  clearTimeout(noticeGone);
  app.notice = { text, kind };
  noticeGone = setTimeout(() => {
    app.notice = null;
    redraw();
  }, 6000);
  redraw();
}

/** Whether this phone sits at the table. */
export const seated = () => app.me !== null;

/** The player of this phone; null for onlookers and for the table's own device. */
export const myName = () => app.me?.player ?? null;

/** Whether this phone may act for a player; null means the table itself. */
export function mayActFor(player) {
  if (!seated() || isStranger()) return false;
  return player === null || myName() === null || myName() === player;
}

/** Whether this phone's seat is of somebody who does not play in this game. */
export const isStranger = () =>
  myName() !== null && Boolean(app.state?.game) && !app.state.players.some((player) => player.name === myName());

/** Run something that may be refused; the refusal is shown in words. Gives null if refused. */
export async function ask(action) {
  try {
    return (await action()) ?? {};
  } catch (refusal) {
    if (!(refusal instanceof api.Refusal)) throw refusal;
    notice(sentence(refusal), "trouble");
    if (refusal.status === 401) await lookAtSeats();
    if (refusal.code === "stale_state") takeState(await api.get("/api/table"));
    return null;
  }
}

/** The same for what changes something: one at a time, so that a double tap does nothing twice. */
export async function attempt(action) {
  if (app.busy) return null;
  app.busy = true;
  redraw();
  try {
    return await ask(action);
  } finally {
    app.busy = false;
    redraw();
  }
}

/** Send a command, made on the state that this phone shows. */
export function command(line) {
  return attempt(() => api.post("/api/table/commands", { ...line, on: app.state.version }));
}

const onState = [];

/** Be told (state, before) of every newer state. */
export function whenState(listener) {
  onState.push(listener);
}

/** A state has come; an older one, overtaken on its way, is passed over. */
export function takeState(state) {
  const before = app.state;
  if (before && state.version < before.version) return;
  app.state = state;
  for (const listener of onState) listener(state, before);
  redraw();
}

let looks = 0;

/** Ask who sits where; an answer that a later question has overtaken is passed over. */
export async function lookAtSeats() {
  const look = ++looks;
  try {
    const { me, seats, asking, join } = await api.get("/api/seats");
    if (look !== looks) return;
    Object.assign(app, { me, seats, asking, join });
    redraw();
  } catch (refusal) {
    if (refusal.code !== "no_connection") throw refusal;
  }
}

/** What a refusal says in the phone's language; the table's own English sentence knows more, so it is kept there. */
export function sentence(refusal) {
  const known = {
    no_connection: t("The table does not answer. Is this phone in the same Wi-Fi?"),
    stale_state: t("Someone was quicker: the table has moved on. Look again, then choose."),
    wrong_code: t("That is not the code of this table."),
    too_many_guesses: t("Too many wrong codes. Please wait a little, then try again."),
    no_seat: t("This phone only watches. Join the table to play."),
    not_yours: t("That is for another player to do."),
    not_your_turn: t("It is another player's turn."),
    find_seen_before: t("That find has been on this table before."),
    wrong_number_of_finds: t("That is not the number of finds to lay out now."),
    space_taken: t("Somebody already sits there."),
    not_enough_coins: t("There are not enough coins for that."),
    card_used_up: t("No such card can be left in the pile."),
    back_and_value_differ: t("The card's back and its value do not match."),
    wrong_phase: t("That is not possible now."),
    game_under_way: t("A game is under way."),
    unknown_player: t("Nobody of that name plays in this game."),
    too_many_asking: t("Too many phones ask to join. Please wait a little."),
    busy: t("The table is reading another photograph. Try again in a moment."),
    no_camera: t("The table's camera does not answer. Photograph with a phone, or enter the pieces by hand."),
    not_a_photo: t("That file is not a photograph."),
    cannot_read: t("The photograph could not be read. Enter the pieces by hand."),
    unknown_scan: t("This scan is no longer kept. Scan again."),
    too_large: t("That file is too large."),
    fault: t("Something went wrong in the box. The table is as it was."),
    cannot_record: t("The table cannot write its record: is the disk full? Nothing was changed."),
  };
  if (document.documentElement.lang !== "en" && known[refusal.code]) return known[refusal.code];
  return refusal.message || known[refusal.code] || t("That did not work ({code}).", { code: refusal.code });
}

/** A setting kept on this phone only. */
export const settings = {
  get: (name, otherwise) => {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(name, JSON.stringify(value));
    } catch {
      // a phone in private mode forgets; nothing depends on it
    }
  },
};
