/** The map of a match, drawn into an element of its own: puts together what is known, the drawing and the camera. */
import { html, nothing, render } from "../lit.js";
import { icon } from "../icons.js";
import { boxOf, Camera } from "./camera.js";
import { card } from "./card.js";
import { controls } from "./controls.js";
import { flight } from "./flight.js";
import { listen } from "./gestures.js";
import { spacing } from "./ground.js";
import { placeNames } from "./labels.js";
import { Layer } from "./layer.js";
import { legend } from "./legend.js";
import { levelFor } from "./levels.js";
import { beyond, listenToKeys, nearest } from "./picking.js";
import { dependencies, holdsOf } from "./scene.js";

const SETTLE_MS = 140;
const TAP_REACH = 26;
const HOVER_REACH = 20;
const IN_SIGHT = 56;
const LAND = 1.12;
const FIT_SPARE = 60;
const OPENING_GAP = 62;
const FADE_MS = 700;
const ROOMY = "(min-width: 52.01rem) and (min-height: 40rem)";

/** The hold whose sign an element of the page belongs to, or null. */
function holdOf(element) {
  return element.closest("[data-sign]")?.dataset.sign ?? null;
}

export class MapView {
  /** `chosen(hold)` when a hold was picked by pointer or keyboard, null for open ground. */
  constructor(element, chosen) {
    this.element = element;
    this.chosen = chosen;
    this.m = this.camera = this.layer = null;
    this.seen = [];
    this.states = [];
    this.hovered = this.focused = this.search = this.wanted = null;
    this.legendOpen = matchMedia(ROOMY).matches;
    this.endings = [];
    this.settling = this.fading = null;
    this.flight = flight((place) => this.look(place), () => this.settle());
  }

  /** Draws what has changed since the last time. */
  draw(m) {
    this.m = m;
    const seen = dependencies(m);
    if (seen.length === this.seen.length && seen.every((one, at) => one === this.seen[at])) return;
    const [before] = [this.seen[1]];
    this.seen = seen;
    this.states = holdsOf(m);
    if (!this.layer) this.begin(m);
    else if (before !== m.drawn) this.fade();
    if (this.camera.width) this.show();
    if (this.wanted) this.focus(this.wanted);
  }

  /** Brings a hold into sight and gives it the keyboard's focus. */
  focus(hold) {
    const spot = this.m?.holds.get(hold);
    this.wanted = spot && this.layer && this.camera.width ? null : hold;
    if (this.wanted) return;
    if (!this.camera.shows(spot, IN_SIGHT)) this.flight.to(this.camera, this.camera.centred(spot, Math.max(this.camera.scale, OPENING_GAP / this.gap)));
    this.layer.element(hold).focus({ preventScroll: true });
  }

  close() {
    this.flight.stop();
    clearTimeout(this.settling);
    clearTimeout(this.fading);
    for (const end of this.endings) end();
    this.camera?.save();
    this.layer?.close();
    render(nothing, this.element);
  }

  begin(m) {
    render(html`<div class="map-ground"></div><div class="map-over"></div>`, this.element);
    const ground = this.element.querySelector(".map-ground");
    this.over = this.element.querySelector(".map-over");
    this.gap = spacing(m.graph.holds) || 100;
    const world = boxOf(m.graph.holds);
    this.camera = new Camera(`last-waters/camera/${m.id}`, world);
    this.layer = new Layer(ground, m.graph, this.gap * LAND, world);
    this.endings.push(
      listen(ground, {
        moved: (dx, dy) => this.gesture(this.camera.moved(dx, dy)),
        zoomed: (factor, x, y) => this.gesture(this.camera.zoomed(factor, x, y)),
        tapped: (x, y, target) => this.tapped(holdOf(target) ?? this.at(x, y, TAP_REACH)),
        hovered: (x, y, target) => this.hover(x === null ? null : holdOf(target) ?? this.at(x, y, HOVER_REACH)),
      }),
      listenToKeys(this.layer.svg, {
        walk: (key) => this.walk(key),
        choose: () => this.chosen(this.focused),
        leave: () => this.leave(),
        zoom: (factor) => this.zoom(factor),
        fit: () => this.fit(),
      }),
      this.watch(ground),
    );
    this.resized(ground);
  }

