/** The rules as the server publishes them (/v1/rules/last-waters), looked up by name. No number is kept here. */
import { rulebook } from "./server.js";

export const RULESET = "last-waters";

let loading = null;

/** The rules, fetched once. */
export function loadRules() {
  loading ??= rulebook.rules(RULESET).then(byName, (error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/**
 * {answer, tables, units, buildings, techs: Map by name, resources: [names], reasons: {code: words}, limits,
 * bands: [{band, from}], pages: {rules: markdown}}
 */
function byName(answer) {
  const { tables } = answer;
  const map = (rows, key) => new Map(rows.map((row) => [row[key], row]));
  return {
    answer,
    tables,
    units: map(tables.units, "unit"),
    buildings: map(tables.buildings, "building"),
    techs: map(tables.techs, "tech"),
    resources: tables.resources,
    reasons: answer.reasons,
    limits: tables.limits,
    bands: tables.bands,
    pages: answer.pages,
  };
}

/** "muster-hall" as people read it: "Muster hall". */
export function title(name) {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "militia", "outriders". */
export function plural(unit) {
  return unit === "militia" ? unit : `${unit}s`;
}

/** "3 militia", "1 outrider", "2 outriders". */
export function unitCount(unit, count) {
  return `${count} ${count === 1 ? unit : plural(unit)}`;
}

/** {militia: 3, outrider: 1} as "3 militia and 1 outrider". */
export function unitsText(units) {
  return listed(Object.entries(units).map(([unit, count]) => unitCount(unit, count)));
}

/** "a", "a and b", "a, b and c". */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** {water: 3, scrap: 0} as [["water", 3]]: what is really asked, in the table's order. */
export function costs(cost, resources) {
  return resources.map((name) => [name, cost[name] || 0]).filter(([, amount]) => amount > 0);
}

export function total(units) {
  return Object.values(units || {}).reduce((sum, count) => sum + count, 0);
}

/** The band that a garrison of that size reads as. */
export function bandRange(bands, band) {
  const at = bands.findIndex((row) => row.band === band);
  const next = bands[at + 1];
  return next ? `${bands[at].from} to ${next.from - 1}` : `${bands[at].from} or more`;
}
