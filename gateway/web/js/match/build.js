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
  const underWay = m.tools.filing?.has(key);
  return html`<li class=${reason && !filed ? "purchase off" : "purchase"}>
    <p class="purchase-head"><strong>${icon(building)} ${title(building)}</strong>
      <span class="purchase-price">${Object.values(cost).some(Boolean) ? price(cost, m.rules.resources) : nothing}</span></p>
    <p class="muted">${buildingEffect(m.rules.buildings.get(building))}</p>
    ${filed && !underWay
      ? html`<p class="in-plan">${icon("seal")} In your plan</p>`
      : reason && !underWay
        ? html`<p class="why-not">${m.rules.reasons[reason]}</p>`
        : fileButton(m, { key, label: html`Build<span class="hidden-visually"> a ${title(building).toLowerCase()}</span>`, order: () => ({ kind: "build", hold, building }) })}
  </li>`;
}
