/** Which names are shown, and on which side of their hold, so that none lies over another or over a token. */
import { detailsSize, extent, nameBox, namePlaces } from "./drawing.js";

const RANK = { mine: 0, ally: 1, other: 2, neutral: 3, unknown: 4 };
const CELL = 80;

/**
 * Map id -> {place, x, y, anchor, details, detailsTop} for the holds whose names have room. `holds`: [{id, name, x, y,
 * known, selected}]; `scale`: pixels of a unit of the map.
 */
export function placeNames(holds, scale, level, bands) {
  const taken = new Boxes();
  const extents = new Map();
  const onScreen = (hold, box) => ({
    left: hold.x * scale + box.left * level.size,
    right: hold.x * scale + box.right * level.size,
    top: hold.y * scale + box.top * level.size,
    bottom: hold.y * scale + box.bottom * level.size,
  });
  for (const hold of holds) {
    const size = extent(hold.known, level, bands);
    extents.set(hold.id, size);
    taken.add(onScreen(hold, { left: -size.width / 2, right: size.width / 2, top: size.top, bottom: size.bottom }));
  }
  const placed = new Map();
  for (const hold of inOrder(holds)) {
    const size = extents.get(hold.id);
    const found = (level.figure || hold.selected ? namePlaces(size, level) : []).find((at) => taken.free(onScreen(hold, nameBox(hold.name, at, level))));
    const label = found ?? (hold.selected ? namePlaces(size, level)[0] : null);
    if (!label) continue;
    taken.add(onScreen(hold, nameBox(hold.name, label, level)));
    placed.set(hold.id, { ...label, ...details(hold, size, label) });
  }
  return placed;

  function details(hold, size, label) {
    const room = level.details && detailsSize(hold.known);
    if (!room) return { details: false };
    const top = label.place === "below" ? label.y + level.name * 0.3 : size.bottom + 1;
    const box = onScreen(hold, { left: -room.width / 2, right: room.width / 2, top, bottom: top + room.height });
    if (!hold.selected && !taken.free(box)) return { details: false };
    taken.add(box);
    return { details: true, detailsTop: top };
  }
}

function inOrder(holds) {
  const rank = (hold) => (hold.selected ? -1 : RANK[hold.known.relation]);
  return [...holds].sort((one, other) => rank(one) - rank(other) || one.y - other.y);
}

/** Boxes on the screen, looked up by the squares they touch. */
class Boxes {
  constructor() {
    this.squares = new Map();
  }

  *keys({ left, right, top, bottom }) {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1) {
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) yield x * 4096 + y;
    }
  }

  add(box) {
    for (const key of this.keys(box)) {
      if (!this.squares.has(key)) this.squares.set(key, []);
      this.squares.get(key).push(box);
    }
  }

  free(box) {
    for (const key of this.keys(box)) {
      for (const other of this.squares.get(key) ?? []) {
        if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) return false;
      }
    }
    return true;
  }
}
