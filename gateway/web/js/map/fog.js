/** What a faction knows of a hold, ready to be drawn and to be said in words. */
import { bandRange, listed, title, total, unitsText } from "../rules.js";

/**
 * The reading of a hold from its row in a view:
 *
 * - `sight`: "exact", "band", "stale" or "unknown"; `tick`: when it was seen, `now`: whether that is the view's tick
 * - `owner`: faction, null if neutral or not known; `relation`: "mine", "ally", "other", "neutral" or "unknown"
 * - `troops`: null unless read exactly, else [{id, faction, units, count}], the owner's first; `count` of all
 * - `band`: its name where only that is known; `buildings`, `yields`: null where not known
 * - `older`: null, or the earlier exact reading: {tick, troops, count, buildings, yields}
 */
export function reading(m, row, view) {
  if (!row || row.sight === "unknown") {
    return { sight: "unknown", tick: null, now: false, owner: null, relation: "unknown", troops: null, count: null, band: null, buildings: null, yields: null, older: null };
  }
  const owner = factionOf(view, row.owner);
  return {
    sight: row.sight,
    tick: row.seen_tick,
    now: row.seen_tick === view.tick,
    owner,
    relation: relation(m, row.owner, view),
    band: row.band ?? null,
    ...exact(row, view),
    older: row.older ? { tick: row.older.seen_tick, owner: factionOf(view, row.older.owner), ...exact(row.older, view) } : null,
  };
}

function exact(row, view) {
  if (!row.garrison) return { troops: null, count: null, buildings: null, yields: null };
  const troops = Object.entries(row.garrison).map(([id, units]) => ({ id, faction: factionOf(view, id), units, count: total(units) }));
  troops.sort((one, other) => (other.id === row.owner) - (one.id === row.owner) || (one.faction?.seat ?? 0) - (other.faction?.seat ?? 0));
  return { troops, count: troops.reduce((sum, part) => sum + part.count, 0), buildings: row.buildings, yields: row.yields };
}

function factionOf(view, id) {
  return view.factions.find((faction) => faction.id === id) ?? null;
}

function relation(m, owner, view) {
  if (owner === m.me) return "mine";
  if (!owner) return "neutral";
  const ally = view.pacts.some(({ members }) => members.includes(m.me) && members.includes(owner));
  return ally ? "ally" : "other";
}

/** Whose it is: "yours", "ally Salt Terrace", "neutral", "not known". */
export function ownerWords({ relation: kind, owner }) {
  switch (kind) {
    case "mine": return "yours";
    case "ally": return `your ally ${owner.name}`;
    case "other": return owner.name;
    case "neutral": return "neutral";
    default: return "never seen";
  }
}

/** "10 militia", "a company (6 to 15)", "no garrison", by faction where there are several. */
export function garrisonWords(m, known) {
  if (known.band) return bandWords(m, known.band);
  if (!known.troops) return "";
  if (!known.count) return "no garrison";
  const single = known.troops.length === 1;
  return listed(known.troops.map((part) => {
    const whose = part.id === m.me ? "yours" : part.faction?.name ?? "neutral";
    const plain = single && (part.faction === known.owner || (!part.faction && !known.owner));
    return plain ? unitsText(part.units) : `${unitsText(part.units)} (${whose})`;
  }));
}

export function bandWords(m, band) {
  return `a ${band} (${bandRange(m.rules.bands, band)})`;
}

/** "seen now", "seen at tick 5". */
export function seenWords(known) {
  if (known.sight === "unknown") return "";
  return known.now && known.sight !== "stale" ? "seen now" : `seen at tick ${known.tick}`;
}

export function yieldWords(m, yields) {
  const some = m.rules.resources.filter((name) => yields[name]);
  return some.length ? `yields ${listed(some.map((name) => `${yields[name]} ${name}`))}` : "yields nothing";
}

/** "at tick 2: 12 militia, palisade". */
export function olderWords(m, { older }) {
  const parts = [garrisonWords(m, older), ...older.buildings.map((name) => title(name).toLowerCase())];
  return `at tick ${older.tick}: ${parts.join(", ")}`;
}

/** All that is known, for one who does not see the map: "Cinder Gate, yours, 10 militia, bastion, seen now". */
export function holdWords(m, name, known) {
  if (known.sight === "unknown") return `${name}, never seen`;
  return [
    name,
    ownerWords(known),
    garrisonWords(m, known),
    ...(known.buildings ?? []).map((building) => title(building).toLowerCase()),
    known.yields ? yieldWords(m, known.yields) : "",
    seenWords(known),
    known.older ? olderWords(m, known) : "",
  ].filter(Boolean).join(", ");
}
