/** The lobby: open, running and ended matches. */
import { html } from "../lit.js";
import { matches } from "../server.js";
import { to } from "../router.js";

export class LobbyPage {
  constructor(changed) {
    this.changed = changed;
    this.items = null;
    this.load();
  }

  get title() { return "Matches"; }

  move() {}

  close() {}

  async load() {
    this.items = (await matches.list({ mine: true })).items;
    this.changed();
  }

  draw() {
    return html`<main class="page"><h1>Matches</h1>
      <ul>${(this.items ?? []).map((match) => html`<li><a href=${to("match", match.id)}>${match.name}</a></li>`)}</ul></main>`;
  }
}
