/** The past of a match: what its player was entitled to see after an earlier tick, or all of it after the end. */
import { play } from "../server.js";

export class Past {
  constructor(m) {
    this.m = m;
    this.wanted = null;
    /** Views by tick, as far as one saw then; a past view never changes. */
    this.views = new Map();
  }

  /** Looks at the match after `tick`; null, or the present tick, comes back to now. Of several calls the last counts. */
  async show(tick) {
    const { m } = this;
    this.wanted = tick === m.view.tick ? null : tick;
    if (this.wanted === null) {
      m.shown = null;
    } else {
      const view = this.ready(tick) ?? (await this.load(tick));
      if (this.wanted !== tick) return;
      m.shown = { tick, view };
    }
    m.changed();
  }

  /** The view after a tick if it is here already, else null. */
  ready(tick) {
    return this.m.replay.view(tick) ?? this.views.get(tick) ?? null;
  }

  async load(tick) {
    if (!this.views.has(tick)) this.views.set(tick, await play.view(this.m.id, tick));
    return this.views.get(tick);
  }

  /** Has the ticks around one ready before they are asked for; a failure shows when they are. */
  async prefetch(tick) {
    const { m } = this;
    for (const near of [tick + 1, tick - 1]) {
      if (near < 0 || near >= m.view.tick) continue;
      try {
        if (!this.ready(near)) await this.load(near);
        if (near > 0) await m.loadReport(near);
      } catch {
        return;
      }
    }
  }

  /** Draws the tick that is looked at anew, for when more of it may be seen. */
  async redraw() {
    if (this.m.shown) await this.show(this.m.shown.tick);
  }
}
