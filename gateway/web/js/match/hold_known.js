/** What is known of a hold, since when, and how surely. */
import { factionName } from "../factions.js";
import { amount, icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { bandRange, title, total, unitsText } from "../rules.js";
import { term } from "../terms.js";
import { buildingEffect } from "./effects.js";

const SIGHT = {
  exact: () => html`<span class="tag good">${term("exact", "seen exactly")}</span>`,
  band: () => html`<span class="tag">${term("band", "seen from afar")}</span>`,
  stale: (known) => html`<span class="tag warn">${icon("history")} ${term("stale", `seen at tick ${known.seen_tick}`)}</span>`,
  unknown: () => html`<span class="tag">${term("unknown", "never seen")}</span>`,
};

/** `known`: the hold's row of the view. */
export function holdKnown(m, known) {
  if (!known || known.sight === "unknown") {
    return html`<p>${SIGHT.unknown()}</p><p class="muted">You have never seen this hold. Its place and its routes are all that is known.</p>${forces(m, known)}`;
  }
  return html`<p class="row">${owner(m, known)} ${SIGHT[known.sight](known)}</p>
    ${known.sight === "stale" ? html`<p class="muted">This is how it stood then; it may have changed.</p>` : nothing}
    ${known.garrison ? exact(m, known) : banded(m, known)}
    ${known.older ? older(m, known.older) : nothing}
    ${forces(m, known)}`;
}

function owner(m, { owner: id }) {
  if (id === null) return html`<span class="faction-name">Neutral ground</span>`;
  return factionName(m.faction(id), id === m.me);
}

function exact(m, known) {
  return html`<dl class="hold-facts">
    <div><dt>${term("garrison", "Garrison")}</dt><dd>${garrison(m, known.garrison)}</dd></div>
    <div><dt>${term("yield", "Yields a tick")}</dt><dd>${yields(m, known.yields)}</dd></div>
    <div><dt>Buildings</dt><dd>${buildings(m, known.buildings)}</dd></div>
  </dl>`;
}

function banded(m, known) {
  return html`<dl class="hold-facts"><div><dt>${term("garrison", "Garrison")}</dt><dd><strong>${term(known.band, title(known.band))}</strong>: ${bandRange(m.rules.bands, known.band)} units, whose cannot be told</dd></div></dl>`;
}

function older(m, reading) {
  return html`<details class="hold-older"><summary>Last seen exactly at tick ${reading.seen_tick}</summary>
    <p class="row">${owner(m, reading)} <span class="tag warn">${icon("history")} tick ${reading.seen_tick}</span></p>
    ${exact(m, reading)}
  </details>`;
}

function garrison(m, units) {
  const rows = Object.entries(units).filter(([, count]) => total(count) > 0);
  if (!rows.length) return html`<span class="muted">none</span>`;
  return html`<ul class="plain">${rows.map(([id, count]) => html`<li>${unitsText(count)}
    <span class="muted">of ${id === "neutral" ? "no faction" : factionName(m.faction(id), id === m.me)}</span></li>`)}</ul>`;
}

function yields(m, amounts) {
  const some = m.rules.resources.filter((name) => amounts[name]);
  return some.length ? html`<span class="price">${some.map((name) => amount(name, amounts[name]))}</span>` : html`<span class="muted">nothing: barren ground</span>`;
}

function buildings(m, names) {
  if (!names.length) return html`<span class="muted">none</span>`;
  return html`<ul class="plain">${names.map((name) => html`<li>${icon(name)} ${term(name, title(name))} <span class="muted">${buildingEffect(m.rules.buildings.get(name))}</span></li>`)}</ul>`;
}

/** Own units where the hold itself is not seen exactly. */
function forces(m, known) {
  if (known?.garrison && known.sight === "exact") return nothing;
  const mine = m.drawn.forces.find((force) => force.hold === known?.id);
  return mine ? html`<p>Your units here: ${unitsText(mine.units)}.</p>` : nothing;
}
