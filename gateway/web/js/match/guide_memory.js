/** What the guide remembers in this browser: of a match what was done and read once, of a player whether it is wanted. */
import { session } from "../session.js";

const place = (name) => `last-waters/guide/${session.account?.id}/${name}`;

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(place(name)) ?? "null");
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(place(name), JSON.stringify(value));
  } catch {
    // A browser without storage remembers as long as the page is open.
  }
}

/** {done: Set of steps done once, reportTick: the last whose report was open}: kept on the match while it is open. */
export function memoryOf(m) {
  if (!m.tools.guide) {
    const kept = read(m.id);
    m.tools.guide = { done: new Set(kept?.done ?? []), reportTick: kept?.reportTick ?? 0 };
  }
  return m.tools.guide;
}

export function remember(m) {
  const { done, reportTick } = memoryOf(m);
  write(m.id, { done: [...done], reportTick });
}

/** {match: the one that the guide opens in, off: true once dismissed}, null for a player whom it has not met. */
export const player = () => read("player");
export const savePlayer = (value) => write("player", value);
