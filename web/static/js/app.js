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
  camera: false, // whether the table has an eye of its own that works now
  cameraSays: "", // what is in its way, in words that help
  online: null, // null until the first state has come
  trouble: "", // what is wrong with the box itself, such as a full disk
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

/** What a refusal says: the table speaks this phone's language. */
export function sentence(refusal) {
  if (refusal.code === "no_connection") return t("The table does not answer. Is this phone in the same Wi-Fi?");
  return refusal.message || t("That did not work ({code}).", { code: refusal.code });
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
