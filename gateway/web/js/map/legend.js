/** What the colours and signs of the map mean, in few words, drawn with the map's own signs. */
import { html, svg } from "../lit.js";
import { icon } from "../icons.js";
import { holdSign } from "./drawing.js";
import { LEVELS } from "./levels.js";

const UNKNOWN = { sight: "unknown", owner: null, relation: "unknown", troops: null, band: null, buildings: null, yields: null, older: null };

/** Is shown open on a desktop at first, closed on a phone. */
export function legend(m, open, toggled) {
  const me = m.faction(m.me);
  const other = m.view.factions.find((faction) => faction.id !== m.me) ?? me;
  const exact = (owner, relation, count, buildings = []) => ({
    ...UNKNOWN, sight: "exact", now: true, tick: m.view.tick, owner, relation, count, buildings, troops: [{ id: owner?.id, faction: owner, count }],
  });
  const band = { ...UNKNOWN, sight: "band", now: true, owner: other, relation: "other", band: m.rules.bands[1].band };
  const rows = [
    [exact(me, "mine", 10, ["bastion"]), "yours, with a bastion"],
    [exact(other, "other", 7), "another's; a number is exact"],
    [exact(other, "ally", 4), "an ally's"],
    [exact(null, "neutral", 3), "neutral"],
    [band, "a band: about how many"],
    [{ ...exact(other, "other", 5), sight: "stale", tick: 2 }, "old: as seen at that tick"],
    [UNKNOWN, "never seen"],
  ];
  return html`<details class="map-legend" ?open=${open} @toggle=${(event) => toggled(event.target.open)}>
    <summary>Legend</summary>
    <ul class="plain">
      ${rows.map(([known, words]) => html`<li><svg viewBox="-30 -21 60 48" aria-hidden="true" class="seen-${known.sight} owner-${known.relation}">${sample(m, known)}</svg>${words}</li>`)}
      <li><svg class="legend-line" viewBox="0 0 40 12" aria-hidden="true">${svg`<path class="filed" d="M2 6h28"/><path class="filed-head" d="M28 1l10 5-10 5z"/>`}</svg>march that is filed</li>
      <li><svg class="legend-line" viewBox="0 0 40 12" aria-hidden="true">${svg`<path class="draft" d="M2 6h28"/><path class="draft-head" d="M28 1l10 5-10 5z"/>`}</svg>not filed yet</li>
      <li class="legend-yields">${m.rules.resources.map((resource) => html`<span class=${`resource-${resource}`}>${icon(resource)} ${resource}</span>`)}</li>
    </ul>
  </details>`;
}

function sample(m, known) {
  const level = LEVELS.find((one) => one.words && !one.details);
  return holdSign({ name: "", known, level, bands: m.rules.bands, resources: m.rules.resources, selected: false, reach: null, marks: [], label: null });
}
