/** What is being written, by conversation, kept in this tab until it is sent: neither a reload nor a lost connection loses it. */

/** A letter: {text, key}; `key` is the Idempotency-Key of a sending whose answer never came, else null. */
const EMPTY = { text: "", key: null };

export class Letters {
  constructor(match, account) {
    this.place = `last-waters/letters/${account}/${match}`;
    this.open = null;
    this.items = {};
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.place) ?? "{}");
      this.open = kept.open ?? null;
      this.items = kept.items ?? {};
    } catch {
      // Whatever stood there is not ours to read; writing starts anew.
    }
  }

  of(parties) {
    return this.items[parties] ?? EMPTY;
  }

  put(parties, patch) {
    this.items = { ...this.items, [parties]: { ...this.of(parties), ...patch } };
    if (!this.items[parties].text && !this.items[parties].key) delete this.items[parties];
    this.save();
  }

  /** Which conversation is open, null for the list. */
  opened(parties) {
    this.open = parties;
    this.save();
  }

  save() {
    try {
      sessionStorage.setItem(this.place, JSON.stringify({ open: this.open, items: this.items }));
    } catch {
      // A browser without storage keeps them for as long as the page is open.
    }
  }
}
