/** Pacts, proposals, truces: who stands how with whom, and what may be done about it. */
import { factionName } from "../factions.js";
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { title } from "../rules.js";
import { term } from "../terms.js";
import { breakPact } from "./breaking.js";
import { filedFor, filedList, keepingFocus } from "./filed.js";
import { pactList, pactWeb } from "./pact_web.js";
import { addressee, standings } from "./pacts.js";
import { openConversation } from "./conversation.js";

const MANY = 12;

/** `m.tools.diplomacy`: {sought: part of a name}. */
export function diplomacyPanel(m, page) {
  const tool = (m.tools.diplomacy ??= { sought: "" });
  const all = standings(m);
  const shown = all.filter(({ faction }) => faction.name.toLowerCase().includes(tool.sought.toLowerCase()));
  return html`<div class="diplomacy">
    <h2>Diplomacy</h2>
    ${room(m)}
    ${all.length > MANY ? search(m, tool) : nothing}
    <ul class="plain factions">${repeat(shown, ({ faction }) => faction.id, (one) => card(m, page, one))}</ul>
    ${shown.length ? nothing : html`<p class="muted">No faction is called so.</p>`}
    ${publicPacts(m)}
  </div>`;
}

function room(m) {
  if (!m.options) return m.ended ? html`<p class="muted">The match is over: this is how it ended.</p>` : nothing;
  const { pacts_held: held, pact_cap: cap } = m.options;
  return html`<div class="pact-room"><span>${term("pact", "Your pacts")}</span>
    <span class="pact-slots" aria-hidden="true">${Array.from({ length: cap }, (_, slot) => html`<i class=${slot < held ? "full" : ""}></i>`)}</span>
    <strong class="figure">${held} of ${cap}</strong></div>`;
}

function search(m, tool) {
  return html`<div class="field"><label for="faction-search">Find a faction</label>
    <input id="faction-search" type="search" .value=${tool.sought} @input=${(event) => {
      tool.sought = event.target.value;
      m.changed();
    }}></div>`;
}

function card(m, page, one) {
  const { faction } = one;
  const out = faction.eliminated_tick !== null;
  const filed = filedFor(m, (order) => addressee(order) === faction.id);
  return html`<li class="card faction-card ${out ? "out" : ""} ${one.pact ? "ally" : ""} ${one.offered ? "offer" : ""}" aria-labelledby="with-${faction.id}">
    <div class="faction-head">
      <div><h3 id="with-${faction.id}">${factionName(faction)}</h3><span class="muted played-by">${playedBy(one.seat)}</span></div>
      <div class="row">${tags(one)}${out ? nothing : html`<button class="bare write" @click=${() => write(m, page, faction.id)} aria-label=${`Write to ${faction.name}`}>${icon("message")}</button>`}</div>
    </div>
    ${words(one)}
    ${filedList(m, filed)}
    ${out ? nothing : html`<div class="row actions">${actions(m, one, filed)}</div>`}
  </li>`;
}

function playedBy(seat) {
  if (!seat) return nothing;
  if (seat.bot) return `computer player, ${seat.bot}`;
  return seat.handle ?? "account deleted";
}

function tags({ faction, seat, pact, truce, offered, asked }) {
  if (faction.eliminated_tick !== null) return html`<span class="tag">${icon("skull")} ${term("eliminated")} in tick ${faction.eliminated_tick}</span>`;
  return html`${pact ? html`<span class="tag good">${icon("pact")} ${term("allied")}</span>` : nothing}
    ${truce ? html`<span class="tag warn">${term("truce")}</span>` : nothing}
    ${offered ? html`<span class="tag warn">offers a pact</span>` : nothing}
    ${asked ? html`<span class="tag">asked</span>` : nothing}
    ${seat?.resigned ? html`<span class="tag">resigned</span>` : nothing}`;
}

