/** The map of a match, drawn into an element of its own: puts together what is known, the drawing and the camera. */
import { html, nothing, render } from "../lit.js";
import { boxOf, Camera, centreOf } from "./camera.js";
import { flight } from "./flight.js";
import { listen } from "./gestures.js";
import { spacing } from "./ground.js";
import { placeNames } from "./labels.js";
import { Layer } from "./layer.js";
import { levelFor } from "./levels.js";
import { Over } from "./over.js";
import { beyond, listenToKeys, nearest } from "./picking.js";
import { dependencies, holdsOf } from "./scene.js";

const SETTLE_MS = 140;
const TAP_REACH = 26;
const HOVER_REACH = 20;
const IN_SIGHT = 56;
const LAND = 1.12;
const FIT_SPARE = 60;
const OPENING_SPARE = 48;
const OPENING_GAP = 62;
const FADE_MS = 700;
const REST_MS = 280;

/** The hold whose sign an element of the page belongs to, or null. */
function holdOf(element) {
  return element.closest("[data-sign]")?.dataset.sign ?? null;
}

export class MapView {
  /** `chosen(hold)` when a hold was picked by pointer or keyboard, null for open ground. */
  constructor(element, chosen) {
    this.element = element;
    this.chosen = chosen;
    this.m = this.drawn = this.camera = this.layer = this.over = null;
    this.seen = [];
    this.states = [];
    this.hovered = this.rested = this.focused = this.read = this.wanted = null;
    this.endings = [];
    this.settling = this.fading = this.resting = this.starting = null;
    this.flight = flight((place) => this.look(place), () => this.settle());
  }

  /** Draws what has changed since the last time. */
  draw(m) {
    this.m = m;
    const seen = dependencies(m);
    if (seen.length === this.seen.length && seen.every((one, at) => one === this.seen[at])) return;
    const before = this.drawn;
    this.drawn = m.drawn;
    this.seen = seen;
    if (!this.layer) {
      // The page around it is seen first.
      this.starting ??= requestAnimationFrame(() => this.begin(this.m));
      return;
    }
    this.states = holdsOf(m);
    if (before !== m.drawn) this.fade();
    if (this.camera.width) this.show();
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
    cancelAnimationFrame(this.starting);
    clearTimeout(this.settling);
    clearTimeout(this.fading);
    clearTimeout(this.resting);
    for (const end of this.endings) end();
    this.camera?.save();
    this.layer?.close();
    render(nothing, this.element);
  }

  begin(m) {
    this.states = holdsOf(m);
    render(html`<div class="map-ground"></div><div class="map-over"></div>`, this.element);
    const ground = this.element.querySelector(".map-ground");
    this.over = new Over(this.element.querySelector(".map-over"), {
      zoom: (factor) => this.zoom(factor),
      fit: () => this.fit(),
      home: () => this.home(),
      visit: (hold) => this.visit(hold),
      roomChanged: () => { this.camera.inset = this.over.room(); },
    });
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
    if (this.wanted) this.focus(this.wanted);
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
      this.camera.inset = this.over.room();
      if (!this.camera.restore()) this.camera.take(this.opening());
      this.settle();
    } else {
      this.keepInSight(this.m.holds.get(this.m.selected));
      this.look(this.camera);
    }
  }

  /** One's own holds and what lies around them; the whole map for who has none. */
  opening() {
    const own = this.states.filter(({ known }) => known.relation === "mine").map(({ id }) => id);
    if (!own.length) return this.camera.whole(FIT_SPARE);
    const around = new Set([...own, ...own.flatMap((id) => this.m.neighbours.get(id))]);
    const place = this.camera.fitted(boxOf([...around].map((id) => this.m.holds.get(id)), 40), OPENING_SPARE);
    const least = OPENING_GAP / this.gap;
    if (place.scale >= least) return place;
    return this.camera.centred(centreOf(boxOf(own.map((id) => this.m.holds.get(id)))), least);
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
    this.read = this.layer.element(hold)?.matches(":focus-visible") ? hold : null;
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
    clearTimeout(this.resting);
    this.rested = null;
    this.chosen(hold);
  }

  /** A hold's card comes where a mouse rests on it, and not again after it was chosen. */
  hover(hold) {
    if (hold === this.hovered) return;
    this.hovered = hold;
    clearTimeout(this.resting);
    if (this.rested) this.rest(null);
    if (hold) this.resting = setTimeout(() => this.rest(hold), REST_MS);
  }

  rest(hold) {
    this.rested = hold;
    this.drawOver();
  }

  zoom(factor) {
    const spot = this.focused && this.camera.toScreen(this.m.holds.get(this.focused));
    this.flight.to(this.camera, this.camera.zoomed(factor, spot?.x, spot?.y));
  }

  visit(hold) {
    this.focus(hold);
    this.chosen(hold);
  }

  fit() {
    this.flight.to(this.camera, this.camera.whole(FIT_SPARE));
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

  drawOver() {
    this.over.draw(this.m, this.states.find(({ id }) => id === (this.rested ?? this.read)) ?? null, this.camera);
  }
}
