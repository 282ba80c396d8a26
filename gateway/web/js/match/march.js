/** A march being planned: units picked at an origin, then the way tapped on the map. What is reachable says /options. */
import { total } from "../rules.js";
import { play } from "../server.js";
import { bare } from "./plan.js";

const SETTLE_MS = 120;

/**
 * `m.march`: {origin, units: {type: count}, path: [holds after the origin], verdict, unjudged, edit}. `verdict` is the
 * server's word on the march as it stands: null (not asked or not answered yet), {ok: true} or {ok: false, code,
 * detail}; `unjudged`: why there will be none, in words, or null. `edit`: id of the filed order that is being changed,
 * or null.
 */

/** The options of a hold: {hold, own, recruit, build, move}; null where one can do nothing. */
export function holdOptions(m, hold) {
  return m.options?.holds.find((row) => row.hold === hold) ?? null;
}

/** Begins a march from `origin` with all idle units there; true if there are any. */
export function begin(m, origin) {
  const move = holdOptions(m, origin)?.move;
  if (!move || move.reason || total(move.units) === 0) return false;
  m.march = { origin, units: { ...move.units }, path: [], verdict: null, unjudged: null, edit: null };
  m.selected = origin;
  m.changed();
  return true;
}

/** Begins to change a march that is filed. */
export function edit(m, item) {
  m.march = { origin: item.origin, units: { ...item.units }, path: [...item.path], verdict: null, unjudged: null, edit: item.id };
  m.selected = item.origin;
  ask(m);
}

export function leave(m) {
  m.march = null;
  m.changed();
}

/** Units that may go along: {type: most}; those idle at the origin, and those of the march that is changed. */
export function available(m) {
  const { origin, edit: edited } = m.march;
  const units = { ...holdOptions(m, origin)?.move.units };
  const own = m.plan.items.find((item) => item.id === edited)?.units ?? {};
  for (const [type, count] of Object.entries(own)) units[type] = (units[type] ?? 0) + count;
  return units;
}

/** Takes `count` units of a type along. */
export function setUnits(m, type, count) {
  const units = { ...m.march.units, [type]: count };
  if (!count) delete units[type];
  m.march = { ...m.march, units, verdict: null, unjudged: null };
  ask(m);
}

/** Takes along those units and no others. */
export function setAllUnits(m, units) {
  m.march = { ...m.march, units: { ...units }, verdict: null, unjudged: null };
  ask(m);
}

/**
 * Where the column may go: Map hold -> {path, cost, reason}. `reason` is null if it gets there, "too-far" if a unit
 * type in it is too slow for that end. Of units that a filed march has claimed the server tells no ends; then this
 * is empty.
 */
export function reach(m) {
  const ends = holdOptions(m, m.march.origin)?.move.ends ?? [];
  const types = Object.keys(m.march.units);
  return new Map(ends.map((end) => [
    end.hold,
    { path: end.path, cost: end.cost, reason: types.every((type) => !end.slow.includes(type)) ? null : "too-far" },
  ]));
}

/** A hold was tapped: goes on along the way to it, goes back to it, or takes the shortest way there. */
export function tap(m, hold) {
  const { origin, path } = m.march;
  if (hold === origin) setPath(m, []);
  else if (path.includes(hold)) setPath(m, path.slice(0, path.indexOf(hold) + 1));
  else if (path.length && m.neighbours.get(path.at(-1)).includes(hold)) setPath(m, [...path, hold]);
  else setPath(m, reach(m).get(hold)?.path ?? (m.neighbours.get(origin).includes(hold) ? [hold] : [...path, hold]));
}

/** Goes to `hold` by the cheapest way that the server names, or straight to it. */
export function goTo(m, hold) {
  setPath(m, reach(m).get(hold)?.path ?? [hold]);
}

function setPath(m, path) {
  m.march = { ...m.march, path: [...path], verdict: null, unjudged: null };
  ask(m);
}

/** The order as it would be filed. */
export function order(m) {
  const { origin, path, units } = m.march;
  return { kind: "move", origin, path, units };
}

/** Has the server judge the march as it stands, without filing it. */
async function ask(m) {
  m.changed();
  const asked = m.march;
  if (!asked.path.length || !total(asked.units)) return;
  const word = asked.edit ? { unjudged: "The server judges the change when you save it." } : await judged(m, asked);
  if (word && m.march === asked) {
    m.march = { ...asked, ...word };
    m.changed();
  }
}

async function judged(m, asked) {
  await new Promise((settled) => setTimeout(settled, SETTLE_MS));
  if (m.march !== asked) return null;
  try {
    await play.tryOut(m.id, m.plan.tick, order(m));
    return { verdict: { ok: true } };
  } catch (error) {
    if (error.name !== "Problem" || error.passing) return { unjudged: "The server cannot judge this march now." };
    return { verdict: { ok: false, code: error.code, detail: error.message } };
  }
}

/** The tick has turned: a march that can still be made is kept and judged anew, another is given up. */
export function renew(m) {
  if (!m.march) return;
  const there = holdOptions(m, m.march.origin)?.move.units ?? {};
  const possible = !m.march.edit && Object.entries(m.march.units).every(([type, count]) => count <= (there[type] ?? 0));
  if (!possible) leave(m);
  else setPath(m, m.march.path);
}

/**
 * Files the march, or saves the change of a filed one. It ends where the order is on its way or accepted; a change
 * that is refused stays open with the reason as its verdict. True if it has ended.
 */
export async function file(m) {
  if (!m.march) return false;
  const { edit: edited } = m.march;
  const wanted = order(m);
  const planned = m.march;
  m.march = null;
  if (!edited) {
    await m.file(wanted);
    return true;
  }
  const problem = await m.rearrange((items) => items.map((item) => (item.id === edited ? wanted : bare(item))));
  if (problem && problem.code !== "changed") {
    m.march = { ...planned, verdict: { ok: false, code: problem.code, detail: problem.message } };
    m.changed();
  }
  return problem === null;
}
