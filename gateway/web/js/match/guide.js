/** The next sensible step of a first match. */
import { html } from "../lit.js";

export function guidePanel(m) {
  return html`<p class="muted">…</p>`;
}
