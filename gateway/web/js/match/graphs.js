/** Lines over time for every faction of an ended match: told apart by colour, by dashes and by their names. */
import { colourClass, flag, marking } from "../factions.js";
import { html, svg } from "../lit.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [360, 230, 30, 96, 12, 24];
const LINE_HEIGHT = 13;
/** More names than this do not fit beside the lines; the table has them all. */
const MOST_LABELS = 12;
const DASHES = { plain: "", stripes: "7 3", dots: "1.5 3", cross: "9 3 2 3", bars: "4 3" };

/** What is drawn, by name: `of(entry, faction)` is a value after a tick; `sum` adds up those of the ticks before. */
export const MEASURES = [
  { name: "holds", label: "Holds", of: ({ snapshot }, id) => snapshot.holds.filter((hold) => hold.owner === id).length },
  { name: "stores", label: "Stores", of: ({ snapshot }, id) => Object.values(snapshot.factions.find((each) => each.id === id).stock).reduce((sum, count) => sum + count, 0) },
  { name: "losses", label: "Units lost", of: (entry, id) => fallen(entry, id), sum: true },
];

function fallen({ battles = [] }, id) {
  const losses = battles.flatMap((battle) => battle.assaults).flatMap((assault) => assault.exchanges)
    .flatMap((each) => [each.attack_losses[id], each.defence_losses[id]]).filter(Boolean);
  return losses.flatMap((units) => Object.values(units)).reduce((sum, count) => sum + count, 0);
}

/** [{faction: {id, seat, name}, values: [by tick]}] */
export function series(whole, measure) {
  return whole.ticks[0].snapshot.factions.map((faction) => {
    const values = whole.ticks.map((entry) => measure.of(entry, faction.id));
    if (measure.sum) for (let tick = 1; tick < values.length; tick += 1) values[tick] += values[tick - 1];
    return { faction, values };
  });
}

/** `lines`: of `series`; `at`: the tick to point out; `me`: one's own faction, drawn stronger; `pick(tick)`. */
export function graph(label, lines, at, me, pick) {
  const last = lines[0].values.length - 1;
  const most = nice(Math.max(1, ...lines.flatMap((line) => line.values)));
  const x = (tick) => LEFT + (last ? (tick / last) * (WIDTH - LEFT - RIGHT) : 0);
  const y = (value) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM);
  const press = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width) * WIDTH;
    pick(Math.min(last, Math.max(0, Math.round(((along - LEFT) / (WIDTH - LEFT - RIGHT)) * last))));
  };
  const labels = spread(lines, y, me);
  const own = [...lines].sort((one, other) => (one.faction.id === me) - (other.faction.id === me));
  return html`<svg class="graph" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`${label} of every faction, tick 0 to ${last}; the same figures stand in the table below`} @click=${press}>
    ${[0, most / 2, most].map((value) => svg`<line class="rule" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y(value)} y2=${y(value)}/>
      <text class="axis" x=${LEFT - 5} y=${y(value) + 4} text-anchor="end">${value}</text>`)}
    ${[...new Set([0, Math.round(last / 2), last])].map((tick) => svg`<text class="axis" x=${x(tick)} y=${HEIGHT - 6} text-anchor="middle">${tick === 0 ? "tick 0" : tick}</text>`)}
    <line class="at" x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${HEIGHT - BOTTOM}/>
    ${own.map(({ faction, values }) => svg`<g class=${colourClass(faction.seat)}>
      <polyline class=${faction.id === me ? "line mine" : "line"} stroke-dasharray=${DASHES[marking(faction.seat).pattern]} points=${values.map((value, tick) => `${x(tick).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}/>
      <circle cx=${x(at)} cy=${y(values[at])} r=${faction.id === me ? 4 : 3} fill="var(--faction)"/></g>`)}
    ${labels.map(({ faction, from, to }) => svg`<g class=${colourClass(faction.seat)}>
      <path class="leader" d=${`M${x(last) + 2} ${from}L${x(last) + 9} ${to}`}/>
      <text class=${faction.id === me ? "line-name mine" : "line-name"} x=${x(last) + 12} y=${to + 3.5}>${shortened(faction.name)}</text></g>`)}
  </svg>`;
}

/** Names beside the ends of their lines, moved apart so that none covers another. */
function spread(lines, y, me) {
  const ends = lines.map(({ faction, values }) => ({ faction, from: y(values.at(-1)), to: 0 })).sort((one, other) => one.from - other.from);
  const shown = ends.length <= MOST_LABELS ? ends : ends.filter((end, place) => place < MOST_LABELS - 1 || end.faction.id === me);
  const room = HEIGHT - BOTTOM;
  let above = -Infinity;
  for (const end of shown) above = end.to = Math.max(end.from, above + LINE_HEIGHT);
  let below = Infinity;
  for (const end of [...shown].reverse()) below = end.to = Math.min(end.to, below - LINE_HEIGHT, room);
  return shown;
}

const shortened = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

/** The next figure that halves without a rest and is easily read. */
function nice(value) {
  const size = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return [2, 4, 6, 8, 10, 12, 16, 20, 24, 30, 40, 50, 60, 80, 100].map((step) => step * size).find((step) => step >= value);
}

/** The same figures as a table. */
export function figures(label, lines, at) {
  const last = lines[0].values.length - 1;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${`${label} by tick`}><table class="figures">
    <caption class="hidden-visually">${label} by tick</caption>
    <thead><tr><th scope="col">Tick</th>${Array.from({ length: last + 1 }, (_, tick) => html`<th scope="col" class=${tick === at ? "number at" : "number"}>${tick}</th>`)}</tr></thead>
    <tbody>${lines.map(({ faction, values }) => html`<tr><th scope="row">${flag(faction.seat)} ${faction.name}</th>${values.map((value, tick) => html`<td class=${tick === at ? "number figure at" : "number figure"}>${value}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}
