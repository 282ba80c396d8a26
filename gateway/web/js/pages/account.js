/** One's own account: password, blocks, leaving. */
import { html } from "../lit.js";

export class AccountPage {
  constructor(changed) {
    this.changed = changed;
  }

  get title() { return "Your account"; }

  move() {}

  close() {}

  draw() {
    return html`<main class="page narrow"><h1>Your account</h1></main>`;
  }
}
