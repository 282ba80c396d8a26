/** The event stream of a match, kept open: the browser resumes a cut one, we reopen one that was refused. */

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const KINDS = ["deadline", "tick", "message", "match"];

/**
 * `heard(kind, data)` for every event; `changed(state)` with "live" or "lost". After "lost" comes "live" again, and
 * then everything should be read anew. Answers a function that closes it.
 */
export function openStream(match, { heard, changed }) {
  let source = null;
  let pause = FIRST_PAUSE_MS;
  let timer = null;
  let closed = false;

  function open() {
    source = new EventSource(`/v1/matches/${encodeURIComponent(match)}/stream`);
    source.onopen = () => {
      pause = FIRST_PAUSE_MS;
      changed("live");
    };
    source.onerror = () => {
      changed("lost");
      if (source.readyState === EventSource.CLOSED) retry();
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, (event) => heard(kind, JSON.parse(event.data)));
    }
  }

  function retry() {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(open, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  function online() {
    // The browser notices a dead connection late; a fresh one tells at once.
    source.close();
    clearTimeout(timer);
    pause = FIRST_PAUSE_MS;
    open();
  }

  function offline() {
    changed("lost");
  }

  window.addEventListener("online", online);
  window.addEventListener("offline", offline);
  open();
  return () => {
    closed = true;
    clearTimeout(timer);
    source.close();
    window.removeEventListener("online", online);
    window.removeEventListener("offline", offline);
  };
}
