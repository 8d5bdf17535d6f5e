// The little that a phone must know of the rules to draw and to snap; the table itself checks every command.

import { t } from "../js/texts.js";

export const ROMAN = ["I", "II", "III", "IV", "V"];
export const LAST_ROUND = 12;
export const EVALUATIONS = { 5: "V", 7: "J", 9: "M", 12: "B" };
export const MOST_POLISH = 3;
export const RAIDER = "raider";

/** Whether a piece's code names a find, not a funds card. */
export const isFind = (code) => /^[VJMB]\d\d[VJMB][1-5]$/.test(code);

/** Whether this is what was read of a find; a ? stands for what was not. */
export const isFindGuess = (code) => /^[VJMB?][\d?]{2}[VJMB?][1-5?]$/.test(code);

/** A find's halves: V50J3 is the right half of a vase with 50, and the left half of a jug with century 3. */
export function parse(code) {
  return { left: code[0], number: code.slice(1, 3), right: code[3], century: Number(code[4]) || null };
}

/** Whether two finds, side by side, make a whole object. */
export const fits = (left, right) => left[3] === right[0];

/** Whether every seam of a row makes a whole object. */
export const isRow = (row) => row.length > 1 && row.slice(1).every((code, index) => fits(row[index], code));

/** The centuries of a row's whole objects, added up. */
export const valueOf = (row) => row.slice(0, -1).reduce((sum, code) => sum + Number(code[4]), 0);

/** What storing so many finds costs. */
export const feeFor = (count) => Math.max(0, Math.ceil((count - 3) / 3));

/** Youngest first, as they go into the galleries. */
export function byAge(a, b) {
  return Number(a[4]) - Number(b[4]) || Number(a.slice(1, 3)) - Number(b.slice(1, 3));
}

/** The galleries, by index, that take another find. */
export const openGalleries = (state) => state.galleries.flatMap((finds, index) => (finds.length < 4 ? [index] : []));

export const playerOf = (state, name) => state.players.find((player) => player.name === name);

export const kindName = (kind) => ({ V: t("vase"), J: t("jug"), M: t("mask"), B: t("bracelet") })[kind];
export const kindNames = (kind) => ({ V: t("vases"), J: t("jugs"), M: t("masks"), B: t("bracelets") })[kind];

/** A find in words, for those who do not see it. */
export function say(code) {
  const { left, number, right, century } = parse(code);
  if (!isFind(code)) return t("number {number}, century {century}", { number, century });
  return t("{left} {number}, {right} {century}", { left: kindName(left), number, right: kindName(right), century });
}

/** A whole object in words: jug of 312. */
export const sayObject = (object) => t("{kind} of {year}", { kind: kindName(object[0]), year: object.slice(1) });

/** A player's name, or the tomb raider's. */
export const nameOf = (name) => (name === RAIDER ? t("the tomb raider") : name);
