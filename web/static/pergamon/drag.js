// Finds that can be tapped or dragged. A finger holds a find a moment to lift it, so that the page still scrolls.

const HOLD = 160;
const SLACK = 8;
let lifted = null;

/** Listeners for a find: `tap` for a tap, `hands.drop(code, place in the row, whether over the row)` for a drop. */
export function draggable(code, tap, hands) {
  return {
    onpointerdown: (event) => wait(event, code, hands),
    onclick: () => lifted?.dropped || tap(),
    oncontextmenu: (event) => event.preventDefault(),
    ontouchmove: (event) => lifted?.ghost && event.preventDefault(),
  };
}

function wait(event, code, hands) {
  if (event.button) return;
  const node = event.currentTarget;
  const drag = { code, hands, node, x: event.clientX, y: event.clientY, touch: event.pointerType !== "mouse" };
  lifted = drag;
  if (drag.touch) drag.timer = setTimeout(() => lift(drag), HOLD);
  const move = (moved) => moveTo(drag, moved, end);
  const end = (ended) => {
    clearTimeout(drag.timer);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    drop(drag, ended);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function moveTo(drag, event, end) {
  const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SLACK;
  if (!drag.ghost && far) {
    if (drag.touch) return end(event);
    lift(drag);
  }
  if (!drag.ghost) return undefined;
  drag.moved ||= far;
  drag.ghost.style.setProperty("left", `${event.clientX}px`);
  drag.ghost.style.setProperty("top", `${event.clientY}px`);
  document.querySelector(".bench")?.classList.toggle("over", Boolean(rowUnder(event)));
  return undefined;
}

function lift(drag) {
  drag.ghost = drag.node.cloneNode(true);
  drag.ghost.setAttribute("class", "piece ghost");
  drag.ghost.setAttribute("aria-hidden", "true");
  drag.ghost.style.setProperty("left", `${drag.x}px`);
  drag.ghost.style.setProperty("top", `${drag.y}px`);
  document.body.append(drag.ghost);
  drag.node.classList.add("lifted");
}

function rowUnder(event) {
  const bench = document.querySelector(".bench");
  const box = bench?.getBoundingClientRect();
  const inside =
    box &&
    event.clientX >= box.left &&
    event.clientX <= box.right &&
    event.clientY >= box.top - 24 &&
    event.clientY <= box.bottom + 24;
  return inside ? bench : null;
}

function drop(drag, event) {
  if (!drag.ghost) return;
  drag.ghost.remove();
  drag.node.classList.remove("lifted");
  document.querySelector(".bench")?.classList.remove("over");
  if (event.type === "pointercancel" || !drag.moved) return;
  drag.dropped = true;
  setTimeout(() => (lifted = null));
  const bench = rowUnder(event);
  const middles = bench
    ? [...bench.querySelectorAll(".piece")]
        .map((piece) => piece.getBoundingClientRect())
        .map((box) => (box.left + box.right) / 2)
    : [];
  drag.hands.drop(drag.code, middles.filter((middle) => middle < event.clientX).length, Boolean(bench));
}