  /** Focus, a reader's click, scrolling by the browser itself, and the element's size. */
  watch(ground) {
    const focusIn = (event) => this.focusOn(holdOf(event.target));
    const focusOut = () => this.focusOn(null);
    const click = (event) => event.detail === 0 && this.chosen(holdOf(event.target));
    const scrolled = () => ground.scrollTo(0, 0);
    const sizes = new ResizeObserver(() => this.resized(ground));
    sizes.observe(ground);
    const leaving = () => this.camera.save();
    ground.addEventListener("focusin", focusIn);
    ground.addEventListener("focusout", focusOut);
    ground.addEventListener("click", click);
    ground.addEventListener("scroll", scrolled);
    addEventListener("pagehide", leaving);
    return () => {
      sizes.disconnect();
      removeEventListener("pagehide", leaving);
    };
  }

  resized({ clientWidth, clientHeight }) {
    if (!clientWidth || !clientHeight || (clientWidth === this.camera.width && clientHeight === this.camera.height)) return;
    const first = !this.camera.width;
    this.camera.resize(clientWidth, clientHeight);
    if (first) {
      this.drawOver();
      this.makeRoom();
      if (!this.camera.restore()) this.camera.take(this.opening());
      this.settle();
    } else {
      this.keepInSight(this.m.holds.get(this.m.selected));
      this.look(this.camera);
    }
  }

  /** Leaves room for what lies over the sides: buttons, and the legend while it is open. */
  makeRoom() {
    const open = this.over.querySelector(".map-legend[open]");
    const tools = this.over.querySelector(".map-controls");
    const column = tools.offsetHeight > tools.offsetWidth;
    this.camera.inset = { left: open ? open.offsetLeft + open.offsetWidth : 0, right: column ? tools.offsetWidth : 0 };
  }

