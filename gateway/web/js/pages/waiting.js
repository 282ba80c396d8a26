/** Which of one's running matches have no order on file yet for the tick that is open. */
import { play } from "../server.js";

const MOST = 12;

export class Waiting {
  constructor() {
    this.known = new Map();
  }

  /** True if nothing is filed there, null if that is not known. */
  of(match) {
    const entry = this.known.get(match.id);
    return entry?.tick === match.tick ? entry.empty : null;
  }

  /** Asks again for all (`anew`), or only where the tick has turned. */
  async load(running, anew) {
    const asked = running.slice(0, MOST).filter((match) => anew || this.known.get(match.id)?.tick !== match.tick);
    await Promise.all(asked.map(async (match) => {
      const list = await play.orders(match.id).catch(() => null);
      if (list) this.known.set(match.id, { tick: match.tick, empty: list.open && list.items.length === 0 });
    }));
  }
}
