/** Dragging an order to another place by mouse, pen or finger; the buttons beside it do the same. */
import { html } from "../lit.js";

/** `dropped(to)` with the place at which it was let go. */
export function dragHandle(at, dropped) {
  return html`<span class="drag" aria-hidden="true" @pointerdown=${(event) => begin(event, at, dropped)}>⠿</span>`;
}

function begin(event, at, dropped) {
  if (event.button !== 0) return;
  event.preventDefault();
  const handle = event.currentTarget;
  const row = handle.closest("li");
  const rows = [...row.parentElement.children];
  let to = at;
  handle.setPointerCapture(event.pointerId);
  row.classList.add("dragged");

  const over = ({ clientY }) => {
    const before = rows.filter((other) => other !== row).filter((other) => {
      const { top, height } = other.getBoundingClientRect();
      return clientY > top + height / 2;
    }).length;
    to = before;
    const mark = to < at ? [rows[to], "drop-before"] : to > at ? [rows[to], "drop-after"] : [null, null];
    clear(rows);
    if (mark[0]) mark[0].classList.add(mark[1]);
  };
  const end = (dropping) => {
    handle.removeEventListener("pointermove", over);
    handle.removeEventListener("pointerup", drop);
    handle.removeEventListener("pointercancel", stop);
    row.classList.remove("dragged");
    clear(rows);
    if (dropping && to !== at) dropped(to);
  };
  const drop = () => end(true);
  const stop = () => end(false);
  handle.addEventListener("pointermove", over);
  handle.addEventListener("pointerup", drop);
  handle.addEventListener("pointercancel", stop);
}

function clear(rows) {
  for (const row of rows) row.classList.remove("drop-before", "drop-after");
}
