// What the table knows and a player would have to count: asked once for each state, drawn when it comes.

import { get, post } from "../js/api.js";
import { app, redraw } from "../js/app.js";

const answers = new Map();
let version = -1;

function once(key, ask) {
  if (app.state.version !== version) {
    version = app.state.version;
    answers.clear();
  }
  if (!answers.has(key)) {
    answers.set(key, null);
    const asked = version;
    const take = (answer) => {
      if (asked !== version) return;
      answers.set(key, answer);
      redraw();
    };
    setTimeout(() => asked === version && ask().then(take, (refusal) => take({ refusal })));
  }
  const answer = answers.get(key);
  return answer?.refusal ? null : answer;
}

/** The money of this round, the next evaluation, and this player's best rows and storage; null until it has come. */
export function advice(player) {
  return once(`advice ${player}`, () =>
    get(player ? `/api/pergamon/advice?player=${encodeURIComponent(player)}` : "/api/pergamon/advice"),
  );
}

/** What exhibiting this row would bring about; null until it has come, or if the rules say no. */
export function preview(line) {
  return once(JSON.stringify(line), () => post("/api/pergamon/preview", line));
}
