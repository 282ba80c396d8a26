/** Pacts, proposals, truces. */
import { html } from "../lit.js";

export function diplomacyPanel(m) {
  return html`<p class="muted">…</p>`;
}
