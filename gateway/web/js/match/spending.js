/** What the plan spends, by cause, and what is left after it. */
import { amount } from "../icons.js";
import { html, nothing } from "../lit.js";
import { term } from "../terms.js";

/** The published cost of an order: {water, scrap, grain}. */
export function costOf(rules, order) {
  switch (order.kind) {
    case "recruit": return scaled(rules.units.get(order.unit)?.cost, order.count);
    case "build": return rules.buildings.get(order.building)?.cost ?? {};
    case "research": return rules.techs.get(order.tech)?.cost ?? {};
    default: return {};
  }
}

function scaled(cost = {}, count) {
  return Object.fromEntries(Object.entries(cost).map(([name, one]) => [name, one * count]));
}

const CAUSES = [["recruit", "Recruits"], ["build", "Buildings"], ["research", "Research"]];

/** {recruit: {water, ...}, build, research}; of several researches only one can start, so the dearest counts (T-02). */
export function spending(rules, orders) {
  const zero = () => Object.fromEntries(rules.resources.map((name) => [name, 0]));
  const spent = Object.fromEntries(CAUSES.map(([kind]) => [kind, zero()]));
  for (const order of orders) {
    const cost = costOf(rules, order);
    for (const [name, one] of Object.entries(cost)) {
      const so = spent[order.kind][name];
      spent[order.kind][name] = order.kind === "research" ? Math.max(so, one) : so + one;
    }
  }
  return spent;
}

/** A table: in store, this tick's yield, spent by cause, left; and apart from it what is not filed yet. */
export function spendingTable(m) {
  const { resources } = m.rules;
  const spent = spending(m.rules, m.plan.items);
  const all = (name) => CAUSES.reduce((sum, [kind]) => sum + spent[kind][name], 0);
  const { purse } = m.options;
  const income = (name) => purse[name] + all(name) - m.view.stock[name];
  const row = (label, count, kind = "") => html`<tr class=${kind}><th scope="row">${label}</th>${resources.map((name) => html`<td class="number figure">${count(name)}</td>`)}</tr>`;
  const minus = (count) => (count ? `−${count}` : "0");
  const unfiled = m.plan.drafts.items.filter((draft) => draft.state === "sending" || draft.state === "waiting");
  const wanted = spending(m.rules, unfiled.map((draft) => draft.order));
  return html`<table class="spending">
    <caption class="hidden-visually">What your plan spends and what is left</caption>
    <thead><tr><td></td>${resources.map((name) => html`<th scope="col" class="number">${amount(name, "")}</th>`)}</tr></thead>
    <tbody>
      ${row(term("stock", "In store"), (name) => m.view.stock[name])}
      ${row(term("yield", "This tick's yield"), (name) => `+${income(name)}`)}
      ${CAUSES.map(([kind, label]) => (resources.some((name) => spent[kind][name]) ? row(label, (name) => minus(spent[kind][name])) : nothing))}
      ${row("Left after your plan", (name) => purse[name], "left")}
      ${unfiled.length ? row("Not filed yet, not counted", (name) => minus(CAUSES.reduce((sum, [kind]) => sum + wanted[kind][name], 0)), "unfiled") : nothing}
    </tbody>
  </table>`;
}
