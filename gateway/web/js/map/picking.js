/** Which hold is meant: by a pointer near it, or by an arrow key's direction. */

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** The hold nearest to a point of the map within `reach` of its units; null on open ground. */
export function nearest(holds, point, reach) {
  let best = null;
  let least = reach;
  for (const hold of holds) {
    const apart = Math.hypot(hold.x - point.x, hold.y - point.y);
    if (apart <= least) [best, least] = [hold, apart];
  }
  return best;
}

/** The hold next to `from` in an arrow key's direction; null if there is none, or the key is no arrow. */
export function beyond(holds, from, key) {
  const direction = ARROWS[key];
  if (!direction) return null;
  let best = null;
  let least = Infinity;
  for (const hold of holds) {
    const [dx, dy] = [hold.x - from.x, hold.y - from.y];
    const ahead = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1] - dy * direction[0]);
    if (ahead <= 0 || aside > 2 * ahead) continue;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [hold, far];
  }
  return best;
}

/**
 * Keys on the map. `on`: {walk(key) -> true if a hold was there, choose(), leave(), zoom(factor), fit()}. Answers a
 * function that stops.
 */
export function listenToKeys(element, on) {
  const keys = {
    Enter: on.choose, " ": on.choose, Escape: on.leave, "+": () => on.zoom(1.4), "=": () => on.zoom(1.4),
    "-": () => on.zoom(1 / 1.4), 0: on.fit,
  };
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = ARROWS[event.key] ? () => on.walk(event.key) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  element.addEventListener("keydown", pressed);
  return () => element.removeEventListener("keydown", pressed);
}
