/** The chosen hold: what is known of it, and what one can do there; without one, the list of one's own holds. */
import { focusLater } from "../frame.js";
import { icon } from "../icons.js";
import { html, keyed, nothing } from "../lit.js";
import { total, unitsText } from "../rules.js";
import { build } from "./build.js";
import { holdKnown } from "./hold_known.js";
import { holdList } from "./hold_list.js";
import { holdOpener } from "./hold_link.js";
import * as march from "./march.js";
import { marchPanel } from "./march_panel.js";
import { orderHolds, orderText } from "./order_words.js";
import { recruit } from "./recruit.js";
import { noOrdersNote, whyNoOrders } from "./may_order.js";

export function holdPanel(m, page) {
  if (m.march) return marchPanel(m, page);
  if (!m.holds.has(m.selected)) return holdList(m, page);
  return keyed(m.selected, sheet(m, page, m.selected));
}

function sheet(m, page, hold) {
  const known = m.seen(hold);
  const back = () => {
    m.select(null);
    focusLater("holds-heading");
  };
  return html`<article class="hold-sheet">
    <header class="hold-head">
      <h2 id="hold-name" tabindex="-1">${m.name(hold)}</h2>
      <button type="button" class="bare" @click=${back}>${icon("left")} My holds</button>
    </header>
    ${holdKnown(m, known)}
    ${actions(m, page, hold)}
    <h3>Routes from here</h3>
    <ul class="plain neighbours">${m.neighbours.get(hold).map((near) => html`<li>${holdOpener(m, page, near)}</li>`)}</ul>
  </article>`;
}

/** What one can do at the hold, from the server's options; a note where one can do nothing now. */
function actions(m, page, hold) {
  const options = march.holdOptions(m, hold);
  const mine = m.seen(hold)?.owner === m.me || m.view.forces.some((force) => force.hold === hold);
  if (whyNoOrders(m)) return mine ? noOrdersNote(m) : nothing;
  if (!options) return nothing;
  return html`${planned(m, page, hold)}${marching(m, page, options)}${options.own ? html`${recruit(m, options)}${build(m, options)}` : nothing}`;
}

function planned(m, page, hold) {
  const here = m.plan.items.filter((item) => orderHolds(item)[0] === hold);
  const drafts = m.plan.drafts.items.filter((draft) => orderHolds(draft.order)[0] === hold);
  if (!here.length && !drafts.length) return nothing;
  return html`<section class="here-planned">
    <h3>In your plan for here</h3>
    <ul class="plain">${here.map((item) => html`<li>${icon("seal")} ${orderText(m, item)}</li>`)}
      ${drafts.map((draft) => html`<li class="unfiled">${icon("waiting")} ${orderText(m, draft.order)} <span class="tag warn">not filed</span></li>`)}</ul>
    <button type="button" class="bare" @click=${() => page.show("orders")}>Change it under Orders</button>
  </section>`;
}

function marching(m, page, { hold, own, move }) {
  const begin = () => {
    if (!march.begin(m, hold)) return;
    page.show("hold");
    focusLater("march-heading");
  };
  const idle = total(move.units) > 0;
  return html`<section class="act">
    <h3>${icon("march")} March</h3>
    ${idle
      ? html`<p>Free to march: ${unitsText(move.units)}${own ? "" : ", your guests here"}.</p>
        <button type="button" class="primary" id="march-begin" @click=${begin}>March from here</button>
        <p class="muted">${ways(move.ends.length)}</p>`
      : html`<p class="why-not">${m.rules.reasons[move.reason] ?? "No units are left here."}</p>`}
  </section>`;
}

function ways(count) {
  return count === 1 ? "One hold is within reach." : `${count} holds are within reach.`;
}
