/** A match before its start, or one that this client cannot show as a game: seats, settings, what its creator may do. */
import { html } from "../lit.js";
import { to } from "../router.js";

export function lobbyMatch(m) {
  return html`<main class="page narrow"><p><a href=${to()}>All matches</a></p><h1>${m.detail.name}</h1></main>`;
}
