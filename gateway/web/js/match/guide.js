/** The next sensible step: a first match's steps in order, and in every tick what is most pressing. */
import { countdown, millisecondsTo } from "../clock.js";
import { icon } from "../icons.js";
import { classMap, html, nothing } from "../lit.js";
import { to } from "../router.js";
import { withTerms } from "../terms.js";
import { adviceOf } from "./guide_advice.js";
import { memoryOf, player, remember, savePlayer } from "./guide_memory.js";
import { stepsOf } from "./guide_steps.js";
import { whyNoOrders } from "./may_order.js";

/** Ticks: a match may have begun without its newcomer, who then still is one. */
const YOUNG = 10;

export function guidePanel(m, page) {
  const { done } = memoryOf(m);
  const steps = stepsOf(m);
  const closed = whyNoOrders(m);
  const advice = closed ? [] : adviceOf(m);
  const left = steps.filter((step) => !done.has(step.id));
  const step = closed ? null : left.find((one) => one.can(m));
  const next = advice.find((one) => one.urgent) ?? (step ? { id: step.id, title: step.title, why: step.why(m), go: step.go } : advice[0]) ?? null;
  const told = new Set([next?.id, ...left.map(({ id }) => id)]);
  const also = advice.filter((one) => ![one.id, ...(one.steps ?? [])].some((id) => told.has(id)) || (one.urgent && one !== next)).slice(0, 3);
  return html`<section class="guide">
    <h2>Guide</h2>
    ${next ? nextCard(m, page, next) : waiting(m, closed)}
    ${also.length ? html`<h3>Also this tick</h3><ul class="plain guide-also">${also.map((one) => html`<li class="row spread"><span>${one.title}</span>
      <button type="button" aria-label=${`Show me: ${one.title}`} @click=${() => one.go(m, page)}>${one.label ?? "Show me"}</button></li>`)}</ul>` : nothing}
    <details class="guide-steps" ?open=${left.length > 0}><summary>First steps <span class="muted">${steps.length - left.length} of ${steps.length}</span></summary>
      <ol class="plain">${steps.map((one) => stepRow(m, page, one, done.has(one.id)))}</ol></details>
    <p class="row spread guide-ends"><a href=${to("rules")}>The whole rulebook</a>${dismissal(m)}</p>
  </section>`;
}

function nextCard(m, page, next) {
  return html`<div class=${classMap({ card: true, "guide-next": true, urgent: next.urgent ?? false })} aria-live="polite">
    <p class="guide-kicker">${next.urgent ? "First of all" : "Next"}</p>
    <h3>${next.title}</h3>
    <p>${withTerms(next.why)}</p>
    <button type="button" class="primary" @click=${() => next.go(m, page)}>${next.label ?? "Show me"}</button>
  </div>`;
}

function waiting(m, closed) {
  if (closed) return html`<p class="muted">${closed}</p>`;
  const at = m.detail.next_deadline;
  return html`<div class="card guide-next"><p class="guide-kicker">Done</p><h3>Everything sensible is filed</h3>
    <p>${at ? html`The tick comes in <span class="figure">${countdown(millisecondsTo(at))}</span>. ` : nothing}Until then you can change your mind: look over your orders, look around, or talk.</p></div>`;
}

function stepRow(m, page, step, done) {
  const can = !done && whyNoOrders(m) === null && step.can(m);
  return html`<li class=${classMap({ row: true, spread: true, done })}>
    <span class="guide-mark">${done ? icon("check") : html`<span class="guide-open" aria-hidden="true"></span>`}<span>${step.title}<span class="hidden-visually">${done ? ", done" : ", to do"}</span></span></span>
    ${can ? html`<button type="button" aria-label=${`Show me: ${step.title}`} @click=${() => step.go(m, page)}>Show me</button>` : nothing}</li>`;
}

function dismissal(m) {
  const kept = player();
  const set = (off) => () => {
    savePlayer({ match: m.id, off });
    m.changed();
  };
  return kept?.match === m.id && !kept.off
    ? html`<button type="button" class="bare" @click=${set(true)}>Do not open it by itself</button>`
    : html`<button type="button" class="bare" @click=${set(false)}>Open it first in this match</button>`;
}

/** Ticks off what the state shows to be done. Called whenever the match is drawn. */
export function observe(m) {
  if (!m.view || !m.graph) return;
  const memory = memoryOf(m);
  const before = memory.done.size + memory.reportTick;
  if (m.panel === "report" && !m.shown && m.reports.get(m.view.tick)) memory.reportTick = m.view.tick;
  for (const step of stepsOf(m)) {
    if (!memory.done.has(step.id) && step.done(m)) memory.done.add(step.id);
  }
  if (memory.done.size + memory.reportTick !== before) remember(m);
}

/** Whether the guide is to be opened by itself: in a player's first match, until it is dismissed or all steps are done. */
export function opensFirst(m) {
  if (!m.running) return false;
  if (!player() && m.view.tick < YOUNG) savePlayer({ match: m.id, off: false });
  const kept = player();
  if (kept?.match !== m.id || kept.off) return false;
  observe(m);
  return stepsOf(m).some((step) => !memoryOf(m).done.has(step.id));
}
