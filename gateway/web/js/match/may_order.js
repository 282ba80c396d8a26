/** Whether orders may be given now, and the words for when they may not. */
import { html, nothing } from "../lit.js";

/** Whether a computer player files for one's seat from the next tick to the end. */
export function hasResigned(m) {
  return m.detail.seats.find((seat) => seat.seat === m.detail.your_seat)?.resigned ?? false;
}

/** Whether this match is watched only, though it goes on: one has resigned or is eliminated. */
export function looksOn(m) {
  return hasResigned(m) || m.out !== null;
}

/** Null if orders may be given; else why not, in words. */
export function whyNoOrders(m) {
  if (m.ended) return "The match has ended: no more orders are given.";
  if (m.shown) return "Orders are given now, not in the past.";
  if (m.out !== null) return "Your faction has been eliminated and gives no more orders.";
  if (hasResigned(m)) return "You have resigned: a computer player files for your seat, and you look on.";
  if (!m.options && m.connection === "lost") return "No connection.";
  if (!m.options && !m.deskRead) return "Reading what may be ordered …";
  if (!m.options) return "The tick is being resolved. Orders are taken again in a moment.";
  if (m.options.orders_left === 0) return m.rules.reasons["too-many-orders"];
  return null;
}

/** `whyNoOrders` as a note; of the past the panel tells anyway. */
export function noOrdersNote(m) {
  const why = whyNoOrders(m);
  return why && !m.shown ? html`<p class=${m.ended ? "muted" : "warning"}>${why}</p>` : nothing;
}
