// The frame around every screen: where we are, what to do now, the action bar at the thumb, menu and undo.

import { app, attempt, command, go, seated, sheet } from "./app.js";
import { post } from "./api.js";
import { h } from "./dom.js";
import { badge, button, closeSheet, icon, iconButton, sheetFrame } from "./parts.js";
import { t } from "./texts.js";

/** The page around a screen {title, now, hint, mine, body, bar, help, wide}, with attributes of its own. */
export function frame(screen, home, about) {
  return h(
    "div.page",
    { ...about, class: screen.wide ? "wide" : "" },
    h(
      "header.top",
      home ? h("span.crest", { "aria-hidden": "true" }) : iconButton("back", t("Back to the table"), () => go("/")),
      h(screen.now ? "div.where" : "h1.where", screen.title),
      screen.help && iconButton("help", t("Help"), () => sheet(() => helpSheet(screen.help))),
      iconButton("menu", t("Menu"), () => sheet(menu), { "aria-haspopup": "dialog" }),
    ),
    app.online === false &&
      h("p.offline", { role: "alert" }, h("b", t("No connection to the table.")), " ", t("Trying again by itself …")),
    app.trouble && h("p.offline", { role: "alert" }, app.trouble),
    h(
      "main",
      { tabindex: -1 },
      screen.now &&
        h(
          "div.now",
          { class: screen.mine ? "mine" : "" },
          screen.who && badge(screen.who),
          h("div", { role: "status", "aria-live": "polite" }, h("h1", screen.now), screen.hint && h("p", screen.hint)),
        ),
      knock(),
      screen.body,
    ),
    bar(screen, home),
    app.notice && h("p.notice", { class: app.notice.kind, role: "alert", key: app.notice.text }, app.notice.text),
  );
}

function bar(screen, home) {
  const back = home && seated() && takesBack();
  if (!screen.bar?.length && !back) return null;
  return h(
    "footer.bar",
    back && button(t("Undo"), () => sheet(undoSheet), { kind: "quiet", icon: "undo", "aria-haspopup": "dialog" }),
    h("div.actions", screen.bar || []),
  );
}

const takesBack = () => app.state?.game && app.game?.takenBack(app.state);

/** What an undo would take back, and the button that does it. */
function undoSheet() {
  const what = takesBack();
  if (!what) return sheetFrame(t("Undo"), h("p", t("There is nothing to take back.")));
  const undo = async () => {
    closeSheet();
    if (await command({ do: "undo" })) window.scrollTo(0, 0);
  };
  return sheetFrame(
    t("Take this back?"),
    h("p.big", what.text),
    what.table && h("p", h("b", t("On the table: ")), what.table),
    h(
      "div.actions.stack",
      button(t("Take it back"), undo, { kind: "primary", icon: "undo" }),
      button(t("Leave it"), closeSheet),
    ),
  );
}

function helpSheet(topic) {
  return sheetFrame(
    t("Help"),
    app.game?.help(topic),
    button(t("All of the help"), () => go("/help"), { icon: "book" }),
  );
}

function menu() {
  const entry = (name, label, path) => button(label, () => go(path), { icon: name, kind: "entry" });
  return sheetFrame(
    t("Menu"),
    h(
      "nav.menu",
      entry("hand", t("What to do now"), "/"),
      app.state?.game && entry("eye", t("The whole table"), "/table"),
      seated() ? entry("people", t("Seats and invitation"), "/seats") : entry("door", t("Join the table"), "/join"),
      seated() && entry("plus", t("New game"), "/new"),
      entry("trophy", t("Past games"), "/past"),
      seated() && entry("camera", t("Teach a box"), "/teach"),
      entry("book", t("Help"), "/help"),
      entry("gear", t("Language and sounds"), "/settings"),
    ),
  );
}

/** A question to phones that sit at the table: somebody asks to join. */
function knock() {
  if (!seated()) return null;
  return app.asking.map((ask) =>
    h(
      "section.card.knock",
      { key: `knock-${ask.id}`, role: "status" },
      h(
        "p",
        icon("door"),
        h("span", ask.player ? t("{name} asks to join.", { name: ask.player }) : t("A phone asks to join.")),
      ),
      button(t("Let in"), () => attempt(() => post("/api/seats/let-in", { ask: ask.id })), { kind: "primary" }),
    ),
  );
}
