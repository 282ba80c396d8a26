/** The technologies of one field as a tree from left to right: what stands where, and the lines from needs to techs. */
import { html, ref, svg } from "../lit.js";

const ROW = 100;
const GAP = 20;

/** Fields in the table's order: [{field, techs}]. */
export function fields(rules) {
  const names = [...new Set(rules.tables.techs.map((row) => row.field))];
  return names.map((field) => ({ field, techs: rules.tables.techs.filter((row) => row.field === field) }));
}

/**
 * Places: {columns, rows, at: Map tech -> {column, row}}. What needs nothing stands in the first column, anything else
 * one to the right of the last thing it needs, as near as may be to the middle of its needs.
 */
export function layout(techs) {
  const at = new Map();
  const taken = new Set();
  let rows = 0;
  for (const row of inOrderOfNeeds(techs)) {
    const needs = row.needs.filter((need) => at.has(need)).map((need) => at.get(need));
    const column = needs.length ? Math.max(...needs.map((place) => place.column)) + 1 : 0;
    const middle = needs.length ? needs.reduce((sum, place) => sum + place.row, 0) / needs.length : 0;
    const free = nearestFree(taken, column, Math.round(middle));
    taken.add(`${column}/${free}`);
    at.set(row.tech, { column, row: free });
    rows = Math.max(rows, free + 1);
  }
  return { columns: 1 + Math.max(...[...at.values()].map((place) => place.column)), rows, at };
}

/** Needs come before what needs them; what needs the fewest comes first, so that it gets the place beside its need. */
function inOrderOfNeeds(techs) {
  const names = new Set(techs.map((row) => row.tech));
  const sorted = [];
  let left = [...techs].sort((one, other) => one.needs.length - other.needs.length);
  while (left.length) {
    const done = new Set(sorted.map((row) => row.tech));
    const ready = left.filter((row) => row.needs.every((need) => done.has(need) || !names.has(need)));
    sorted.push(...ready);
    left = left.filter((row) => !ready.includes(row));
    if (!ready.length) throw new Error("The technologies need each other in a circle.");
  }
  return sorted;
}

function nearestFree(taken, column, wanted) {
  for (let away = 0; ; away += 1) {
    for (const row of [wanted + away, wanted - away]) {
      if (row >= 0 && !taken.has(`${column}/${row}`)) return row;
    }
  }
}

/** The tree as a template; `card(row)` draws one technology, `isKnown(tech)` lights the lines that lead on from it. */
export function treeGrid(techs, card, isKnown) {
  const { columns, rows, at } = layout(techs);
  const gaps = Array.from({ length: columns - 1 }, (_, gap) => gap + 1);
  return html`<div class="tech-grid columns-${columns}">
    ${gaps.map((column) => html`<div class="tech-lines" ${placed(2 * column, `1 / span ${rows}`)}>
      <svg viewBox="0 0 ${GAP} ${rows * ROW}" preserveAspectRatio="none" aria-hidden="true">${techs.filter((row) => at.get(row.tech).column === column).flatMap((row) =>
        row.needs.filter((need) => at.has(need)).map((need) => line(at.get(need).row, at.get(row.tech).row, isKnown(need))))}</svg></div>`)}
    ${techs.map((row) => html`<div class="tech-place" ${placed(2 * at.get(row.tech).column + 1, at.get(row.tech).row + 1)}>${card(row)}</div>`)}
  </div>`;
}

/** Grid places are set by script: the page's policy allows no style in a template. */
function placed(column, row) {
  return ref((element) => {
    element?.style.setProperty("grid-column", String(column));
    element?.style.setProperty("grid-row", String(row));
  });
}

function line(from, to, known) {
  const [start, end] = [(from + 0.5) * ROW, (to + 0.5) * ROW];
  return svg`<path class=${known ? "tech-line known" : "tech-line"} d="M0 ${start} C${GAP * 0.7} ${start} ${GAP * 0.3} ${end} ${GAP} ${end}"/>`;
}
