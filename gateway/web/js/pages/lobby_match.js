/** A match before its start, or one that this client cannot show as a game: seats, settings, what its creator may do. */
import { newKey } from "../api.js";
import { ask } from "../dialog.js";
import { field } from "../form_field.js";
import { html, nothing } from "../lit.js";
import { go, to } from "../router.js";
import { loadRules, RULESET, title } from "../rules.js";
import { matches } from "../server.js";
import { inviteLink } from "./invite_link.js";
import { JoinForm } from "./join_form.js";
import { levelWords } from "./levels.js";
import { matchFacts } from "./match_facts.js";
import { outsideMatch } from "./outside_match.js";
import { seatList } from "./seats.js";

const FREE_DRAWN = 8;

/** `m`: see match/model.js. */
export function lobbyMatch(m) {
  const { detail } = m;
  const body = detail.ruleset !== RULESET ? otherRules(m) : detail.status === "lobby" ? lobby(m) : outsideMatch(m);
  return html`<main class="page narrow"><p><a href=${to()}>All matches</a></p>
    <h1>${detail.name}</h1>
    ${body}
    <section class="section"><h2>The match</h2>${matchFacts(detail, true)}</section>
    <div class="notices" role="status" aria-live="polite">${m.notices.map((notice) => html`<p class=${notice.kind === "problem" ? "problem" : "success"}>${notice.text}</p>`)}</div>
  </main>`;
}

/** What this page keeps: {copied, bots: {count, level}, levels, form, busy}. */
function tools(m) {
  if (!m.tools.lobby) {
    m.tools.lobby = { copied: false, count: "1", level: null, levels: [], form: null, busy: false };
    m.attempt(async () => {
      const { levels } = (await loadRules()).answer;
      Object.assign(m.tools.lobby, { levels, level: levels[1] ?? levels[0] });
      m.changed();
    });
  }
  return m.tools.lobby;
}

/** Does something to the lobby, then reads it anew: others may have been faster. */
async function act(m, work) {
  const state = tools(m);
  if (state.busy) return;
  state.busy = true;
  m.changed();
  await m.attempt(work);
  state.busy = false;
  await m.attempt(() => m.seatsChanged());
  m.changed();
}

function lobby(m) {
  const { detail } = m;
  const state = tools(m);
  const free = detail.seats_total - detail.seats.length;
  const kick = (seat) => async () => {
    if (!seat.bot && !(await ask({ title: `Take the seat from ${seat.handle}?`, text: html`<p>They can join again as long as a seat is free.</p>`, yes: "Free the seat" }))) return;
    await act(m, () => matches.removeSeat(m.id, seat.seat));
  };
  const end = (seat) => (detail.you_created && seat.seat !== detail.your_seat
    ? html`<button class="bare" ?disabled=${state.busy} aria-label=${`Remove ${seat.faction_name}`} @click=${kick(seat)}>Remove</button>` : nothing);
  return html`
    <p class="muted">${opening(detail)}</p>
    <section class="section" aria-live="polite"><h2>Seats <span class="muted">${detail.seats.length} of ${detail.seats_total}</span></h2>
      ${seatList(detail, { free: FREE_DRAWN, end })}</section>
    ${m.seated ? nothing : free ? joinForm(m, state) : html`<p class="warning">Every seat is taken.</p>`}
    ${m.seated ? acts(m, state) : nothing}
    ${detail.you_created ? creator(m, state, free) : nothing}`;
}

function opening(detail) {
  if (detail.your_seat === null) return "Take a seat, and you are in when it starts.";
  if (detail.you_created) return "The match starts when you say so, with two seats taken, or by itself when all are.";
  return "The match starts when its creator says so, or by itself when every seat is taken. This page then turns into the map.";
}

function joinForm(m, state) {
  state.form ??= new JoinForm(m.id, null, () => m.seatsChanged(), m.changed);
  return state.form.draw();
}

function creator(m, state, free) {
  const { detail } = m;
  const addBots = (event) => {
    event.preventDefault();
    const count = Number(state.count);
    act(m, () => matches.addBots(m.id, count, state.level, keyFor(state, "bots", `${count} ${state.level} ${detail.seats.length}`)));
  };
  return html`
    ${detail.invite_code && detail.visibility === "private" ? inviteLink(detail, state, m.changed) : nothing}
    ${free ? html`<form class="card section" @submit=${addBots}><h2>Add computer players</h2>
      <div class="field-pair">
        ${field({ id: "bot-count", label: "How many", type: "number", value: state.count, input: (count) => { state.count = count; m.changed(); }, attributes: { min: 1, max: free, required: true, inputmode: "numeric" } })}
        <div class="field"><label for="bot-level">Level</label><select id="bot-level" @change=${(event) => { state.level = event.target.value; m.changed(); }}>
          ${state.levels.map((level) => html`<option value=${level} ?selected=${level === state.level}>${title(level)}</option>`)}</select></div>
      </div>
      <p class="muted"><small>${levelWords(state.level)}${Number(state.count) === free ? " With them every seat is taken, and the match starts." : ""}</small></p>
      <button ?disabled=${state.busy}>Add them</button></form>` : nothing}`;
}

/** One key as long as the same thing is asked. */
function keyFor(state, what, asked) {
  const name = `${what}Key`;
  if (state[name]?.asked !== asked) state[name] = { asked, key: newKey() };
  return state[name].key;
}

function acts(m, state) {
  const { detail } = m;
  const ready = detail.seats.length >= 2;
  const start = () => act(m, () => matches.start(m.id, keyFor(state, "start", detail.seats.length)));
  return html`<div class="row lobby-acts">
    ${detail.you_created ? html`<button class="primary" ?disabled=${!ready || state.busy} @click=${start}>${state.busy ? "A moment …" : "Start the match"}</button>` : nothing}
    <button ?disabled=${state.busy} @click=${() => leave(m)}>Leave it</button>
    ${detail.you_created ? html`<button class="danger" ?disabled=${state.busy} @click=${() => callOff(m)}>Call it off</button>` : nothing}
    ${detail.you_created && !ready ? html`<span class="muted">To start, at least two seats have to be taken.</span>` : nothing}</div>`;
}

async function callOff(m) {
  const sure = await ask({ title: "Call this match off?", text: html`<p>All seats are freed and nobody can join any more. It cannot be taken back.</p>`, yes: "Call it off", no: "Keep it", danger: true });
  if (sure) await act(m, () => matches.callOff(m.id));
}

async function leave(m) {
  const text = m.detail.you_created
    ? html`<p>The match goes to whoever joined first after you. With nobody else in it, it ends.</p>`
    : html`<p>Your seat becomes free. You can come back as long as one is.</p>`;
  if (!(await ask({ title: "Leave this match?", text, yes: "Leave" }))) return;
  await m.attempt(async () => {
    await matches.leave(m.id);
    go();
  });
}

function otherRules(m) {
  const { detail } = m;
  return html`<div class="card lead"><p>This match is played by other rules, <strong>${title(detail.ruleset)}</strong>. They are not played in this client; programs can play them over <a href="/docs">the server's interface</a>.</p></div>
    <section class="section"><h2>Seats <span class="muted">${detail.seats.length} of ${detail.seats_total}</span></h2>${seatList(detail, { free: FREE_DRAWN })}</section>`;
}
