/** Where one looks: what part of the map's plane is on the screen, and how large. */

const CLOSEST = 2.6;
const OPENING = 1.3;
const KEPT_IN_SIGHT = 60;
const NOTHING_OVER = { left: 0, right: 0 };

/** A point p of the map is on the screen at p * scale + (x, y), in CSS pixels from the corner of the map's element. */
export class Camera {
  /** `place`: the name under which this tab remembers it; `world`: {left, top, right, bottom} of the map. */
  constructor(place, world) {
    this.place = place;
    this.world = world;
    this.width = this.height = 0;
    /** Pixels at the sides that something lies over: what is brought into sight is put between. */
    this.inset = NOTHING_OVER;
    this.scale = 1;
    this.x = this.y = 0;
  }

  get farthest() { return Math.min(0.9 * this.scaleFor(this.world, 0), 1); }

  /** The largest scale at which a box is wholly in sight, with so many pixels to spare on each side. */
  scaleFor(box, spare, { left, right } = NOTHING_OVER) {
    const across = (this.width - left - right - 2 * spare) / Math.max(1, box.right - box.left);
    const down = (this.height - 2 * spare) / Math.max(1, box.bottom - box.top);
    return Math.max(0.02, Math.min(across, down));
  }

  /** The place that shows a box, beside what lies over the map: {scale, x, y}. */
  fitted(box, spare) {
    return this.centred(centreOf(box), Math.min(OPENING, this.scaleFor(box, Math.min(spare, this.width / 8), this.inset)));
  }

  /** The place that shows the whole map, as large as the element allows. */
  whole(spare) {
    const scale = Math.min(OPENING, this.scaleFor(this.world, Math.min(spare, this.width / 8)));
    const { x, y } = centreOf(this.world);
    return { scale, x: this.width / 2 - x * scale, y: this.height / 2 - y * scale };
  }

  centred(point, scale = this.scale) {
    const middle = (this.inset.left + this.width - this.inset.right) / 2;
    return { scale, x: middle - point.x * scale, y: this.height / 2 - point.y * scale };
  }

  /** The point of the map in the middle of what nothing lies over. */
  get middle() { return this.middleAt(this); }

  middleAt({ scale, x, y }) {
    return { x: ((this.inset.left + this.width - this.inset.right) / 2 - x) / scale, y: (this.height / 2 - y) / scale };
  }

  /** The place after zooming by a factor with the screen's point (x, y) held still. */
  zoomed(factor, x = this.width / 2, y = this.height / 2) {
    const scale = Math.min(CLOSEST, Math.max(this.farthest, this.scale * factor));
    const point = this.toMap(x, y);
    return { scale, x: x - point.x * scale, y: y - point.y * scale };
  }

  moved(dx, dy) {
    return { scale: this.scale, x: this.x + dx, y: this.y + dy };
  }

  /** Takes a place; some of the map always stays in sight. */
  take({ scale, x, y }) {
    const { left, top, right, bottom } = this.world;
    this.scale = scale;
    this.x = between(KEPT_IN_SIGHT - right * scale, x, this.width - KEPT_IN_SIGHT - left * scale);
    this.y = between(KEPT_IN_SIGHT - bottom * scale, y, this.height - KEPT_IN_SIGHT - top * scale);
  }

  /** Another size of the element: what was in the middle stays there. */
  resize(width, height) {
    const { middle } = this;
    const first = !this.width;
    this.width = width;
    this.height = height;
    if (!first) this.take(this.centred(middle));
  }

  toMap(x, y) {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  toScreen(point) {
    return { x: point.x * this.scale + this.x, y: point.y * this.scale + this.y };
  }

  /** True if a point of the map is on the screen, at least `spare` pixels from its edge and from what lies over it. */
  shows(point, spare = 0) {
    const { x, y } = this.toScreen(point);
    const { left, right } = spare > 0 ? this.inset : NOTHING_OVER;
    return x >= left + spare && y >= spare && x <= this.width - right - spare && y <= this.height - spare;
  }

  save() {
    try {
      sessionStorage.setItem(this.place, JSON.stringify({ middle: this.middle, scale: this.scale }));
    } catch {
      // Without storage a reload begins at one's own holds again.
    }
  }

  /** Goes where this tab looked before; false if it has not. */
  restore() {
    try {
      const { middle, scale } = JSON.parse(sessionStorage.getItem(this.place));
      if (![middle.x, middle.y, scale].every(Number.isFinite)) return false;
      this.take(this.centred(middle, Math.min(CLOSEST, Math.max(this.farthest, scale))));
      return true;
    } catch {
      return false;
    }
  }
}

export function centreOf(box) {
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
}

function between(least, value, most) {
  return Math.min(Math.max(least, value), Math.max(least, most));
}

/** The box around points. */
export function boxOf(points, spare = 0) {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  return { left: Math.min(...xs) - spare, top: Math.min(...ys) - spare, right: Math.max(...xs) + spare, bottom: Math.max(...ys) + spare };
}
