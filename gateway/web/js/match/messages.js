/** Conversations. */
import { html } from "../lit.js";

export function messagesPanel(m) {
  return html`<p class="muted">…</p>`;
}
