/** What lies over the map: the tick looked at, buttons and search, legend, the card of a hold. */
import { icon } from "../icons.js";
import { html, nothing, render } from "../lit.js";
import { card } from "./card.js";
import { controls } from "./controls.js";
import { legend } from "./legend.js";

const ROOMY = "(min-width: 52.01rem) and (min-height: 40rem)";
const CARD = { beside: 34, above: 24, edge: 8 };

export class Over {
  /** `on`: {zoom(factor), fit(), home(), visit(hold), roomChanged()}. */
  constructor(element, on) {
    this.element = element;
    this.on = on;
    this.m = this.hold = this.camera = this.search = null;
    this.legendOpen = matchMedia(ROOMY).matches;
  }

  /** `hold`: the state (scene.js) of the hold whose card is shown, or null. */
  draw(m, hold, camera) {
    [this.m, this.hold, this.camera] = [m, hold, camera];
    this.again();
  }

  again() {
    const { m, hold } = this;
    const { zoom, fit, home } = this.on;
    render(html`
      ${m.shown ? html`<div class="map-past"><p>${icon("history")} Looking at tick ${m.shown.tick}</p></div>` : nothing}
      ${controls(m, this.search, { zoom, fit, home, search: (text) => this.find(text), visit: (found) => this.visit(found) })}
      ${legend(m, this.legendOpen, (open) => this.toggled(open))}
      <div class="map-card" aria-hidden="true" ?hidden=${!hold}>${hold ? card(m, hold) : nothing}</div>`, this.element);
    if (hold) this.placeCard(hold);
  }

  /** Pixels that are covered at the left and at the right. */
  room() {
    const open = this.element.querySelector(".map-legend[open]");
    const tools = this.element.querySelector(".map-controls");
    const column = tools.offsetHeight > tools.offsetWidth;
    return { left: open ? open.offsetLeft + open.offsetWidth : 0, right: column ? tools.offsetWidth : 0 };
  }

  placeCard(hold) {
    const element = this.element.querySelector(".map-card");
    const { x, y } = this.camera.toScreen(hold);
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = x + CARD.beside + width < this.camera.width ? x + CARD.beside : x - CARD.beside - width;
    const top = Math.min(Math.max(CARD.edge, y - CARD.above), this.camera.height - height - CARD.edge);
    element.style.transform = `translate(${Math.round(Math.max(CARD.edge, left))}px, ${Math.round(top)}px)`;
  }

  toggled(open) {
    this.legendOpen = open;
    this.on.roomChanged();
  }

  find(text) {
    const opened = this.search === null;
    this.search = text;
    this.again();
    if (opened) this.element.querySelector("input[type=search]")?.focus();
  }

  visit(hold) {
    this.find(null);
    this.on.visit(hold);
  }
}
