/** Orders that the server has not accepted yet, kept in this browser so that no reload or lost connection loses them. */

/**
 * A draft: {key, tick, order, state, problem}. `key` is its Idempotency-Key; `state`:
 * "sending" (asked, no answer yet), "waiting" (the server cannot be reached), "refused" (`problem`: {code, detail}),
 * "late" (its tick has gone without it).
 */
export class Drafts {
  constructor(match, account) {
    this.place = `last-waters/drafts/${account}/${match}`;
    this.items = [];
    this.reload();
  }

  /** What stands in the browser, perhaps written by another tab. */
  reload() {
    try {
      this.items = JSON.parse(localStorage.getItem(this.place) ?? "[]");
    } catch {
      this.items = [];
    }
  }

  add(draft) {
    this.items = [...this.items, draft];
    this.save();
  }

  update(key, patch) {
    this.items = this.items.map((draft) => (draft.key === key ? { ...draft, ...patch } : draft));
    this.save();
  }

  drop(key) {
    this.items = this.items.filter((draft) => draft.key !== key);
    this.save();
  }

  save() {
    try {
      if (this.items.length) localStorage.setItem(this.place, JSON.stringify(this.items));
      else localStorage.removeItem(this.place);
    } catch {
      // A browser without storage keeps them for as long as the page is open.
    }
  }
}
