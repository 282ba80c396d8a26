/** What is known of a hold, on a small card beside it: for a mouse that rests on it, or the keyboard's focus. */
import { flag } from "../factions.js";
import { amount, icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { title, unitsText } from "../rules.js";
import { bandWords, olderWords, ownerWords, seenWords } from "./fog.js";

export function card(m, { name, known, hint }) {
  return html`
    <strong class="card-name">${name}</strong>
    ${known.sight === "unknown" ? html`<span class="muted">Never seen by your faction.</span>` : html`
      <span class="card-owner">${flag(known.owner?.seat ?? 0)} ${ownerWords(known)}</span>
      ${garrison(m, known)}
      ${known.buildings?.length ? html`<span class="card-buildings">${known.buildings.map((building) => html`<span>${icon(building)} ${title(building)}</span>`)}</span>` : nothing}
      ${known.yields ? html`<span class="price">${m.rules.resources.map((resource) => amount(resource, known.yields[resource]))}</span>` : nothing}
      <span class=${known.sight === "stale" ? "card-stale" : "muted"}>${known.sight === "stale" ? icon("history") : nothing} ${seenWords(known)}</span>
      ${known.older ? html`<span class="muted">${olderWords(m, known)}</span>` : nothing}`}
    ${hint ? html`<span class="card-hint">${hint}</span>` : nothing}`;
}

function garrison(m, known) {
  if (known.band) return html`<span>${bandWords(m, known.band)}</span>`;
  if (!known.troops?.length) return html`<span>no garrison</span>`;
  return known.troops.map((part) => html`<span class="card-troops">${flag(part.faction?.seat ?? 0)} ${unitsText(part.units)}${part.id === m.me && known.relation !== "mine" ? html` <span class="muted">(yours)</span>` : nothing}</span>`);
}
