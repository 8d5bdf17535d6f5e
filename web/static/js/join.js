// Joining: by the code on the link, by typing it, or by asking to be let in at the box. And who sits where.

import * as api from "./api.js";
import { app, ask, attempt, go, isStranger, lookAtSeats, myName, redraw, seated, sentence, takeState } from "./app.js";
import { drawn, h, stamp } from "./dom.js";
import { badge, button, card, icon, person } from "./parts.js";
import { t } from "./texts.js";

const ASK_AGAIN = 2000;
const entry = { code: codeInLink(), linked: Boolean(codeInLink()), wrong: "", asking: null };

/** The code stands behind the #, which browsers keep to themselves. */
function codeInLink() {
  return location.pathname === "/join" && !location.hash.startsWith("#/")
    ? decodeURIComponent(location.hash.slice(1))
    : "";
}

/** Whether this phone came by a link that gives it another seat than it has. */
export const cameForAnotherSeat = () =>
  entry.linked && Boolean(entry.code) && location.pathname === "/join" && !app.join?.endsWith(`#${entry.code}`);

/** The first page of a phone that has no seat. */
export function joinScreen() {
  const names = (app.state?.players || []).map((player) => player.name);
  return {
    title: t("Welcome"),
    now: names.length ? t("Who are you?") : t("Join the table"),
    hint: names.length ? t("Take your seat, and this phone plays with you.") : t("Be the first: you set the game up."),
    mine: true,
    body: [
      entry.asking !== null ? waitingCard() : [!entry.linked && codeCard(), seatList(names)],
      entry.asking === null && otherWays(),
    ],
  };
}

function codeCard() {
  return card(
    t("The table's code"),
    h(
      "p",
      t(
        "It is on the screen where the companion was started, and on every phone that plays: Menu, Seats and invitation.",
      ),
    ),
    h("input.code", {
      id: "code",
      value: entry.code,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      maxlength: 24,
      "aria-label": t("The table's code"),
      "aria-invalid": entry.wrong ? "true" : null,
      oninput: (event) => {
        entry.code = event.target.value;
        entry.wrong = "";
        redraw();
      },
      onkeydown: (event) => event.key === "Enter" && !app.state?.players?.length && join(null),
    }),
    entry.wrong && h("p.wrong", { role: "alert" }, entry.wrong),
  );
}

function seatList(names) {
  const taken = new Set(app.seats.map((seat) => seat.player));
  const ready = entry.code.trim().length > 0;
  return h(
    "div.seat-list",
    entry.linked && entry.wrong && h("p.wrong", { role: "alert" }, entry.wrong),
    names.map((name) =>
      h(
        "button.seat",
        { type: "button", key: name, disabled: !ready || app.busy, onclick: () => join(name) },
        person(name),
        h("small", taken.has(name) ? t("has a phone already") : t("that's me")),
      ),
    ),
    h(
      "button.seat",
      { type: "button", disabled: !ready || app.busy, onclick: () => join(null), class: names.length ? "" : "primary" },
      h(
        "span.person",
        icon("people"),
        h("span.name", names.length ? t("This device plays for everyone") : t("Join and set up a game")),
      ),
      names.length > 0 && h("small", t("one phone or tablet is enough")),
    ),
  );
}

function otherWays() {
  return card(
    t("No code?"),
    button(t("Ask to be let in"), () => askToJoin(null), { icon: "hand", kind: "entry" }),
    h(
      "p.small",
      t("A light on the box blinks. Somebody at the table presses Next on the box, or lets you in on their own phone."),
    ),
    app.state?.game &&
      button(t("Just watch"), () => ((app.watching = true), go("/table")), { icon: "eye", kind: "entry" }),
  );
}

function waitingCard() {
  return card(
    t("Asking to be let in …"),
    h("p.big", t("Press Next on the box now.")),
    h("p", t("This phone joins as soon as somebody has pressed it.")),
    button(t("Stop asking"), stopAsking, { kind: "quiet" }),
  );
}

async function join(player) {
  const answer = await attempt(async () => {
    try {
      return await api.post(
        "/api/seats",
        player === null ? { code: entry.code.trim() } : { code: entry.code.trim(), player },
      );
    } catch (refusal) {
      entry.wrong = sentence(refusal);
      entry.linked = false;
      throw refusal;
    }
  });
  if (answer) await inside();
}

async function askToJoin(player) {
  entry.asking = player ?? "";
  redraw();
  while (entry.asking !== null) {
    const answer = await ask(() => api.post("/api/seats", player ? { ask: true, player } : { ask: true }));
    if (!answer) entry.asking = null;
    else if (!answer.waiting) return inside();
    else await new Promise((done) => setTimeout(done, ASK_AGAIN));
  }
  redraw();
}

