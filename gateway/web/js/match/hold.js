/** The chosen hold: what is known of it, what it can do and what each would cost; planning a march. */
import { html } from "../lit.js";

export function holdPanel(m) {
  return html`<p class="muted">…</p>`;
}
