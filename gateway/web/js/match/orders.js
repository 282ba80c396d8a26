/** The list of orders: filed, on their way, refused; reorder, edit, cancel, receipts; what is idle. */
import { html } from "../lit.js";

export function ordersPanel(m) {
  return html`<p class="muted">…</p>`;
}
