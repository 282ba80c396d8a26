/** A function that runs `draw` once in the next frame, however often it is called before. */
export function onceAFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/** Calls `act` once what has been changed now is drawn; for moving the focus to it. */
export function afterDrawing(act) {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

/** Moves the focus to the element of that id once what has been changed now is drawn; to the first that is there. */
export function focusLater(...ids) {
  afterDrawing(() => {
    const there = ids.map((id) => document.getElementById(id)).find((element) => element !== null);
    there?.focus();
  });
}
