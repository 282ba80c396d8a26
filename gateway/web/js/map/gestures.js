/** Mouse and touch on the map: drag and pinch move it, the wheel zooms, a tap picks. */

const STILL = 6;
const WHEEL = 0.0016;
const TRACKPAD_PINCH = 0.01;

/**
 * Listens on an element; answers a function that stops. `on`: {moved(dx, dy), zoomed(factor, x, y),
 * tapped(x, y, target), hovered(x, y, target) or hovered(null)}, in pixels from the element's corner.
 */
export function listen(element, on) {
  const pointers = new Map();
  let travelled = 0;
  let corner = { left: 0, top: 0 };

  const at = (event) => ({ x: event.clientX - corner.left, y: event.clientY - corner.top });

  function down(event) {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    corner = element.getBoundingClientRect();
    if (!pointers.size) travelled = 0;
    pointers.set(event.pointerId, at(event));
    if (pointers.size > 1) travelled = Infinity;
  }

  function move(event) {
    if (!pointers.has(event.pointerId)) {
      if (event.pointerType === "mouse") {
        corner = element.getBoundingClientRect();
        const { x, y } = at(event);
        on.hovered(x, y, event.target);
      }
      return;
    }
    const before = [...pointers.values()];
    const was = pointers.get(event.pointerId);
    const is = at(event);
    if (pointers.size === 1) {
      const length = Math.hypot(is.x - was.x, is.y - was.y);
      if (travelled + length < STILL) return;
      if (travelled < STILL) capture(event.pointerId);
      travelled += length;
      pointers.set(event.pointerId, is);
      on.moved(is.x - was.x, is.y - was.y);
      return;
    }
    pointers.set(event.pointerId, is);
    const after = [...pointers.values()];
    const [from, to] = [middle(before), middle(after)];
    on.moved(to.x - from.x, to.y - from.y);
    const apart = spread(before);
    if (apart > 0) on.zoomed(spread(after) / apart, to.x, to.y);
  }

  function capture(id) {
    try {
      element.setPointerCapture(id);
    } catch {
      // The pointer has gone already; its end has been told.
    }
  }

  function up(event) {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    pointers.delete(event.pointerId);
    if (event.type === "pointerup" && travelled < STILL && !pointers.size) on.tapped(last.x, last.y, event.target);
  }

  function wheel(event) {
    event.preventDefault();
    corner = element.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const { x, y } = at(event);
    on.zoomed(Math.exp(-event.deltaY * lines * (event.ctrlKey ? TRACKPAD_PINCH : WHEEL)), x, y);
  }

  const leave = () => on.hovered(null);
  const heard = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up, pointerleave: leave, wheel };
  for (const [name, hear] of Object.entries(heard)) element.addEventListener(name, hear, { passive: false });
  return () => {
    for (const [name, hear] of Object.entries(heard)) element.removeEventListener(name, hear);
  };
}

function middle([one, other]) {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

function spread([one, other]) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
