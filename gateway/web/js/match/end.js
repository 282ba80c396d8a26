/** After the end: who won and how, the standing, graphs over time, the seed, verifying, the export. */
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { factionName } from "../factions.js";
import { figures, graph, MEASURES, series } from "./graphs.js";
import { finalStanding, wonHow } from "./final_standing.js";
import { sight } from "./timeline.js";
import { verifyingPart } from "./verifying.js";

/** `m.tools.end`: {measure: the name of the graph that is shown, lines: what was drawn before, by measure}. */
export function endPanel(m, page) {
  const { whole, state } = m.replay;
  return html`<div class="report ended">
    ${winner(m, whole)}
    ${state === "failed" ? failed(m) : nothing}
    ${whole ? html`${table(m, whole)}${graphs(m, whole)}${replaying(m, page)}` : state === "loading" ? html`<p class="muted" aria-busy="true">Reading the whole of the match …</p>` : nothing}
    ${verifyingPart(m)}
  </div>`;
}

function winner(m, whole) {
  const { result } = m.detail;
  if (!result) return html`<header class="told-head"><p class="kicker">The match is over</p><h2>Nobody has won</h2></header>`;
  const faction = m.faction(result.winner);
  const mine = result.winner === m.me;
  return html`<header class="told-head victory">
    <p class="kicker">The match is over · tick ${result.tick}</p>
    <h2>${mine ? "You have won" : html`${faction?.name ?? result.winner} has won`}</h2>
    <p>${factionName(faction, mine)} won ${whole ? wonHow(result, finalStanding(whole.ticks.at(-1).snapshot)) : result.by === "elimination" ? "as the last faction with ground" : "with the most holds"}.</p>
    ${m.out !== null ? html`<p class="muted">Your own faction was eliminated in tick ${m.out}.</p>` : nothing}
  </header>`;
}

function failed(m) {
  return html`<p class="problem">The whole of the match could not be read: ${m.replay.trouble.message}</p>
    <p><button @click=${() => m.replay.load()}>Try again</button></p>`;
}

function table(m, whole) {
  const rows = finalStanding(whole.ticks.at(-1).snapshot);
  return html`<section class="told-part" aria-labelledby="end-standing"><h3 id="end-standing">${icon("flag")} Final standing</h3>
    <table class="ledger standing">
      <thead><tr><th scope="col">Faction</th><th scope="col" class="number">Holds</th>${m.rules.resources.map((name) => html`<th scope="col" class="number resource-${name}" title=${name}>${icon(name)}<span class="hidden-visually">${name}</span></th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr class=${row.id === m.me ? "mine" : ""}>
        <th scope="row">${factionName(row, row.id === m.me)}${row.out !== null ? html`<span class="muted small out">out in tick ${row.out}</span>` : nothing}</th>
        <td class="number figure">${row.holds}</td>${m.rules.resources.map((name) => html`<td class="number figure">${row.stock[name]}</td>`)}
      </tr>`)}</tbody>
    </table></section>`;
}

function graphs(m, whole) {
  const tool = (m.tools.end ??= { measure: MEASURES[0].name, lines: new Map() });
  const measure = MEASURES.find((each) => each.name === tool.measure);
  if (!tool.lines.has(measure.name)) tool.lines.set(measure.name, series(whole, measure));
  const lines = tool.lines.get(measure.name);
  const choose = (name) => {
    tool.measure = name;
    m.changed();
  };
  return html`<section class="told-part" aria-labelledby="end-graphs"><h3 id="end-graphs">${icon("history")} Over time</h3>
    <div class="measures" role="group" aria-label="What is drawn">${MEASURES.map(({ name, label }) => html`<button aria-pressed=${name === measure.name} @click=${() => choose(name)}>${label}</button>`)}</div>
    ${graph(measure.label, lines, m.lookedAt, m.me, (tick) => m.attempt(() => m.show(tick)))}
    <details><summary>The figures as a table</summary>${figures(measure.label, lines, m.lookedAt)}</details>
  </section>`;
}

function replaying(m, page) {
  return html`<section class="told-part" aria-labelledby="end-replay"><h3 id="end-replay">${icon("play")} Replay</h3>
    <p>Step through the match with the slider under the map: all of it is open now. The
      <button class="hold-link" @click=${() => page.show("report")}>report</button> tells each tick with everybody's battles and orders.</p>
    ${sight(m)}
  </section>`;
}

