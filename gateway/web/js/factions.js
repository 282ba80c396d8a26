/** How a faction is told from others: one of ten colours and one of five patterns by its seat, never colour alone. */
import { html, svg } from "./lit.js";

export const COLOURS = 10;
export const PATTERNS = ["plain", "stripes", "dots", "cross", "bars"];

/** {colour: 0..9, pattern: a name of PATTERNS} of seat 1..50; all fifty differ. */
export function marking(seat) {
  const at = seat - 1;
  return { colour: at % COLOURS, pattern: PATTERNS[(at % COLOURS + Math.floor(at / COLOURS)) % PATTERNS.length] };
}

/** The class that sets --faction. */
export function colourClass(seat) {
  return seat ? `faction-c${marking(seat).colour}` : "faction-none";
}

/** The marks of a pattern on a tile of 8 x 8, to be drawn over the colour. */
export function patternMarks(pattern) {
  switch (pattern) {
    case "stripes": return svg`<path d="M-2 2 2-2M0 8 8 0M6 10 10 6" stroke="#0c131b" stroke-width="2"/>`;
    case "dots": return svg`<circle cx="2" cy="2" r="1.3" fill="#0c131b"/><circle cx="6" cy="6" r="1.3" fill="#0c131b"/>`;
    case "cross": return svg`<path d="M0 4H8M4 0V8" stroke="#0c131b" stroke-width="1.4"/>`;
    case "bars": return svg`<path d="M0 2H8M0 6H8" stroke="#0c131b" stroke-width="1.6"/>`;
    default: return svg``;
  }
}

/** A small flag of the faction in that seat. */
export function flag(seat) {
  return html`<svg class="badge ${colourClass(seat)}" viewBox="0 0 8 8" aria-hidden="true">
    <rect width="8" height="8" fill="var(--faction)"></rect>${patternMarks(marking(seat).pattern)}
  </svg>`;
}

/** Flag and name; `faction` as in a view: {id, seat, name, eliminated_tick}. `you` marks one's own. */
export function factionName(faction, you = false) {
  if (!faction) return html`<span class="faction-name">nobody</span>`;
  return html`<span class="faction-name">${flag(faction.seat)} ${faction.name}${you ? html` <span class="muted">(you)</span>` : ""}</span>`;
}
