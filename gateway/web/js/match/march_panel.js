/** Planning a march in the panel: units, the end of the way, the server's word on it. */
import { focusLater } from "../frame.js";
import { factionName } from "../factions.js";
import { icon } from "../icons.js";
import { classMap, html, nothing, repeat } from "../lit.js";
import { plural, title, total, unitsText } from "../rules.js";
import { holdLink } from "./hold_link.js";
import * as march from "./march.js";
import { stepper } from "./stepper.js";
import { noOrdersNote, whyNoOrders } from "./may_order.js";

export function marchPanel(m, page) {
  const { origin, units, path, edit } = m.march;
  const most = march.available(m);
  const stays = Object.fromEntries(Object.entries(most).map(([type, count]) => [type, count - (units[type] ?? 0)]).filter(([, count]) => count > 0));
  return html`<section class="march-panel">
    <h2 id="march-heading" tabindex="-1">${icon("march")} ${edit ? "Change the march" : "March"} from ${m.name(origin)}</h2>
    ${noOrdersNote(m)}
    <div class="march-part">
      <div class="row spread"><h3>Who goes</h3>
        <span class="row"><button type="button" class="slim" @click=${() => march.setAllUnits(m, most)}>All</button>
          <button type="button" class="slim" @click=${() => march.setAllUnits(m, {})}>None</button></span></div>
      ${Object.entries(most).map(([type, count]) => html`<div class="march-units">
        <span>${icon(type)} ${title(type)} <span class="muted">of ${count}</span></span>
        ${stepper({ id: `march-${type}`, of: plural(type), value: units[type] ?? 0, most: count, changed: (wanted) => march.setUnits(m, type, wanted) })}
      </div>`)}
      <p class="muted">${total(stays) ? `Of these ${unitsText(stays)} stay.` : "Of these nobody stays to defend the hold."}</p>
    </div>
    <div class="march-part">
      <h3>Where to</h3>
      <p class="muted">Tap the way on the map, or choose its end here.</p>
      ${endList(m)}
    </div>
    <div class="march-sum">
      ${way(m, page)}
      <p class=${classMap({ "march-verdict": true, good: m.march.verdict?.ok === true, bad: m.march.verdict?.ok === false })} id="march-verdict" role="status">${verdict(m)}</p>
      <div class="row">
        <button type="button" class="primary" aria-disabled=${!ready(m)} aria-describedby="march-verdict" @click=${() => file(m, page)}>${edit ? "Save the change" : "File this march"}</button>
        <button type="button" @click=${() => leave(m)}>Leave it <kbd>Esc</kbd></button>
        ${path.length > 1 ? html`<button type="button" class="bare" @click=${() => march.tap(m, path.at(-2))}>One step back</button>` : nothing}
      </div>
    </div>
  </section>`;
}

function ready(m) {
  const { units, path, verdict } = m.march;
  return total(units) > 0 && path.length > 0 && verdict?.ok !== false && whyNoOrders(m) === null;
}

/** The ends that the server names; for units whose ends it does not name, the holds next to the origin. */
function endList(m) {
  const { origin, path } = m.march;
  const ends = [...march.reach(m)];
  const chosen = path.at(-1);
  const rows = ends.length ? ends : m.neighbours.get(origin).map((near) => [near, { path: [near], cost: null, reason: null }]);
  rows.sort(([one, { cost }], [other, { cost: otherCost }]) => cost - otherCost || m.name(one).localeCompare(m.name(other)));
  return html`<ul class="plain ends">${repeat(rows, ([hold]) => hold, ([hold, { cost, reason, path: shortest }]) => html`<li>
    <button type="button" class=${classMap({ end: true, off: reason !== null })} aria-pressed=${hold === chosen} @click=${() => march.goTo(m, hold)}>
      <span class="end-name">${m.name(hold)}</span>
      <span class="end-ground">${ground(m, hold)}</span>
      <span class="muted end-cost">${cost === null ? nothing : html`cost ${cost}`}${shortest.length > 1 ? html`, ${shortest.length} routes` : nothing}</span>
      ${reason ? html`<span class="why-not">${m.rules.reasons[reason]}</span>` : nothing}
    </button></li>`)}</ul>`;
}

/** Whose ground it is, as far as one knows. */
function ground(m, hold) {
  const known = m.seen(hold);
  if (!known || known.sight === "unknown") return html`<span class="muted">unknown ground</span>`;
  const then = known.sight === "stale" ? html`<span class="muted"> at tick ${known.seen_tick}</span>` : nothing;
  if (known.owner === null) return html`neutral${then}`;
  if (known.owner === m.me) return html`your own`;
  const ally = m.view.pacts.some(({ members }) => members.includes(m.me) && members.includes(known.owner));
  return html`${factionName(m.faction(known.owner))}${ally ? html` <span class="tag good">ally</span>` : nothing}${then}`;
}

function way(m, page) {
  const { origin, path, units } = m.march;
  if (!path.length) return html`<p class="muted">No way chosen yet.</p>`;
  return html`<p class="way">${total(units) ? unitsText(units) : "Nobody"}:
    ${[origin, ...path].map((hold, at) => html`${at ? icon("right") : nothing}${holdLink(m, page, hold)}`)}</p>`;
}

function verdict(m) {
  const { units, path, verdict: word } = m.march;
  if (!total(units)) return "Choose at least one unit.";
  if (!path.length) return "Choose where the march ends.";
  if (word === null) return m.march.unjudged ?? "Asking the server …";
  if (word.ok) return html`${icon("check")} The server would take this march.`;
  return word.detail;
}

async function file(m, page) {
  if (!m.march || !ready(m)) return;
  const { origin, edit } = m.march;
  const done = march.file(m);
  if (edit) page.show("orders");
  focusLater(...(edit ? ["orders-heading"] : ["hold-name", "holds-heading"]));
  if (!(await done)) {
    page.show(m.march ? "hold" : "orders");
    m.select(origin);
    focusLater("march-heading", "orders-heading");
  }
}

/** Gives the march up. */
export function leave(m) {
  m.selected = m.march.origin;
  march.leave(m);
  focusLater("march-begin", "hold-name");
}
