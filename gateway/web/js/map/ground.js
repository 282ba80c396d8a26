/** The land around each hold, so that who holds what is seen from afar: every point belongs to the nearest hold. */

const CORNERS = 14;

/** Map id -> [[x, y], ...]: the land of each hold, at most `reach` from it. */
export function lands(holds, reach) {
  return new Map(holds.map((hold) => [hold.id, land(hold, holds, reach)]));
}

function land(hold, holds, reach) {
  let shape = Array.from({ length: CORNERS }, (_, at) => {
    const angle = (2 * Math.PI * (at + 0.5)) / CORNERS;
    return [hold.x + reach * Math.cos(angle), hold.y + reach * Math.sin(angle)];
  });
  for (const other of holds) {
    const [dx, dy] = [other.x - hold.x, other.y - hold.y];
    if (Math.abs(dx) >= 2 * reach || Math.abs(dy) >= 2 * reach || other === hold) continue;
    if (Math.hypot(dx, dy) < 2 * reach) shape = nearer(shape, dx, dy, (dx * (hold.x + other.x) + dy * (hold.y + other.y)) / 2);
  }
  return shape;
}

/** The part of a convex shape on this side of the line dx * x + dy * y = limit. */
function nearer(shape, dx, dy, limit) {
  const kept = [];
  shape.forEach((corner, at) => {
    const next = shape[(at + 1) % shape.length];
    const [here, there] = [dx * corner[0] + dy * corner[1] - limit, dx * next[0] + dy * next[1] - limit];
    if (here <= 0) kept.push(corner);
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      const share = here / (here - there);
      kept.push([corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])]);
    }
  });
  return kept;
}

export function outline(shape) {
  return `M${shape.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

/** The middle of the distances from each hold to the one nearest to it: how dense the map is. */
export function spacing(holds) {
  const least = holds.map((hold) => {
    let square = Infinity;
    for (const other of holds) {
      if (other !== hold) square = Math.min(square, (other.x - hold.x) ** 2 + (other.y - hold.y) ** 2);
    }
    return Math.sqrt(square);
  });
  return least.sort((one, other) => one - other)[Math.floor(least.length / 2)];
}
