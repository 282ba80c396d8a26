/** What the report of a tick puts on the map. */

/** One mark a hold: the first of these that happened there. */
const KINDS = ["lost", "captured", "battle", "event"];
const kept = new WeakMap();
const NONE = [];

/**
 * [{hold, kind}] by hold, of a report and, after the end, of the export's entry of that tick. The same list for the same
 * two, so that the map may compare it.
 */
export function marksOf(report, entry) {
  if (!report && !entry?.battles) return NONE;
  const known = kept.get(report ?? entry);
  if (known && known.entry === entry) return known.marks;
  const marks = gather(report, entry);
  kept.set(report ?? entry, { entry, marks });
  return marks;
}

function gather(report, entry) {
  const found = new Map();
  const mark = (hold, kind) => {
    const before = found.get(hold);
    if (!before || KINDS.indexOf(kind) < KINDS.indexOf(before)) found.set(hold, kind);
  };
  for (const battle of [...(report?.battles ?? []), ...(report?.battles_seen ?? []), ...(entry?.battles ?? [])]) mark(battle.hold, "battle");
  for (const line of report?.balance.holds_lost ?? []) mark(line.hold, "lost");
  for (const event of report?.events ?? []) {
    if (event.kind === "captured") mark(event.hold, "captured");
    else if (event.faction !== report.faction) mark(event.hold, "event");
  }
  for (const capture of entry?.captures ?? []) mark(capture.hold, "captured");
  return [...found].map(([hold, kind]) => ({ hold, kind })).sort((one, other) => (one.hold < other.hold ? -1 : 1));
}
