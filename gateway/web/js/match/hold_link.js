/** The name of a hold as a way to it on the map. */
import { focusLater } from "../frame.js";
import { html } from "../lit.js";

/** `shown`: what happens beside going to the map, e.g. opening the hold's panel. */
export function holdLink(m, page, hold, shown = () => {}) {
  const go = () => {
    page.visit(hold);
    shown();
  };
  return html`<button type="button" class="hold-link" @click=${go}>${m.name(hold)}</button>`;
}

/** Like `holdLink`, and opens the hold in the panel, with the focus on its name. */
export function holdOpener(m, page, hold) {
  return html`<button type="button" class="hold-link" @click=${() => openHold(m, page, hold)}>${m.name(hold)}</button>`;
}

export function openHold(m, page, hold) {
  page.visit(hold);
  page.show("hold");
  focusLater("hold-name");
}
