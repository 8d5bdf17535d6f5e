// The live connection: every new state as it comes; says when it is lost, and catches up by itself.

const LOOK_EVERY = 10_000;
const PATIENCE = 5_000;
const TRY_AGAIN = 1_000;

/** Listen to the table. `heard` maps a kind of event to what to do with its data; `onConnection` gets true or false,
 * `onStatus` every now and then how the box is. */
export function listen(url, heard, onConnection, onStatus) {
  let source;
  let again;

  function open() {
    clearTimeout(again);
    source?.close();
    source = new EventSource(url);
    source.onopen = () => onConnection(true);
    source.onerror = lost;
    for (const [kind, take] of Object.entries(heard)) {
      source.addEventListener(kind, (event) => {
        onConnection(true);
        take(JSON.parse(event.data));
      });
    }
  }

  function lost() {
    onConnection(false);
    clearTimeout(again);
    again = setTimeout(open, TRY_AGAIN);
  }

  async function look() {
    if (document.hidden || source.readyState === EventSource.CLOSED) return;
    try {
      const answer = await fetch("/api/status", { cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE) });
      if (answer.ok) onStatus(await answer.json());
      else lost();
    } catch {
      lost();
    }
  }

  addEventListener("offline", () => {
    source.close();
    onConnection(false);
  });
  addEventListener("online", open);
  addEventListener("pageshow", (event) => event.persisted && open());
  document.addEventListener("visibilitychange", () => !document.hidden && open());
  setInterval(look, LOOK_EVERY);
  open();
  look();
}
