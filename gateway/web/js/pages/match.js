/** The playing screen: bar, map, panel, timeline. */
import * as clock from "../clock.js";
import { amount, icon } from "../icons.js";
import { classMap, html, keyed, nothing, ref } from "../lit.js";
import { MapView } from "../map/map_view.js";
import { observe, opensFirst } from "../match/guide.js";
import { remind } from "../match/idle.js";
import * as march from "../match/march.js";
import { leave as leaveMarch } from "../match/march_panel.js";
import { Match } from "../match/model.js";
import { PANELS } from "../match/panels.js";
import { pastNote, timeline } from "../match/timeline.js";
import { rename, to } from "../router.js";
import { lobbyMatch } from "./lobby_match.js";
import { matchMenu } from "./match_menu.js";

export class MatchPage {
  constructor(id, changed) {
    this.m = new Match(id, changed);
    this.map = null;
    this.raised = false;
    this.greeted = false;
    this.changed = changed;
    this.placed = (element) => this.place(element);
    this.stopTicking = clock.everySecond(() => this.second());
    this.leaving = (event) => this.escape(event);
    document.addEventListener("keydown", this.leaving);
    this.m.turnedTo = (tick) => this.turned(tick);
    this.m.open();
  }

  get title() { return this.m.detail?.name ?? "A match"; }

  get whole() { return !this.m.failure && (!this.m.detail || this.m.playable); }

  /** Another part of the address: the panel that is open. */
  move([, panel]) {
    if (panel) this.greeted = true;
    if (panel) {
      this.m.panel = panel;
      this.raised = true;
    }
  }

  /** In a player's first match the guide opens first. */
  greet() {
    if (this.greeted) return;
    this.greeted = true;
    if (!opensFirst(this.m)) return;
    this.m.panel = "guide";
    this.raised = true;
  }

  close() {
    this.stopTicking();
    document.removeEventListener("keydown", this.leaving);
    this.m.close();
    this.map?.close();
  }

  second() {
    if (this.m.view && this.m.rules) remind(this.m);
    this.changed();
  }

  /** Escape gives a march up, wherever the focus is. */
  escape(event) {
    if (event.key === "Escape" && this.m.march && !event.defaultPrevented && !document.querySelector("dialog[open]")) leaveMarch(this.m);
  }

  draw() {
    const { m } = this;
    if (m.failure) return failure(m.failure);
    if (!m.detail) return html`<main class="starting" aria-busy="true">Reading the match …</main>`;
    if (!m.playable) return lobbyMatch(m);
    if (!m.view || !m.graph) return html`<main class="starting" aria-busy="true">Reading the map …</main>`;
    this.greet();
    observe(m);
    const panels = PANELS.filter((panel) => !panel.when || panel.when(m));
    const panel = panels.find((one) => one.name === m.panel) ?? panels[0];
    return html`<div class=${classMap({ match: true, raised: this.raised, planning: m.march !== null, past: m.shown !== null })}>
      ${this.bar()}
      <main class="board">
        <div class="map" ${ref(this.placed)}></div>
        ${timeline(m)}
      </main>
      <section class="panel" aria-label=${panel.label}>
        ${this.tabs(panels, panel)}
        ${keyed(panel.name, html`<div class="panel-body" id="panel" role="tabpanel" tabindex="-1" aria-labelledby=${`tab-${panel.name}`}>${pastNote(m, panel.name)}${panel.draw(m, this)}</div>`)}
      </section>
      <div class="notices" role="status" aria-live="polite">
        ${m.notices.map((notice) => html`<p class=${notice.kind === "problem" ? "problem" : "success"}>${notice.text}${notice.panel ? html` <button @click=${() => this.follow(notice)}>${notice.link}</button>` : nothing}</p>`)}
      </div>
    </div>`;
  }

  /** After each drawing of the page: the map has a drawing of its own. */
  drawn() {
    if (this.map && this.m.view) this.map.draw(this.m);
  }

  place(element) {
    if (!element) {
      this.map?.close();
      this.map = null;
    } else if (this.map?.element !== element) {
      this.map = new MapView(element, (hold) => this.chosen(hold));
    }
  }

  /** A hold was picked on the map. */
  chosen(hold) {
    if (this.m.march && hold) return march.tap(this.m, hold);
    this.m.select(hold);
    if (hold) this.show("hold");
    return undefined;
  }

  /** Shows a panel (on a phone its sheet comes up). */
  show(panel) {
    if (this.m.panel !== panel) rename("match", this.m.id, panel);
    this.m.panel = panel;
    document.getElementById("panel")?.scrollTo(0, 0);
    this.raised = true;
    this.changed();
  }

