/** Orders that the server has not accepted: on their way, waiting, refused or late; never to be taken for filed ones. */
import { focusLater } from "../frame.js";
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { orderText } from "./order_words.js";
import { whyNoOrders } from "./may_order.js";

const STATES = {
  sending: { tag: "on its way", icon: "waiting", words: () => "The server has not answered yet." },
  waiting: { tag: "not sent", icon: "offline", words: () => "It is kept in this browser and sent as soon as the server can be reached." },
  refused: { tag: "refused", icon: "close", words: (draft) => draft.problem.detail },
  late: { tag: "too late", icon: "history", words: (draft) => `Tick ${draft.tick} was sealed without it.` },
};

export function draftList(m) {
  const { items } = m.plan.drafts;
  if (!items.length) return nothing;
  return html`<section class="drafts" aria-label="Not filed">
    <h3>Not filed: ${items.length}</h3>
    <ul class="plain">${repeat(items, (draft) => draft.key, (draft) => row(m, draft))}</ul>
  </section>`;
}

function row(m, draft) {
  const state = STATES[draft.state];
  const text = orderText(m, draft.order);
  return html`<li class="unsent ${draft.state}">
    <p><span class="tag ${draft.state === "refused" || draft.state === "late" ? "bad" : "warn"}">${icon(state.icon)} ${state.tag}</span> ${text}</p>
    <p class="muted">${state.words(draft)}</p>
    <div class="row">${actions(m, draft, text)}</div>
  </li>`;
}

function actions(m, draft, text) {
  const gone = draft.tick !== m.plan.tick;
  const again = () => {
    if (whyNoOrders(m)) return;
    const order = m.plan.takeBack(draft.key);
    if (order) m.file(order);
    focusLater("orders-heading");
  };
  const discard = () => {
    m.attempt(() => m.plan.dismiss(draft.key));
    focusLater("orders-heading");
  };
  return html`
    ${draft.state === "waiting" ? html`<button type="button" aria-label=${`Send now: ${text}`} @click=${() => m.refresh()}>Send now</button>` : nothing}
    ${["refused", "late"].includes(draft.state) ? html`<button type="button" aria-disabled=${whyNoOrders(m) !== null} aria-label=${`${gone ? `File for tick ${m.plan.tick}` : "Try again"}: ${text}`} @click=${again}>${gone ? `File for tick ${m.plan.tick}` : "Try again"}</button>` : nothing}
    ${draft.state === "sending" ? nothing : html`<button type="button" class="bare" aria-label=${`Discard: ${text}`} @click=${discard}>Discard</button>`}`;
}
