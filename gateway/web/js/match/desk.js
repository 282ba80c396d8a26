/** Where orders are given: the filed list and what may be filed beside it, kept in step with the server. */
import { Problem } from "../api.js";
import { play } from "../server.js";
import { looksOn } from "./may_order.js";
import { orderText } from "./order_words.js";

const OPENING_MS = 1_500;
/** Answers that say that nothing may be filed now. */
const CLOSED = ["tick-closed", "not-started", "match-ended"];
const NOT_FILED = {
  refused: (draft) => `Refused: ${draft.problem.detail}`,
  waiting: () => "Not filed yet: the server cannot be reached. The order waits and is sent as soon as it can be.",
  late: () => "Not filed: its tick was sealed before the order reached the server.",
};

/** Works on the match's `plan` and sets its `options` and `deskRead`. */
export class Desk {
  constructor(m) {
    this.m = m;
    this.asked = 0;
    this.opening = null;
  }

  close() {
    clearTimeout(this.opening);
  }

  /** Reads the list and the options; of several readings at once the last one counts. Throws Problem, Unreachable. */
  async refresh() {
    const { m } = this;
    const asked = ++this.asked;
    clearTimeout(this.opening);
    let options = null;
    try {
      if (m.running) {
        await m.plan.load();
        if (m.plan.open && !looksOn(m)) options = await play.options(m.id);
        if (options && options.tick !== m.plan.tick) await m.plan.load();
      }
    } catch (error) {
      if (!(error instanceof Problem) || !CLOSED.includes(error.code)) throw error;
    }
    if (asked !== this.asked) return;
    m.options = options;
    m.deskRead = true;
    if (!options && !looksOn(m)) this.awaitOpening();
    m.changed();
  }

  /** Between the seal and the next list: the stream tells when that is there, and if word is lost we look. */
  awaitOpening() {
    const { m } = this;
    m.plan.open = false;
    if (m.closed || !m.running) return;
    this.opening = setTimeout(() => m.attempt(() => this.refresh()), OPENING_MS);
  }

  /** See Match.file. */
  async file(order) {
    const { m } = this;
    const { filed, draft } = await m.plan.file(order);
    if (filed) m.notice("info", `Filed: ${orderText(m, filed)}.`, { instead: "filed" });
    if (draft) m.notice("problem", NOT_FILED[draft.state]?.(draft) ?? "Not filed yet.");
    await this.settle();
    return draft;
  }

  /** Sends the orders that wait. */
  async deliver() {
    if (!this.m.plan.drafts.items.length) return;
    await this.m.plan.send();
    await this.settle();
  }

  /** Reads anew what stands after a sending, and sees to those that must wait on. */
  async settle() {
    const { m } = this;
    await m.attempt(() => this.refresh());
    if (m.plan.wait !== null) m.later(m.plan.wait);
  }

  /** See Match.rearrange. */
  async rearrange(edit) {
    const { m } = this;
    let failure = null;
    await m.attempt(async () => {
      try {
        await m.plan.replace(edit);
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    await m.attempt(() => this.refresh());
    return failure;
  }
}
