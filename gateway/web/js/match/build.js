/** Building at a hold: what each building does and costs, and why not. */
import { icon, price } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { title } from "../rules.js";
import { buildingEffect } from "./effects.js";
import { fileButton } from "./file_button.js";

/** `options`: of the hold, see march.holdOptions. */
export function build(m, { hold, build: rows }) {
  const filed = new Set(m.plan.items.filter((item) => item.kind === "build" && item.hold === hold).map((item) => item.building));
  return html`<section class="act">
    <h3>${icon("build")} Build</h3>
    <ul class="plain purchases">${repeat(rows, (row) => row.building, (row) => choice(m, hold, row, filed.has(row.building)))}</ul>
  </section>`;
}

function choice(m, hold, { building, cost, reason }, filed) {
  const key = `build/${hold}/${building}`;
  const name = html`<span class="hidden-visually"> a ${title(building).toLowerCase()}</span>`;
  return html`<li class=${reason && !filed ? "purchase off" : "purchase"}>
    <p class="purchase-head"><strong>${icon(building)} ${title(building)}</strong>
      <span class="purchase-price">${Object.values(cost).some(Boolean) ? price(cost, m.rules.resources) : nothing}</span></p>
    <div class="purchase-act">
      <p class="muted">${buildingEffect(m.rules.buildings.get(building))}
        ${reason && !filed ? html`<span class="why-not" id=${`${key}/why`}>${m.rules.reasons[reason]}</span>` : nothing}</p>
      ${fileButton(m, {
        key,
        off: filed || Boolean(reason),
        describedBy: reason ? `${key}/why` : nothing,
        plain: true,
        label: filed ? html`${icon("seal")}In your plan${name}` : html`Build${name}`,
        order: () => ({ kind: "build", hold, building }),
      })}
    </div>
  </li>`;
}
