/** One's own holds, and those where one's units are guests, to pick from. */
import { icon, price } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { total, unitsText } from "../rules.js";
import { openHold } from "./hold_link.js";
import { holdOptions } from "./march.js";
import { noOrdersNote } from "./may_order.js";

export function holdList(m, page) {
  const own = m.drawn.holds.filter((hold) => hold.owner === m.me && hold.sight === "exact");
  const guests = m.drawn.forces.filter((force) => !own.some((hold) => hold.id === force.hold));
  return html`<h2 id="holds-heading" tabindex="-1">Your holds</h2>
    <p class="muted">Pick a hold here or on the map to see what it can do.</p>
    ${noOrdersNote(m)}
    ${m.options ? html`<p class="row">Left to spend: ${price(m.options.purse, m.rules.resources)}</p>` : nothing}
    <ul class="plain hold-list">${repeat(own, (hold) => hold.id, (hold) => row(m, page, hold.id, hold.garrison[m.me]))}</ul>
    ${own.length ? nothing : html`<p>You own no hold.</p>`}
    ${guests.length
      ? html`<h3>Guests elsewhere</h3>
        <ul class="plain hold-list">${repeat(guests, (force) => force.hold, (force) => row(m, page, force.hold, force.units))}</ul>`
      : nothing}`;
}

function row(m, page, hold, units) {
  const options = m.shown ? null : holdOptions(m, hold);
  const idle = total(options?.move.units);
  const all = total(units);
  return html`<li><button type="button" class="hold-row" @click=${() => openHold(m, page, hold)}>
    <span class="hold-row-name">${m.name(hold)}</span>
    <span class="muted">${all ? unitsText(units) : "no units"}</span>
    ${idle ? html`<span class="tag warn">${idle === all ? "all idle" : `${idle} idle`}</span>` : nothing}
    ${options?.recruit.some((row) => !row.reason) ? html`<span class="tag">${icon("recruit")} can recruit</span>` : nothing}
  </button></li>`;
}
