/** Recruiting at a hold: what each unit costs, how many it may be, and why not. */
import { icon, price } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { plural, title, unitCount } from "../rules.js";
import { unitFigures } from "./effects.js";
import { fileButton } from "./file_button.js";
import { stepper } from "./stepper.js";

/** `options`: of the hold, see march.holdOptions. */
export function recruit(m, { hold, recruit: rows }) {
  return html`<section class="act">
    <h3>${icon("recruit")} Recruit</h3>
    <ul class="plain purchases">${repeat(rows, (row) => row.unit, (row) => choice(m, hold, row))}</ul>
  </section>`;
}

function choice(m, hold, { unit, cost, most, reason }) {
  const counts = (m.tools.recruit ??= new Map());
  const key = `recruit/${hold}/${unit}`;
  const count = Math.min(counts.get(key) ?? 1, most);
  return html`<li class=${reason ? "purchase off" : "purchase"}>
    <p class="purchase-head"><strong>${icon(unit)} ${title(unit)}</strong>
      <span class="purchase-price">${price(cost, m.rules.resources)}<span class="hidden-visually"> each</span></span></p>
    <p>${unitFigures(m.rules.units.get(unit))}</p>
    ${reason ? html`<p class="why-not" id=${`${key}/why`}>${m.rules.reasons[reason]}</p>` : nothing}
    <div class="purchase-act">
      ${reason ? nothing : stepper({ id: key, of: plural(unit), value: count, least: 1, most, allLabel: "Max", changed: (wanted) => {
        counts.set(key, wanted);
        m.changed();
      } })}
      ${fileButton(m, { key, off: Boolean(reason), describedBy: reason ? `${key}/why` : nothing, label: html`Recruit<span class="hidden-visually"> ${reason ? plural(unit) : unitCount(unit, count)}</span>`, order: () => ({ kind: "recruit", hold, unit, count }), rested: () => counts.get(key) === count && counts.delete(key) })}
    </div>
    ${reason ? nothing : html`<p class="purchase-total muted">${unitCount(unit, count)} of at most ${most}: ${price(times(cost, count), m.rules.resources)}</p>`}
  </li>`;
}

function times(cost, count) {
  return Object.fromEntries(Object.entries(cost).map(([name, amount]) => [name, amount * count]));
}
