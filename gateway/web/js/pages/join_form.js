/** Taking a seat, under a name of one's own if one likes. */
import { newKey } from "../api.js";
import { complaint, field } from "../form_field.js";
import { html, nothing } from "../lit.js";
import { matches } from "../server.js";

const PROBLEMS = {
  "name-taken": { field: "faction_name" },
  "match-full": { words: "Every seat is taken." },
  "match-started": { words: "The match has started without you." },
  "match-ended": { words: "The match has been called off." },
};

export class JoinForm {
  /** `joined(detail)` is called when one has a seat; `code`: of an invitation, or null. */
  constructor(match, code, joined, changed) {
    Object.assign(this, { match, code, joined, changed, name: "", problem: null, busy: false, key: newKey() });
  }

  async send(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    this.changed();
    const name = this.name.trim();
    const wanted = { ...(this.code ? { invite_code: this.code } : {}), ...(name ? { faction_name: name } : {}) };
    try {
      await this.joined(await matches.join(this.match, wanted, this.key));
    } catch (error) {
      if (error.code === "already-seated") await this.joined(null);
      else this.problem = complaint(error, PROBLEMS);
      this.key = newKey();
    }
    this.busy = false;
    this.changed();
  }

  draw() {
    const here = this.problem?.field === "faction_name" ? this.problem.words : null;
    return html`<form class="card section" @submit=${(event) => this.send(event)}>
      <h2>Take a seat</h2>
      ${this.problem && !here ? html`<p class="problem" role="alert">${this.problem.words}</p>` : nothing}
      ${field({
        id: "faction_name", label: "Your faction's name (if you like)", value: this.name, problem: here, hint: "Up to 40 characters. Left empty, you get one.",
        input: (value) => { this.name = value; this.problem = null; this.key = newKey(); this.changed(); }, attributes: { maxlength: 40, autocomplete: "off" },
      })}
      <button class="primary" ?disabled=${this.busy}>Join this match</button></form>`;
  }
}
