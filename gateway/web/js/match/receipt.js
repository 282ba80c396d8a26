/** The receipt of an order: what the server has signed, what that proves, and checking it here. */
import { exactTime } from "../clock.js";
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { withTerms } from "../terms.js";
import { checkReceipt } from "./receipt_check.js";

const PROVES = {
  filed: "The server has signed that it held this order, in these words, for this tick, at this time. Should it not count at the tick, anybody can check with this receipt and the server's public key who is right.",
  cancelled: "The server has signed that this order was taken out of your list at this time, before its tick was sealed.",
};

/** `order`: as listed, or null for one that was cancelled. */
export function receiptView(m, receipt, order) {
  const tool = (m.tools.receipts ??= new Map());
  const state = tool.get(receipt.signature) ?? {};
  const set = (patch) => {
    tool.set(receipt.signature, { ...tool.get(receipt.signature), ...patch });
    m.changed();
  };
  return html`<div class="receipt">
    <p>${withTerms(PROVES[receipt.kind])}</p>
    <dl>
      <dt>Text</dt><dd><code>${receipt.text}</code></dd>
      <dt>SHA-256</dt><dd><code>${receipt.sha256}</code></dd>
      <dt>Tick</dt><dd>${receipt.tick}</dd>
      <dt>${receipt.kind === "filed" ? "Filed" : "Cancelled"}</dt><dd><time datetime=${receipt.filed_at}>${exactTime(receipt.filed_at)}</time><br><span class="muted">${receipt.filed_at} (UTC)</span></dd>
      <dt>Key</dt><dd><code>${receipt.key}</code></dd>
      <dt>Signature</dt><dd><code>${receipt.signature}</code></dd>
    </dl>
    <div class="row">
      <button type="button" @click=${() => check(m, receipt, order, set)} aria-busy=${state.checking ?? false}>${icon("seal")} ${state.checking ? "Checking …" : "Check it"}</button>
      <button type="button" @click=${() => copy(receipt, set)}>Copy</button>
      <span role="status">${state.copied ?? nothing}</span>
    </div>
    <div role="status">${state.found ? result(state.found) : nothing}</div>
  </div>`;
}

function result(found) {
  const bad = found.some(({ ok }) => ok === false);
  const open = found.some(({ ok }) => ok === null);
  return html`<ul class="plain checks">${found.map(({ words, ok }) => html`<li class=${ok ? "good" : "bad"}>${icon(ok ? "check" : ok === null ? "waiting" : "close")} ${words}${ok === false ? " It is not so!" : ""}</li>`)}</ul>
    <p class=${bad ? "problem" : open ? "warning" : "success"}>${bad ? "This receipt does not hold." : open ? "Not everything could be checked." : "This receipt holds."}</p>`;
}

async function check(m, receipt, order, set) {
  set({ checking: true, found: null });
  const found = await m.attempt(() => checkReceipt(receipt, order));
  set({ checking: false, found });
}

async function copy(receipt, set) {
  try {
    await navigator.clipboard.writeText(JSON.stringify(receipt, null, 2));
    set({ copied: "Copied." });
  } catch {
    set({ copied: "The browser does not let this page copy; select the text instead." });
  }
}
