/** An invitation: the match that a code leads to, and taking a seat in it. */
import { html } from "../lit.js";

export class JoinPage {
  constructor([code], changed) {
    this.code = code;
    this.changed = changed;
  }

  get title() { return "An invitation"; }

  move() {}

  close() {}

  draw() {
    return html`<main class="page narrow"><h1>An invitation</h1></main>`;
  }
}
