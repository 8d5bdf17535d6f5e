// Drawings of the pieces, from the same art as the printable set.

import { get } from "../js/api.js";
import { drawn, h, stamp, svg } from "../js/dom.js";
import { t } from "../js/texts.js";
import { badge } from "../js/parts.js";
import { kindName, parse, RAIDER, ROMAN, say } from "./rules.js";

let art = { symbols: {}, teeth: {} };

/** Fetch the art once and hang its shared parts into the page. */
export async function loadArt() {
  art = await get(document.documentElement.dataset.art || "/pergamon/art.json");
  const sprite = drawn(art.sprite);
  sprite.setAttribute("class", "sprite");
  document.body.append(sprite);
}

/** The printable set's find of these two kinds and this century, if there is one. */
export const printed = (left, right, century) =>
  Object.keys(art.teeth).find((code) => code[0] === left && code[3] === right && code[4] === String(century));

/** A find's face. */
export function tile(code, { label = say(code), className = "" } = {}) {
  return stamp(`tile ${code} ${className} ${label}`, () => drawTile(code, label, className));
}

function drawTile(code, label, className) {
  const { left, number, right, century } = parse(code);
  const use = (name, place) => svg("use", { href: `#${name}`, transform: place });
  return svg(
    "svg.tile",
    {
      viewBox: "0 0 400 400",
      class: className,
      role: label ? "img" : null,
      "aria-label": label || null,
      "aria-hidden": label ? null : "true",
      fill: "none",
      "fill-rule": "evenodd",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    },
    use(`ground-${century}`),
    svg("path", {
      d: `M${art.frieze[0]} ${art.frieze[1]}h${art.frieze[2]}v${art.frieze[3]}H${art.frieze[0]}Z`,
      fill: art.ink,
    }),
    svg("path", { d: teeth(art.teeth[code] || "101010101010"), fill: art.ivory }),
    left === "?" ? open(100) : use(`half-${left}-right`, `translate(0 ${art.top})`),
    right === "?" ? open(300) : use(`half-${right}-left`, `matrix(-1 0 0 1 400 ${art.top})`),
    use("plinths"),
    [number[0], number[1], century].map((digit, index) =>
      use(`digit-${digit}`, `translate(${art.lefts[index]} ${art.digits})`),
    ),
  );
}

/** In place of a half that nobody has named yet. */
function open(x) {
  const look = { "text-anchor": "middle", "font-size": 150, "font-weight": 700, fill: art.ink };
  return svg("text", { x, y: art.top + 150, ...look }, "?");
}

function teeth(word) {
  const [x, y, wide, high] = art.frieze;
  const step = wide / word.length;
  return [...word]
    .map((tooth, cell) => {
      const left = x + cell * step + 2;
      const right = left + step - 4;
      const [base, tip] = tooth === "1" ? [y + high - 5, y + 5] : [y + 5, y + high - 5];
      return `M${left} ${base}L${(left + right) / 2} ${tip}L${right} ${base}Z`;
    })
    .join("");
}

/** A sign: a whole object, half of one, a coin, a bag, a chest, a marker, the tomb raider. */
export function symbol(name, label = "") {
  return stamp(`symbol ${name} ${label}`, () => drawSymbol(name, label));
}

function drawSymbol(name, label) {
  const node = drawn(art.symbols[name]);
  node.querySelector("title")?.remove();
  node.setAttribute("class", `symbol ${name.split("-")[0]}`);
  if (label) {
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", label);
  } else node.setAttribute("aria-hidden", "true");
  return node;
}

/** A kind's whole object as a sign. */
export const kindSign = (kind) => symbol({ V: "vase", J: "jug", M: "mask", B: "bracelet" }[kind], kindName(kind));

/** So many coins. */
export function coins(count) {
  return h("span.coins", symbol("coin"), h("b", String(count)), h("span.unseen", count === 1 ? t("coin") : t("coins")));
}

/** A funds card: "bag", "chest" or its value. */
export function fundsCard(name, label) {
  return h("img.funds-card", {
    src: `/pergamon/cards/${name}.svg`,
    alt: label ?? cardName(name),
    width: 66,
    height: 100,
    draggable: "false",
  });
}

export const cardName = (name) => ({ bag: t("bag"), chest: t("chest") })[name] ?? t("card of {n}", { n: name });

/** A player's figure, or the tomb raider. */
export const figure = (name) =>
  name === RAIDER ? h("span.badge.raider", { "aria-hidden": "true" }, symbol("raider")) : badge(name);

/** A collection's marker in its owner's colour. */
export function marker(state, { player, marker: number }, className = "") {
  const colour = state.players.find((other) => other.name === player)?.colour;
  return h(
    "span.marker",
    { class: `${colour} ${className}`, title: `${player} ${number}` },
    h("span", { "aria-hidden": "true" }, [...player.trim()][0]?.toUpperCase()),
    h("b", { "aria-hidden": "true" }, number),
    h("span.unseen", t("{name}'s marker {marker}", { name: player, marker: number })),
  );
}

/** A row of finds, side by side as on the table. */
export function row(finds, className = "") {
  return h(
    "div.find-row",
    { class: className, role: "img", "aria-label": finds.map(say).join("; ") },
    finds.map((code) => tile(code, { label: "" })),
  );
}

/** A gallery's Roman number. */
export const roman = (number) => ROMAN[number - 1];
