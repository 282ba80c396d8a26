/** A match that is seen from outside: called off, or running or ended without oneself in it. Only what is public. */
import * as clock from "../clock.js";
import { factionName } from "../factions.js";
import { html, nothing } from "../lit.js";
import { to } from "../router.js";
import { winnerOf } from "./match_card.js";
import { seatList } from "./seats.js";

const ENDINGS = { elimination: "the last faction left", "time-cap": "the most holds after the last tick" };

export function outsideMatch(m) {
  const { detail } = m;
  if (detail.started_at === null) {
    return html`<div class="card lead"><p>This match was called off before it started.</p><p><a class="button" href=${to("new")}>Make another</a></p></div>`;
  }
  const gone = new Map((detail.public?.factions ?? []).map((faction) => [faction.id, faction.eliminated_tick]));
  const note = (seat) => (gone.get(seat.faction) == null ? nothing : html` <span class="tag bad">eliminated at tick ${gone.get(seat.faction)}</span>`);
  return html`${detail.status === "ended" ? result(detail) : underway(detail)}
    <section class="section"><h2>Factions</h2>${seatList(detail, { note })}</section>
    <section class="section"><h2>Pacts</h2>${pacts(detail)}</section>`;
}

function underway(detail) {
  const left = detail.next_deadline ? clock.millisecondsTo(detail.next_deadline) : null;
  const last = detail.public?.tick_cap;
  return html`<div class="card lead"><p>This match is running without you. You see what is public: who plays, who is allied with whom, who is out. Nobody looks into a match in which they have no seat.</p>
    <p class="row"><span class="tag">tick ${detail.tick}${last ? ` of ${last}` : ""}</span>
      ${left === null ? nothing : html`<span class="deadline">next tick in <span class="figure">${clock.countdown(left)}</span></span>`}</p></div>`;
}

function result(detail) {
  const winner = winnerOf(detail);
  const by = detail.result?.by;
  return html`<div class="card lead">${winner
    ? html`<p>${factionName({ seat: winner.seat, name: winner.faction_name })} won after tick ${detail.result?.tick ?? detail.tick}${ENDINGS[by] ? html`: ${ENDINGS[by]}` : nothing}.</p>`
    : html`<p>This match was ended by the server's operator after tick ${detail.tick}.</p>`}</div>`;
}

function pacts(detail) {
  const pairs = detail.public?.pacts ?? [];
  const named = (id) => {
    const seat = detail.seats.find((one) => one.faction === id);
    return factionName(seat ? { seat: seat.seat, name: seat.faction_name } : { seat: 0, name: id });
  };
  if (!pairs.length) return html`<p class="muted">No pact stands.</p>`;
  return html`<ul class="plain rows">${pairs.map(({ members: [one, other], formed_tick }) => html`<li>${named(one)} and ${named(other)} <span class="muted">since tick ${formed_tick}</span></li>`)}</ul>`;
}
