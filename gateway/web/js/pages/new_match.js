/** Making a match. */
import { html } from "../lit.js";

export class NewMatchPage {
  constructor(changed) {
    this.changed = changed;
  }

  get title() { return "A new match"; }

  move() {}

  close() {}

  draw() {
    return html`<main class="page narrow"><h1>A new match</h1></main>`;
  }
}
