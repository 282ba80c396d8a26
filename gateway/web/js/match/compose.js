/** Writing a message: what is left of it and of the allowance, sending, and why it could not be sent. */
import { newKey, Problem, Unreachable } from "../api.js";
import * as clock from "../clock.js";
import { flag } from "../factions.js";
import { icon } from "../icons.js";
import { html, live, nothing } from "../lit.js";
import { talk } from "../server.js";
import { term } from "../terms.js";
import { desk, parties } from "./conversation.js";

/** Unicode code points after trimming, as the server counts (G-01). */
const length = (text) => Array.from(text.trim()).length;

export function compose(m, name) {
  const shut = whyNot(m, name);
  if (shut) return html`<p class="muted compose-shut">${shut}</p>`;
  const tool = desk(m);
  const letter = tool.letters.of(name);
  const longest = m.rules.limits.message_characters;
  const left = longest - length(letter.text);
  const sending = tool.sending === name;
  return html`<form class="compose" @submit=${(event) => submit(event, m, name)}>
    ${trouble(m, tool, name)}
    <label for="letter" class="hidden-visually">Message</label>
    <textarea id="letter" rows="2" placeholder="Write a message" .value=${live(letter.text)} ?readonly=${sending} aria-describedby="letter-left allowance"
      aria-invalid=${left < 0} @input=${(event) => edit(m, name, event.target.value)} @keydown=${(event) => hurry(event, m, name)}></textarea>
    <div class="compose-foot">
      <div class="compose-left">${allowance(m, name)}
        <span id="letter-left" class=${left < 0 ? "over" : "muted"}>${left < 0 ? `${-left} characters too many` : `${left} characters left`}</span></div>
      <button class="primary" ?disabled=${sending || left < 0 || left === longest} title="Ctrl+Enter sends too">${icon("message")} ${sending ? "Sending …" : letter.key ? "Send again" : "Send"}</button>
    </div>
  </form>`;
}

/** Why nobody can write here (G-04), or null. */
function whyNot(m, name) {
  if (m.ended) return "The match has ended: its messages can be read, not answered.";
  if (m.faction(m.me)?.eliminated_tick !== null) return "You are out of the match: you can read, not write.";
  const out = parties(m, name).filter((faction) => faction.eliminated_tick !== null);
  if (out.length) return `${out.map((faction) => faction.name).join(", ")} ${out.length === 1 ? "is" : "are"} out of the match: nobody can write here any more.`;
  return null;
}

/** What may still be sent within the hour, and to each of these players (G-02). */
function allowance(m, name) {
  const { hour_left: hour, per_player: each } = m.talk.allowance;
  const factions = parties(m, name);
  return html`<span id="allowance" class="allowance ${Math.min(hour, ...factions.map(({ id }) => each[id] ?? 0)) ? "muted" : "over"}">
    <span>${term("allowance", "This hour")} <strong class="figure">${hour}</strong> left, to ${factions.map(({ id, name: called, seat }, index) =>
      html`${index ? ", " : nothing}<span class="to-one">${flag(seat)} <span class="hidden-visually">${called}</span> <strong class="figure">${each[id] ?? 0}</strong></span>`)}</span></span>`;
}

function trouble(m, tool, name) {
  const problem = tool.trouble.get(name);
  if (!problem) return nothing;
  const wait = problem.until === null ? 0 : problem.until - clock.now();
  return html`<p class="problem" role="alert">${problem.text}${problem.until === null ? nothing : wait > 0
    ? html` <span aria-hidden="true">Again in <span class="figure">${clock.countdown(wait)}</span>.</span><span class="hidden-visually">Again at ${clock.shortTime(problem.until)}.</span>`
    : html` You can try again now.`}</p>`;
}

function edit(m, name, text) {
  const tool = desk(m);
  tool.letters.put(name, { text, key: null });
  if (tool.trouble.get(name)?.until === null) tool.trouble.delete(name);
  m.changed();
}

function hurry(event, m, name) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.form.requestSubmit();
}

async function submit(event, m, name) {
  event.preventDefault();
  const tool = desk(m);
  const { text, key } = tool.letters.of(name);
  if (tool.sending || !text.trim() || length(text) > m.rules.limits.message_characters) return;
  const sendingKey = key ?? newKey();
  tool.letters.put(name, { key: sendingKey });
  tool.sending = name;
  tool.trouble.delete(name);
  m.changed();
  try {
    const { allowance: left, ...message } = await talk.send(m.id, name.split(","), text.trim(), sendingKey);
    tool.letters.put(name, { text: "", key: null });
    m.talk.allowance = left;
    m.hear(name, [message]);
    tool.atEnd = true;
    await m.attempt(() => m.refreshTalk());
    m.tell("messages");
  } catch (error) {
    failed(m, tool, name, error);
  } finally {
    tool.sending = null;
    m.changed();
  }
}

/** The letter stays. Its key stays only where the message may have arrived: then sending again sends it once. */
function failed(m, tool, name, error) {
  if (error instanceof Unreachable) {
    tool.trouble.set(name, { text: "No answer came, so it is not known whether this arrived. Send it again: it will not arrive twice.", until: null });
    m.lost();
    return;
  }
  if (!(error instanceof Problem)) throw error;
  if (!error.passing) tool.letters.put(name, { key: null });
  const until = error.retryAfter === null ? null : clock.now() + error.retryAfter * 1000;
  tool.trouble.set(name, { text: `Not sent. ${error.message}`, until });
}
