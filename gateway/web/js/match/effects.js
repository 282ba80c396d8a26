/** What units and buildings do, in words, from the published tables. */
import { html } from "../lit.js";
import { listed, plural } from "../rules.js";

const EFFECTS = [
  ["raises", (types) => `raises ${listed(types.map(plural))}`],
  ["defence", (bonus) => `+${bonus} defence for every defender`],
  ["sight", (routes) => `sees ${routes} ${routes === 1 ? "route" : "routes"} further`],
  ["research_cut", (percent) => `${percent} % less research time`],
  ["yields", (yields) => listed(Object.entries(yields).filter(([, count]) => count).map(([name, count]) => `+${count} ${name} a tick`))],
];

/** "Raises militia; +2 defence for every defender"; `row` of the table of buildings. */
export function buildingEffect(row) {
  const words = EFFECTS.map(([field, say]) => (isSomething(row[field]) ? say(row[field]) : "")).filter(Boolean).join("; ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isSomething(value) {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Figures of a unit; `row` of the table of units. */
export function unitFigures(row) {
  return html`<span class="muted">attack ${row.attack} · defence ${row.defence} · speed ${row.speed}${row.siege ? " · siege" : ""}</span>`;
}
