/** One's orders for the open tick: those the server holds, and those still on their way to it. */
import { newKey, Problem, Unreachable } from "../api.js";
import { play } from "../server.js";
import { tell } from "../tabs.js";
import { Drafts } from "./drafts.js";

/**
 * `tick`: the tick the orders are for; `open`: false between the seal and the next list; `items`: accepted orders
 * as the server lists them (with receipts), in their order; `etag` of that list; `drafts.items`: see Drafts.
 */
export class Plan {
  constructor(match, account, changed) {
    this.match = match;
    this.changed = changed;
    this.drafts = new Drafts(match, account);
    this.tick = 0;
    this.open = false;
    this.items = [];
    this.etag = null;
    this.sending = null;
  }

  /** Reads the list of the open tick from the server. */
  async load() {
    const list = await play.orders(this.match);
    this.take(list);
    this.drafts.reload();
    for (const draft of this.drafts.items) {
      if (draft.tick !== list.tick && draft.state !== "late") this.drafts.update(draft.key, { state: "late" });
    }
    this.changed();
  }

  take(list) {
    this.tick = list.tick;
    this.open = list.open;
    this.items = list.items;
    this.etag = list.etag;
  }

  /** Files an order ({kind, ...} without id, seq, faction). It is a draft until the server has accepted it. */
  async file(order) {
    const draft = { key: newKey(), tick: this.tick, order, state: "sending", problem: null };
    this.drafts.add(draft);
    this.changed();
    await this.send();
    return this.drafts.items.find((item) => item.key === draft.key) ?? null;
  }

  /** Sends what is on its way, one after another, in the order in which it was made. */
  async send() {
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
    });
    await this.sending;
  }

  async sendAll() {
    let draft;
    while ((draft = this.drafts.items.find((item) => ["sending", "waiting"].includes(item.state)))) {
      try {
        await play.file(this.match, draft.tick, draft.order, draft.key);
        this.drafts.drop(draft.key);
        await this.load();
        tell("orders", this.match);
      } catch (error) {
        if (!this.failed(draft, error)) return;
      }
      this.changed();
    }
  }

  /** True if the next draft may be tried. */
  failed(draft, error) {
    if (error instanceof Unreachable || (error instanceof Problem && (error.passing || error.code === "rate-limited"))) {
      for (const item of this.drafts.items) {
        if (item.state === "sending") this.drafts.update(item.key, { state: "waiting" });
      }
      this.changed();
      return false;
    }
    if (!(error instanceof Problem)) throw error;
    const state = ["tick-closed", "match-ended"].includes(error.code) ? "late" : "refused";
    this.drafts.update(draft.key, { state, problem: { code: error.code, detail: error.message } });
    return true;
  }

  /** Takes a draft out again. One that was sent may have been accepted meanwhile: the list tells. */
  async dismiss(key) {
    this.drafts.drop(key);
    this.changed();
    await this.load();
  }

  /** A refused or late order once more, for the tick that is open now. */
  async again(key) {
    const draft = this.drafts.items.find((item) => item.key === key);
    this.drafts.drop(key);
    if (draft) await this.file(draft.order);
  }

  /** Cancels an accepted order; answers its receipt. Throws Problem, Unreachable. */
  async cancel(id) {
    const answer = await play.cancel(this.match, this.tick, id);
    await this.load();
    tell("orders", this.match);
    return answer.receipt;
  }

  /**
   * The whole list anew ([{kind, ...}]): for another order of filing, or an order changed. All or nothing. Throws
   * Problem (`changed`: another tab or device was faster; the list is then read anew; else `errors` by index).
   */
  async replace(orders) {
    try {
      this.take(await play.replace(this.match, this.tick, orders, this.etag));
      tell("orders", this.match);
    } catch (error) {
      if (error instanceof Problem && error.code === "changed") await this.load();
      throw error;
    } finally {
      this.changed();
    }
  }
}

const OWN = ["id", "seq", "faction", "tick", "receipt", "result"];

/** What an accepted order says, without what the server added: ready to be filed again. */
export function bare(item) {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !OWN.includes(name)));
}
