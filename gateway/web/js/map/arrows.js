/** The plan on the map: marches as arrows, what is raised and built as marks at the hold. */
import { nothing, svg } from "../lit.js";
import { total } from "../rules.js";
import { alongside, middleOf, shortened } from "./paths.js";
import { widthOf } from "./levels.js";
import { signAt } from "./patterns.js";

const MOST_LINES = 4;
const MARK_STEP = 30;

/** How an order stands: accepted by the server, on its way to it, or not taken. */
const STANDING = { sending: "draft", waiting: "draft", refused: "refused", late: "refused" };

/** How the server's word looks, by its `ok`. */
const VERDICTS = new Map([[true, ["good", "check"]], [false, ["bad", "close"]], [null, ["open", "waiting"]]]);

/** Everything filed, and every draft: [{order, standing: "filed" | "draft" | "refused", why}]. */
function planned(m) {
  return [
    ...m.plan.items.map((order) => ({ order, standing: "filed", why: null })),
    ...m.plan.drafts.items.map(({ order, state, problem }) => ({ order, standing: STANDING[state], why: problem?.detail ?? null })),
  ];
}

/** The lines of the plan, under the holds. `pixel`: units of the map to a pixel; `size`: pixels of a sign's unit. */
export function arrows(m, pixel, size) {
  const spot = (hold) => m.holds.get(hold);
  const used = new Map();
  const moves = planned(m).filter(({ order }) => order.kind === "move");
  return svg`
    ${moves.map(({ order, standing, why }) => {
      const first = `${order.origin}>${order.path[0]}`;
      const lane = used.get(first) ?? 0;
      used.set(first, lane + 1);
      return arrow([order.origin, ...order.path].map(spot), { standing, why, units: order.units, lane, pixel, size });
    })}`;
}

function arrow(points, { standing, why, units, lane, pixel, size }) {
  const away = (5 + 9 * lane) * pixel;
  const way = shortened(alongside(points, away), 17 * size * pixel, 22 * size * pixel);
  const count = total(units);
  return svg`<g class="arrow ${standing}">
    ${why ? svg`<title>${why}</title>` : nothing}
    ${line(way, pixel, standing)}
    ${badge(middleOf(way), pixel, standing === "refused" ? null : count, standing)}
  </g>`;
}

function line(way, pixel, kind) {
  const d = `M${way.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  const [[fromX, fromY], [x, y]] = way.slice(-2);
  const turn = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  const dashes = { draft: `${7 * pixel} ${6 * pixel}`, refused: `${3 * pixel} ${5 * pixel}` }[kind] ?? nothing;
  return svg`
    <path class="casing" d=${d} stroke-width=${8 * pixel}/>
    <path class="line" d=${d} stroke-width=${(kind === "march" ? 6 : 4) * pixel} stroke-dasharray=${dashes}/>
    <path class="head" transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)}) scale(${pixel})`} d="M10 0-5-8v16z"/>`;
}

/** A count on an arrow; a cross where the order was not taken; a clock while it is on its way. */
function badge([x, y], pixel, count, standing) {
  const wide = 14 + widthOf(count ?? "", 12) + (standing === "draft" ? 13 : 0);
  return svg`<g class="count-badge" transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${pixel})`}>
    <rect x=${-wide / 2} y="-9.500" width=${wide} height="19" rx="9.500"/>
    ${count === null ? signAt("close", 0, 0, 15) : svg`<text x=${standing === "draft" ? -6.5 : 0} dominant-baseline="central">${count}</text>`}
    ${standing === "draft" ? signAt("waiting", wide / 2 - 10.5, 0, 12) : nothing}
  </g>`;
}

/** The way so far of the march being planned, under the holds. */
export function marchArrow(m, pixel, size) {
  if (!m.march?.path.length) return nothing;
  const { origin, path, units, verdict } = m.march;
  const points = [origin, ...path].map((hold) => m.holds.get(hold));
  const way = shortened(alongside(points, 0), 17 * size * pixel, 22 * size * pixel);
  return svg`<g class="arrow march ${verdict?.ok === false ? "bad" : ""}">
    ${line(way, pixel, "march")}
    ${badge(middleOf(way), pixel, total(units), "march")}
  </g>`;
}

/** The server's word at the end of the march being planned: a sign, and words where it would not take it. */
export function verdict(m, pixel, size) {
  if (!m.march?.path.length || !m.march.verdict) return nothing;
  const end = m.holds.get(m.march.path.at(-1));
  const { ok, detail } = m.march.verdict;
  const [kind, sign] = VERDICTS.get(ok);
  const lines = ok ? [] : broken(detail, 30);
  const wide = lines.length ? Math.max(...lines.map((text) => widthOf(text, 12))) + 34 : 24;
  const high = 9 + 15 * Math.max(1, lines.length);
  return svg`<g class="verdict ${kind}" transform=${`translate(${end.x} ${end.y}) scale(${pixel}) translate(0 ${-19 * size - high})`}>
    <rect x=${-wide / 2} width=${wide} height=${high} rx=${lines.length ? 6 : 12}/>
    ${signAt(sign, lines.length ? -wide / 2 + 14 : 0, high / 2, 16)}
    ${lines.map((text, at) => svg`<text x=${-wide / 2 + 26} y=${16.5 + 15 * at}>${text}</text>`)}
  </g>`;
}

function broken(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= width) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.slice(0, MOST_LINES);
}

/** Marks of what is to be raised and built, over the holds. */
export function works(m, pixel, size) {
  const byHold = new Map();
  for (const plan of planned(m)) {
    const { order } = plan;
    if (order.kind !== "recruit" && order.kind !== "build") continue;
    byHold.set(order.hold, [...(byHold.get(order.hold) ?? []), plan]);
  }
  return [...byHold].map(([hold, plans]) => {
    const { x, y } = m.holds.get(hold);
    return svg`<g transform=${`translate(${x} ${y}) scale(${pixel}) translate(0 ${-32 * size})`}>
      ${plans.map(({ order, standing, why }, at) => work(order, standing, why, MARK_STEP * (at - (plans.length - 1) / 2)))}
    </g>`;
  });
}

function work(order, standing, why, x) {
  return svg`<g class="work ${standing}" transform="translate(${x} 0)">
    ${why ? svg`<title>${why}</title>` : nothing}
    <rect x="-15" y="-10" width="28" height="19" rx="4"/>
    ${order.kind === "build"
      ? svg`${signAt("hammer", -7, 0, 12)}${signAt(order.building, 5, 0, 13)}`
      : svg`<text x="-1" dominant-baseline="central">+${order.count}</text>`}
    ${standing === "refused" ? svg`<path class="crossed" d="M-13-8 11 7M11-8-13 7"/>` : nothing}
  </g>`;
}
