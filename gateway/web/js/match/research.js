/** Technologies as a tree: what is known, what runs, what can be started and why not. */
import { afterDrawing } from "../frame.js";
import { icon, price } from "../icons.js";
import { classMap, html, nothing } from "../lit.js";
import { title } from "../rules.js";
import { withTerms } from "../terms.js";
import { filedFor, filedList, isPlanned, keepingFocus } from "./filed.js";
import { fields, treeGrid } from "./tech_tree.js";

const STATE_WORDS = {
  known: "known", running: "running", planned: "filed", open: "can be started", shut: "not yet",
};
const STATE_ICONS = { known: "check", running: "waiting", planned: "seal", open: "plus", shut: null };

/** `m.tools.research`: {chosen: the technology that is looked at, or null}. */
export function researchPanel(m) {
  const tool = (m.tools.research ??= { chosen: null });
  const filed = filedFor(m, (order) => order.kind === "research");
  const known = new Set(m.view.techs);
  return html`<div class="research">
    <h2>Research</h2>
    ${runningNow(m)}
    ${planned(m, filed)}
    ${fields(m.rules).map(({ field, techs }) => {
      const chosen = techs.find((row) => row.tech === tool.chosen);
      return html`<section class="tech-field" aria-labelledby="field-${field}">
        <div class="tech-field-head"><h3 id="field-${field}">${title(field)}</h3>
          <span class="muted">${techs.filter((row) => known.has(row.tech)).length} of ${techs.length} known</span></div>
        ${treeGrid(techs, (row) => chip(m, tool, row), (tech) => known.has(tech))}
        ${chosen ? detail(m, chosen) : nothing}
      </section>`;
    })}
    <p class="muted legend">Every technology acts from the tick after it is complete.</p>
  </div>`;
}

/** "known", "running", "planned", "open" or "shut"; the reason stands in the options. */
function stateOf(m, tech) {
  if (m.view.techs.includes(tech)) return "known";
  if (m.view.research?.tech === tech) return "running";
  if (isPlanned(filedFor(m, (order) => order.kind === "research" && order.tech === tech))) return "planned";
  const option = optionOf(m, tech);
  return option && !option.reason ? "open" : "shut";
}

function optionOf(m, tech) {
  return m.options?.techs.find((option) => option.tech === tech) ?? null;
}

function chip(m, tool, row) {
  const state = stateOf(m, row.tech);
  const open = tool.chosen === row.tech;
  const choose = () => {
    tool.chosen = open ? null : row.tech;
    m.changed();
    afterDrawing(() => document.getElementById("tech-detail")?.scrollIntoView({ block: "nearest" }));
  };
  return html`<button class="tech ${state}" id="tech-${row.tech}" aria-expanded=${open} aria-controls=${open ? "tech-detail" : nothing} @click=${choose}>
    <span class="tech-name">${title(row.tech)}</span>
    <span class="tech-what">${row.effect}</span>
    <span class="tech-foot">${state === "known" || state === "running" ? html`<span>${STATE_WORDS[state]}</span>` : price(row.cost, m.rules.resources)}
      ${state === "known" ? nothing : html`<span class="tech-ticks">${row.ticks} ticks</span>`}
      ${STATE_ICONS[state] ? html`<span class="tech-sign">${icon(STATE_ICONS[state])}</span>` : nothing}</span>
    <span class="hidden-visually">, ${STATE_WORDS[state]}</span>
    ${state === "running" ? bar(m, row) : nothing}
  </button>`;
}

function bar(m, row) {
  const done = ticksDone(m);
  return html`<progress class="tech-progress" max=${row.ticks} value=${done} aria-label=${`${title(row.tech)}: ${done} of ${row.ticks} ticks`}></progress>`;
}

/** The view tells progress in hundredths of a tick. */
function ticksDone(m) {
  return m.view.research.progress / 100;
}