  /** A tick has come: its report is shown, or offered to one who is in the middle of something. */
  turned(tick) {
    const { m } = this;
    const panel = m.ended ? "end" : "report";
    const typing = document.activeElement?.matches("textarea, input:not([type=range])") ?? false;
    const words = m.ended ? "The match is over." : `Tick ${tick} has been resolved.`;
    if (m.silencedAt(tick) && !m.ended) {
      m.notice("info", words);
      return;
    }
    if (m.march || typing || m.shown || (!this.raised && isSheet())) {
      m.notice("info", words, { panel, link: m.ended ? "See the outcome" : "Read the report" });
      return;
    }
    m.notice("info", m.ended ? words : `${words} Your report is here.`);
    const { raised } = this;
    this.show(panel);
    this.raised = raised;
  }

  /** Where a notice leads. */
  async follow({ panel }) {
    await this.m.show(null);
    this.show(panel);
  }

  /** Shows a hold on the map and in its panel. */
  visit(hold) {
    this.m.select(hold);
    this.map?.focus(hold);
  }

  bar() {
    const { m } = this;
    return html`<header class="bar">
      <a class="home" href=${to()} aria-label="All matches">${icon("left")}</a>
      <div class="where"><h1>${m.detail.name}</h1><span class="muted">${m.shown ? html`after tick ${m.shown.tick}` : html`tick ${m.view.tick} of ${m.detail.public?.tick_cap ?? m.detail.settings.tick_cap}`}</span></div>
      ${this.stores()}
      ${deadline(m)}
      ${connection(m)}
      ${matchMenu(m, this)}
    </header>`;
  }

  stores() {
    const { m } = this;
    const planned = m.options !== null && !m.shown;
    const stock = planned ? m.options.purse : m.drawn.stock;
    if (!stock) return nothing;
    return html`<dl class="stores" title=${planned ? "What is left after your plan, this tick's yield included" : "Your stores"}>
      <dt class="hidden-visually">${planned ? "Left after your plan" : "Stores"}</dt>
      ${m.rules.resources.map((name) => html`<dd>${amount(name, stock[name])}</dd>`)}
    </dl>`;
  }

  tabs(panels, open) {
    const { m } = this;
    return html`<div class="tabs" role="tablist" @keydown=${(event) => this.steer(event, panels, open)}>
      ${panels.map((panel) => {
        const count = panel.count?.(m) ?? 0;
        const chosen = panel === open;
        return html`<button role="tab" id=${`tab-${panel.name}`} aria-selected=${chosen} aria-controls="panel" tabindex=${chosen ? 0 : -1}
          @click=${() => (chosen && this.raised ? this.lower() : this.show(panel.name))}>${icon(panel.icon)}<span class="tab-label">${panel.label}</span>${count ? html`<span class="count">${count}</span>` : nothing}</button>`;
      })}
    </div>`;
  }

  lower() {
    this.raised = false;
    this.changed();
  }

  steer(event, panels, open) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = panels[(panels.indexOf(open) + step + panels.length) % panels.length];
    this.show(next.name);
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`tab-${next.name}`)?.focus()));
  }
}

/** On a phone the panel is a sheet, which may be down; as in style/match.css. */
const isSheet = () => matchMedia("(max-width: 36rem), (max-width: 52rem) and (min-height: 30.01rem)").matches;

function deadline(m) {
  if (m.ended) return html`<span class="tag">ended</span>`;
  const at = m.detail.next_deadline;
  if (!at) return html`<span class="deadline">no deadline yet</span>`;
  const left = clock.millisecondsTo(at);
  return html`<time class=${classMap({ deadline: true, near: left < 60_000 })} datetime=${at} title=${`The next tick: ${clock.exactTime(at)}`}>
    ${icon("waiting")}<span class="figure">${left > 0 ? clock.countdown(left) : "resolving …"}</span></time>`;
}

function connection(m) {
  if (m.connection !== "lost") return nothing;
  return html`<span class="tag warn" role="alert">${icon("offline")} No connection. Your plan is kept.</span>`;
}

function failure(error) {
  const missing = error.status === 404;
  return html`<main class="page narrow">
    <h1>${missing ? "There is no such match" : "This match cannot be shown"}</h1>
    <p>${missing ? "Perhaps it was called off, or it is private and you have no seat in it." : error.message}</p>
    <p><a class="button" href=${to()}>All matches</a> ${missing ? nothing : html`<button @click=${() => location.reload()}>Try again</button>`}</p>
  </main>`;
}
