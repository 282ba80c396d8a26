/** One's orders for the open tick: those the server holds, and those still on their way to it. */
import { newKey, Problem, Unreachable } from "../api.js";
import { play } from "../server.js";
import { tell } from "../tabs.js";
import { Drafts } from "./drafts.js";

/** The same order once more within this time is the second half of a double tap. */
const DOUBLE_TAP_MS = 700;
const TRY_AGAIN_MS = 3_000;

/**
 * `tick`: the tick the orders are for; `open`: false between the seal and the next list; `items`: accepted orders
 * as the server lists them (with receipts), in their order; `drafts.items`: see Drafts; `busy`: what is being done
 * to the list itself, null or the id of the order that is cancelled or "list"; `wait`: milliseconds after which
 * drafts that wait should be sent again, null if none wait.
 */
export class Plan {
  constructor(match, account, changed) {
    this.match = match;
    this.changed = changed;
    this.drafts = new Drafts(match, account, changed);
    this.tick = 0;
    this.open = false;
    this.items = [];
    this.busy = null;
    this.wait = null;
    this.etag = null;
    this.changes = 0;
    this.asked = 0;
    this.loading = null;
    this.accepted = new Map();
    this.turn = Promise.resolve();
    this.sending = null;
    this.last = { text: "", at: -Infinity };
  }

  close() {
    this.drafts.close();
  }

  /** Reads the list of the open tick from the server. */
  load() {
    this.asked += 1;
    this.loading = this.read(this.asked);
    return this.loading;
  }

  async read(asked) {
    let list, seen;
    do {
      // An answer that was under way during a change of ours may tell of before it.
      seen = this.changes;
      list = await play.orders(this.match);
    } while (seen !== this.changes);
    if (asked !== this.asked) return this.loading;
    this.take(list);
    this.drafts.reload();
    for (const draft of this.drafts.items) {
      if (draft.state === "refused" && draft.tick !== list.tick) this.drafts.update(draft.key, { state: "late" });
    }
    this.changed();
    return undefined;
  }

  take(list) {
    this.tick = list.tick;
    this.open = list.open;
    this.items = list.items;
    this.etag = list.etag;
  }

  /**
   * Files an order ({kind, ...} without id, seq, faction). It is a draft until the server has accepted it. Answers
   * {filed: the accepted order or null, draft: what is left of it or null}; both are null for a double tap.
   */
  async file(order) {
    const text = JSON.stringify(order);
    if (text === this.last.text && performance.now() - this.last.at < DOUBLE_TAP_MS) return { filed: null, draft: null };
    this.last = { text, at: Infinity };
    const draft = { key: newKey(), tick: this.tick, order, state: "sending", problem: null };
    this.drafts.add(draft);
    this.changed();
    await this.send();
    const left = this.drafts.get(draft.key);
    if (this.last.text === text) this.last.at = left?.state === "refused" ? -Infinity : performance.now();
    const filed = this.accepted.get(draft.key) ?? null;
    this.accepted.delete(draft.key);
    return { filed, draft: left };
  }

  /**
   * Sends what is on its way, one after another, in the order in which it was made; each for the tick it was made
   * for, even if that has gone: it may have been accepted then though no answer came, and its key finds that out.
   */
  async send() {
    this.sending ??= this.inTurn(() => {
      this.sending = null;
      return this.sendAll();
    });
    await this.sending;
  }

  async sendAll() {
    this.wait = null;
    let draft;
    while ((draft = this.drafts.items.find((item) => item.state === "sending" || item.state === "waiting"))) {
      this.drafts.update(draft.key, { state: "sending" });
      this.changed();
      try {
        const order = await play.file(this.match, draft.tick, draft.order, draft.key);
        this.changes += 1;
        this.drafts.drop(draft.key);
        this.accepted.set(draft.key, order);
        this.add(order);
        tell("orders", this.match);
      } catch (error) {
        if (!this.failed(draft, error)) return;
      }
      this.changed();
    }
  }

  /** What was accepted stands in the list at once; its etag comes with the next reading. */
  add(order) {
    if (order.tick !== this.tick || this.items.some((item) => item.id === order.id)) return;
    this.items = [...this.items, order];
    this.etag = null;
  }

  /** True if the next draft may be tried. */
  failed(draft, error) {
    const later = error instanceof Unreachable || (error instanceof Problem && (error.passing || error.status === 401));
    if (later) {
      for (const item of this.drafts.items) {
        if (item.state === "sending") this.drafts.update(item.key, { state: "waiting" });
      }
      if (error.status !== 401) this.wait = error.retryAfter ? error.retryAfter * 1000 : TRY_AGAIN_MS;
      this.changed();
      return false;
    }
    if (!(error instanceof Problem)) throw error;
    const state = ["tick-closed", "match-ended"].includes(error.code) ? "late" : "refused";
    this.drafts.update(draft.key, { state, problem: { code: error.code, detail: error.message } });
    return true;
  }

  /** Takes a draft out to file its order anew, which is no double tap; the order, null if the draft is gone. */
  takeBack(key) {
    const draft = this.drafts.get(key);
    if (!draft) return null;
    this.drafts.drop(key);
    this.last = { text: "", at: -Infinity };
    return draft.order;
  }

  /** Takes a draft out again. One that was sent may have been accepted meanwhile: the list tells. */
  async dismiss(key) {
    this.drafts.drop(key);
    this.changed();
    await this.load();
  }

  /** Cancels an accepted order; answers its receipt. Throws Problem, Unreachable. */
  async cancel(id) {
    return this.work(id, async () => {
      const answer = await play.cancel(this.match, this.tick, id);
      this.items = this.items.filter((item) => item.id !== id);
      this.etag = null;
      this.last = { text: "", at: -Infinity };
      return answer.receipt;
    });
  }

  /**
   * The whole list anew, for another order of filing or an order changed: `edit` makes [{kind, ...}] of the items.
   * All or nothing. Throws Problem (`changed`: another tab or device was faster; the list is then read anew; else
   * `errors` by index), Unreachable.
   */
  async replace(edit) {
    return this.work("list", async () => {
      if (this.etag === null) await this.load();
      try {
        this.take(await play.replace(this.match, this.tick, edit(this.items), this.etag));
      } catch (error) {
        if (error instanceof Problem && error.code === "changed") await this.load();
        throw error;
      }
    });
  }

  async work(name, change) {
    this.busy = name;
    this.changed();
    return this.inTurn(async () => {
      this.busy = name;
      try {
        const answer = await change();
        this.changes += 1;
        tell("orders", this.match);
        return answer;
      } finally {
        this.busy = null;
        this.changed();
      }
    });
  }

  /** One change at a time: each meets the list that the one before has left. */
  inTurn(work) {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }
}

const ADDED = ["id", "seq", "faction", "tick", "receipt", "result"];

/** What an accepted order says, without what the server added: ready to be filed again. */
export function bare(item) {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !ADDED.includes(name)));
}