function runningNow(m) {
  const running = m.view.research;
  if (!running) {
    return m.running && m.options ? html`<p class="muted">${withTerms("Nothing is being researched. One technology runs at a time, paid in full when it starts.")}</p>` : nothing;
  }
  const row = m.rules.techs.get(running.tech);
  const done = ticksDone(m);
  const left = Math.ceil(row.ticks - done);
  return html`<div class="card running-tech">
    <div class="row spread"><strong>${title(row.tech)}</strong><span class="tag warn">running</span></div>
    ${bar(m, row)}
    <p><span class="figure">${done}</span> of ${row.ticks} ticks done: at most ${left} more ${left === 1 ? "tick" : "ticks"}. ${withTerms(shorter(m))}</p>
  </div>`;
}

/** What cuts the time, in the numbers of the tables. */
function shorter(m) {
  const { archives_counted: counted, research_cut_max: most } = m.rules.limits;
  const buildings = [...m.rules.buildings.values()].filter((row) => row.research_cut > 0)
    .map((row) => `each ${title(row.building).toLowerCase()} held takes off ${row.research_cut}\u00a0% (up to ${counted} count)`);
  const networks = m.rules.techs.get("runner-networks");
  const techs = networks ? [`${title(networks.tech)} means ${networks.effect}`] : [];
  return `It may be sooner: ${[...buildings, ...techs].join("; ")}; at most ${most}\u00a0% together, counted anew every tick.`;
}

function planned(m, filed) {
  if (!filed.orders.length && !filed.drafts.length) return nothing;
  return html`<div class="card planned">
    ${filedList(m, filed)}
    ${m.view.research ? html`<p class="muted">It starts only if ${title(m.view.research.tech)} ends in this tick.</p>` : nothing}
    ${filed.orders.length > 1 ? html`<p class="muted">Only one can start: the first in the order of filing that then can.</p>` : nothing}
  </div>`;
}

function detail(m, row) {
  const state = stateOf(m, row.tech);
  return html`<div class="card tech-detail ${state}" id="tech-detail" role="group" aria-label=${title(row.tech)}>
    <div class="row spread"><h4>${title(row.tech)}</h4><span class=${classMap({ tag: true, good: state === "known" || state === "planned", warn: state === "running" })}>${STATE_WORDS[state]}</span></div>
    <p class="tech-effect">${withTerms(row.effect)}</p>
    <dl class="facts">
      <div><dt>Cost</dt><dd>${price(row.cost, m.rules.resources)}</dd></div>
      <div><dt>Time</dt><dd>${row.ticks} ticks</dd></div>
      <div class="wide"><dt>Needs</dt><dd>${needs(m, row)}</dd></div>
    </dl>
    ${action(m, row, state)}
  </div>`;
}

function needs(m, row) {
  if (!row.needs.length) return "nothing";
  return html`<ul class="plain needs">${row.needs.map((need) => {
    const known = m.view.techs.includes(need);
    return html`<li class=${known ? "known" : "missing"}>${icon(known ? "check" : "minus")} ${title(need)} <span class="hidden-visually">${known ? "(known)" : "(missing)"}</span></li>`;
  })}</ul>`;
}

function action(m, row, state) {
  if (!m.running || state === "known" || state === "running") return nothing;
  if (state === "planned") return filedList(m, filedFor(m, (order) => order.kind === "research" && order.tech === row.tech));
  const option = optionOf(m, row.tech);
  if (!option) return html`<p class="muted">Nothing can be filed now.</p>`;
  if (option.reason) return html`<p class="reason">${m.rules.reasons[option.reason] ?? option.reason}</p>`;
  return html`${m.view.research ? html`<p class="muted">It would start only if ${title(m.view.research.tech)} ends in this tick.</p>` : nothing}
    <button class="primary" @click=${(event) => keepingFocus(event, () => m.file({ kind: "research", tech: row.tech }))}>${icon("research")} Research ${title(row.tech)}</button>`;
}
