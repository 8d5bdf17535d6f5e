// Exhibiting: finds tapped or dragged into a row that snaps where halves join, polish, and what would happen.

import { command, notice, redraw } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, card, choice, primary, stepper } from "../js/parts.js";
import { n, t } from "../js/texts.js";
import { advice, preview } from "./advice.js";
import { museum } from "./board.js";
import { draggable } from "./drag.js";
import { line as eventLine } from "./happened.js";
import { row as rowOf, tile } from "./pieces.js";
import { fits, isRow, kindName, LAST_ROUND, MOST_POLISH, parse, say, valueOf } from "./rules.js";

/** Every place in the row where this find joins on, as an index. */
function placesFor(row, code) {
  const places = [];
  for (let at = 0; at <= row.length; at++) {
    if ((at === 0 || fits(row[at - 1], code)) && (at === row.length || fits(code, row[at]))) places.push(at);
  }
  return places;
}

/** Put a find where it joins on, nearest to where it was dropped. */
function join(turn, code, wanted = turn.row.length) {
  const row = turn.row.filter((other) => other !== code);
  const places = placesFor(row, code);
  if (!places.length) {
    const { right } = parse(row.at(-1));
    const { left } = parse(row[0]);
    notice(
      t("It does not join on: the row ends with half a {right} and begins with half a {left}.", {
        right: kindName(right),
        left: kindName(left),
      }),
    );
    return;
  }
  places.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  row.splice(places[0], 0, code);
  turn.row = row;
  redraw();
}

/** Take a find out; what then no longer hangs together goes back, too. */
function takeOut(turn, code) {
  const at = turn.row.indexOf(code);
  const [before, after] = [turn.row.slice(0, at), turn.row.slice(at + 1)];
  const together = !before.length || !after.length || fits(before.at(-1), after[0]);
  turn.row = together ? [...before, ...after] : before.length >= after.length ? before : after;
  redraw();
}

/** The part of a turn's screen where collections are made. */
export function exhibitPart(state, player, turn) {
  turn.row = turn.row.filter((code) => player.finds.includes(code));
  const full = player.collections.length === 3;
  const ready = isRow(turn.row) && (!full || turn.breakUp);
  const line = {
    player: player.name,
    finds: turn.row,
    polish: turn.polish,
    ...(full && turn.breakUp ? { break_up: turn.breakUp } : {}),
  };
  const seen = ready ? preview(line) : null;
  const value = isRow(turn.row) ? valueOf(turn.row) + turn.polish : 0;
  return {
    now: t("{name}: exhibit a collection, or not.", { name: player.name }),
    hint: t("A row of two or more finds; wherever two meet, their halves make one whole object."),
    body: [
      builder(state, player, turn, value),
      full && isRow(turn.row) && breakUpCard(player, turn),
      seen && previewCard(state, player, seen),
      suggestions(player, turn),
    ],
    bar: turn.row.length
      ? [
          primary(
            ready
              ? t("Exhibit on space {space}", { space: Math.min(24, value) })
              : full && isRow(turn.row)
                ? t("Choose what to break up")
                : t("Add a find that joins on"),
            () => command({ do: "exhibit", ...line }),
            { disabled: !ready, icon: ready ? "check" : undefined },
          ),
        ]
      : [
          button(t("On to storing"), () => ((turn.step = "end"), redraw()), {
            kind: player.finds.length > 1 ? "" : "primary",
          }),
        ],
  };
}

function builder(state, player, turn, value) {
  const free = player.finds.filter((code) => !turn.row.includes(code));
  const hands = {
    drop: (code, at, inside) => (inside ? join(turn, code, at) : turn.row.includes(code) && takeOut(turn, code)),
  };
  const most = Math.min(player.coins, state.round === LAST_ROUND ? player.coins : MOST_POLISH);
  turn.polish = Math.min(turn.polish, most);
  return card(
    t("Your collection"),
    h(
      "div.bench",
      { "aria-label": t("The row"), role: "group", class: turn.row.length ? "" : "bare" },
      turn.row.length
        ? h(
            "div.find-row",
            turn.row.map((code) =>
              piece(code, () => takeOut(turn, code), hands, t("Take out of the row: {find}", { find: say(code) })),
            ),
          )
        : h("p", player.finds.length > 1 ? t("Tap finds, or drag them here.") : t("You need at least two finds.")),
    ),
    isRow(turn.row) &&
      h(
        "p.sum",
        h("b", t("Worth {value}", { value })),
        turn.polish > 0 &&
          h("span", t("{value} and {polish} polish", { value: value - turn.polish, polish: turn.polish })),
      ),
    isRow(turn.row) &&
      stepper(t("Polish"), turn.polish, {
        most,
        why:
          most < MOST_POLISH && state.round < LAST_ROUND
            ? n("1 coin a point; you have {n} coin", "1 coin a point; you have {n} coins", player.coins)
            : state.round === LAST_ROUND
              ? t("1 coin a point, as many as you like")
              : t("1 coin a point, at most 3"),
        change: (polish) => ((turn.polish = polish), redraw()),
      }),
    h(
      "div.tray",
      { "aria-label": t("Your finds"), role: "group" },
      free.map((code) =>
        piece(
          code,
          () => join(turn, code),
          hands,
          t("Into the row: {find}", { find: say(code) }),
          turn.row.length > 0 && !placesFor(turn.row, code).length,
        ),
      ),
    ),
  );
}

