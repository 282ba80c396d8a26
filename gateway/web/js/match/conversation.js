/** The conversation that is open: read page by page, marked as read once seen. */
import { session } from "../session.js";
import { talk } from "../server.js";
import { Letters } from "./letters.js";

const PAGE = 50;
const NEAR_THE_END_PX = 48;

/**
 * What the panel of messages keeps in `m.tools.messages`:
 *
 * - `open`: the parties ("f2,f3") whose conversation is open, or null; `letters`: see letters.js
 * - `picked`: Set of faction ids while recipients are chosen, else null
 * - `older`: Map parties -> id before which there is more, null when there is not; `loading`
 * - `sending`: parties whose letter is on its way; `trouble`: Map parties -> {text, until: ms or null}
 * - `atEnd`: whether the end of the log is in sight; `people`: whether the people's settings are open
 * - `blocked`: Set of handles, null until read; `marking`: id of the message up to
 *   which the read mark is being moved; `heldHeight`: px from the first seen line to the log's end, to be kept
 */
export function desk(m) {
  if (!m.tools.messages) {
    const letters = new Letters(m.id, session.account.id);
    m.tools.messages = {
      open: null, letters, picked: null, older: new Map(), loading: false, sending: null, trouble: new Map(),
      atEnd: true, people: false, blocked: null, marking: null, heldHeight: null,
    };
    if (letters.open) openConversation(m, letters.open);
  }
  return m.tools.messages;
}

/** Factions of a conversation as in the view, without oneself. */
export function parties(m, name) {
  return name.split(",").map((id) => m.faction(id)).filter(Boolean);
}

/** How the conversation with these factions is called. */
export function nameOf(ids) {
  return [...ids].sort().join(",");
}

/** Opens a conversation, new or not, and reads its latest messages. */
export async function openConversation(m, name) {
  const tool = desk(m);
  Object.assign(tool, { open: name, picked: null, people: false, atEnd: true });
  tool.letters.opened(name);
  m.changed();
  if (!m.messages.has(name)) await m.attempt(() => loadLatest(m, name));
}

/** Back to the list. */
export function closeConversation(m) {
  const tool = desk(m);
  tool.open = tool.picked = null;
  tool.letters.opened(null);
  m.changed();
}

async function loadLatest(m, name) {
  const page = await talk.messages(m.id, { with: name, limit: PAGE });
  desk(m).older.set(name, page.next_cursor);
  m.messages.set(name, page.items.reverse());
  m.changed();
}

/** One more page of earlier messages; what is in sight stays where it is. */
export async function loadOlder(m, name) {
  const tool = desk(m);
  const cursor = tool.older.get(name);
  if (!cursor || tool.loading) return;
  tool.loading = true;
  await m.attempt(async () => {
    const page = await talk.messages(m.id, { with: name, limit: PAGE, cursor });
    const log = logElement();
    tool.heldHeight = log ? log.scrollHeight - log.scrollTop : null;
    tool.older.set(name, page.next_cursor);
    m.messages.set(name, [...page.items.reverse(), ...m.messages.get(name)]);
  });
  tool.loading = false;
  m.changed();
}

function logElement() {
  return document.getElementById("message-log");
}

/** The log was scrolled. */
export function scrolled(m, log) {
  const tool = desk(m);
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_THE_END_PX;
  if (atEnd === tool.atEnd) return;
  tool.atEnd = atEnd;
  m.changed();
}

/** After each drawing: keeps the end in sight where it was, and marks as read what is seen. */
export function settle(m) {
  const tool = desk(m);
  const log = logElement();
  if (!tool.open || !log?.checkVisibility()) return;
  if (tool.heldHeight !== null) {
    log.scrollTop = log.scrollHeight - tool.heldHeight;
    tool.heldHeight = null;
  } else if (tool.atEnd) {
    log.scrollTop = log.scrollHeight;
  }
  if (tool.atEnd && document.visibilityState === "visible") markRead(m, tool);
}

async function markRead(m, tool) {
  const name = tool.open;
  const last = m.messages.get(name)?.at(-1);
  const unread = m.talk?.items.find((conversation) => conversation.with === name)?.unread ?? 0;
  if (!last || !unread || tool.marking === last.id) return;
  tool.marking = last.id;
  const done = await m.attempt(async () => {
    await talk.read(m.id, name, last.id);
    await m.refreshTalk();
    m.tell("read");
    return true;
  });
  if (!done) setTimeout(() => (tool.marking = null), 5_000);
}
