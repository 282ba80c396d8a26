/** What of a match the map shows: each hold's state, made anew when something of it has changed. */
import { orderHolds, orderText } from "../match/order_words.js";
import { reach } from "../match/march.js";
import { holdWords, reading } from "./fog.js";

/** What the map depends on; where all of it is the same, nothing is drawn. */
export function dependencies(m) {
  return [m.graph, m.drawn, m.shown, m.selected, m.march, m.options, m.plan.items, m.plan.drafts.items, JSON.stringify(m.marks ?? []), m.me];
}

/** [{id, name, x, y, known, selected, reach, marks, words, hint}] for every hold, in the order of the graph. */
export function holdsOf(m) {
  const view = m.drawn;
  const rows = new Map(view.holds.map((row) => [row.id, row]));
  const ends = m.march && !m.shown ? reach(m) : new Map();
  const planned = m.shown ? new Map() : ordersByHold(m);
  return m.graph.holds.map((hold) => {
    const known = reading(m, rows.get(hold.id), view);
    const end = ends.get(hold.id);
    const why = end?.reason ? m.rules.reasons[end.reason] ?? end.reason : null;
    const marks = (m.marks ?? []).filter((mark) => mark.hold === hold.id).map((mark) => mark.kind);
    const words = [holdWords(m, hold.name, known), ...(planned.get(hold.id) ?? [])].join(", ");
    return {
      id: hold.id, name: hold.name, x: hold.x, y: hold.y, known, marks, words,
      selected: hold.id === m.selected,
      reach: end ? (end.reason ? "shut" : "open") : null,
      hint: end ? (why ? `Out of this column's reach: ${why}` : "The column can get here") : null,
    };
  });
}

/** Map hold -> ["filed: March 3 militia …"], at the hold where each order begins. */
function ordersByHold(m) {
  const found = new Map();
  const note = (order, state) => {
    const [first] = orderHolds(order);
    if (first) found.set(first, [...(found.get(first) ?? []), `${state}: ${orderText(m, order)}`]);
  };
  for (const item of m.plan.items) note(item, "filed");
  for (const { order, state } of m.plan.drafts.items) note(order, state === "refused" || state === "late" ? state : "not filed yet");
  return found;
}
