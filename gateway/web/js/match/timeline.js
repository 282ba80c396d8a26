/** The slider through past ticks, under the map. */
import { icon } from "../icons.js";
import { html, live, nothing } from "../lit.js";

const STEP_MS = 1_000;
const SETTLE_MS = 70;
const FILING = ["hold", "orders"];

/** `m.tools.timeline`: {at: the tick the slider stands at while its view is on its way, or null; playing, settling: timers}. */
function tool(m) {
  return (m.tools.timeline ??= { at: null, playing: null, settling: null });
}

export function timeline(m) {
  const { tick: last } = m.view;
  const own = tool(m);
  const at = own.at ?? m.lookedAt;
  const past = at !== last;
  return html`<div class="timeline" role="group" aria-label="Ticks of the match">
    ${button(m, "left", "One tick back", at === 0, () => go(m, at - 1))}
    ${button(m, own.playing ? "pause" : "play", own.playing ? "Stop playing" : "Play the ticks", last === 0, () => (own.playing ? pause(m) : play(m)))}
    ${button(m, "right", "One tick forward", !past, () => go(m, at + 1))}
    <input type="range" min="0" max=${Math.max(last, 1)} .value=${live(String(at))} ?disabled=${last === 0} aria-label="Tick that is looked at"
      aria-valuetext=${past ? `After tick ${at} of ${last}, the past` : `Now, after tick ${last}`} @input=${(event) => slide(m, Number(event.target.value))}>
    <output class=${past ? "when past" : "when"}>${past ? html`<span class="hidden-visually">After tick </span><span class="figure">${at} / ${last}</span>` : html`<span class="figure">${last}</span> ${m.ended ? "end" : "now"}`}</output>
    ${past ? html`<button class="primary to-now" aria-label=${m.ended ? "To the end" : "Back to now"} @click=${() => go(m, last)}><span class="wide">${m.ended ? "To the" : "Back to"}</span> <span class="last">${m.ended ? "end" : "now"}</span></button>` : nothing}
    ${m.ended && m.replay.state === "ready" ? sight(m) : nothing}
  </div>`;
}

function button(m, sign, label, disabled, press) {
  return html`<button class="bare step" aria-label=${label} title=${label} ?disabled=${disabled} @click=${press}>${icon(sign)}</button>`;
}

/** After the end: the whole map, or what one saw oneself. */
export function sight(m) {
  return html`<label class="sight"><input type="checkbox" .checked=${live(m.replay.open)} @change=${(event) => m.attempt(() => m.replay.see(event.target.checked))}> Whole map</label>`;
}

/** Said above the panels in which orders are filed while the past is looked at. */
export function pastNote(m, panel) {
  if (!m.shown || m.ended || !FILING.includes(panel)) return nothing;
  return html`<p class="warning">You look at the map after tick ${m.shown.tick}. Orders can be filed for the coming tick only.</p>`;
}

/** While sliding, only what is here at once is drawn at once; the rest when the slider rests. */
function slide(m, tick) {
  pause(m);
  if (tick === m.view.tick || m.past.ready(tick)) return go(m, tick);
  const own = tool(m);
  own.at = tick;
  clearTimeout(own.settling);
  own.settling = setTimeout(() => go(m, tick), SETTLE_MS);
  return m.changed();
}

async function go(m, tick) {
  const own = tool(m);
  clearTimeout(own.settling);
  own.at = tick;
  m.changed();
  await m.attempt(() => m.show(tick));
  if (own.at !== tick) return;
  own.at = null;
  m.changed();
  if (tick > 0) m.attempt(() => m.loadReport(tick));
  m.past.prefetch(tick);
}

function play(m) {
  const own = tool(m);
  if (own.at === null && !m.shown) go(m, 0);
  own.playing = setInterval(() => {
    if (!m.shown) pause(m);
    else go(m, m.lookedAt + 1);
  }, STEP_MS);
  if (!own.ends) m.endings.push((own.ends = () => clearInterval(own.playing)));
  m.changed();
}

function pause(m) {
  const own = tool(m);
  clearInterval(own.playing);
  own.playing = null;
  m.changed();
}
