/** Orders of the open tick that belong to one thing on a panel: filed or on their way, each to be taken back. */
import { afterDrawing } from "../frame.js";
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { orderText } from "./order_words.js";

const DRAFT_WORDS = {
  sending: "on its way",
  waiting: "not sent yet: no connection",
  refused: "refused",
  late: "came too late for its tick",
};

/** {orders: filed ones, drafts: not accepted ones} for which `matches(order)` is true. */
export function filedFor(m, matches) {
  return {
    orders: m.running ? m.plan.items.filter(matches) : [],
    drafts: m.running ? m.plan.drafts.items.filter((draft) => matches(draft.order)) : [],
  };
}

/** Whether anything of it stands or may come to stand in this tick. */
export function isPlanned({ orders, drafts }) {
  return orders.length > 0 || drafts.some((draft) => ["sending", "waiting"].includes(draft.state));
}

/** A list of `filedFor`: what each says, its state, and the button that takes it back. */
export function filedList(m, { orders, drafts }) {
  if (!orders.length && !drafts.length) return nothing;
  return html`<ul class="plain filed-orders">
    ${repeat(orders, (order) => order.id, (order) => html`<li class="filed-order">
      ${icon("seal")}<span>Filed for tick ${m.plan.tick}: ${orderText(m, order)}</span>
      <button class="bare" @click=${(event) => keepingFocus(event, () => cancel(m, order))} aria-label=${`Cancel: ${orderText(m, order)}`}>Cancel</button>
    </li>`)}
    ${repeat(drafts, (draft) => draft.key, (draft) => html`<li class="filed-order draft">
      ${icon("waiting")}<span>${orderText(m, draft.order)}: ${DRAFT_WORDS[draft.state]}${draft.problem ? html`. ${draft.problem.detail}` : nothing}</span>
      <button class="bare" @click=${(event) => keepingFocus(event, () => m.attempt(() => m.plan.dismiss(draft.key)))} aria-label=${`Discard: ${orderText(m, draft.order)}`}>Discard</button>
    </li>`)}
  </ul>`;
}

function cancel(m, order) {
  return m.attempt(async () => {
    await m.plan.cancel(order.id);
    await m.refreshDesk();
  });
}

/** Does what may take its own button away; the focus then goes to the first button of the same card, else to the panel. */
export async function keepingFocus(event, work) {
  const card = event.currentTarget.closest(".card");
  await work();
  afterDrawing(() => {
    if (document.activeElement !== document.body) return;
    (card?.querySelector("button:not(:disabled, .term)") ?? document.getElementById("panel"))?.focus();
  });
}
