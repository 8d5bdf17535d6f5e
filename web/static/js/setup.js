// Setting a game up: who plays, who begins, which variants and house rules; or take up an unfinished game.

import * as api from "./api.js";
import { app, attempt, command, go, redraw, seated, settings, sheet } from "./app.js";
import { h } from "./dom.js";
import { joinScreen } from "./join.js";
import { badge, button, card, closeSheet, iconButton, primary, sheetFrame, toggle } from "./parts.js";
import { n, t } from "./texts.js";

let draft = null;
let unfinished = null;

function begin() {
  const about = app.games[0];
  const last = settings.get("players", []);
  draft = {
    about,
    players: (last.length >= about.fewest_players ? last : [{ name: "" }, { name: "" }]).map((player, index) => ({
      id: index,
      name: player.name,
      colour: about.colours.includes(player.colour) ? player.colour : about.colours[index],
    })),
    first: 0,
    on: Object.fromEntries([...about.variants, ...about.house_rules].map((option) => [option.name, option.default])),
    next: 9,
  };
  lookForUnfinished();
}

async function lookForUnfinished() {
  try {
    const { games } = await api.get("/api/games");
    unfinished = games.filter((game) => !game.ended && !game.imported).slice(0, 3);
    redraw();
  } catch {
    unfinished = [];
  }
}

/** The page for a new game. */
export function newGameScreen() {
  if (!seated()) return joinScreen();
  if (!draft) begin();
  const names = draft.players.map((player) => player.name.trim());
  const missing = names.some((name) => !name);
  const twice = new Set(names.filter(Boolean)).size < names.filter(Boolean).length;
  const playing = app.state.game && app.state.phase !== "over";
  return {
    title: draft.about.title,
    now: t("Who plays?"),
    hint: t("In the order you sit, clockwise."),
    mine: true,
    body: [
      !playing && unfinishedCard(),
      card(
        null,
        draft.players.map(playerRow),
        draft.players.length < draft.about.most_players &&
          button(t("Add a player"), addPlayer, { icon: "plus", kind: "entry" }),
        twice && h("p.wrong", { role: "alert" }, t("Two players have the same name.")),
      ),
      firstCard(),
      optionCard(),
      app.game.dataCard?.(),
    ],
    bar: [
      primary(
        playing ? t("Start a new game") : t("Start the game"),
        playing ? () => sheet(replaceSheet) : () => start(false),
        {
          disabled: missing || twice,
        },
      ),
    ],
  };
}

function playerRow(player, index) {
  const free = draft.about.colours.filter(
    (colour) => colour === player.colour || !draft.players.some((other) => other.colour === colour),
  );
  const nextColour = () => {
    player.colour = free[(free.indexOf(player.colour) + 1) % free.length];
    redraw();
  };
  const label = t("Player {n}", { n: index + 1 });
  return h(
    "div.row.player-row",
    { key: `player-${player.id}` },
    h(
      "button.colour",
      { type: "button", onclick: nextColour },
      badge(player.name || String(index + 1), player.colour),
      h("span.unseen", t("Colour of {who}: ", { who: player.name || label })),
      h("small", colourName(player.colour)),
    ),
    h("input.grow", {
      value: player.name,
      placeholder: label,
      "aria-label": t("Name of player {n}", { n: index + 1 }),
      maxlength: 40,
      dir: "auto",
      autocomplete: "off",
      oninput: (event) => {
        player.name = event.target.value;
        redraw();
      },
    }),
    iconButton("up", t("Move {who} up", { who: player.name || label }), () => move(index), { disabled: index === 0 }),
    iconButton("close", t("Remove {who}", { who: player.name || label }), () => take(index), {
      disabled: draft.players.length <= draft.about.fewest_players,
    }),
  );
}

const COLOURS = { yellow: () => t("yellow"), blue: () => t("blue"), red: () => t("red"), green: () => t("green") };
const colourName = (colour) => COLOURS[colour]?.() ?? colour;

function addPlayer() {
  const colour = draft.about.colours.find((one) => !draft.players.some((player) => player.colour === one));
  draft.players.push({ id: draft.next++, name: "", colour });
  redraw();
}

function move(index) {
  const first = draft.players[draft.first];
  const [player] = draft.players.splice(index, 1);
  draft.players.splice(index - 1, 0, player);
  draft.first = draft.players.indexOf(first);
  redraw();
}

function take(index) {
  draft.players.splice(index, 1);
  draft.first = Math.min(draft.first, draft.players.length - 1);
  redraw();
}

function firstCard() {
  const lot = () => {
    draft.first = Math.floor(Math.random() * draft.players.length);
    redraw();
  };
  return card(
    t("Who begins?"),
    h(
      "div.who",
      { role: "radiogroup", "aria-label": t("Who begins?") },
      draft.players.map((player, index) =>
        h(
          "button.chip",
          {
            type: "button",
            role: "radio",
            "aria-checked": String(index === draft.first),
            key: `first-${player.id}`,
            onclick: () => ((draft.first = index), redraw()),
          },
          badge(player.name || String(index + 1), player.colour),
          h("span.name", { dir: "auto" }, player.name || t("Player {n}", { n: index + 1 })),
        ),
      ),
      h("button.chip", { type: "button", onclick: lot }, t("Draw lots")),
    ),
  );
}

function optionCard() {
  const options = [...draft.about.variants, ...draft.about.house_rules].filter(
    (option) => app.game.optionFits?.(option.name, draft.players.length) ?? true,
  );
  return card(
    t("Variants and house rules"),
    options.map((option) => {
      const { label, hint } = app.game.option(option.name);
      return toggle(label, hint, draft.on[option.name], (on) => {
        draft.on[option.name] = on;
        redraw();
      });
    }),
  );
}

function unfinishedCard() {
  if (!unfinished?.length) return null;
  return card(
    t("An unfinished game"),
    unfinished.map((game) =>
      h(
        "div.row",
        { key: `game-${game.id}` },
        h(
          "span.grow",
          h("b", { dir: "auto" }, game.players.join(", ")),
          h("small", n("{n} step", "{n} steps", game.commands)),
        ),
        button(t("Go on"), () => resume(game.id), { kind: "small" }),
      ),
    ),
  );
}

async function resume(id) {
  if (await attempt(() => api.post(`/api/games/${id}/resume`))) {
    draft = null;
    go("/");
  }
}

function replaceSheet() {
  return sheetFrame(
    t("A game is under way"),
    h("p", t("It stays in the record and can be taken up again from the new-game page.")),
    h(
      "div.actions.stack",
      button(t("Start the new game"), () => start(true), { kind: "primary" }),
      button(t("Keep playing"), () => (closeSheet(), go("/"))),
    ),
  );
}

async function start(replace) {
  const { players, first, about, on } = draft;
  const seats = [...players.slice(first), ...players.slice(0, first)].map((player) => ({
    name: player.name.trim(),
    colour: player.colour,
  }));
  const line = {
    do: "new_game",
    game: about.name,
    players: seats,
    variants: about.variants
      .filter((option) => on[option.name] && (app.game.optionFits?.(option.name, players.length) ?? true))
      .map((option) => option.name),
    house_rules: Object.fromEntries(about.house_rules.map((option) => [option.name, on[option.name]])),
  };
  if (replace) line.replace = true;
  if (await command(line)) {
    settings.set(
      "players",
      players.map(({ name, colour }) => ({ name: name.trim(), colour })),
    );
    draft = null;
    unfinished = null;
    go("/");
  }
}
