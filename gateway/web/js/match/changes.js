/** What a tick changed: stores, ground, what was seen of others, public news, offers, technologies. */
import { amount, icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { term } from "../terms.js";
import { title, unitsText } from "../rules.js";
import { holdLink } from "./hold_link.js";
import { allCalled, called, capital, side } from "./sides.js";

const SPENT = { recruits: "Recruits", builds: "Buildings", research: "Research" };

function part(id, sign, heading, body) {
  return html`<section class="told-part" aria-labelledby=${`told-${id}`}><h3 id=${`told-${id}`}>${icon(sign)} ${heading}</h3>${body}</section>`;
}

const line = (sign, words) => html`<li>${icon(sign)}<span>${words}</span></li>`;

/** What came in, what it was spent on, what is left in `view`. */
export function storesPart(m, { resources, balance }, view) {
  const { yields } = resources;
  const names = m.rules.resources;
  const row = (words, of, sign) => html`<tr><th scope="row">${words}</th>${names.map((name) => html`<td class="number figure">${of[name] ? `${sign}${of[name]}` : html`<span class="muted">0</span>`}</td>`)}</tr>`;
  const spent = Object.entries(SPENT).filter(([cause]) => names.some((name) => resources[cause][name]));
  return part("stores", "cistern", "Stores", html`
    <table class="ledger">
      <thead><tr><th scope="col"><span class="hidden-visually">What for</span></th>${names.map((name) => html`<th scope="col" class="number resource-${name}">${icon(name)} ${name}</th>`)}</tr></thead>
      <tbody>${row("Came in", yields, "+")}${spent.map(([cause, words]) => row(words, resources[cause], "−"))}</tbody>
      <tfoot><tr><th scope="row">In store</th>${names.map((name) => html`<td class="number">${amount(name, view.stock[name])}</td>`)}</tr></tfoot>
    </table>
    ${units("Raised", "+", balance.units_gained)}${units("Fallen", "−", balance.units_lost.filter((each) => each.cause === "battle"))}
    ${units("Dispersed with your faction", "−", balance.units_lost.filter((each) => each.cause === "eliminated"))}`);
}

function units(words, sign, lines) {
  const sum = {};
  for (const each of lines) for (const [unit, count] of Object.entries(each.units)) sum[unit] = (sum[unit] ?? 0) + count;
  return Object.keys(sum).length ? html`<p class="small told-sum">${words}: <strong class="figure">${sign}${unitsText(sum)}</strong></p>` : nothing;
}

export function groundPart(m, page, { balance, battles }) {
  const fought = new Set(battles.map((battle) => battle.hold));
  const { holds_gained: won, holds_lost: lost, buildings_gained: built, buildings_lost: gone } = balance;
  const with_ = (lines, hold) => {
    const names = lines.filter((each) => each.hold === hold && each.cause === "captured").map((each) => title(each.building).toLowerCase());
    return names.length ? `, with ${names.join(", ")}` : "";
  };
  const raised = built.filter((each) => each.cause === "built");
  if (!won.length && !lost.length && !raised.length) return nothing;
  return part("ground", "flag", "Ground", html`<ul class="plain told">
    ${lost.map(({ hold, other }) => html`<li class="bad">${icon("skull")}<span>You lost ${holdLink(m, page, hold)} to ${side(m, other)}${with_(gone, hold)}</span></li>`)}
    ${won.map(({ hold, other }) => html`<li class="good">${icon("flag")}<span>You took ${holdLink(m, page, hold)}${other ? html` from ${side(m, other)}` : nothing}${fought.has(hold) ? "" : " without a fight"}${with_(built, hold)}</span></li>`)}
    ${raised.map(({ hold, building }) => line(building, html`${term(building, title(building))} built on ${holdLink(m, page, hold)}`))}
  </ul>`);
}

const SEEN = {
  recruited: (event) => `raised ${unitsText(event.units)}`,
  built: (event) => `built a ${title(event.building).toLowerCase()}`,
  left: (event) => `marched off with ${unitsText(event.units)}`,
  arrived: (event) => `arrived with ${unitsText(event.units)}`,
  captured: (event, m) => (event.from ? `took it from ${called(m, event.from)}` : "took it"),
};

/** What others did where one could see it, by hold. */
export function seenPart(m, page, { events }) {
  const others = events.filter((event) => event.faction !== m.me && !(event.kind === "captured" && event.from === m.me));
  const holds = [...new Set(others.map((event) => event.hold))];
  if (!holds.length) return nothing;
  return part("seen", "watch", "Seen of others", html`<ul class="plain told">${holds.map((hold) => html`<li>${icon("hold")}<span>${holdLink(m, page, hold)}
    ${others.filter((event) => event.hold === hold).map((event) => html`<span class="seen-event">${side(m, event.faction)} ${SEEN[event.kind](event, m)}</span>`)}</span></li>`)}</ul>`);
}

/** What everybody is told. */
export function newsPart(m, { public: news }) {
  const lines = [
    ...news.eliminated.map((id) => html`<li class=${id === m.me ? "bad" : ""}>${icon("skull")}<span>${side(m, id)} ${id === m.me ? "have" : "has"} lost every hold and ${id === m.me ? "are" : "is"} eliminated.</span></li>`),
    ...news.pacts_broken.map(({ members, by }) => html`<li class=${members.includes(m.me) ? "bad" : ""}>${icon("break")}<span>${capital(allCalled(m, by))} broke the pact between ${allCalled(m, members)}.${truce(m, members)}</span></li>`),
    ...news.pacts_formed.map((members) => html`<li class=${members.includes(m.me) ? "good" : ""}>${icon("pact")}<span>${capital(allCalled(m, members))} have made a pact.</span></li>`),
  ];
  if (news.end) lines.unshift(html`<li class=${news.end.winner === m.me ? "good" : ""}>${icon("flag")}<span>The match is over: ${called(m, news.end.winner)} won.</span></li>`);
  return lines.length ? part("news", "message", "Known to all", html`<ul class="plain told">${lines}</ul>`) : nothing;
}

function truce(m, members) {
  const found = m.drawn.truces.find((each) => each.members.every((id) => members.includes(id)));
  return found ? ` A truce holds through tick ${found.last_tick}.` : "";
}

/** Proposals made and withdrawn that one is a party to. */
export function offersPart(m, page, { proposed, withdrawn }) {
  if (!proposed.length && !withdrawn.length) return nothing;
  const open = (offer) => m.running && !m.shown && m.view.proposals.some((each) => each.from === offer.from && each.to === offer.to);
  return part("offers", "pact", "Offers", html`<ul class="plain told">
    ${proposed.map((offer) => line("pact", offer.to === m.me
      ? html`${side(m, offer.from)} offers you a pact. ${open(offer) ? html`<button class="small" @click=${() => page.show("diplomacy")}>Answer it</button>` : nothing}`
      : html`You offered ${side(m, offer.to)} a pact.`))}
    ${withdrawn.map((offer) => line("close", html`The offer from ${called(m, offer.from)} to ${called(m, offer.to)} was withdrawn.`))}
  </ul>`);
}

export function researchPart(m, { balance }) {
  const { techs_gained: learned, research_started: started } = balance;
  if (!learned.length && !started) return nothing;
  return part("research", "research", "Research", html`<ul class="plain told">
    ${learned.map((tech) => html`<li class="good">${icon("check")}<span><strong>${title(tech)}</strong> learned: ${m.rules.techs.get(tech)?.effect}</span></li>`)}
    ${started ? line("waiting", html`<strong>${title(started)}</strong> begun`) : nothing}
  </ul>`);
}
