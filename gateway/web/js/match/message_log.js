/** The messages of a conversation, oldest first: days, ticks, who said what when. */
import * as clock from "../clock.js";
import { colourClass, factionName } from "../factions.js";
import { html, nothing, repeat } from "../lit.js";
import { desk, loadOlder, scrolled } from "./conversation.js";

export function messageLog(m, name) {
  const tool = desk(m);
  const messages = m.messages.get(name);
  const toEnd = () => {
    tool.atEnd = true;
    m.changed();
  };
  return html`<div class="log-frame">
    <div class="message-log" id="message-log" role="log" aria-label="Messages" tabindex="0" @scroll=${(event) => scrolled(m, event.currentTarget)}>
      ${messages === undefined ? html`<p class="muted">Reading …</p>` : nothing}
      ${messages?.length === 0 ? html`<p class="muted log-empty">Nothing has been said here yet.</p>` : nothing}
      ${tool.older.get(name) ? html`<button class="bare older" ?disabled=${tool.loading} @click=${() => loadOlder(m, name)}>Earlier messages</button>` : nothing}
      ${repeat(rows(messages ?? []), (row) => row.id, (row) => (row.day ? dayLine(row) : bubble(m, row)))}
    </div>
    ${tool.atEnd ? nothing : html`<button class="to-end" @click=${toEnd}>Latest messages</button>`}
  </div>`;
}

/** Messages and the lines between days; `first`: somebody else begins to speak. */
function rows(messages) {
  const found = [];
  let day = null;
  let speaker = null;
  for (const message of messages) {
    const today = new Date(message.sent_at).toDateString();
    if (today !== day) {
      found.push({ id: `day ${today}`, day: message.sent_at });
      speaker = null;
    }
    found.push({ id: message.id, message, first: message.from !== speaker });
    day = today;
    speaker = message.from;
  }
  return found;
}

function dayLine({ day }) {
  return html`<p class="day-line"><span>${clock.dayName(day)}</span></p>`;
}

function bubble(m, { message, first }) {
  const own = message.from === m.me;
  const sender = m.faction(message.from);
  return html`<div class="bubble ${own ? "own" : ""} ${colourClass(sender?.seat)} ${first ? "first" : ""}">
    ${own ? html`<span class="hidden-visually">You:</span>` : first ? html`<div class="speaker">${factionName(sender)}</div>` : html`<span class="hidden-visually">${sender?.name}:</span>`}
    <div class="said">${message.text}</div>
    <div class="said-when"><time datetime=${message.sent_at} title=${clock.exactTime(message.sent_at)}>${clock.timeOfDay(message.sent_at)}</time> · tick ${message.tick}</div>
  </div>`;
}
