// A tree of elements, drawn anew for every state and patched into the page, so that focus, scrolling and
// what a screen reader has already said survive.

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "open", "indeterminate"]);

/** An HTML element: h("button.big", {onclick, key, "aria-label"}, "Text", child, [children]). */
export function h(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  return furnish(document.createElement(tag || "div"), classes, props, children);
}

/** The same for a drawing. */
export function svg(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  return furnish(document.createElementNS(SVG, tag), classes, props, children);
}

function furnish(node, classes, props, children) {
  if (props && (props instanceof Node || typeof props !== "object" || Array.isArray(props))) {
    children.unshift(props);
    props = null;
  }
  node.$set = {};
  for (const name in props) {
    const value = props[name];
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) listen(node, name.slice(2), value);
    else if (name === "key") node.$key = String(value);
    else if (name === "class") classes.push(...String(value).split(" ").filter(Boolean));
    else if (PROPERTIES.has(name)) node[name] = value;
    else if (name === "style") {
      for (const [key, css] of Object.entries(value)) node.style.setProperty(key, css);
      node.$style = node.style.cssText;
    } else set(node, name, value === true ? "" : String(value));
  }
  if (classes.length) set(node, "class", classes.join(" "));
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** Set an attribute and remember it: asking the browser for all of them is slow. */
function set(node, name, value) {
  node.$set[name] = value;
  node.setAttribute(name, value);
}

function listen(node, type, handler) {
  node.$on ||= {};
  if (!node.$on[type]) node.addEventListener(type, hear, type.startsWith("touch") ? { passive: false } : undefined);
  node.$on[type] = handler;
}

function hear(event) {
  event.currentTarget.$on[event.type]?.(event);
}

const stamps = new Map();

/** A drawing that always looks the same: made once by `make`, then copied; patching passes over it. */
export function stamp(key, make) {
  if (!stamps.has(key)) stamps.set(key, make());
  const copy = stamps.get(key).cloneNode(true);
  copy.$stamp = key;
  return copy;
}

/** Make `old` look like `fresh`; gives the node that is then in the page. */
export function patch(old, fresh) {
  if (fresh.$stamp && old.$stamp === fresh.$stamp) return old;
  if (old.nodeName !== fresh.nodeName || old.$key !== fresh.$key || old.$stamp !== fresh.$stamp) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  if (!old.$set || !fresh.$set) {
    old.replaceWith(fresh);
    return fresh;
  }
  for (const name in old.$set) if (!(name in fresh.$set)) old.removeAttribute(name);
  for (const name in fresh.$set) if (old.$set[name] !== fresh.$set[name]) old.setAttribute(name, fresh.$set[name]);
  old.$set = fresh.$set;
  if (old.$style !== fresh.$style) old.style.cssText = old.$style = fresh.$style ?? "";
  if ("value" in fresh && old !== document.activeElement && old.value !== fresh.value) old.value = fresh.value;
  if ("checked" in fresh) old.checked = fresh.checked;
  for (const type in old.$on) if (!fresh.$on?.[type]) old.$on[type] = undefined;
  for (const type in fresh.$on) listen(old, type, fresh.$on[type]);
  patchChildren(old, [...fresh.childNodes]);
  return old;
}

function patchChildren(old, fresh) {
  const keyed = new Map();
  const others = [];
  for (const child of old.childNodes) child.$key ? keyed.set(child.$key, child) : others.push(child);
  const kept = fresh.map((child) => {
    let match;
    if (child.$key) {
      match = keyed.get(child.$key);
      keyed.delete(child.$key);
    } else {
      const at = others.findIndex((other) => other.nodeName === child.nodeName);
      if (at >= 0) [match] = others.splice(at, 1);
    }
    return [child, match];
  });
  for (const left of [...keyed.values(), ...others]) left.remove();
  let place = old.firstChild;
  for (const [child, match] of kept) {
    if (!match) {
      old.insertBefore(child, place);
    } else if (match === place) {
      place = patch(match, child).nextSibling;
    } else {
      old.insertBefore(match, place);
      patch(match, child);
    }
  }
}

/** A drawing written by the server, as a node. */
export function drawn(text) {
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}
