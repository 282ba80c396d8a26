/** Orders cancelled in this tick, with the server's receipts for that; kept for this tab, also over a reload. */
import { focusLater } from "../frame.js";
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { orderText } from "./order_words.js";
import { bare } from "./plan.js";
import { receiptView } from "./receipt.js";
import { whyNoOrders } from "./may_order.js";

const place = (m) => `last-waters/cancelled/${m.id}`;

function read(m) {
  if (!m.tools.cancelled) {
    try {
      m.tools.cancelled = JSON.parse(sessionStorage.getItem(place(m)) ?? "[]");
    } catch {
      m.tools.cancelled = [];
    }
  }
  return m.tools.cancelled;
}

function write(m, items) {
  m.tools.cancelled = items;
  try {
    sessionStorage.setItem(place(m), JSON.stringify(items));
  } catch {
    // A browser without storage keeps them for as long as the page is open.
  }
  m.changed();
}

/** Cancels a filed order and keeps the receipt. */
export async function cancel(m, order) {
  const receipt = await m.attempt(() => m.plan.cancel(order.id));
  if (receipt) write(m, [...read(m).filter((one) => one.receipt.tick === m.plan.tick), { order: bare(order), receipt }]);
  await m.attempt(() => m.refreshDesk());
}

export function cancelledList(m) {
  const items = read(m).filter((one) => one.receipt.tick === m.plan.tick);
  if (!items.length) return nothing;
  const again = (one) => {
    if (whyNoOrders(m)) return;
    write(m, items.filter((other) => other !== one));
    m.file(one.order);
    focusLater("orders-heading");
  };
  return html`<details class="cancelled"><summary>Cancelled: ${items.length}</summary>
    <ul class="plain">${repeat(items, (one) => one.receipt.signature, (one) => html`<li>
      <p><s>${orderText(m, one.order)}</s></p>
      <div class="row"><button type="button" class="bare" @click=${() => again(one)}>File it again</button></div>
      <details><summary>${icon("seal")} Receipt of the cancelling</summary>${receiptView(m, one.receipt, null)}</details>
    </li>`)}</ul></details>`;
}
