/** One hold as it is drawn: token, plate, name, signs. Lengths are units of its level's size, (0, 0) is its place. */
import { colourClass, marking } from "../factions.js";
import { nothing, svg } from "../lit.js";
import { widthOf } from "./levels.js";
import { signAt } from "./patterns.js";
import { cells, plate, PLATE, plateWidth } from "./plate.js";

const ROUND = "M-14 0a14 14 0 1 0 28 0a14 14 0 1 0-28 0Z";
const SMALL = "M-10.500 0a10.500 10.500 0 1 0 21 0a10.500 10.500 0 1 0-21 0Z";
const BASTION = "M-16 14V-16h7v5h5.500v-5h7v5h5.500v-5h7v30z";
const MARKS = { battle: "militia", captured: "flag", lost: "skull", event: "report" };
const BUILDING_SIDE = 14;
const YIELD_WIDTH = 23;
const BAR = { width: 4.5, gap: 1.5, unit: 1.7, most: 22 };

/** Sizes that matter for placing names, in units: {width, top, bottom} of token and plate. */
export function extent(known, level, bands) {
  const found = cells(known, level, bands);
  const guests = found.some((cell) => cell.guest) ? 6 : 0;
  return { width: Math.max(32, plateWidth(found, level)), top: -17, bottom: found.length ? PLATE.top + PLATE.height + guests : 15 };
}

/**
 * `hold`: {name, known (fog.js), level, bands, resources, selected, reach: null | "open" | "shut", marks: [kind],
 * label: null | {place, x, y, details}}.
 */
export function holdSign(hold) {
  const { known, level } = hold;
  const seat = known.owner?.seat ?? 0;
  return svg`
    ${hold.reach ? svg`<circle class="reach ${hold.reach}" r="24"/>` : nothing}
    <g class="token ${colourClass(seat)}">${token(known, seat, level)}</g>
    <path class="ring-focus" d="M-21-13v-8h8M13-21h8v8M21 13v8h-8M-13 21h-8v-8"/>
    ${plate(cells(known, level, hold.bands), level, seat)}
    ${level.words && known.yields && !level.details ? bars(known.yields, hold.resources) : nothing}
    ${hold.label ? name(hold) : nothing}
    ${level.details && hold.label?.details ? details(hold) : nothing}
    ${hold.marks.map((kind, at) => mark(kind, at))}`;
}

function token(known, seat, level) {
  if (known.sight === "unknown") {
    return svg`<path class="shape" d=${SMALL}/>${level.figure ? svg`<text class="query" dominant-baseline="central">?</text>` : nothing}`;
  }
  const strong = (known.buildings ?? known.older?.buildings ?? []).includes("bastion");
  const shape = strong ? BASTION : seat ? ROUND : SMALL;
  const { pattern } = seat ? marking(seat) : { pattern: "plain" };
  return svg`
    ${known.relation === "mine" || known.relation === "ally" ? svg`<path class="ring ${known.relation}" d=${shape}/>` : nothing}
    <path class="shape" d=${shape}/>
    ${pattern !== "plain" && level.figure ? svg`<path class="marks" d=${shape} fill="url(#mark-${pattern})"/>` : nothing}
    ${known.relation === "ally" && level.words ? svg`<circle class="ally-ground" cx="-14" cy="-13" r="8"/>${signAt("pact", -14, -13, 13)}` : nothing}`;
}

function name({ name: text, label, level }) {
  return svg`<text class="name" x=${label.x} y=${label.y} font-size=${level.name} text-anchor=${label.anchor}>${text}</text>`;
}

/** Yields as bars, always in the same order: rich ground stands out by its height. */
function bars(yields, resources) {
  return svg`<g class="bars"><path class="bars-ground" d="M18.500 7.500h${resources.length * (BAR.width + BAR.gap) + 1}"/>${resources.map((resource, at) => {
    const height = Math.min(BAR.most, yields[resource] * BAR.unit);
    return svg`<rect class="resource-${resource}" x=${19.5 + at * (BAR.width + BAR.gap)} y=${7 - height} width=${BAR.width} height=${height}/>`;
  })}</g>`;
}

/** How much room the details take under a hold, in units: {width, height}; null if nothing is known. */
export function detailsSize(known) {
  const buildings = known.buildings?.length ? BUILDING_SIDE + 3 : 0;
  if (!known.yields) return null;
  return { width: Math.max(3 * YIELD_WIDTH, (known.buildings?.length ?? 0) * (BUILDING_SIDE + 2)), height: 14 + buildings };
}

function details({ known, label, resources }) {
  const top = label.detailsTop;
  const most = Math.max(...resources.map((resource) => known.yields[resource]));
  const left = (-resources.length * YIELD_WIDTH) / 2;
  const wide = known.buildings.length * (BUILDING_SIDE + 2);
  return svg`<g class="details">
    ${resources.map((resource, at) => svg`<g class="resource-${resource} ${most > 0 && known.yields[resource] === most ? "most" : ""}">
      ${signAt(resource, left + at * YIELD_WIDTH + 6, top + 7, 11)}
      <text x=${left + at * YIELD_WIDTH + 12.5} y=${top + 7.5} dominant-baseline="central">${known.yields[resource]}</text></g>`)}
    ${known.buildings.map((building, at) => signAt(building, -wide / 2 + (at + 0.5) * (BUILDING_SIDE + 2), top + 23, BUILDING_SIDE))}
  </g>`;
}

function mark(kind, at) {
  return svg`<g class="mark ${kind}" transform="translate(${15 + at * 15} -16)"><circle r="9"/>${signAt(MARKS[kind] ?? "report", 0, 0, 13)}</g>`;
}

/** Where a name may stand: [{place, x, y, anchor}] in the order of liking, for a hold of that extent. */
export function namePlaces({ width, top, bottom }, level) {
  const size = level.name;
  const side = Math.max(20, width / 2 + 3);
  return [
    { place: "below", x: 0, y: bottom + size * 0.98, anchor: "middle" },
    { place: "above", x: 0, y: top - size * 0.42, anchor: "middle" },
    { place: "right", x: side, y: size * 0.34, anchor: "start" },
    { place: "left", x: -side, y: size * 0.34, anchor: "end" },
  ];
}

/** The box of a name at a place, in units from the hold. */
export function nameBox(text, at, level) {
  const wide = widthOf(text, level.name);
  const left = at.anchor === "middle" ? at.x - wide / 2 : at.anchor === "start" ? at.x : at.x - wide;
  return { left, right: left + wide, top: at.y - level.name * 0.85, bottom: at.y + level.name * 0.25 };
}
