/** The slider through past ticks, under the map. */
import { html } from "../lit.js";

export function timeline(m) {
  return html``;
}
