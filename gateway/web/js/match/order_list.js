/** The filed orders in their order of filing: move up and down, change, cancel, show the receipt. */
import { focusLater } from "../frame.js";
import { icon } from "../icons.js";
import { classMap, html, nothing, repeat } from "../lit.js";
import { cancel } from "./cancelled.js";
import { holdLink } from "./hold_link.js";
import { dragHandle } from "./order_drag.js";
import { beginEdit, editForm, isEditable } from "./order_edit.js";
import { ORDER_ICONS, orderHolds, orderText } from "./order_words.js";
import { bare } from "./plan.js";
import { receiptView } from "./receipt.js";
import { whyNoOrders } from "./may_order.js";

/** Names that stay over a replacing of the list, which gives all orders new ids: by what they say. */
export function keysOf(items) {
  const seen = new Map();
  return items.map((item) => {
    const text = JSON.stringify(bare(item));
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    return `${text}${times}`;
  });
}

/** `m.tools.orders`: {open: key of the order whose receipt is shown, editing: see order_edit.js, said: for the ear}. */
export function orderList(m, page) {
  const tool = (m.tools.orders ??= { open: null, editing: null, said: "" });
  const { items, busy } = m.plan;
  if (!items.length) return html`<p class="empty">No order is filed for this tick yet. ${m.options ? "Pick a hold on the map to begin." : ""}</p><span role="status" class="hidden-visually">${tool.said}</span>`;
  const keys = keysOf(items);
  return html`<section aria-label="Filed orders">
    <h3>${icon("seal")} Filed: ${items.length}</h3>
    <ol class="plain filed-list" aria-busy=${busy !== null}>${repeat(items, (item, at) => keys[at], (item, at) => row(m, page, tool, item, at, keys[at]))}</ol>
    <span role="status" class="hidden-visually">${tool.said}</span>
  </section>`;
}

function row(m, page, tool, item, at, key) {
  const text = orderText(m, item);
  const last = m.plan.items.length - 1;
  const off = whyNoOrders(m) !== null || m.plan.busy !== null;
  const open = tool.open === key;
  const showReceipt = () => {
    tool.open = open ? null : key;
    m.changed();
  };
  const button = (name, sign, label, act, unfit = false) => html`<button type="button" class="bare" id=${`order-${name}-${at}`} aria-label=${`${label}: ${text}`} title=${label}
    aria-disabled=${off || unfit} @click=${() => !off && !unfit && act()}>${icon(sign)}</button>`;
  return html`<li class=${classMap({ order: true, working: m.plan.busy === item.id })}>
    <div class="order-words">
      ${last > 0 && !off ? dragHandle(at, (to) => move(m, tool, item, to)) : nothing}
      <span class="order-place">${at + 1}</span>${icon(ORDER_ICONS[item.kind] ?? "orders")}<span>${text}</span>
    </div>
    ${orderHolds(item).length ? html`<p class="order-holds">On the map: ${orderHolds(item).map((hold) => holdLink(m, page, hold))}</p>` : nothing}
    ${tool.editing?.id === item.id ? editForm(m, tool, item, at) : html`<div class="order-actions">
      ${button("up", "up", "Earlier", () => move(m, tool, item, at - 1), at === 0)}
      ${button("down", "down", "Later", () => move(m, tool, item, at + 1), at === last)}
      ${isEditable(item) ? button("edit", "edit", "Change", () => beginEdit(m, page, tool, item)) : nothing}
      ${button("cancel", "close", "Cancel", () => takeOut(m, tool, item, at))}
      <button type="button" class="bare receipt-toggle" aria-expanded=${open} aria-label=${`Receipt: ${text}`} @click=${showReceipt}>${icon("seal")} Receipt</button>
    </div>`}
    ${open ? receiptView(m, item.receipt, item) : nothing}
  </li>`;
}

/** Puts an order in another place of the list. */
async function move(m, tool, item, to) {
  const count = m.plan.items.length;
  if (to < 0 || to >= count || m.plan.items[to] === item) return;
  const failure = await m.rearrange((items) => {
    const rest = items.filter((other) => other.id !== item.id);
    const own = items.find((other) => other.id === item.id);
    if (own) rest.splice(to, 0, own);
    return rest.map(bare);
  });
  if (!failure) tool.said = `Now at place ${to + 1} of ${count}.`;
  m.changed();
  focusLater(...(to === 0 ? [`order-down-${to}`] : [`order-up-${to}`]), "orders-heading");
}

async function takeOut(m, tool, item, at) {
  await cancel(m, item);
  tool.said = `Cancelled: ${orderText(m, item)}.`;
  m.changed();
  focusLater(`order-cancel-${at}`, `order-cancel-${at - 1}`, "orders-heading");
}
