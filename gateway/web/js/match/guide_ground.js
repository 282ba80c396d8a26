/** What the guide reads off view, options and plan: who stands where after the plan, what is near, where to go first. */
import { total } from "../rules.js";

const STAY = 5;
const OUTNUMBER = 2;

export const ownHolds = (m) => m.view.holds.filter((hold) => hold.owner === m.me);

/** Partners in a pact or a truce do not fight us. */
function friends(m) {
  const bonds = [...m.view.pacts, ...m.view.truces].map(({ members }) => members).filter((members) => members?.includes(m.me));
  return new Set([m.me, ...bonds.flat()]);
}

/** Units of ours that stand in a hold once all that is filed has been done; recruits count. */
export function staying(m, hold) {
  const there = total(m.view.forces.find((force) => force.hold === hold)?.units);
  return m.plan.items.reduce((sum, order) => {
    if (order.kind === "move" && order.origin === hold) return sum - total(order.units);
    if (order.kind === "recruit" && order.hold === hold) return sum + order.count;
    return sum;
  }, there);
}

/** Own holds that the plan leaves empty. */
export function emptied(m) {
  return ownHolds(m).filter((hold) => total(hold.garrison?.[m.me]) > 0 && staying(m, hold.id) <= 0).map((hold) => hold.id);
}

/** The own hold with the most foes next to it, if they are more than stay there: {hold, near, foes}; else null. */
export function threatened(m) {
  const friendly = friends(m);
  const foesAt = (hold) => Object.entries(hold?.garrison ?? {}).reduce((sum, [who, units]) => (who === "neutral" || friendly.has(who) ? sum : sum + total(units)), 0);
  const found = ownHolds(m).flatMap(({ id }) => m.neighbours.get(id).map((near) => {
    const seen = m.view.holds.find((hold) => hold.id === near);
    return { hold: id, near, foes: seen?.sight === "exact" ? foesAt(seen) : 0 };
  })).filter(({ hold, foes }) => foes > staying(m, hold));
  return found.sort((one, other) => other.foes - one.foes)[0] ?? null;
}

/** Other factions whose ground is in sight, by id. */
export function neighbours(m) {
  return [...new Set(m.view.holds.map((hold) => hold.owner).filter((owner) => owner && owner !== m.me))];
}

/**
 * The neutral ground that pays best for the militia it takes, and most of the idle units beside it to send: {origin,
 * target, units, guards, yields}; null where none is in reach or too well guarded.
 */
export function bestMarch(m) {
  const taken = new Set(m.plan.items.filter((order) => order.kind === "move").map((order) => order.path.at(-1)));
  const found = [];
  for (const { hold: origin, move } of m.options?.holds ?? []) {
    const units = most(move.units);
    for (const end of move.ends) {
      const seen = m.view.holds.find((hold) => hold.id === end.hold);
      if (seen?.sight !== "exact" || seen.owner !== null || taken.has(end.hold)) continue;
      const going = Object.fromEntries(Object.entries(units).filter(([type]) => end.units.includes(type)));
      const guards = total(seen.garrison?.neutral);
      const yields = total(seen.yields);
      if (total(going) >= guards * OUTNUMBER && total(going) > 0) found.push({ origin, target: end.hold, units: going, guards, yields });
    }
  }
  const worth = ({ yields, guards }) => (yields + 1) / (guards + 1);
  return found.sort((one, other) => worth(other) - worth(one))[0] ?? null;
}

/** All idle units but about one in five of the most numerous kind. */
function most(units) {
  const [type, count] = Object.entries(units).sort(([, one], [, other]) => other - one)[0] ?? [];
  if (!type) return {};
  const going = { ...units, [type]: count - Math.ceil(count / STAY) };
  return Object.fromEntries(Object.entries(going).filter(([, number]) => number > 0));
}
