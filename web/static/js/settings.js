// Language, sounds and spoken prompts of this phone.

import { redraw, settings } from "./app.js";
import { h } from "./dom.js";
import { card, choice, toggle } from "./parts.js";
import { chime, speak } from "./prompts.js";
import { language, t } from "./texts.js";

/** The page of this phone's settings. */
export function settingsScreen() {
  const flip = (name, try_) => (on) => {
    settings.set(name, on);
    if (on) try_();
    redraw();
  };
  return {
    title: t("Language and sounds"),
    body: [
      card(
        t("Language"),
        choice(
          t("Language"),
          [
            ["en", "English"],
            ["de", "Deutsch"],
          ],
          language(),
          speakIn,
        ),
      ),
      card(
        t("Sounds"),
        toggle(t("A chime when it is your turn"), null, settings.get("sounds", false), flip("sounds", chime)),
        toggle(
          t("Say what to do now"),
          t("This phone speaks every new instruction."),
          settings.get("speech", false),
          flip("speech", () => speak(t("This phone speaks every new instruction."))),
        ),
      ),
      h("p.small.centre", t("These settings are for this phone only.")),
    ],
  };
}

function speakIn(code) {
  document.cookie = `language=${code}; path=/; max-age=31536000; samesite=lax`;
  location.reload();
}
