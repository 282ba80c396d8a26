/** How one's orders of a tick went: what failed first, with the reason in the rulebook's words. */
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { holdLink } from "./hold_link.js";
import { ORDER_ICONS, orderHolds, orderText } from "./order_words.js";
import { capital, counted, spelled } from "./sides.js";

const FEW = 4;

/** `answer`: a report's answer; its sealed texts say what each order was. */
export function ordersPart(m, page, { report, sealed }) {
  const said = new Map(sealed.map((text) => JSON.parse(text)).map((order) => [order.id, order]));
  const failed = report.orders.filter((line) => line.status === "failed");
  const done = report.orders.filter((line) => line.status === "done");
  return html`<section class="told-part" aria-labelledby="told-orders"><h3 id="told-orders">${icon("orders")} Your orders</h3>
    ${report.orders.length ? nothing : html`<p class="muted">You filed none, so your units stayed where they were.</p>`}
    ${failed.length ? html`<p class="small told-sum">${countedOf(failed, report.orders)} failed and changed nothing:</p>
      <ul class="plain told failed">${failed.map((line) => html`<li>${icon("close")}<span>${words(m, page, said.get(line.order), line)}
        <span class="why">${line.words ?? m.rules.reasons[line.reason] ?? line.reason}</span></span></li>`)}</ul>` : nothing}
    ${done.length ? html`<details ?open=${done.length <= FEW}><summary>${done.length === report.orders.length ? (done.length === 1 ? "Your order was done" : `All ${counted(done.length, "order")} were done`) : `${countedOf(done, report.orders)} ${done.length === 1 ? "was" : "were"} done`}</summary>
      <ul class="plain told">${done.map((line) => html`<li>${icon(ORDER_ICONS[line.kind] ?? "check")}<span>${words(m, page, said.get(line.order), line)}</span></li>`)}</ul></details>` : nothing}
  </section>`;
}

const countedOf = (some, all) => `${capital(spelled(some.length))} of ${counted(all.length, "order")}`;

function words(m, page, order, line) {
  if (!order) return line.kind ?? "An order";
  return orderSaid(m, page, order);
}

/** An order in words; those about a hold lead to it. */
export function orderSaid(m, page, order) {
  const text = orderText(m, order);
  const hold = orderHolds(order).at(-1);
  if (!hold || !m.holds.has(hold)) return text;
  const [before, ...after] = text.split(m.name(hold));
  if (!after.length) return text;
  return html`${before}${holdLink(m, page, hold)}${after.join(m.name(hold))}`;
}
