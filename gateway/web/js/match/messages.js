/** Messages: the conversations, and the one that is open. */
import * as clock from "../clock.js";
import { afterDrawing, focusLater } from "../frame.js";
import { factionName, flag } from "../factions.js";
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { listed } from "../rules.js";
import { compose } from "./compose.js";
import { closeConversation, desk, openConversation, parties, settle } from "./conversation.js";
import { messageLog } from "./message_log.js";
import { people, readBlocks, switchOff } from "./people.js";
import { recipients } from "./recipients.js";

export function messagesPanel(m) {
  if (!m.talk) return html`<p class="muted">Reading the messages …</p>`;
  const tool = desk(m);
  queueMicrotask(() => settle(m));
  if (tool.picked) return html`<div class="talks">${recipients(m)}</div>`;
  return tool.open ? conversation(m, tool) : list(m, tool);
}

function list(m, tool) {
  const pick = () => {
    tool.picked = new Set();
    m.changed();
  };
  const { items, allowance, off } = m.talk;
  const written = Object.keys(tool.letters.items).filter((name) => !items.some((one) => one.with === name) && parties(m, name).length);
  return html`<div class="talks">
    <div class="row spread"><h2>Messages</h2>
      ${mayWrite(m) ? html`<button class="primary" @click=${pick}>${icon("edit")} New message</button>` : nothing}</div>
    ${off ? html`<p class="warning">Messages are switched off: none reaches you in this match.</p>` : nothing}
    ${items.length || written.length ? nothing : html`<p class="muted">No messages yet. Write to a neighbour: most pacts begin with a word.</p>`}
    <ul class="plain conversations">
      ${repeat(written, (name) => name, (name) => entry(m, tool, { with: name, last_at: null, unread: 0 }))}
      ${repeat(latestFirst(items), (one) => one.with, (one) => entry(m, tool, one))}
    </ul>
    <div class="talk-foot">
      ${mayWrite(m) ? html`<p class="muted">You can send <strong class="figure">${allowance.hour_left}</strong> more ${allowance.hour_left === 1 ? "message" : "messages"} this hour.</p>` : html`<p class="muted">${m.ended ? "The match has ended: messages can be read only." : "You are out of the match: you can read, not write."}</p>`}
      ${m.ended ? nothing : switchOff(m)}
    </div>
  </div>`;
}

function mayWrite(m) {
  return m.running && m.faction(m.me)?.eliminated_tick === null;
}

function latestFirst(items) {
  return [...items].sort((one, other) => Date.parse(other.last_at) - Date.parse(one.last_at));
}

function entry(m, tool, { with: name, last_at: last, unread }) {
  const factions = parties(m, name);
  const draft = tool.letters.of(name).text.trim();
  const open = async () => {
    await openConversation(m, name);
    focusLater("message-log");
  };
  return html`<li><button class="conversation-entry ${unread ? "unread" : ""}" @click=${open}>
    <span class="flags">${factions.slice(0, 3).map((faction) => flag(faction.seat))}</span>
    <span class="who">${listed(factions.map((faction) => faction.name))}
      ${draft ? html`<small class="muted draft-line">Not sent: ${draft}</small>` : nothing}</span>
    <span class="when">${last ? html`<time datetime=${last}>${clock.shortTime(last)}</time>` : nothing}
      ${unread ? html`<span class="count">${unread}</span><span class="hidden-visually"> unread</span>` : nothing}</span>
  </button></li>`;
}

function conversation(m, tool) {
  const name = tool.open;
  const togglePeople = () => {
    tool.people = !tool.people;
    if (tool.people) readBlocks(m);
    m.changed();
  };
  return html`<div class="talk">
    <div class="talk-head">
      <button class="bare" @click=${() => back(m)} aria-label="All conversations">${icon("left")}</button>
      <h2>${parties(m, name).map((faction) => html`<span class="party">${factionName(faction)}</span>`)}</h2>
      <button class="bare" aria-expanded=${tool.people} @click=${togglePeople}>Players</button>
    </div>
    ${tool.people ? people(m, name) : nothing}
    ${messageLog(m, name)}
    ${compose(m, name)}
  </div>`;
}

function back(m) {
  closeConversation(m);
  afterDrawing(() => document.querySelector(".conversation-entry")?.focus());
}
