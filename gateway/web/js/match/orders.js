/** The orders of the open tick: filed, on their way, refused; what they spend, and what is left to do. */
import { dayTime } from "../clock.js";
import { html, nothing } from "../lit.js";
import { term } from "../terms.js";
import { cancelledList } from "./cancelled.js";
import { draftList } from "./draft_list.js";
import { checklist } from "./idle.js";
import { orderList } from "./order_list.js";
import { lastOrders, pastOrders } from "./past_orders.js";
import { spendingTable } from "./spending.js";
import { noOrdersNote } from "./may_order.js";

export function ordersPanel(m, page) {
  if (m.shown || m.ended) return pastOrders(m, page);
  const { plan } = m;
  const deadline = m.detail.next_deadline;
  return html`<h2 id="orders-heading" tabindex="-1">Orders for tick ${plan.tick}</h2>
    ${noOrdersNote(m)}
    ${m.options && deadline ? html`<p class="muted">They are ${term("seal", "sealed")} ${dayTime(deadline)}, and until then you may change them.</p>` : nothing}
    ${draftList(m, page)}
    ${orderList(m, page)}
    ${cancelledList(m)}
    ${m.options
      ? html`<h3>Your stores</h3>${spendingTable(m)}
        ${m.options.orders_left < 50 ? html`<p class="muted">${m.options.orders_left} more orders can be filed for this tick.</p>` : nothing}
        <h3>Before the deadline</h3>${checklist(m, page)}`
      : nothing}
    ${lastOrders(m, page)}`;
}
