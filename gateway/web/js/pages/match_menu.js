/** What there is to a match beside playing it: its facts and players, the rulebook, the guide, resigning. */
import { newKey } from "../api.js";
import { ask, openDialog } from "../dialog.js";
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { hasResigned } from "../match/may_order.js";
import { to } from "../router.js";
import { matches } from "../server.js";
import { matchFacts } from "./match_facts.js";
import { seatList } from "./seats.js";

/** The button that opens it, for the bar; `page`: the MatchPage. */
export function matchMenu(m, page) {
  return html`<button type="button" class="bare menu-button" aria-label="About this match" aria-haspopup="dialog" @click=${() => open(m, page)}>${icon("menu")}</button>`;
}

async function open(m, page) {
  const { detail } = m;
  const chosen = await openDialog(detail.name, (close) => html`<div class="match-menu">
    <nav class="row" aria-label="From here"><a class="button" href=${to()}>All matches</a><a class="button" href=${to("rules")}>Rulebook</a>
      ${m.running ? html`<button type="button" @click=${() => close("guide")}>Guide</button>` : nothing}</nav>
    <section><h3>Factions</h3>${seatList(detail, { note: (seat) => gone(m, seat) })}</section>
    <section><h3>The match</h3>${matchFacts(detail, true)}</section>
    ${maySeatResign(m) ? html`<section class="match-menu-end"><p class="muted">Had enough? Give your seat to a computer player, and the others play on.</p>
      <button type="button" class="danger" @click=${() => close("resign")}>Resign …</button></section>` : nothing}
    <div class="row dialog-ends"><button type="button" class="primary" @click=${() => close()}>Back to the map</button></div>
  </div>`);
  if (chosen === "guide") page.show("guide");
  if (chosen === "resign") await resign(m);
}

function gone(m, seat) {
  const out = m.faction(seat.faction)?.eliminated_tick;
  return out == null ? nothing : html` <span class="tag bad">eliminated at tick ${out}</span>`;
}

function maySeatResign(m) {
  return m.running && !hasResigned(m) && m.faction(m.me)?.eliminated_tick == null;
}

async function resign(m) {
  const sure = await ask({
    title: "Resign from this match?",
    text: html`<p>From the next tick to the end a computer player files for your seat. Everybody is told. You can still look on, but it cannot be taken back.</p>`,
    yes: "Resign", no: "Play on", danger: true,
  });
  if (!sure) return;
  await m.attempt(async () => {
    await matches.resign(m.id, newKey());
    m.notice("info", "You have resigned. A computer player files for your seat from the next tick on.");
  });
  await m.attempt(() => m.seatsChanged());
  await m.attempt(() => m.refreshDesk());
}