  /** One's own holds and what lies around them; the whole map for who has none. */
  opening() {
    const own = this.states.filter(({ known }) => known.relation === "mine").map(({ id }) => id);
    if (!own.length) return this.camera.fitted(this.camera.world, { spare: FIT_SPARE });
    const around = new Set([...own, ...own.flatMap((id) => this.m.neighbours.get(id))]);
    const place = this.camera.fitted(boxOf([...around].map((id) => this.m.holds.get(id)), 40));
    const least = OPENING_GAP / this.gap;
    if (place.scale >= least) return place;
    const box = boxOf(own.map((id) => this.m.holds.get(id)));
    return this.camera.centred({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, least);
  }

  keepInSight(spot) {
    if (spot && !this.camera.shows(spot, IN_SIGHT / 2)) this.camera.take(this.camera.centred(spot));
  }

  /** Looks from another place; the drawing is stretched until all is still. */
  look(place) {
    this.camera.take(place);
    this.layer.place(this.camera);
  }

  gesture(place) {
    this.flight.stop();
    if (this.hovered) this.hover(null);
    this.look(place);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), SETTLE_MS);
  }

  /** Everything is still: draws at the size at which one looks. */
  settle() {
    if (this.layer.scale !== this.camera.scale) this.show();
    else this.layer.place(this.camera);
    this.camera.save();
    this.drawOver();
  }

  show() {
    const { m, camera, layer } = this;
    const level = levelFor(camera.scale * this.gap);
    if (layer.scale !== camera.scale && !this.flight.flying) layer.resize(camera.scale, level);
    layer.place(camera);
    const about = { bands: m.rules.bands, resources: m.rules.resources };
    const names = placeNames(this.states, layer.scale, layer.level, m.rules.bands);
    layer.show(this.states, names, about, (entry) => camera.shows(entry, -80));
    layer.showPlan(m);
    this.rove();
    this.drawOver();
  }

  /** The map is one stop of the Tab key: at the hold with the focus, the selected one, or one's own first. */
  rove() {
    const stop = this.focused ?? this.m.selected ?? (this.states.find(({ known }) => known.relation === "mine") ?? this.states[0]).id;
    if (stop === this.stop) return;
    this.layer.element(this.stop)?.setAttribute("tabindex", "-1");
    this.layer.element(stop).setAttribute("tabindex", "0");
    this.stop = stop;
  }

  focusOn(hold) {
    this.focused = hold;
    if (hold) {
      this.rove();
      const spot = this.m.holds.get(hold);
      if (!this.camera.shows(spot) && !this.flight.flying) this.flight.to(this.camera, this.camera.centred(spot));
    }
    this.drawOver();
  }

  walk(key) {
    const from = this.m.holds.get(this.focused ?? this.stop);
    const next = beyond(this.m.graph.holds, from, key);
    if (next) this.focus(next.id);
  }

  leave() {
    this.chosen(null);
    this.layer.element(this.focused)?.blur();
  }

  at(x, y, reach) {
    return nearest(this.m.graph.holds, this.camera.toMap(x, y), reach / this.camera.scale)?.id ?? null;
  }

  tapped(hold) {
    this.hover(null);
    this.chosen(hold);
  }

  hover(hold) {
    if (hold === this.hovered) return;
    this.hovered = hold;
    this.drawOver();
  }

  zoom(factor) {
    const spot = this.focused && this.camera.toScreen(this.m.holds.get(this.focused));
    this.flight.to(this.camera, this.camera.zoomed(factor, spot?.x, spot?.y));
  }

  fit() {
    this.flight.to(this.camera, this.camera.fitted(this.camera.world, { spare: FIT_SPARE }));
  }

  home() {
    this.flight.to(this.camera, this.opening());
  }

  /** Owners that have changed fade into each other. */
  fade() {
    this.element.classList.add("fading");
    clearTimeout(this.fading);
    this.fading = setTimeout(() => this.element.classList.remove("fading"), FADE_MS);
  }

  /** What lies over the map: the tick looked at, buttons, legend, the card of a hold. */
  drawOver() {
    const { m } = this;
    const shown = this.states.find(({ id }) => id === (this.hovered ?? this.focused)) ?? null;
    render(html`
      ${m.shown ? html`<div class="map-past"><p>${icon("history")} Looking at tick ${m.shown.tick}</p></div>` : nothing}
      ${controls(m, this.search, {
        zoom: (factor) => this.zoom(factor),
        fit: () => this.fit(),
        home: () => this.home(),
        search: (text) => this.searched(text),
        visit: (hold) => this.visit(hold),
      })}
      ${legend(m, this.legendOpen, (open) => this.legendToggled(open))}
      <div class="map-card" aria-hidden="true" ?hidden=${!shown}>${shown ? card(m, shown) : nothing}</div>`, this.over);
    if (shown) this.placeCard(shown);
  }

  placeCard(hold) {
    const element = this.over.querySelector(".map-card");
    const { x, y } = this.camera.toScreen(hold);
    const { offsetWidth: width, offsetHeight: height } = element;
    const right = x + 34 + width < this.camera.width;
    const left = right ? x + 34 : x - 34 - width;
    const top = Math.min(Math.max(8, y - 24), this.camera.height - height - 8);
    element.style.transform = `translate(${Math.round(Math.max(8, left))}px, ${Math.round(top)}px)`;
  }

  legendToggled(open) {
    this.legendOpen = open;
    this.makeRoom();
  }

  searched(text) {
    const opened = this.search === null;
    this.search = text;
    this.drawOver();
    if (opened) this.over.querySelector("input[type=search]")?.focus();
  }

  visit(hold) {
    this.searched(null);
    this.focus(hold);
    this.chosen(hold);
  }
}
