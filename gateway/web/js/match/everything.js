/** A tick of an ended match as nobody saw it then: everybody's battles and orders. */
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { holdLink } from "./hold_link.js";
import { battleTold } from "./battle.js";
import { orderSaid } from "./orders_told.js";
import { ORDER_ICONS } from "./order_words.js";
import { called, counted, side } from "./sides.js";

/** `entry`: the export's of that tick; `report`: one's own, whose battles are told already; null if there is none. */
export function everythingPart(m, page, entry, report) {
  const told = new Set([...(report?.battles ?? []), ...(report?.battles_seen ?? [])].map((battle) => battle.hold));
  const others = entry.battles.filter((battle) => !told.has(battle.hold));
  const fought = new Set(entry.battles.map((battle) => battle.hold));
  const walked = entry.captures.filter((capture) => !fought.has(capture.hold) && capture.to !== m.me);
  return html`<section class="everything" aria-labelledby="everything">
    <h3 id="everything">${icon("watch")} ${report ? "Everything else in this tick" : "Everything in this tick"}</h3>
    <p class="muted small">The match is over, so all of it may be read.</p>
    ${others.map((battle) => battleTold(m, page, battle, m.drawn))}
    ${walked.length ? html`<ul class="plain told">${walked.map(({ hold, from, to }) => html`<li>${icon("flag")}<span>${side(m, to)} took ${holdLink(m, page, hold)}${from ? ` from ${called(m, from)}` : ""} without a fight</span></li>`)}</ul>` : nothing}
    ${others.length || walked.length ? nothing : html`<p>${report ? "No other battle" : "No battle"}, and no hold taken without one.</p>`}
    ${entry.snapshot.factions.filter(({ id }) => id !== m.me || !report).map(({ id }) => ordersOf(m, page, entry, id))}
  </section>`;
}

function ordersOf(m, page, entry, faction) {
  const orders = entry.orders.filter((order) => order.faction === faction);
  if (!orders.length) return nothing;
  const results = new Map(entry.results.map((result) => [result.order, result]));
  return html`<details><summary>${side(m, faction)}: ${counted(orders.length, "order")}</summary>
    <ul class="plain told">${orders.map((order) => {
      const { status, reason } = results.get(order.id);
      return html`<li class=${status}>${icon(status === "done" ? (ORDER_ICONS[order.kind] ?? "check") : "close")}<span>${orderSaid(m, page, order)}
        ${reason ? html`<span class="why">${m.rules.reasons[reason]}</span>` : nothing}</span></li>`;
    })}</ul></details>`;
}
