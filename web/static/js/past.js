// Past games: their results, players' statistics, and the way out as a recorded game or to BG Stats.

import * as api from "./api.js";
import { app, ask, attempt, go, notice, redraw, seated } from "./app.js";
import { h } from "./dom.js";
import { button, card, icon } from "./parts.js";
import { decimal, n, t, when } from "./texts.js";

let visit = -1;
let listed = null;
let standing = null;
let opened = { id: null, game: null };

async function look() {
  const got = await ask(() => Promise.all([api.get("/api/games"), api.get("/api/statistics")]));
  if (got) [listed, standing] = [got[0].games, got[1].players];
  redraw();
}

/** The page of all games played here. */
export function pastScreen() {
  if (visit !== app.visits) {
    visit = app.visits;
    look();
  }
  return {
    title: t("Past games"),
    body: [
      listed === null
        ? null
        : listed.length
          ? card(null, h("ul.games", listed.map(gameLine)))
          : card(null, h("p", t("No game has been played here yet."))),
      standing?.length > 0 && card(t("Players"), statistics()),
      seated() && importCard(),
    ],
  };
}

function gameLine(game) {
  return h(
    "li",
    { key: game.id },
    h(
      "button",
      { type: "button", onclick: () => go(`/game/${game.id}`) },
      h("span.grow", h("b", { dir: "auto" }, game.players.join(", ")), h("small", when(game.began))),
      h(
        "span.outcome",
        game.ended
          ? [icon("trophy"), h("span", { dir: "auto" }, game.winners.join(", "))]
          : game.under_way
            ? t("under way")
            : t("unfinished"),
      ),
    ),
  );
}

function statistics() {
  return h(
    "div.scroll",
    { tabindex: 0, role: "group", "aria-label": t("Players") },
    h(
      "table.points-table",
      h(
        "thead",
        h(
          "tr",
          h("td"),
          [t("games"), t("won"), t("best"), t("average")].map((name) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        standing.map((player) =>
          h(
            "tr",
            { key: player.name },
            h("th", { scope: "row", dir: "auto" }, player.name),
            [
              player.games,
              player.won,
              player.best ?? "–",
              player.average === null ? "–" : decimal(player.average),
            ].map((value) => h("td", String(value))),
          ),
        ),
      ),
    ),
  );
}

function importCard() {
  const take = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const got = await attempt(async () => api.post("/api/games/import", { record: await file.text() }));
    if (got) {
      notice(n("{n} game is in the record now.", "{n} games are in the record now.", got.games.length));
      look();
    }
  };
  return card(
    t("Bring a recorded game"),
    h(
      "label.button",
      icon("plus"),
      h("span", t("Choose a file")),
      h("input.unseen", { type: "file", accept: ".jsonl,.txt,text/plain", onchange: take }),
    ),
  );
}

/** One past game. */
export function pastGameScreen(id) {
  if (opened.id !== id || opened.visit !== app.visits) {
    opened = { id, game: null, visit: app.visits };
    ask(() => api.get(`/api/games/${encodeURIComponent(id)}`)).then((game) => {
      if (game && opened.id === id) opened.game = game;
      redraw();
    });
  }
  const game = opened.game;
  if (!game) return { title: t("Past games"), body: [card(null, h("p", "…"))] };
  return {
    title: when(game.began),
    body: [
      card(
        null,
        h(
          "p.big",
          { dir: "auto" },
          game.ended ? t("{names} won.", { names: game.winners.join(", ") }) : t("This game is not finished."),
        ),
        h("p", { dir: "auto" }, game.players.join(", ")),
      ),
      app.game.resultBody(game.state),
      card(
        t("Keep it"),
        h(
          "a.button",
          { href: `/api/games/${game.id}/record`, download: `game-${game.id}.jsonl` },
          icon("book"),
          h("span", t("Save as a recorded game")),
        ),
        game.ended &&
          h("a.button", { href: game.bg_stats, rel: "noreferrer" }, icon("trophy"), h("span", t("Log in BG Stats"))),
        !game.ended &&
          seated() &&
          !game.under_way &&
          button(t("Go on with this game"), () => resume(game.id), { kind: "primary" }),
      ),
    ],
  };
}

async function resume(id) {
  if (await attempt(() => api.post(`/api/games/${id}/resume`))) go("/");
}
