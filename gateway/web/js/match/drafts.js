/** Orders that the server has not accepted yet, kept in this browser so that no reload or lost connection loses them. */

/**
 * A draft: {key, tick, order, state, problem}. `key` is its Idempotency-Key; `state`:
 * "sending" (asked, no answer yet), "waiting" (no answer came: it is sent again), "refused" (`problem`: {code,
 * detail}), "late" (its tick has gone without it). All tabs of the browser share them.
 */
export class Drafts {
  /** `changed` is called when another tab has changed them. */
  constructor(match, account, changed) {
    this.place = `last-waters/drafts/${account}/${match}`;
    this.items = [];
    this.reload();
    this.heard = (event) => {
      if (event.key !== this.place) return;
      this.reload();
      changed();
    };
    window.addEventListener("storage", this.heard);
  }

  close() {
    window.removeEventListener("storage", this.heard);
  }

  /** What stands in the browser, perhaps written by another tab. */
  reload() {
    try {
      this.items = JSON.parse(localStorage.getItem(this.place) ?? "[]");
    } catch {
      // A browser without storage keeps them for as long as the page is open.
    }
  }

  get(key) {
    return this.items.find((draft) => draft.key === key) ?? null;
  }

  add(draft) {
    this.change((items) => [...items, draft]);
  }

  update(key, patch) {
    this.change((items) => items.map((draft) => (draft.key === key ? { ...draft, ...patch } : draft)));
  }

  drop(key) {
    this.change((items) => items.filter((draft) => draft.key !== key));
  }

  change(edit) {
    this.reload();
    this.items = edit(this.items);
    try {
      if (this.items.length) localStorage.setItem(this.place, JSON.stringify(this.items));
      else localStorage.removeItem(this.place);
    } catch {
      // As above.
    }
  }
}
