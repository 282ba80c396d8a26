/** Lines along routes. A way is [[x, y], ...] in units of the map, at least two points. */

/** The way through points {x, y}, moved `away` to its right, so that ways there and back do not lie on each other. */
export function alongside(points, away) {
  return points.map((point, at) => {
    const before = points[at - 1] ?? point;
    const after = points[at + 1] ?? point;
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    const length = Math.hypot(dx, dy) || 1;
    return [point.x - (dy / length) * away, point.y + (dx / length) * away];
  });
}

/** A way that begins and ends a little before its ends; at least a third of a leg is left. */
export function shortened(way, start, end) {
  const found = way.map((point) => [...point]);
  found[0] = towards(way[0], way[1], start);
  found[found.length - 1] = towards(way.at(-1), way.at(-2), end);
  return found;
}

function towards(from, to, distance) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const share = Math.min(distance / length, 1 / 3);
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** The middle of the longest leg. */
export function middleOf(way) {
  const legs = way.slice(1).map((to, at) => ({ from: way[at], to, length: Math.hypot(to[0] - way[at][0], to[1] - way[at][1]) }));
  const { from, to } = legs.reduce((one, other) => (other.length > one.length ? other : one));
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
}
