/** Technologies as a tree. */
import { html } from "../lit.js";

export function researchPanel(m) {
  return html`<p class="muted">…</p>`;
}
