/** Who is allied with whom, drawn: the factions on a circle, a line for each pact. */
import { colourClass, marking, patternMarks } from "../factions.js";
import { html, svg } from "../lit.js";

const SIZE = 240;
const MARGIN = 26;
const MIDDLE = SIZE / 2;
const MANY = 16;

/** `factions` and `pacts` as in a view. The drawing says nothing that `pactList` does not say in words. */
export function pactWeb(factions, pacts, me) {
  const place = places(factions);
  const many = factions.length > MANY;
  const side = many ? 10 : 18;
  return html`<svg class="pact-web ${many ? "many" : ""}" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="Factions on a circle, a line for each pact; the list below says the same">
    <circle cx=${MIDDLE} cy=${MIDDLE} r=${MIDDLE - MARGIN} class="pact-ring"/>
    ${pacts.map(({ members: [one, other] }) => line(place.get(one), place.get(other), one === me || other === me))}
    ${factions.map((faction) => node(faction, place.get(faction.id), side, faction.id === me))}
  </svg>`;
}

/** The same as text: one line for each pact. `name(id)` gives a faction as a template. */
export function pactList(pacts, name) {
  return html`<ul class="plain pact-list">${pacts.map(({ members: [one, other], formed_tick: since }) =>
    html`<li>${name(one)} <span class="muted">and</span> ${name(other)} <span class="muted since">since tick ${since}</span></li>`)}</ul>`;
}

function places(factions) {
  return new Map(factions.map((faction, index) => {
    const turn = (2 * Math.PI * index) / factions.length - Math.PI / 2;
    const radius = MIDDLE - MARGIN;
    return [faction.id, { x: MIDDLE + radius * Math.cos(turn), y: MIDDLE + radius * Math.sin(turn) }];
  }));
}

/** Bent towards the middle, so that lines between neighbours leave the circle. */
function line(from, to, own) {
  const [x, y] = [(from.x + to.x + MIDDLE) / 3, (from.y + to.y + MIDDLE) / 3];
  return svg`<path class=${own ? "pact-line own" : "pact-line"} d="M${from.x} ${from.y} Q${x} ${y} ${to.x} ${to.y}"/>`;
}

function node(faction, { x, y }, side, own) {
  const out = faction.eliminated_tick !== null;
  return svg`<g class="pact-node ${colourClass(faction.seat)} ${out ? "out" : ""}" transform="translate(${x - side / 2} ${y - side / 2})">
    <title>${faction.name}${out ? " (eliminated)" : ""}</title>
    <rect x="-3" y="-3" width=${side + 6} height=${side + 6} rx="5" class=${own ? "pact-frame own" : "pact-frame"}/>
    <g transform="scale(${side / 8})"><rect width="8" height="8" rx="1" fill="var(--faction)"/>${patternMarks(marking(faction.seat).pattern)}</g>
  </g>`;
}
