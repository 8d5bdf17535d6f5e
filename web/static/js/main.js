// The beginning: texts, seats, the live table, and which page is open.

import { app, drawWith, lookAtSeats, notice, redraw, seated, takeState } from "./app.js";
import { h, patch } from "./dom.js";
import { cameForAnotherSeat, joinScreen, seatsScreen } from "./join.js";
import { listen } from "./live.js";
import { pastGameScreen, pastScreen } from "./past.js";
import { prompt } from "./prompts.js";
import { lookAtScan } from "./scan.js";
import { settingsScreen } from "./settings.js";
import { newGameScreen } from "./setup.js";
import { frame } from "./shell.js";
import { teachScreen } from "./teach.js";
import { loadTexts, t } from "./texts.js";

const PAGES = {
  join: joinScreen,
  seats: seatsScreen,
  new: newGameScreen,
  past: pastScreen,
  game: pastGameScreen,
  settings: settingsScreen,
  teach: teachScreen,
  table: () => app.game.watch(),
  help: () => app.game.helpPage(),
  card: () => app.game.card(),
};
const NEED_GAME = new Set(["table", "help", "card"]);

let told;
let page = document.getElementById("page");
const dialog = document.getElementById("sheet");

const path = () => location.hash.replace(/^#\/?/, "").split("/");

function screen() {
  const [name, ...rest] = path();
  if (cameForAnotherSeat()) return [joinScreen(), true];
  const draw = PAGES[name];
  if (draw && (app.game || !NEED_GAME.has(name))) return [draw(...rest), false];
  if (app.state.game) return [seated() || app.watching ? app.game.screen() : joinScreen(), true];
  return [seated() ? newGameScreen() : joinScreen(), true];
}

function paint() {
  if (!app.state || (app.state.game && !app.game)) {
    if (app.online === false)
      page = patch(
        page,
        h(
          "div.page",
          { id: "page" },
          h("p.offline", { role: "alert" }, t("No connection to the table."), " ", t("Trying again by itself …")),
        ),
      );
    return;
  }
  const [shown, home] = screen();
  const about = {
    id: "page",
    "data-version": app.state.version,
    "data-screen": home ? "home" : path()[0],
    "data-busy": app.busy,
  };
  page = patch(page, frame(shown, home, about));
  document.title = shown.now
    ? `${shown.now} · ${document.documentElement.dataset.title}`
    : document.documentElement.dataset.title;
  paintSheet();
  if (home && shown.now !== told) {
    if (shown.mine) requestAnimationFrame(() => window.scrollTo(0, 0));
    prompt(shown.now, shown.mine);
  }
  if (home) told = shown.now;
}

function paintSheet() {
  if (!app.sheet) {
    if (dialog.open) dialog.close();
    return;
  }
  const body = h("div", app.sheet(), app.notice && h("p.notice-inside", { role: "alert" }, app.notice.text));
  if (dialog.firstElementChild) patch(dialog.firstElementChild, body);
  else dialog.append(body);
  if (!dialog.open) dialog.showModal();
}

dialog.addEventListener("close", () => {
  dialog.replaceChildren();
  if (app.sheet) {
    app.sheet = null;
    redraw();
  }
});
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

addEventListener("hashchange", () => {
  app.sheet = null;
  app.visits += 1;
  window.scrollTo(0, 0);
  redraw();
  page.querySelector("main")?.focus({ preventScroll: true });
});

async function useGame(name) {
  if (app.game?.name === name) return;
  const module = await import(`../${name}/screens.js`);
  app.game = await module.open();
}

function heardState(state) {
  const behind = app.state && app.caughtUp === false && state.version > app.state.version;
  app.caughtUp = true;
  const show = () => {
    takeState(state);
    if (behind) notice(t("Connected again, and up to date."));
  };
  if (state.game && app.game?.name !== state.game) useGame(state.game).then(show);
  else show();
}

function heardConnection(online) {
  if (app.online === online) return;
  if (!online) app.caughtUp = false;
  else if (app.online === false) lookAtSeats();
  app.online = online;
  redraw();
}

function heardStatus({ record }) {
  const said = record?.ok === false ? record.message : "";
  if (app.trouble === said) return;
  app.trouble = said;
  redraw();
}

async function begin() {
  drawWith(paint);
  await loadTexts();
  app.games = JSON.parse(document.documentElement.dataset.games);
  await Promise.all([lookAtSeats(), useGame(app.games[0].name), lookAtScan()]);
  const heard = {
    message: heardState,
    seats: () => lookAtSeats(),
    scan: (scan) => {
      app.scan = scan;
      redraw();
    },
  };
  listen("/api/table/events", heard, heardConnection, heardStatus);
}

begin();