function piece(code, tap, hands, label, dim = false) {
  return h(
    "button.piece",
    {
      type: "button",
      key: code,
      "data-find": code,
      "aria-label": label,
      class: dim ? "dim" : "",
      ...draggable(code, tap, hands),
    },
    tile(code, { label: "" }),
  );
}

function breakUpCard(player, turn) {
  return card(
    t("Your three markers are out: which collection do you break up?"),
    choice(
      t("Collection to break up"),
      player.collections.map((collection) => [
        collection.marker,
        t("{marker} on space {space}", { marker: collection.marker, space: collection.space }),
      ]),
      turn.breakUp,
      (marker) => ((turn.breakUp = marker), redraw()),
    ),
    player.collections.map((collection) =>
      h("div.small-row", h("b", collection.marker), rowOf(collection.finds, "little")),
    ),
    h("p.small", t("Its finds go back into the box.")),
  );
}

/** The museum as it would be. */
function after(state, player, seen) {
  const gone = new Set(
    [...seen.fallen, ...(seen.broken_up ? [seen.broken_up] : [])].map((one) => `${one.player} ${one.marker}`),
  );
  const moved = Object.fromEntries(seen.moved.map((one) => [`${one.player} ${one.marker}`, one.end]));
  const kept = state.museum
    .filter((one) => !gone.has(`${one.player} ${one.marker}`))
    .map((one) => ({ ...one, space: moved[`${one.player} ${one.marker}`] ?? one.space }));
  return [...kept, { player: player.name, marker: seen.marker, space: seen.space }];
}

function previewCard(state, player, seen) {
  const next = seen.next_evaluation;
  const prize = next?.prize?.player === player.name && next.prize.object && seen.objects.includes(next.prize.object);
  return card(
    t("What it would do"),
    h(
      "p",
      t("Marker {marker} on space {space}, 1 point at once.", { marker: seen.marker, space: seen.space }),
      " ",
      n(
        "There it scores {n} point at an evaluation.",
        "There it scores {n} points at an evaluation.",
        state.board.museum_points[seen.space - 1],
      ),
    ),
    prize && h("p.advice", t("You would lead for the next prize: the oldest {kind}.", { kind: kindName(next.kind) })),
    h(
      "ul.lines",
      [
        ...(seen.broken_up ? [{ ...seen.broken_up, what: "broken_up" }] : []),
        ...seen.fallen.map((one) => ({ ...one, what: "fell_out" })),
        ...seen.moved.map((one) => ({ ...one, what: "moved" })),
      ].map((event) => eventLine(state, event)),
    ),
    museum(state, { after: after(state, player, seen), highlight: seen.space }),
  );
}

function suggestions(player, turn) {
  const rows = bestRows(player).filter((one) => one.finds.join() !== turn.row.join());
  if (!rows.length) return null;
  return card(
    t("Best rows of your finds"),
    rows.map((one) =>
      h(
        "button.suggestion",
        {
          type: "button",
          key: one.finds.join(),
          onclick: () => take(turn, one.finds),
          "aria-label": t("Take this row, worth {value}", { value: one.value }),
        },
        rowOf(one.finds, "little"),
        h("b", t("worth {value}", { value: one.value })),
      ),
    ),
  );
}

/** Lay a suggested row, and look at it. */
function take(turn, finds) {
  turn.row = [...finds];
  redraw();
  requestAnimationFrame(() => document.querySelector(".bench")?.scrollIntoView({ block: "center" }));
}

/** The best rows that a player's finds can make, the most valuable first. */
export function bestRows(player) {
  const rows = advice(player.name)?.suggestions?.rows || [];
  return [...rows].sort((a, b) => b.value - a.value || a.finds.length - b.finds.length).slice(0, 4);
}

/** The same to look at, for those who wait. */
export function planCard(player) {
  const rows = bestRows(player);
  if (!rows.length) return null;
  return card(
    t("Best rows of your finds"),
    rows.map((one) =>
      h(
        "div.small-row",
        { key: one.finds.join() },
        rowOf(one.finds, "little"),
        h("b", t("worth {value}", { value: one.value })),
      ),
    ),
  );
}
