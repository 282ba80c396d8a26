/** The camera's way from one place to another. */

const MILLISECONDS = 260;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** `look(place)` is called each frame, `arrived()` at the end. Answers {flying, to(camera, place), stop()}. */
export function flight(look, arrived) {
  let frame = null;

  function stop() {
    cancelAnimationFrame(frame);
    frame = null;
  }

  return {
    get flying() { return frame !== null; },
    stop,
    to(camera, place) {
      stop();
      if (still.matches) {
        look(place);
        arrived();
        return;
      }
      const { scale, x, y } = camera;
      const { middle } = camera;
      const end = camera.middleAt(place);
      if (scale === place.scale && Math.hypot(place.x - x, place.y - y) < 1) return;
      let began = null;
      const step = (time) => {
        began ??= time;
        const share = Math.min(1, (time - began) / MILLISECONDS);
        const eased = 1 - (1 - share) ** 3;
        const now = scale * (place.scale / scale) ** eased;
        look(camera.centred({ x: middle.x + (end.x - middle.x) * eased, y: middle.y + (end.y - middle.y) * eased }, now));
        if (share < 1) {
          frame = requestAnimationFrame(step);
        } else {
          frame = null;
          look(camera.centred(end, place.scale));
          arrived();
        }
      };
      frame = requestAnimationFrame(step);
    },
  };
}
