/** The drawn map itself: land, routes, plan and holds in one SVG, of which only what has changed is drawn anew. */
import { colourClass, marking } from "../factions.js";
import { render, svg } from "../lit.js";
import { arrows, marchArrow, verdict, works } from "./arrows.js";
import { holdSign } from "./drawing.js";
import { lands, outline } from "./ground.js";
import { definitions } from "./patterns.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 110;
const AT_ONCE_MS = 12;
const SLICE_MS = 16;
const GROUND_TILE = 1.1;
const HIT = { x: "-22", y: "-20", width: "44", height: "48" };

/** An SVG element with attributes, put into `parent`. */
function make(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

export class Layer {
  /** `graph`: of the match; `reach`: how far land reaches from a hold; `world`: its box. */
  constructor(parent, graph, reach, world) {
    this.left = world.left - MARGIN;
    this.top = world.top - MARGIN;
    this.width = world.right - world.left + 2 * MARGIN;
    this.height = world.bottom - world.top + 2 * MARGIN;
    this.scale = 0;
    this.queue = [];
    this.slicing = null;
    this.begun = false;
    this.svg = make("svg", {
      class: "map-layer", role: "application", viewBox: `${this.left} ${this.top} ${this.width} ${this.height}`,
      "aria-label": "Map. Arrow keys go from hold to hold, Enter chooses, plus and minus zoom, 0 shows all.",
    }, parent);
    const group = (name, hidden = true) => make("g", hidden ? { class: name, "aria-hidden": "true" } : { class: name }, this.svg);
    render(definitions(), group("definitions"));
    this.patterns = [...this.svg.querySelectorAll(".ground-pattern")];
    const ground = group("lands");
    make("path", { class: "routes", "aria-hidden": "true", d: routes(graph) }, this.svg);
    this.plan = group("plan");
    const signs = group("holds", false);
    this.overlay = group("plan-over");
    const shapes = lands(graph.holds, reach);
    this.holds = new Map(graph.holds.map((hold) => {
      const d = outline(shapes.get(hold.id));
      const land = make("path", { class: "land", d }, ground);
      const sign = make("g", { class: "hold", "data-sign": hold.id }, signs);
      // What is pressed is told in words; what is drawn beside it would only be read out twice.
      const press = make("rect", { class: "hit", ...HIT, role: "button", tabindex: "-1", "data-hold": hold.id }, sign);
      const drawn = make("g", { class: "drawn", "aria-hidden": "true" }, sign);
      return [hold.id, { id: hold.id, x: hold.x, y: hold.y, d, land, cover: null, sign, press, drawn, key: null, told: null, hold: null }];
    }));
  }

  element(id) {
    return this.holds.get(id)?.press ?? null;
  }

  /** Another size of drawing: pixels of a unit of the map, and its level. */
  resize(scale, level) {
    this.scale = scale;
    this.level = level;
    this.svg.setAttribute("width", this.width * scale);
    this.svg.setAttribute("height", this.height * scale);
    this.svg.setAttribute("class", `map-layer ${level.title}`);
    for (const pattern of this.patterns) pattern.setAttribute("patternTransform", `scale(${(GROUND_TILE / scale).toFixed(4)})`);
    const turn = (level.size / scale).toFixed(4);
    for (const { sign, x, y } of this.holds.values()) sign.setAttribute("transform", `translate(${x} ${y}) scale(${turn})`);
  }

  /** Puts it where the camera looks; between two sizes the drawing is stretched. */
  place({ scale, x, y }) {
    const stretch = scale / this.scale;
    this.svg.style.transform = `translate(${x + this.left * scale}px, ${y + this.top * scale}px) scale(${stretch})`;
  }

  /**
   * Draws the holds that have changed, those for which `first(hold)` is true before the others; the first time only
   * after the frame that shows the land.
   */
  show(holds, labels, about, first) {
    const changed = [];
    for (const state of holds) {
      const entry = this.holds.get(state.id);
      const hold = { ...state, level: this.level, label: labels.get(state.id) ?? null, ...about };
      this.tell(entry, hold);
      const key = JSON.stringify([state.known, this.level.title, hold.label, state.selected, state.reach, state.marks]);
      if (entry.key === key) continue;
      entry.key = key;
      entry.hold = hold;
      changed.push(entry);
    }
    if (!changed.length) return;
    const waiting = new Set([...changed, ...this.queue]);
    this.queue = [...waiting].sort((one, other) => first(other) - first(one));
    this.work(this.begun ? AT_ONCE_MS : 0);
    this.begun = true;
  }

  /** What is read out, and what stands in attributes, is never late. */
  tell({ sign, press, told, land, id }, { known, selected, reach, words, hint }) {
    const seat = known.owner?.seat ?? 0;
    const now = [words, hint, selected, reach, known.sight, known.relation, seat].join("|");
    if (told === now) return;
    const entry = this.holds.get(id);
    entry.told = now;
    press.setAttribute("aria-label", words);
    press.setAttribute("aria-pressed", selected);
    if (hint) press.setAttribute("aria-description", hint);
    else press.removeAttribute("aria-description");
    sign.setAttribute("class", `hold seen-${known.sight} owner-${known.relation} ${selected ? "selected" : ""}`);
    land.setAttribute("class", `land seen-${known.sight} owner-${known.relation} ${colourClass(seat)} ${reach === "open" ? "open" : ""}`);
    this.cover(entry, seat);
  }

  /** The owner's pattern over the land. */
  cover(entry, seat) {
    const pattern = seat ? marking(seat).pattern : "plain";
    if (pattern === "plain") {
      entry.cover?.remove();
      entry.cover = null;
      return;
    }
    entry.cover ??= make("path", { class: "land-cover", d: entry.d });
    entry.cover.setAttribute("fill", `url(#ground-${pattern})`);
    if (!entry.cover.isConnected) entry.land.after(entry.cover);
  }

  /** Draws as many as can be drawn in that time; the others follow, some a frame. */
  work(milliseconds) {
    const until = performance.now() + milliseconds;
    let at = 0;
    while (at < this.queue.length && performance.now() < until) {
      const { hold, drawn } = this.queue[at];
      render(holdSign(hold), drawn);
      at += 1;
    }
    this.queue = this.queue.slice(at);
    if (this.queue.length) {
      this.slicing ??= requestAnimationFrame(() => {
        this.slicing = null;
        this.work(SLICE_MS);
      });
    }
  }

  /** The plan; none over a past tick. */
  showPlan(m) {
    const pixel = 1 / this.scale;
    const { size } = this.level;
    render(m.shown ? svg`` : svg`${arrows(m, pixel, size)}${marchArrow(m, pixel, size)}`, this.plan);
    render(m.shown ? svg`` : svg`${works(m, pixel, size)}${verdict(m, pixel, size)}`, this.overlay);
  }

  close() {
    cancelAnimationFrame(this.slicing);
    this.svg.remove();
  }
}

function routes({ holds, routes: pairs }) {
  const spot = new Map(holds.map((hold) => [hold.id, `${hold.x} ${hold.y}`]));
  return pairs.map(([one, other]) => `M${spot.get(one)}L${spot.get(other)}`).join("");
}