function words({ faction, pact, truce, offered, asked }) {
  if (faction.eliminated_tick !== null) return nothing;
  const lines = [
    pact && `Allied since tick ${pact.formed_tick}. You share sight and do not fight.`,
    truce && `The pact is broken. Still friendly through tick ${truce.last_tick}, hostile after it.`,
    offered && `Has offered you a pact since tick ${offered.tick}.`,
    asked && `You have offered a pact since tick ${asked.tick}.`,
  ].filter(Boolean);
  return lines.length ? html`<p class="stands">${lines.join(" ")}</p>` : nothing;
}

/** What the options allow, unless it is filed already. */
function actions(m, { faction, option, pact, offered, asked }, filed) {
  if (!m.running || !option) return nothing;
  const waits = (kind) => filed.orders.some((order) => order.kind === kind);
  const file = (order) => (event) => keepingFocus(event, () => m.file(order));
  const why = (code) => m.rules.reasons[code] ?? title(code);
  return html`
    ${offered && !waits("accept") ? html`<button class="primary" ?disabled=${Boolean(option.accept)} title=${option.accept ? why(option.accept) : nothing}
      @click=${file({ kind: "accept", from: faction.id })} aria-label=${`Accept the pact with ${faction.name}`}>${icon("check")} Accept</button>` : nothing}
    ${!pact && !asked && !offered && !waits("propose") ? html`<button ?disabled=${Boolean(option.propose)} title=${option.propose ? why(option.propose) : nothing}
      @click=${file({ kind: "propose", to: faction.id })} aria-label=${`Propose a pact to ${faction.name}`}>${icon("pact")} Propose a pact</button>` : nothing}
    ${!pact && !offered && !waits("accept") && option.accept === "no-proposal" ? html`<button class="bare" @click=${file({ kind: "accept", from: faction.id })}
      aria-label=${`Accept ahead what ${faction.name} may offer this tick`}>Accept ahead</button>` : nothing}
    ${!pact && (asked || offered) && !waits("break") && !option.break ? html`<button @click=${file({ kind: "break", with: faction.id })}
      aria-label=${withdrawLabel(asked, offered, faction)}>${asked ? "Withdraw" : "Decline"}</button>` : nothing}
    ${pact && !waits("break") && !option.break ? html`<button class="danger" @click=${(event) => keepingFocus(event, () => breakPact(m, faction.id))} aria-label=${`Break the pact with ${faction.name}`}>${icon("break")} Break …</button>` : nothing}
    ${refusal(m, option, { pact, offered, asked })}`;
}

function withdrawLabel(asked, offered, faction) {
  if (asked && offered) return `Withdraw your offer to ${faction.name} and decline its own`;
  return asked ? `Withdraw your offer to ${faction.name}` : `Decline the pact with ${faction.name}`;
}

/** Why the one thing that would be next cannot be done, in the rulebook's words. */
function refusal(m, option, { pact, offered, asked }) {
  const code = pact || (asked && !offered) ? null : offered ? option.accept : option.propose;
  return code ? html`<span class="reason">${m.rules.reasons[code] ?? code}</span>` : nothing;
}

function write(m, page, faction) {
  openConversation(m, faction);
  page.show("messages");
}

function publicPacts(m) {
  const { factions, pacts } = m.view;
  const name = (id) => factionName(m.faction(id), id === m.me);
  return html`<section class="public-pacts" aria-labelledby="who-with-whom"><h3 id="who-with-whom">Who is with whom</h3>
    ${pacts.length
      ? html`<div class="pacts-drawn">${pactWeb(factions, pacts, m.me)}</div>${pactList(pacts, name)}`
      : html`<p class="muted">There is no pact between anybody.</p>`}
    ${m.options ? html`<p class="muted legend">An offer made this tick can be accepted this tick: who has agreed on it beforehand accepts ahead.</p>` : nothing}
    <p class="muted legend">Pacts are public. Offers, and how long a truce lasts, are known to the two only.</p>
  </section>`;
}
