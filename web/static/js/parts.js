// Small parts that many screens share.

import { app, redraw } from "./app.js";
import { h, stamp, svg } from "./dom.js";
import { t } from "./texts.js";

const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  menu: "M4 7h16M4 12h16M4 17h16",
  help: "M9.2 9a3 3 0 1 1 4.6 2.5c-1.2.8-1.8 1.4-1.8 2.7M12 18h.01",
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6 6 18",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z",
  check: "M5 13l5 5L20 7",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  minus: "M5 12h14",
  plus: "M12 5v14M5 12h14",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  hand: "M8 13V5a1.5 1.5 0 0 1 3 0v6-8a1.5 1.5 0 0 1 3 0v8-6a1.5 1.5 0 0 1 3 0v9a6 6 0 0 1-6 6h-1c-2 0-3.5-1-4.5-3l-2.5-5a1.5 1.5 0 0 1 2.6-1.5z",
  door: "M14 4h5v16h-5M10 8l4 4-4 4M14 12H4",
  book: "M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  trophy: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H4c0 4 2 5 4 5M16 6h4c0 4-2 5-4 5M12 14v4M8 20h8",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.5.8 4 2.7 4 5.5",
  print: "M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
};

/** A line drawing; always beside words or with an aria-label on its button. */
export function icon(name) {
  return stamp(`icon ${name}`, () => drawIcon(name));
}

function drawIcon(name) {
  return svg("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** A button; `props.icon` puts a drawing before its words. */
export function button(label, onclick, { icon: name, kind = "", ...props } = {}) {
  return h(
    "button",
    { type: "button", class: `button ${kind}`, onclick, ...props },
    name && icon(name),
    h("span", label),
  );
}

/** The one button that the screen is about. */
export function primary(label, onclick, props = {}) {
  return button(label, onclick, {
    kind: "primary",
    ...props,
    disabled: props.disabled || app.busy || app.online === false,
  });
}

/** A button of only an icon, named for those who do not see it. */
export function iconButton(name, label, onclick, props = {}) {
  return h("button.icon-button", { type: "button", onclick, "aria-label": label, title: label, ...props }, icon(name));
}

/** A player: the colour of their figure with the first letter of the name, so that colour is never the only sign. */
export function badge(name, colour) {
  const player = app.state?.players?.find((other) => other.name === name);
  const letter = [...name.trim()][0]?.toUpperCase() || "?";
  return h("span.badge", { class: colour || player?.colour || "none", "aria-hidden": "true" }, letter);
}

/** A player's badge and name. */
export function person(name, colour) {
  return h("span.person", badge(name, colour), h("span.name", { dir: "auto" }, name));
}

/** A part of a screen with a heading. */
export function card(title, ...children) {
  return h("section.card", title && h("h2", title), ...children);
}

/** An on-off switch with a line of explanation. */
export function toggle(label, hint, on, change) {
  return h(
    "label.toggle",
    h("span", h("b", label), hint && h("small", hint)),
    h("input", { type: "checkbox", role: "switch", checked: on, onchange: (event) => change(event.target.checked) }),
  );
}

/** One of several: buttons in a row. */
export function choice(label, options, chosen, choose) {
  return h(
    "div.choice",
    { role: "radiogroup", "aria-label": label },
    options.map(([value, text]) =>
      h(
        "button",
        { type: "button", role: "radio", "aria-checked": String(value === chosen), onclick: () => choose(value) },
        text,
      ),
    ),
  );
}

/** Minus, a number, plus. */
export function stepper(label, value, { least = 0, most = 99, change, why = "" }) {
  const step = (by, name, text) =>
    h(
      "button.step",
      {
        type: "button",
        "aria-label": text,
        disabled: value + by < least || value + by > most,
        onclick: () => change(value + by),
      },
      icon(name),
    );
  return h(
    "div.stepper",
    { role: "group", "aria-label": label },
    h("span", h("b", label), why && h("small", why)),
    step(-1, "minus", t("{what}: one less", { what: label })),
    h("output", { "aria-live": "polite" }, String(value)),
    step(1, "plus", t("{what}: one more", { what: label })),
  );
}

/** A bottom sheet's frame. */
export function sheetFrame(title, ...children) {
  return h("div.sheet-body", h("header", h("h2", title), iconButton("close", t("Close"), closeSheet)), ...children);
}

/** Close the open sheet. */
export function closeSheet() {
  app.sheet = null;
  redraw();
}
