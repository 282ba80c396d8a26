/** A match as one line of the lobby. */
import * as clock from "../clock.js";
import { flag } from "../factions.js";
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { to } from "../router.js";
import { RULESET, title } from "../rules.js";

const FLAGS = 10;

/** `idle`: true if no order of one's own is filed there for the open tick. */
export function matchCard(match, idle = null) {
  const mine = match.seats.find((seat) => seat.seat === match.your_seat);
  return html`<li><a class="match-card card" href=${to("match", match.id)}>
    <span class="match-name">${match.name}</span>
    <span class="match-state">${state(match, idle)}</span>
    <span class="match-facts muted">
      ${mine ? html`<span>${flag(mine.seat)} ${mine.faction_name}</span>` : nothing}
      <span>${seats(match)}</span>
      <span>a tick ${clock.pace(match.cadence_seconds)}</span>
      ${match.visibility === "private" ? html`<span class="tag">private</span>` : nothing}
      ${match.practice ? html`<span class="tag warn">practice</span>` : nothing}
      ${match.ruleset === RULESET ? nothing : html`<span class="tag">${title(match.ruleset)}</span>`}
      ${mine?.resigned ? html`<span class="tag">you resigned</span>` : nothing}
    </span>
    <span class="match-flags" aria-hidden="true">${match.seats.slice(0, FLAGS).map((seat) => flag(seat.seat))}${match.seats.length > FLAGS ? html`<span class="muted">+${match.seats.length - FLAGS}</span>` : nothing}</span>
  </a></li>`;
}

function seats(match) {
  if (match.status === "lobby") return `${match.seats.length} of ${match.seats_total} seats taken`;
  const bots = match.seats.filter((seat) => seat.bot && !seat.resigned).length;
  return `${match.seats.length} factions${bots ? `, ${bots} of them computer players` : ""}`;
}

function state(match, idle) {
  if (match.status === "lobby") return html`<span class="tag good">${match.your_seat === null ? "open to join" : "waiting to start"}</span>`;
  if (match.status === "ended") return html`<span class="muted">${outcome(match)}</span>`;
  const left = match.next_deadline ? clock.millisecondsTo(match.next_deadline) : null;
  return html`${idle ? html`<span class="tag warn">no orders filed yet</span>` : nothing}
    <span class="tick-of">tick ${match.tick}${match.public?.tick_cap ? ` of ${match.public.tick_cap}` : ""}</span>
    ${left === null ? nothing : html`<span class="deadline" title=${clock.exactTime(match.next_deadline)}>${icon("waiting")}<span class="figure">${left > 0 ? clock.countdown(left) : "resolving …"}</span></span>`}`;
}

/** How an ended match came out, in words. */
export function outcome(match) {
  if (match.started_at === null) return "called off";
  const winner = winnerOf(match);
  if (!winner) return "ended";
  return winner.seat === match.your_seat ? "you won" : `won by ${winner.faction_name}`;
}

/** The winner's seat of an ended match, or null. */
export function winnerOf(match) {
  const won = match.result?.winner ?? match.public?.result?.winner ?? null;
  return match.seats.find((seat) => seat.faction === won) ?? null;
}
