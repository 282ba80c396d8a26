/** A battle told: both sides, their strength, the exchanges one by one, who fell, what became of the ground. */
import { icon } from "../icons.js";
import { colourClass } from "../factions.js";
import { html, nothing, svg } from "../lit.js";
import { total, unitsText } from "../rules.js";
import { term } from "../terms.js";
import { holdLink } from "./hold_link.js";
import { outcome } from "./outcome.js";
import { NEUTRAL, side, sides } from "./sides.js";

const SIGNS = { taken: "flag", held: "check", lost: "skull", beaten: "close", fought: "militia", seen: "watch" };

/** `battle` as in a report: whole (with exchanges), or as told to those who looked on (with losses alone). */
export function battleTold(m, page, battle, view) {
  const { kind, before, after } = outcome(m, battle, view);
  return html`<article class="battle ${kind}" aria-label=${`${before} ${m.name(battle.hold)} ${after}`}>
    <h4>${icon(SIGNS[kind])}<span>${before} ${holdLink(m, page, battle.hold)} ${after}</span></h4>
    ${battle.assaults.map((assault, at) => html`
      ${battle.assaults.length > 1 ? html`<h5>Assault ${at + 1} of ${battle.assaults.length}</h5>` : nothing}
      ${assault.exchanges ? whole(m, assault) : seen(m, assault)}`)}
  </article>`;
}

function whole(m, assault) {
  const { exchanges } = assault;
  const [first] = exchanges;
  const most = Math.max(...exchanges.flatMap((each) => [each.attack_power, each.defence_power]));
  const colours = [colour(m, assault.attackers[0]), colour(m, assault.defender)];
  return html`
    ${facing(m, assault, [first.attack_power, first.defence_power])}
    ${bars(first, most, colours)}
    ${fallen(m, assault, summed(exchanges, "attack_losses"), summed(exchanges, "defence_losses"))}
    <details class="exchanges">
      <summary>${exchanges.length === 1 ? "One exchange" : `${exchanges.length} exchanges`}, blow by blow</summary>
      <ol class="plain">${exchanges.map((each, at) => exchange(m, each, at, most, colours))}</ol>
      <p class="muted small">Of each ${term("exchange")}: power with ${term("variation", "chance")}, then who fell. The interface for programs counts power doubled.</p>
    </details>`;
}

function seen(m, assault) {
  return html`${facing(m, assault, null)}
    ${fallen(m, assault, assault.attack_losses, assault.defence_losses)}
    <p class="muted small">You looked on: powers and exchanges are told to those who fought.</p>`;
}

/** Attackers at the left, defenders at the right. */
function facing(m, { attackers, defender, defenders }, powers) {
  const supporters = defenders.filter((id) => id !== defender);
  return html`<div class="facing">
    <div><span class="kicker">Attack${powers ? strength(powers[0]) : nothing}</span>${attackers.map((id) => html`<div>${side(m, id)}</div>`)}</div>
    <div><span class="kicker">Defence${powers ? strength(powers[1]) : nothing}</span><div>${side(m, defender)}</div>
      ${supporters.length ? html`<div class="muted small">with ${sides(m, supporters)}</div>` : nothing}</div>
  </div>`;
}

/** The server counts power doubled, to stay in whole numbers (C-06); people are told the units' own figures added up. */
const plain = (power) => (power % 2 ? (power / 2).toFixed(1) : String(power / 2));

const strength = (power) => html`, ${term("power")} <strong class="figure">${plain(power)}</strong>`;

/** Both strengths as bars from the middle outwards, to the scale of the strongest of the assault. */
function bars({ attack_power: attack, defence_power: defence }, most, [ours, theirs]) {
  const [left, right] = [attack, defence].map((power) => Math.max(1, Math.round((power / most) * 99)));
  return html`<svg class="strengths" viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<g class=${ours}><rect x=${99 - left} y="0" width=${left} height="8" fill="var(--faction)"/></g>
    <g class=${theirs}><rect x="101" y="0" width=${right} height="8" fill="var(--faction)"/></g>`}
  </svg>`;
}

function exchange(m, each, at, most, colours) {
  return html`<li>
    <div class="row spread small"><span class="figure">${plain(each.attack_power)} <span class="muted">${fortune(each.attack_variation)}</span></span>
      <span class="muted">exchange ${at + 1}</span>
      <span class="figure"><span class="muted">${fortune(each.defence_variation)}</span> ${plain(each.defence_power)}</span></div>
    ${bars(each, most, colours)}
    <div class="row spread small fell"><span>${fell(each.attack_losses)}</span><span>${fell(each.defence_losses)}</span></div>
  </li>`;
}

/** Thousandths of chance (C-07) as "+1.3 %". */
function fortune(variation) {
  const off = (variation - 1000) / 10;
  return html`<span title="Chance: how much harder or weaker the blow fell than its strength">${off >= 0 ? "+" : "−"}${Math.abs(off).toFixed(1)} %</span>`;
}

const fell = (losses) => {
  const units = {};
  for (const each of Object.values(losses)) for (const [unit, count] of Object.entries(each)) units[unit] = (units[unit] ?? 0) + count;
  return total(units) ? `−${unitsText(units)}` : "no loss";
};

function fallen(m, assault, attack, defence) {
  const lines = [...new Set([...assault.attackers, ...assault.defenders])].map((id) => [id, { ...attack[id], ...defence[id] }]);
  return html`<dl class="fallen" aria-label="Fallen">${lines.map(([id, units]) => html`<div>
    <dt>${side(m, id)}</dt><dd>${total(units) ? html`lost ${unitsText(units)}` : html`<span class="muted">lost nobody</span>`}</dd></div>`)}</dl>`;
}

function summed(exchanges, name) {
  const sum = {};
  for (const each of exchanges) {
    for (const [id, units] of Object.entries(each[name])) {
      sum[id] ??= {};
      for (const [unit, count] of Object.entries(units)) sum[id][unit] = (sum[id][unit] ?? 0) + count;
    }
  }
  return sum;
}

const colour = (m, id) => colourClass(id === NEUTRAL ? null : m.faction(id)?.seat);