function stopAsking() {
  entry.asking = null;
  redraw();
}

async function inside() {
  entry.asking = null;
  entry.linked = false;
  history.replaceState(null, "", "/");
  app.sheet = null;
  await lookAtSeats();
  takeState(await api.get("/api/table"));
}

/** Who sits where, and the invitation for the others. */
export function seatsScreen() {
  if (!seated()) return joinScreen();
  return { title: t("Seats and invitation"), body: [invitation(), seatCard(), handOverCard()] };
}

function invitation() {
  if (!app.join) return null;
  const [address, code] = app.join.split("/join#");
  return card(
    t("Invite the others"),
    h("p", t("Point another phone's camera at this picture, or open the address and type the code.")),
    h("img.qr", {
      src: `/api/seats/qr?${app.me.id}`,
      alt: t("Picture with the address and the code, for a phone's camera"),
      width: 232,
      height: 232,
    }),
    h("p.address", address),
    h("p.join-code", h("small", t("Code")), h("b", code)),
  );
}

function seatCard() {
  const mine = myName();
  return card(
    t("Who sits where"),
    (app.state.players || []).map(({ name }) => {
      const phones = app.seats.filter((seat) => seat.player === name);
      return h(
        "div.row",
        { key: name },
        badge(name),
        h(
          "span.grow",
          h("b", { dir: "auto" }, name),
          h("small", name === mine ? t("this phone") : phones.length ? t("has a phone") : t("no phone yet")),
        ),
        name !== mine &&
          button(t("Sit here"), () => sit(name), { kind: "small", "aria-label": t("Sit here as {name}", { name }) }),
        name !== mine &&
          mine === null &&
          phones.length > 0 &&
          button(t("Free"), () => free(phones), { kind: "small", "aria-label": t("Free {name}'s seat", { name }) }),
      );
    }),
    h(
      "div.row",
      icon("people"),
      h(
        "span.grow",
        h("b", t("For everyone")),
        h("small", mine === null ? t("this device plays for everyone") : t("one device is enough for a whole table")),
      ),
      mine !== null &&
        button(t("Sit here"), () => sit(null), { kind: "small", "aria-label": t("Sit here for everyone") }),
    ),
  );
}

let passed = null;

function handOverCard() {
  const handOver = async () => {
    const got = await attempt(() => api.post("/api/seats/hand-over"));
    passed = got && { ...got, visit: app.visits };
    redraw();
  };
  return card(
    t("Hand over, or get up"),
    passed?.visit === app.visits
      ? [
          h("p", t("Point the other phone's camera at this within five minutes; it then has this seat:")),
          stamp(passed.join, passedPicture),
          h("p.small.centre", t("Or open this address there:")),
          h("p.address", passed.join),
        ]
      : button(t("Hand this seat to another phone"), handOver, { kind: "entry", icon: "hand" }),
    button(t("Get up and only watch"), leave, { kind: "entry", icon: "door" }),
  );
}

function passedPicture() {
  const picture = drawn(passed.qr);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", t("Picture with the address that hands this seat over, for a phone's camera"));
  return picture;
}

/** Change the seat of this phone; null: it plays for everyone. */
export async function sit(player) {
  const code = app.join.split("/join#")[1];
  if (await attempt(() => api.post("/api/seats", player === null ? { code } : { code, player }))) {
    await lookAtSeats();
    takeState(await api.get("/api/table"));
  }
}

async function free(seats) {
  for (const seat of seats) await attempt(() => api.remove(`/api/seats/${seat.id}`));
  await lookAtSeats();
}

async function leave() {
  if (await attempt(() => api.remove("/api/seats/me"))) {
    app.watching = true;
    await lookAtSeats();
    go("/");
  }
}

/** After a game was set up: which of its players holds this phone? */
export function whoAmI() {
  const table = app.state.players.map((player) => player.name).join("|");
  if (!seated() || (myName() === null ? app.everyone === table : !isStranger())) return null;
  const taken = new Set(app.seats.map((seat) => seat.player));
  const everyone = () => {
    app.everyone = table;
    if (myName() === null) redraw();
    else sit(null);
  };
  return card(
    t("Who holds this device?"),
    h(
      "div.who",
      app.state.players
        .filter((player) => !taken.has(player.name))
        .map((player) => h("button.chip", { type: "button", onclick: () => sit(player.name) }, person(player.name))),
      h("button.chip", { type: "button", onclick: everyone }, h("span.person", icon("people"), t("Everyone"))),
    ),
    h(
      "p.small",
      t("The others join with their own phones: Menu, Seats and invitation. One device for everyone is fine too."),
    ),
  );
}
