/** One list of matches of the lobby, page by page, read anew without losing what was already unfolded. */
import { matches } from "../server.js";

const PAGE = 20;
const MOST = 200;

export class MatchList {
  /** `query`: as of GET /v1/matches; `keep(match)`: which of the answer belong here. */
  constructor(query, keep = () => true) {
    this.query = query;
    this.keep = keep;
    this.items = null;
    this.cursor = null;
  }

  /** "3", "20+" while there may be more, "" before the first answer. */
  get count() {
    return this.items === null ? "" : `${this.items.length}${this.cursor ? "+" : ""}`;
  }

  async load() {
    const limit = Math.min(MOST, Math.max(PAGE, this.items?.length ?? 0));
    const page = await matches.list({ ...this.query, limit });
    this.items = page.items.filter(this.keep);
    this.cursor = page.next_cursor;
    return page.items[0]?.now ?? null;
  }

  async more() {
    const page = await matches.list({ ...this.query, limit: PAGE, cursor: this.cursor });
    const known = new Set(this.items.map((match) => match.id));
    this.items = [...this.items, ...page.items.filter((match) => this.keep(match) && !known.has(match.id))];
    this.cursor = page.next_cursor;
  }
}
