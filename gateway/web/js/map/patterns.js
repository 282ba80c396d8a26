/** What the map's drawing refers to by id: patterns of factions, and signs. */
import { PATTERNS, patternMarks } from "../factions.js";
import { SIGNS } from "../icons.js";
import { svg } from "../lit.js";

export const MARKED = PATTERNS.filter((pattern) => pattern !== "plain");

/** Patterns twice: `mark-…` for a hold's token, `ground-…` for land, whose tile keeps its size on the screen. */
export function definitions() {
  return svg`<defs>
    ${MARKED.map((pattern) => svg`
      <pattern id=${`mark-${pattern}`} width="8" height="8" patternUnits="userSpaceOnUse">${patternMarks(pattern)}</pattern>
      <pattern id=${`ground-${pattern}`} class="ground-pattern" width="8" height="8" patternUnits="userSpaceOnUse">${patternMarks(pattern)}</pattern>`)}
    ${Object.entries(SIGNS).map(([name, sign]) => svg`<symbol id=${`sign-${name}`} viewBox="0 0 24 24">${sign}</symbol>`)}
  </defs>`;
}

/** A sign of a given side, its middle at (x, y). */
export function signAt(name, x, y, side) {
  return svg`<use href=${`#sign-${name}`} x=${x - side / 2} y=${y - side / 2} width=${side} height=${side}/>`;
}
