/** The report of a tick, told as a story. */
import { html } from "../lit.js";

export function reportPanel(m) {
  return html`<p class="muted">…</p>`;
}
