/** The rulebook as a page, from the server's own rules page. */
import { html } from "../lit.js";

export class RulebookPage {
  constructor(parts, changed) {
    this.changed = changed;
  }

  get title() { return "The rulebook"; }

  move(parts) {}

  close() {}

  draw() {
    return html`<main class="page"><h1>The rulebook</h1></main>`;
  }
}
