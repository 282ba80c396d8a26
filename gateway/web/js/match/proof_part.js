/** The proof of a tick: what the server held when it was sealed, and how everybody can hold it to that. */
import { canHash, hashLines } from "../canonical.js";
import { icon } from "../icons.js";
import { html, nothing } from "../lit.js";
import { term } from "../terms.js";
import { side } from "./sides.js";

/** `answer`: a report's answer. What was found stands in `m.tools.proof`, by tick: {right, digest}. */
export function proofPart(m, answer) {
  const { tick, faction, digests, nonce, sealed, state_hash: state } = answer;
  const found = m.tools.proof?.get(tick);
  return html`<details class="proof">
    <summary>${icon("seal")} Proof of this tick</summary>
    <p class="small">When the tick was sealed the server gave each faction a digest of its orders. Nobody can read orders
      from a digest, and nobody can change them behind it.</p>
    <dl class="hashes">
      <dt>${term("digest", "Your digest")}</dt><dd><code>${digests[faction]}</code></dd>
      <dt>Made of your nonce</dt><dd><code>${nonce}</code></dd>
      <dt>and your sealed orders</dt><dd>${sealed.length ? html`<ol>${sealed.map((text) => html`<li><code>${text}</code></li>`)}</ol>` : html`<span class="muted">none</span>`}</dd>
    </dl>
    ${canHash() ? html`<p><button @click=${() => check(m, answer)}>${icon("check")} Check my digest</button></p>` : html`<p class="muted small">This browser checks hashes only over https.</p>`}
    <div role="status">${found ? result(found) : nothing}</div>
    <dl class="hashes">
      <dt>Hash of the whole state</dt><dd><code>${state}</code></dd>
      ${Object.entries(digests).filter(([id]) => id !== faction).map(([id, digest]) => html`<dt>Digest of ${side(m, id)}</dt><dd><code>${digest}</code></dd>`)}
    </dl>
  </details>`;
}

async function check(m, { tick, faction, digests, nonce, sealed }) {
  const digest = await hashLines([nonce, ...sealed]); // P-04
  (m.tools.proof ??= new Map()).set(tick, { right: digest === digests[faction], digest });
  m.changed();
}

function result({ right, digest }) {
  return right
    ? html`<p class="success">${icon("check")} Worked out in this browser: the same digest.</p>`
    : html`<p class="problem">${icon("close")} Not the same. Worked out here: <code>${digest}</code></p>`;
}
