// The page's words. English is written in the code; another language is a catalogue from the server.

let catalogue = {};

/** The language of the page, as the server chose it for this phone. */
export const language = () => document.documentElement.lang || "en";

/** Load the catalogue of the page's language. */
export async function loadTexts() {
  const url = document.documentElement.dataset.texts;
  if (url) catalogue = await (await fetch(url)).json();
}

/** A text in the phone's language, with its {gaps} filled. */
export function t(text, gaps) {
  return fill(catalogue[text] || text, gaps);
}

/** A text that counts: n("{n} find", "{n} finds", 3). */
export function n(one, many, count, gaps) {
  const forms = catalogue[one];
  const text = Array.isArray(forms) ? forms[count === 1 ? 0 : 1] : count === 1 ? one : many;
  return fill(text, { n: count, ...gaps });
}

function fill(text, gaps) {
  if (Array.isArray(text)) [text] = text;
  return gaps ? text.replace(/\{(\w+)\}/g, (gap, name) => (name in gaps ? gaps[name] : gap)) : text;
}

/** Words joined as people say them: Ada, Ben and Cleo. */
export function list(words) {
  return words.length < 2
    ? words.join("")
    : t("{some} and {last}", { some: words.slice(0, -1).join(", "), last: words.at(-1) });
}

/** A number with one decimal, as the language writes it. */
export const decimal = (value) =>
  value.toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A date and time, short. */
export function when(seconds) {
  return new Date(seconds * 1000).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}
