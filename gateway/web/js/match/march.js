/** A march being planned: units picked at an origin, then the way tapped on the map. What is reachable says /options. */
import { play } from "../server.js";
import { total } from "../rules.js";

/**
 * `m.march`: {origin, units: {type: count}, path: [holds after the origin], verdict}. `verdict` is the server's word
 * on the march as it stands: null (not asked yet), {ok: true} or {ok: false, code, detail}.
 */

/** The options of a hold: {hold, own, recruit, build, move}; null where one can do nothing. */
export function holdOptions(m, hold) {
  return m.options?.holds.find((row) => row.hold === hold) ?? null;
}

/** Begins a march from `origin` with all idle units there; true if there are any. */
export function begin(m, origin) {
  const move = holdOptions(m, origin)?.move;
  if (!move || move.reason || total(move.units) === 0) return false;
  m.march = { origin, units: { ...move.units }, path: [], verdict: null };
  m.selected = origin;
  m.changed();
  return true;
}

export function leave(m) {
  m.march = null;
  m.changed();
}

/** Takes `count` units of a type along. */
export function setUnits(m, type, count) {
  const units = { ...m.march.units, [type]: count };
  if (!count) delete units[type];
  m.march = { ...m.march, units, verdict: null };
  ask(m);
}

/**
 * Where the column may go: Map hold -> {path, cost, reason}. `reason` is null if it gets there, "too-far" if a unit
 * type in it is too slow for that end.
 */
export function reach(m) {
  const ends = holdOptions(m, m.march.origin)?.move.ends ?? [];
  const types = Object.keys(m.march.units);
  return new Map(ends.map((end) => [
    end.hold,
    { path: end.path, cost: end.cost, reason: types.every((type) => end.units.includes(type)) ? null : "too-far" },
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

function setPath(m, path) {
  m.march = { ...m.march, path: [...path], verdict: null };
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
  let verdict;
  try {
    await play.tryOut(m.id, m.plan.tick, order(m));
    verdict = { ok: true };
  } catch (error) {
    if (error.name !== "Problem") return;
    verdict = { ok: false, code: error.code, detail: error.message };
  }
  if (m.march === asked) {
    m.march = { ...asked, verdict };
    m.changed();
  }
}

/** Files the march; it ends where the order is on its way or accepted. */
export async function file(m) {
  const wanted = order(m);
  m.march = null;
  await m.file(wanted);
}
