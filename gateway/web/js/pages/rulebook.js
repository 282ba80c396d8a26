/** The rulebook as a page, from the server's own rules page: contents, search, an address for every rule. */
import { icon } from "../icons.js";
import { html } from "../lit.js";
import { to } from "../router.js";
import { loadRules } from "../rules.js";
import { sectionsOf, within } from "../rulebook_text.js";
import { ruleText } from "./rule_text.js";

export class RulebookPage {
  constructor([rule = null], changed) {
    this.changed = changed;
    this.sections = null;
    this.wanted = "";
    this.rule = rule;
    this.turned = false;
    this.problem = null;
    this.load();
  }

  get title() { return "The rulebook"; }

  /** Another rule's address. */
  move([rule = null]) {
    if (rule !== this.rule || !this.sections) this.turned = false;
    this.rule = rule;
    if (rule) this.wanted = "";
  }

  close() {}

  async load() {
    try {
      const rules = await loadRules();
      this.sections = sectionsOf(rules.pages.rules);
      this.problem = null;
    } catch (error) {
      this.problem = error.message;
    }
    this.changed();
  }

  /** After the drawing: goes to the rule of the address, once. */
  drawn() {
    if (!this.sections || this.turned || !this.rule) return;
    this.turned = true;
    const target = document.getElementById(`rule-${this.rule}`);
    target?.scrollIntoView({ block: "start" });
    target?.focus({ preventScroll: true });
  }

  search(wanted) {
    this.wanted = wanted;
    this.changed();
  }

  draw() {
    if (this.problem) return html`<main class="page narrow"><h1>The rulebook</h1><p class="problem" role="alert">${this.problem}</p><button @click=${() => this.load()}>Try again</button></main>`;
    if (!this.sections) return html`<main class="page"><h1>The rulebook</h1><p class="muted" aria-busy="true">Opening the rulebook …</p></main>`;
    const [opening, ...sections] = this.sections;
    const found = within(sections, this.wanted);
    return html`<main class="page rulebook">
      <div class="rulebook-side">
        <div class="rulebook-search" role="search"><label class="hidden-visually" for="rule-search">Search the rulebook</label>${icon("search")}
          <input id="rule-search" type="search" placeholder="Search the rules" .value=${this.wanted} @input=${(event) => this.search(event.target.value)}></div>
        <p class="hidden-visually" role="status">${this.wanted.trim() ? told(found) : ""}</p>
        ${contents(sections, this.rule)}
      </div>
      <article>
        <h1>${opening.title}</h1>
        ${this.wanted.trim() ? html`<p class="muted">${told(found)}</p>` : opening.blocks.map((block) => drawBlock(block, "", null))}
        ${found.map((section) => html`<section aria-labelledby=${`rule-${section.id}`}><h2 id=${`rule-${section.id}`} tabindex="-1">${section.title}</h2>
          ${section.blocks.map((block) => drawBlock(block, this.wanted, this.rule))}</section>`)}
      </article>
    </main>`;
  }
}

function told(found) {
  const count = found.reduce((sum, section) => sum + section.count, 0);
  return count ? `${count} ${count === 1 ? "place" : "places"} found.` : "Nothing found. Try another word.";
}

function contents(sections, rule) {
  const list = html`<ol class="plain">${sections.map((section) => html`<li><a href=${to("rules", section.id)} aria-current=${section.id === rule?.split("-")[0] ? "true" : "false"}>${section.title}</a></li>`)}</ol>`;
  return html`<nav class="contents wide-only" aria-label="Contents">${list}</nav>
    <details class="card narrow-only"><summary>Contents</summary><nav aria-label="Contents">${list}</nav></details>`;
}

function drawBlock(block, wanted, rule) {
  switch (block.kind) {
    case "rules": return html`<ul class="plain rule-list">${block.rules.map(({ id, text }) => html`<li id=${`rule-${id}`} tabindex="-1" class=${id === rule ? "rule chosen" : "rule"}>
      <a class="rule-id" href=${to("rules", id)}>${id}</a><p>${ruleText(text, wanted)}</p></li>`)}</ul>`;
    case "list": return html`<ul>${block.items.map((item) => html`<li>${ruleText(item, wanted)}</li>`)}</ul>`;
    case "table": return html`<div class="table-frame" tabindex="0" role="region" aria-label=${`Table of ${block.head[0]}`}><table>
      <thead><tr>${block.head.map((cell, at) => html`<th scope="col" class=${block.numeric[at] ? "number" : ""}>${cell}</th>`)}</tr></thead>
      <tbody>${block.rows.map((row) => html`<tr>${row.map((cell, at) => (at
        ? html`<td class=${block.numeric[at] ? "number" : ""}>${ruleText(cell, wanted)}</td>`
        : html`<th scope="row">${ruleText(cell, wanted)}</th>`))}</tr>`)}</tbody></table></div>`;
    case "heading": return html`<h3>${block.text}</h3>`;
    default: return html`<p>${ruleText(block.text, wanted)}</p>`;
  }
}
