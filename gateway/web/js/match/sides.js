/** Who is who in a report, and counts in words. */
import { factionName, flag } from "../factions.js";
import { html } from "../lit.js";
import { listed } from "../rules.js";

/** The key of a neutral garrison among the sides of a battle. */
export const NEUTRAL = "neutral";

/** Flag and name of a side: a faction, or the neutral garrison. */
export function side(m, id) {
  if (id === NEUTRAL) return html`<span class="faction-name">${flag(null)} the wild garrison</span>`;
  return factionName(m.faction(id), id === m.me);
}

/** Sides one after another: "a, b and c". */
export function sides(m, ids) {
  return ids.map((id, at) => html`${at === 0 ? "" : at === ids.length - 1 ? " and " : ", "}${side(m, id)}`);
}

/** The name alone, "you" for oneself. */
export function called(m, id) {
  if (id === NEUTRAL) return "the wild garrison";
  return id === m.me ? "you" : (m.faction(id)?.name ?? id);
}

export const allCalled = (m, ids) => listed(ids.map((id) => called(m, id)));

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

export const spelled = (count) => WORDS[count] ?? String(count);

/** "two holds", "one battle". */
export function counted(count, one, many = `${one}s`) {
  return `${spelled(count)} ${count === 1 ? one : many}`;
}
