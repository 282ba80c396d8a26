/** Drawn signs, 24 x 24, in the colour of the text around them. They never stand without words or a label. */
import { html, svg } from "./lit.js";

const line = (d) => svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;
const solid = (d) => svg`<path d=${d} fill="currentColor"/>`;

/** Marks by name; the map draws them too. */
export const SIGNS = {
  water: solid("M12 3c4 5 6.5 8.3 6.5 11.5a6.5 6.5 0 0 1-13 0C5.5 11.3 8 8 12 3z"),
  scrap: svg`${line("M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z")}${line("M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1")}`,
  grain: line("M12 21V8M12 12c-3 0-5-2-5-5 3 0 5 2 5 5zM12 12c3 0 5-2 5-5-3 0-5 2-5 5zM12 17c-3 0-5-2-5-5 3 0 5 2 5 5zM12 17c3 0 5-2 5-5-3 0-5 2-5 5zM12 7c-1.5-1.5-1.5-3 0-4.5 1.5 1.5 1.5 3 0 4.5z"),
  militia: line("M5 21 17 5M14 4l5-1-1 5M5 4l14 17M4 8V3h5"),
  outrider: line("M4 20c1-6 3-9 7-10l1-5 3 3 4 2-1 4-4-1c-1 3 0 5 2 7"),
  wrecker: line("M13 5l6 6M10 8l6-5 5 5-5 6zM12 11l-8 9"),
  bastion: solid("M4 21V6h3v2h3V6h4v2h3V6h3v15h-6v-5a2 2 0 0 0-4 0v5z"),
  palisade: line("M5 21V7l2-3 2 3v14M10 21V7l2-3 2 3v14M15 21V7l2-3 2 3v14M3 12h18M3 17h18"),
  "muster-hall": line("M5 21V3M5 4h13l-3 4 3 4H5"),
  watch: line("M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"),
  archive: line("M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14"),
  growhouse: line("M4 21V11l8-7 8 7v10zM12 21v-7M12 17c-2.5 0-4-1.5-4-4M12 17c2.5 0 4-1.5 4-4"),
  "salvage-yard": line("M4 20l5-5M9 10a5 5 0 0 1 7-6l-3 3 1 3 3 1 3-3a5 5 0 0 1-6 7l-7 6"),
  cistern: line("M5 6v12c0 2 3 3 7 3s7-1 7-3V6M5 6c0-2 3-3 7-3s7 1 7 3-3 3-7 3-7-1-7-3zM9 14c1.5 1 4.5 1 6 0"),
  march: line("M4 12h15M13 6l6 6-6 6"),
  hammer: line("M4 20 12.5 11.500M10 6.500l4-3.500 7 7-3.500 4zM14 3l-2.500 0-4 3.500 3 3"),
  recruit: line("M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M19 8v6M16 11h6"),
  build: line("M3 21h18M6 21V9l6-5 6 5v12M10 21v-6h4v6"),
  research: line("M9 3h6M10 3v6l-6 10a1.5 1.5 0 0 0 1.5 2h13a1.5 1.5 0 0 0 1.5-2L14 9V3M8 15h8"),
  pact: line("M3 12l4-5 5 3 5-3 4 5-5 6-4 2-4-2zM12 10l-3 4"),
  break: line("M3 12l4-5 4 3M21 12l-4-5-3 2M13 13l-2 3 2 4M9 18l-6-6M21 12l-6 6"),
  message: line("M4 5h16v11H10l-5 4v-4H4z"),
  orders: line("M6 3h9l4 4v14H6zM14 3v5h5M9 12h6M9 16h6"),
  report: line("M4 4h16v16H4zM8 9h8M8 13h8M8 17h5"),
  hold: line("M12 21s7-6.5 7-11.5A7 7 0 0 0 5 9.5C5 14.5 12 21 12 21zM12 7a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z"),
  guide: line("M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.5 8.5l-2 5-5 2 2-5z"),
  history: line("M3 12a9 9 0 1 0 3-6.7M3 4v5h5M12 7v5l3 2"),
  up: line("M6 14l6-6 6 6"), down: line("M6 10l6 6 6-6"), left: line("M14 6l-6 6 6 6"), right: line("M10 6l6 6-6 6"),
  play: solid("M8 5v14l11-7z"), pause: line("M9 6v12M15 6v12"),
  close: line("M6 6l12 12M18 6 6 18"), edit: line("M4 20l1-4L16 5l3 3L8 19zM14 7l3 3"),
  plus: line("M12 5v14M5 12h14"), minus: line("M5 12h14"), check: line("M4 12l5 6L20 6"),
  menu: line("M4 6h16M4 12h16M4 18h16"),
  seal: line("M12 3l2.5 2 3-.5.5 3 2.5 2-1.5 3 1.5 3-2.5 1.5-.5 3-3-.5L12 21l-2.5-1.5-3 .5-.5-3L3.5 15.5 5 12.5 3.5 9.5 6 7.5l.5-3 3 .5zM9 12l2 2 4-4"),
  offline: line("M3 3l18 18M5 12a10 10 0 0 1 4-2.5M2 8.5A15 15 0 0 1 7 5.5M12 5a15 15 0 0 1 10 3.5M15 10a10 10 0 0 1 4 2M12 19h.01"),
  waiting: line("M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l4 2"),
  skull: line("M12 3a8 8 0 0 0-5 14v3h10v-3a8 8 0 0 0-5-14zM9 11h.010M15 11h.010M10 20v-2M14 20v-2"),
  flag: line("M5 21V4M5 4c4-2 7 2 14 0v9c-7 2-10-2-14 0"),
  search: line("M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21"),
  fit: line("M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"),
};

/** A sign in running text; decoration only. */
export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SIGNS[name]}</svg>`;
}

/** An amount of a resource with its sign; read out as "3 water". */
export function amount(resource, count) {
  return html`<span class="amount resource-${resource}">${icon(resource)}<span class="figure">${count}</span><span class="hidden-visually"> ${resource}</span></span>`;
}

/** Amounts of a cost that are not nothing; "nothing" if all are. */
export function price(cost, resources) {
  const asked = resources.filter((name) => cost[name]);
  return asked.length ? html`<span class="price">${asked.map((name) => amount(name, cost[name]))}</span>` : html`<span class="muted">nothing</span>`;
}
