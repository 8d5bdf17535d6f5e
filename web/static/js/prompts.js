// Sounds and spoken prompts; silent unless the phone's owner asks for them.

import { settings } from "./app.js";
import { language } from "./texts.js";

let audio;

/** Tell what to do now, aloud, where this phone's owner wants it. */
export function prompt(text, mine) {
  if (settings.get("sounds", false) && mine) chime();
  if (settings.get("speech", false)) speak(text);
}

/** Two soft notes: it is your turn. */
export function chime() {
  audio ||= new AudioContext();
  [659, 880].forEach((pitch, index) => {
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    const from = audio.currentTime + index * 0.14;
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, from);
    loudness.gain.linearRampToValueAtTime(0.2, from + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + 0.5);
    note.connect(loudness).connect(audio.destination);
    note.start(from);
    note.stop(from + 0.5);
  });
}

/** Say a sentence in the page's language. */
export function speak(text) {
  if (!("speechSynthesis" in window)) return;
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language();
  speechSynthesis.speak(words);
}
