/** How an ended match stands, and in words who won it by what. */
import { counted } from "./sides.js";

/** The best first: [{id, seat, name, out: tick of elimination or null, holds, stock, total}], of the last snapshot. */
export function finalStanding(snapshot) {
  const rows = snapshot.factions.map(({ id, seat, name, stock, eliminated_tick: out }) => ({
    id, seat, name, out, stock,
    holds: snapshot.holds.filter((hold) => hold.owner === id).length,
    total: Object.values(stock).reduce((sum, count) => sum + count, 0),
  }));
  const winner = snapshot.result?.winner;
  return rows.sort((one, other) =>
    (other.id === winner) - (one.id === winner) || (other.out ?? 1e9) - (one.out ?? 1e9) || other.holds - one.holds ||
    other.total - one.total || one.seat - other.seat);
}

/** "with the most holds when tick 50 ended the match: 12 against 9 of Red"; `rows`: of `finalStanding`. */
export function wonHow(result, rows) {
  if (result.by === "elimination") return `as the last faction with ground, in tick ${result.tick}`;
  const [first, second] = rows;
  const until = `when tick ${result.tick} ended the match`;
  if (!second || second.out !== null) return `with ${counted(first.holds, "hold")} ${until}`;
  if (first.holds > second.holds) return `with the most holds ${until}: ${first.holds} against ${second.holds} of ${second.name}`;
  const even = `${counted(first.holds, "hold")} each with ${second.name} ${until}`;
  if (first.total > second.total) return `on stores: ${even}, but ${first.total} against ${second.total} in store`;
  return `by its seat: ${even} and as much in store, so the lower seat decides`;
}
