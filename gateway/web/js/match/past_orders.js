/** The orders of a tick that is resolved, each with what became of it. */
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { play } from "../server.js";
import { holdLink } from "./hold_link.js";
import { ORDER_ICONS, orderHolds, orderText } from "./order_words.js";
import { receiptView } from "./receipt.js";
import { noOrdersNote } from "./may_order.js";

/** Those of the last tick, folded away below those of the open one. */
export function lastOrders(m, page) {
  const { tick } = m.view;
  const tool = (m.tools.lastOrders ??= { open: false });
  const toggled = (event) => {
    tool.open = event.target.open;
    m.changed();
  };
  if (tick === 0) return nothing;
  return html`<details class="last-orders" ?open=${tool.open} @toggle=${toggled}>
    <summary>Your orders of tick ${tick}, and what became of them</summary>
    ${tool.open ? listOf(m, page, tick) : nothing}
  </details>`;
}

/** Of the tick that is looked at; of the last one where the match has ended. */
export function pastOrders(m, page) {
  const tick = m.shown?.tick ?? m.view.tick;
  return html`<h2 id="orders-heading" tabindex="-1">Your orders of tick ${tick}</h2>
    ${noOrdersNote(m)}
    ${tick > 0 ? listOf(m, page, tick) : html`<p class="muted">The match had not begun.</p>`}`;
}

function listOf(m, page, tick) {
  const lists = (m.tools.pastOrders ??= new Map());
  const list = lists.get(tick);
  if (list === undefined) read(m, lists, tick);
  return list ? rows(m, page, list.items) : html`<p class="muted" aria-busy="true">Reading …</p>`;
}

async function read(m, lists, tick) {
  lists.set(tick, null);
  const list = await m.attempt(() => play.orders(m.id, tick));
  if (list) lists.set(tick, list);
  else setTimeout(() => lists.delete(tick), 3_000);
  m.changed();
}

function rows(m, page, items) {
  if (!items.length) return html`<p class="muted">You filed nothing for this tick.</p>`;
  return html`<ol class="plain filed-list">${repeat(items, (item) => item.id, (item) => html`<li class="order">
    <div class="order-words"><span class="order-place">${item.seq}</span>${icon(ORDER_ICONS[item.kind] ?? "orders")}<span>${orderText(m, item)}</span></div>
    ${outcome(m, item.result)}
    ${orderHolds(item).length ? html`<p class="order-holds">On the map: ${orderHolds(item).map((hold) => holdLink(m, page, hold))}</p>` : nothing}
    <details><summary>${icon("seal")} Receipt</summary>${receiptView(m, item.receipt, item)}</details>
  </li>`)}</ol>`;
}

function outcome(m, result) {
  if (!result) return html`<p class="muted">Not resolved yet.</p>`;
  if (result.status === "done") return html`<p><span class="tag good">${icon("check")} done</span></p>`;
  return html`<p><span class="tag bad">${icon("close")} failed</span> ${result.words ?? m.rules.reasons[result.reason] ?? result.reason}</p>`;
}
