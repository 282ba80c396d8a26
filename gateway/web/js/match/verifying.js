/** "Verify this match": the checks of verify.js, each with its result as it comes, and the export to take away. */
import { Problem, Unreachable } from "../api.js";
import { canHash } from "../canonical.js";
import { icon } from "../icons.js";
import { classMap, html, nothing } from "../lit.js";
import { matches } from "../server.js";
import { CHECKS, Mismatch, Unchecked } from "./verify.js";

const SIGNS = { waiting: "minus", running: "waiting", right: "check", wrong: "close", open: "minus" };
const WORDS = { waiting: "to come", running: "being checked", right: "right", wrong: "wrong", open: "not checked" };

/**
 * `m.tools.verifying`: null before it is asked for, else {done, lines: by check {state: a key of WORDS, words}}.
 */
export function verifyingPart(m) {
  const { whole } = m.replay;
  const run = m.tools.verifying ?? null;
  return html`<section class="told-part verifying" aria-labelledby="end-verify"><h3 id="end-verify">${icon("seal")} Verify this match</h3>
    <p class="small">The seed was drawn before the first tick and its hash shown to all. Now the seed itself is public, and so is every
      sealed order: nothing that happened can have been changed afterwards without a trace.</p>
    <dl class="hashes"><dt>Seed</dt><dd><code>${m.detail.seed}</code></dd><dt>Its commitment, public since the lobby opened</dt><dd><code>${m.detail.seed_commitment}</code></dd></dl>
    ${canHash() ? html`<p><button class="primary" ?disabled=${!whole || (run !== null && !run.done)} @click=${() => verify(m)}>${icon("seal")} ${run?.done ? "Verify again" : "Verify this match"}</button></p>` : html`<p class="warning">This browser checks hashes only over https. The command below does it anywhere.</p>`}
    ${run ? lines(run) : nothing}
    <p class="small">These checks hold the record to what was promised. To have every rule of every tick played again,
      <a href=${matches.exportAddress(m.id)} download="match.json">download the whole match</a> and run
      <code>lastwaters verify match.json</code>.</p>
  </section>`;
}

function lines(run) {
  const count = (state) => CHECKS.filter(({ name }) => run.lines[name].state === state).length;
  const [wrong, open] = [count("wrong"), count("open")];
  return html`<ol class="plain audit">${CHECKS.map(({ name, label }) => {
    const { state, words } = run.lines[name];
    return html`<li class=${classMap({ "audit-line": true, [state]: true })}>${icon(SIGNS[state])}<div><span>${label}</span><span class="hidden-visually">: ${WORDS[state]}</span>
      <span class="small muted">${words}</span></div></li>`;
  })}</ol>
  <div role="status">${!run.done ? nothing : wrong
    ? html`<p class="problem"><strong>This record does not hold.</strong> ${wrong === 1 ? "One check has" : `${wrong} checks have`} failed.</p>`
    : html`<p class="success"><strong>Verified.</strong> ${open ? `What could be checked holds; ${open} could not.` : "Everything holds."}</p>`}</div>`;
}

/** Lets the page draw and answer between two pieces of work. */
const breathe = () => new Promise((done) => setTimeout(done, 0));

async function verify(m) {
  const run = { done: false, lines: Object.fromEntries(CHECKS.map(({ name }) => [name, { state: "waiting", words: "" }])) };
  m.tools.verifying = run;
  for (const check of CHECKS) {
    const line = run.lines[check.name];
    const tell = (state, words) => {
      Object.assign(line, { state, words });
      m.changed();
    };
    tell("running", "");
    const step = async (done, of) => {
      tell("running", `tick ${done} of ${of}`);
      await breathe();
    };
    await breathe();
    try {
      tell("right", await check.run({ m, whole: m.replay.whole }, step));
    } catch (error) {
      if (error instanceof Mismatch) tell("wrong", error.message);
      else if (error instanceof Unchecked || error instanceof Problem || error instanceof Unreachable) tell("open", error.message);
      else tell("wrong", `The record is not whole: ${error.message}`);
    }
  }
  run.done = true;
  m.changed();
}
