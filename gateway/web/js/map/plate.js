/** The plate under a hold's token: what stands there. A number is exact; pips or a word are a band; a clock is old. */
import { colourClass, marking } from "../factions.js";
import { nothing, svg } from "../lit.js";
import { signAt } from "./patterns.js";
import { widthOf } from "./levels.js";

const MOST_CELLS = 3;
const PAD = 4.5;
const CLOCK = 11;
export const PLATE = { top: 8, height: 16 };

/** The cells of a plate: [{text, seat, pips, clock}], `seat` undefined where it is no faction's. */
export function cells(known, level, bands) {
  if (!level.figure || known.sight === "unknown") return [];
  const found = [];
  if (known.band) {
    const pips = 1 + bands.findIndex((row) => row.band === known.band);
    found.push(level.words ? { text: known.band } : { pips });
  } else if (known.troops) {
    found.push(...(level.words ? byFaction(known) : [{ text: known.count, seat: known.owner?.seat ?? 0 }]));
  }
  if (known.sight === "stale") found.push(level.words ? { text: known.tick, clock: true } : { clock: true, text: "" });
  if (known.older && level.details) found.push({ text: `${known.older.tick}: ${known.older.count}`, clock: true, aside: true });
  return found;
}

function byFaction({ troops, owner }) {
  if (!troops.length) return [{ text: 0, seat: owner?.seat ?? 0 }];
  const shown = troops.slice(0, troops.length > MOST_CELLS ? MOST_CELLS - 1 : MOST_CELLS);
  const rest = troops.slice(shown.length).reduce((sum, part) => sum + part.count, 0);
  const found = shown.map((part) => ({ text: part.count, seat: part.faction?.seat ?? 0, guest: troops.length > 1 || part.faction?.id !== owner?.id }));
  return rest ? [...found, { text: `+${rest}` }] : found;
}

function cellWidth(cell, level) {
  if (cell.pips) return 6 + 6 * cell.pips;
  return widthOf(cell.text, level.figure) + 2 * PAD + (cell.clock ? CLOCK : 0);
}

export function plateWidth(found, level) {
  return found.reduce((sum, cell) => sum + cellWidth(cell, level), 0);
}

/** The drawn plate, its middle under the token's. */
export function plate(found, level, ownerSeat) {
  if (!found.length) return nothing;
  const width = plateWidth(found, level);
  let x = -width / 2;
  return svg`<g class="plate ${colourClass(ownerSeat)}">
    <rect class="plate-ground" x=${x} y=${PLATE.top} width=${width} height=${PLATE.height} rx="4"/>
    ${found.map((cell) => {
      const wide = cellWidth(cell, level);
      const drawn = cellAt(cell, x, wide);
      x += wide;
      return drawn;
    })}
  </g>`;
}

function cellAt(cell, x, wide) {
  if (cell.pips) return pips(cell.pips, x);
  const middle = PLATE.top + PLATE.height / 2;
  const textX = cell.clock ? x + PAD + CLOCK : x + wide / 2;
  return svg`
    ${cell.guest ? strip(cell.seat, x, wide) : nothing}
    ${cell.clock ? signAt("history", x + PAD + CLOCK / 2 - 1.5, middle, CLOCK) : nothing}
    <text class=${cell.clock ? "figure-old" : "figure"} x=${textX} y=${middle} dominant-baseline="central" text-anchor=${cell.clock ? "start" : "middle"}>${cell.text}</text>`;
}

/** Whose these are, where several factions stand in one garrison. */
function strip(seat, x, wide) {
  const { pattern } = seat ? marking(seat) : { pattern: "plain" };
  const y = PLATE.top + PLATE.height;
  return svg`<g class=${colourClass(seat)}>
    <rect class="strip" x=${x + 1} y=${y} width=${wide - 2} height="6"/>
    ${pattern === "plain" ? nothing : svg`<rect x=${x + 1} y=${y} width=${wide - 2} height="6" fill="url(#mark-${pattern})"/>`}
  </g>`;
}

function pips(count, x) {
  const middle = PLATE.top + PLATE.height / 2;
  return Array.from({ length: count }, (_, at) => svg`<path class="pip" d="M${x + 3 + 6 * at} ${middle + 3.5}l3-7 3 7z"/>`);
}
