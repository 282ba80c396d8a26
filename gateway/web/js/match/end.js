/** After the end: winner, graphs, replay, verifying. */
import { html } from "../lit.js";

export function endPanel(m) {
  return html`<p class="muted">…</p>`;
}
