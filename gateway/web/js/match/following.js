/** How an open match is kept up with: by its stream where one has a seat, by asking now and then from outside. */
import { openStream } from "./stream.js";

const LOOK_AGAIN_MS = 10_000;

export class Following {
  constructor(m) {
    this.m = m;
    this.way = null;
    this.end = () => {};
  }

  /** Takes the way that suits the match as it is now. */
  suit() {
    const { detail, seated } = this.m;
    const way = detail.status === "ended" ? "still" : seated ? "stream" : "asking";
    if (way === this.way) return;
    this.end();
    this.way = way;
    this.end = this[way]();
  }

  still() {
    this.m.connection = "live";
    return () => {};
  }

  asking() {
    this.m.connection = "live";
    const timer = setInterval(() => document.visibilityState === "visible" && this.m.heard("match"), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }

  stream() {
    const { m } = this;
    let wasLost = false;
    return openStream(m.id, {
      heard: (kind, data) => m.heard(kind, data),
      changed: (state) => {
        m.connection = state;
        if (state === "live" && wasLost) m.refresh();
        // Cut off, or signed out? The next answer tells.
        if (state === "lost" && !wasLost) m.attempt(() => m.refreshDetail());
        wasLost = state === "lost";
        m.changed();
      },
    });
  }
}
