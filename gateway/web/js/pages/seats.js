/** The seats of a match as a list: who sits where, and which are free. */
import { flag } from "../factions.js";
import { html, nothing } from "../lit.js";

/**
 * `end(seat)`: what stands at the end of a taken seat's line. `note(seat)`: what else is to be said of it. Free seats
 * are drawn up to `free` of them, the rest counted.
 */
export function seatList(detail, { free = 0, end = () => nothing, note = () => nothing } = {}) {
  const open = detail.status === "lobby" ? detail.seats_total - detail.seats.length : 0;
  const drawn = Math.min(open, free);
  return html`<ol class="plain seat-list">
    ${detail.seats.map((seat) => html`<li class="seat">
      ${flag(seat.seat)}<span class="seat-who"><strong>${seat.faction_name}</strong> <span class="muted">${who(seat, detail)}</span>${note(seat)}</span>${end(seat)}</li>`)}
    ${Array.from({ length: drawn }, () => html`<li class="seat free"><span class="seat-blank" aria-hidden="true"></span><span class="seat-who muted">free</span></li>`)}
    ${open > drawn ? html`<li class="seat free"><span class="seat-who muted">and ${open - drawn} more free seats</span></li>` : nothing}
  </ol>`;
}

function who(seat, detail) {
  if (seat.seat === detail.your_seat) return seat.resigned ? "you, resigned: a computer player files for you" : "you";
  if (seat.resigned) return `${seat.handle ?? "gone"}, resigned: a computer player files`;
  if (seat.bot) return `computer player, ${seat.bot}`;
  return seat.handle ?? "account gone";
}
