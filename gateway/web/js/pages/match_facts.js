/** The facts of a match that everybody may know. */
import * as clock from "../clock.js";
import { html, nothing } from "../lit.js";
import { title } from "../rules.js";
import { term } from "../terms.js";

const WORDS = { holds_per_seat: "Holds a seat", tick_cap: "Last tick" };

/** A list of what was settled when the match was made; `full`: with its id and the seal on its chance. */
export function matchFacts(detail, full = false) {
  const row = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="match-settings">
    ${row(term("cadence", "A tick comes"), clock.pace(detail.cadence_seconds))}
    ${row(term("seat", "Seats"), detail.seats_total)}
    ${Object.entries(detail.settings ?? {}).map(([name, value]) => row(WORDS[name] ?? title(name.replaceAll("_", "-")), settingText(value)))}
    ${detail.status === "lobby" ? row("Who may join", detail.visibility === "private" ? "those with the invite link" : "anybody") : nothing}
    ${detail.practice ? row(term("practice", "Practice"), "its chance was given from outside, so it counts as practice") : nothing}
    ${full
      ? html`${row("Made", clock.exactTime(detail.created_at))}
        ${detail.started_at ? row("Started", clock.exactTime(detail.started_at)) : nothing}
        ${detail.next_deadline ? row("Next tick", clock.exactTime(detail.next_deadline)) : nothing}
        ${row("Match", html`<code>${detail.id}</code>`)}
        ${row(term("commitment", "Seed commitment"), html`<code>${detail.seed_commitment}</code>`)}
        ${detail.seed ? row(term("seed", "Seed"), html`<code>${detail.seed}</code>`) : nothing}`
      : nothing}
  </dl>`;
}

/** Other rules may have settings that are lists or tables. */
function settingText(value) {
  if (value === null || value === "" || (Array.isArray(value) && !value.length)) return "none";
  if (typeof value !== "object") return String(value);
  const parts = Array.isArray(value) ? value.map(settingText) : Object.entries(value).map(([name, part]) => `${name.replaceAll("_", " ")} ${settingText(part)}`);
  return parts.join(", ") || "none";
}
