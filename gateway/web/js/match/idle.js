/** What is still to be done before the deadline: idle units, means not spent, no research. */
import { millisecondsTo } from "../clock.js";
import { price } from "../icons.js";
import { html, nothing } from "../lit.js";
import { listed, total, unitsText } from "../rules.js";
import { holdOpener } from "./hold_link.js";

const LAST_MINUTE_MS = 60_000;
const LAST_PART = 10;

/** {idle: [holds' options with free units], spend: [holds where something can be bought], research: true if one could start} */
export function leftUndone(m) {
  const holds = m.options?.holds ?? [];
  const researching = m.view.research !== null || m.plan.items.some((item) => item.kind === "research");
  return {
    idle: holds.filter((row) => total(row.move.units) > 0),
    spend: holds.filter((row) => [...row.recruit, ...row.build].some((choice) => !choice.reason)),
    research: !researching && (m.options?.techs ?? []).some((row) => !row.reason),
  };
}

/** A list with links; a good word if nothing is left. */
export function checklist(m, page) {
  const { idle, spend, research } = leftUndone(m);
  if (!idle.length && !spend.length && !research) return html`<p class="success">Nothing is idle and nothing is left to spend.</p>`;
  return html`<ul class="plain checklist">
    ${idle.length
      ? html`<li><strong>Idle units</strong> <span class="muted">stay and defend</span>
          <ul class="plain">${idle.map((row) => html`<li>${holdOpener(m, page, row.hold)} <span class="muted">${unitsText(row.move.units)}</span></li>`)}</ul></li>`
      : nothing}
    ${spend.length
      ? html`<li><strong>Unspent</strong> ${price(m.options.purse, m.rules.resources)}
          <p class="muted">You could still recruit or build at</p>
          <ul class="plain row">${spend.map((row) => html`<li>${holdOpener(m, page, row.hold)}</li>`)}</ul></li>`
      : nothing}
    ${research
      ? html`<li><strong>No research</strong> is running, and you could afford one.
          <button type="button" class="hold-link" @click=${() => page.show("research")}>Choose a technology</button></li>`
      : nothing}
  </ul>`;
}

/** Names it gently, once a tick, when the deadline is near: the last minute or the last tenth of the cadence. */
export function remind(m) {
  const deadline = m.detail?.next_deadline;
  if (!m.options || !deadline || m.tools.reminded === m.options.tick) return;
  const near = Math.min(LAST_MINUTE_MS, (m.detail.cadence_seconds * 1000) / LAST_PART);
  const left = millisecondsTo(deadline);
  if (left > near || left <= 0) return;
  m.tools.reminded = m.options.tick;
  const { idle, spend, research } = leftUndone(m);
  const words = [];
  if (idle.length) words.push(idle.length === 1 ? `idle units at ${m.name(idle[0].hold)}` : `idle units at ${idle.length} holds`);
  if (spend.length) words.push("means to spend");
  if (research) words.push("no research running");
  if (words.length) m.notice("info", `The tick is near, and you have ${listed(words)}.`);
}
