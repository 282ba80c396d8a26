/** How much is drawn, by how far apart holds stand on the screen. */

/**
 * `from`: pixels between neighbouring holds; `size`: pixels of a unit in which signs are drawn; `name` and `figure`:
 * sizes of letters in those units; `words`: bands in words, guests, when it was seen; `details`: yields, buildings.
 */
export const LEVELS = [
  { title: "dots", from: 0, size: 0.34, name: 36, figure: 0, words: false, details: false },
  { title: "far", from: 20, size: 0.62, name: 19.5, figure: 16, words: false, details: false },
  { title: "middle", from: 42, size: 1, name: 12.5, figure: 11.5, words: true, details: false },
  { title: "near", from: 88, size: 1.15, name: 12, figure: 11.5, words: true, details: true },
];

/** The level for so many pixels between neighbours. */
export function levelFor(pixels) {
  return LEVELS.findLast((level) => level.from <= pixels);
}

/** About how wide a text is, in the units of its size. */
export function widthOf(text, size) {
  return String(text).length * size * 0.58;
}
