/** The report of the tick that is looked at, told as a story. */
import * as clock from "../clock.js";
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { battleTold } from "./battle.js";
import { groundPart, newsPart, offersPart, researchPart, seenPart, storesPart } from "./changes.js";
import { everythingPart } from "./everything.js";
import { ordersPart } from "./orders_told.js";
import { proofPart } from "./proof_part.js";
import { headline } from "./story.js";

export function reportPanel(m, page) {
  const tick = m.lookedAt;
  if (tick === 0) return beforeTheFirst(m);
  const answer = m.reports.get(tick);
  const entry = m.ended ? m.replay.tick(tick) : null;
  return html`<div class="report">
    ${answer ? told(m, page, answer, entry) : m.silencedAt(tick) ? silent(m, tick) : missing(m, tick, answer)}
    ${entry ? everythingPart(m, page, entry, answer?.report ?? null) : nothing}
    ${answer ? proofPart(m, answer) : nothing}
  </div>`;
}

/** `entry`: of the export after the end, which tells battles whole that were only seen then. */
function told(m, page, answer, entry) {
  const { report, tick } = answer;
  const view = m.drawn;
  const whole = (seen) => entry?.battles.find((battle) => battle.hold === seen.hold) ?? seen;
  const battles = [...report.battles, ...report.battles_seen.map(whole)];
  return html`
    ${head(tick, headline(m, report, view), answer)}
    ${answer.moved_from ? moved(answer) : nothing}
    ${newsPart(m, report)}
    ${storesPart(m, report, view)}
    ${ordersPart(m, page, answer)}
    ${battles.length ? html`<section class="told-part" aria-labelledby="told-battles"><h3 id="told-battles">${icon("militia")} Battles</h3>
      ${battles.map((battle) => battleTold(m, page, battle, view))}</section>` : nothing}
    ${groundPart(m, page, report)}
    ${seenPart(m, page, report)}
    ${offersPart(m, page, report)}
    ${researchPart(m, report)}`;
}

function head(tick, words, answer) {
  return html`<header class="told-head">
    <p class="kicker">Tick ${tick}${answer ? html` · resolved <time datetime=${answer.ran_at} title=${clock.exactTime(answer.ran_at)}>${clock.shortTime(answer.ran_at)}</time>` : nothing}</p>
    <h2>${words}</h2>
  </header>`;
}

function moved({ moved_from: from, deadline }) {
  return html`<p class="warning">The server was away, and no player pays for that: the deadline moved from
    ${clock.dayTime(from)} to ${clock.dayTime(deadline)}.</p>`;
}

function beforeTheFirst(m) {
  const at = m.detail.next_deadline;
  return html`<div class="report">${head(0, "Before the first tick", null)}
    <p>This is the start: every faction holds one hold, and nothing has happened yet.</p>
    ${m.shown || m.ended ? nothing : html`<p class="muted">Your first report comes with tick 1${at ? html`, ${clock.dayTime(at)}` : nothing}.
      It tells what came in, how your orders went, and every battle you were in.</p>`}</div>`;
}

function silent(m, tick) {
  return html`${head(tick, "Silence", null)}
    <p>${icon("skull")} Your faction was eliminated in tick ${m.out}: it sees nothing new, and no report is written for it.
      ${m.ended ? "The match is over now, so the whole of it is open to you." : "When the match is over, all of it will be open to you."}</p>`;
}

/** `answer`: undefined while it is being fetched, null if the server has none yet. */
function missing(m, tick, answer) {
  if (answer === undefined) return html`${head(tick, "Reading the report …", null)}<p class="muted" aria-busy="true">One moment.</p>`;
  return html`${head(tick, "Still on its way", null)}
    <p>The tick is resolved, and its report is being written.</p>
    <p><button @click=${() => m.attempt(() => m.loadReport(tick))}>Look again</button></p>`;
}
