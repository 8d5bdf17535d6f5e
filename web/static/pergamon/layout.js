// Laying out new finds: by the table's camera, by the phone's own, or by hand.

import { app, command, mayActFor, redraw } from "../js/app.js";
import { h } from "../js/dom.js";
import { button, card, icon, primary } from "../js/parts.js";
import { enteringByHand, openScan, scanBar, scanCard } from "../js/scan.js";
import { n, t } from "../js/texts.js";
import { site } from "./board.js";
import { happened } from "./happened.js";
import { pickFind } from "./pick.js";
import { roman, tile } from "./pieces.js";
import { byAge, openGalleries, parse } from "./rules.js";

let draft = { round: 0, finds: [] };

/** The screen of the phase *lay out*. */
export function layOutScreen(state) {
  if (draft.round !== state.round || draft.game !== state.players[0].name)
    draft = { round: state.round, game: state.players[0].name, finds: [] };
  const open = openGalleries(state);
  const mine = mayActFor(null);
  const ready = draft.finds.length === open.length;
  enteringByHand(draft.finds.length > 0);
  const scan = mine && openScan();
  return {
    now: n("Turn over {n} find.", "Turn over {n} finds.", open.length),
    hint:
      open.length < 5
        ? t(
            "From the pile on calendar space {round}. Only these galleries have room: {galleries}. The other finds of the pile go into the box unseen.",
            { round: state.round, galleries: open.map((index) => roman(index + 1)).join(", ") },
          )
        : t("Take the pile on calendar space {round}. The youngest goes into gallery I, the oldest into V.", {
            round: state.round,
          }),
    mine,
    help: "lay_out",
    body: [
      happened(state),
      mine && scanCard({ expect: "finds", count: open.length }),
      mine && !scan && byHand(state, open),
      card(t("Excavation site"), site(state)),
    ],
    bar: scan
      ? scanBar()
      : mine && draft.finds.length
        ? [
            primary(
              ready
                ? t("They lie in the galleries")
                : n("{n} more find", "{n} more finds", open.length - draft.finds.length),
              lay,
              { disabled: !ready, icon: ready ? "check" : undefined },
            ),
          ]
        : [],
  };
}

async function lay() {
  const finds = [...draft.finds];
  if (await command({ do: "lay_out", finds })) draft = { round: 0, finds: [] };
}

function byHand(state, open) {
  const free = state.variants.includes("free_sorting");
  return card(
    t("By hand"),
    h("p.small", t("Tap a place, then say what the find shows: two pictures, the century, the number.")),
    h(
      "ol.places",
      open.map((gallery, index) => {
        const code = draft.finds[index];
        return h(
          "li",
          { key: `place-${index}` },
          code
            ? h(
                "button.filled",
                { type: "button", onclick: () => choose(state, code), "aria-label": t("Change this find") },
                tile(code),
              )
            : h(
                "button.blank",
                { type: "button", onclick: () => choose(state), "aria-label": t("Enter a find") },
                icon("plus"),
              ),
          h("small", t("into {gallery}", { gallery: roman(gallery + 1) })),
          free &&
            code &&
            index > 0 &&
            parse(draft.finds[index - 1]).century === parse(code).century &&
            button("⇄", () => swap(index), {
              kind: "small",
              "aria-label": t("Swap with the one before: same century"),
            }),
        );
      }),
    ),
  );
}

function swap(index) {
  [draft.finds[index - 1], draft.finds[index]] = [draft.finds[index], draft.finds[index - 1]];
  redraw();
}

function choose(state, old) {
  const used = new Set([...draft.finds, ...onTheTable(state)]);
  pickFind({
    used,
    onRemove: old && (() => put(old, null)),
    onPick: (code) => put(old, code),
  });
}

function put(old, code) {
  const free = app.state.variants.includes("free_sorting");
  draft.finds = draft.finds.filter((find) => find !== old);
  if (code) draft.finds.push(code);
  draft.finds.sort(free ? (a, b) => parse(a).century - parse(b).century : byAge);
  redraw();
}

/** With free sorting, scanned finds of one century are ordered by hand before they are laid out. */
export function sortFirst(state, codes) {
  const centuries = codes.map((code) => parse(code).century);
  if (state.phase !== "lay_out" || !state.variants.includes("free_sorting") || new Set(centuries).size === codes.length)
    return false;
  draft.finds = [...codes].sort(byAge);
  return true;
}

/** Every find that lies open somewhere: it cannot be turned over again. */
export function onTheTable(state) {
  return [
    ...state.galleries.flat(),
    ...state.players.flatMap((player) => [
      ...player.finds,
      ...player.collections.flatMap((collection) => collection.finds),
    ]),
  ];
}
