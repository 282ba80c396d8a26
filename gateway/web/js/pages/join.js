/** An invitation: the match that a code leads to, and taking a seat in it. */
import { html } from "../lit.js";
import { go, to } from "../router.js";
import { matches } from "../server.js";
import { JoinForm } from "./join_form.js";
import { matchFacts } from "./match_facts.js";
import { seatList } from "./seats.js";

const REFRESH_MS = 10_000;

export class JoinPage {
  constructor([code = ""], changed) {
    this.code = code;
    this.changed = changed;
    this.detail = null;
    this.form = null;
    this.problem = null;
    this.timer = setInterval(() => document.visibilityState === "visible" && this.detail && this.load(), REFRESH_MS);
    this.load();
  }

  get title() { return "An invitation"; }

  move() {}

  close() {
    clearInterval(this.timer);
  }

  async load() {
    try {
      this.detail = await matches.invited(this.code);
      this.problem = null;
      const seated = this.detail.your_seat !== null;
      if (seated && this.detail.started_at === null && this.detail.status === "ended") this.problem = null;
      else if (seated) return go("match", this.detail.id);
      this.form ??= new JoinForm(this.detail.id, this.code, () => go("match", this.detail.id), this.changed);
    } catch (error) {
      this.detail = null;
      this.problem = error.status === 404 ? "No match goes by this invitation. Perhaps a letter is missing; ask for the link once more." : error.message;
    }
    return this.changed();
  }

  draw() {
    if (this.problem) return html`<main class="page narrow"><h1>This invitation leads nowhere</h1><p>${this.problem}</p><p class="row"><a class="button" href=${to()}>All matches</a><button @click=${() => this.load()}>Try again</button></p></main>`;
    if (!this.detail) return html`<main class="page narrow"><h1>An invitation</h1><p class="muted" aria-busy="true">Reading the invitation …</p></main>`;
    const { detail } = this;
    return html`<main class="page narrow"><p class="muted">You are invited to</p><h1>${detail.name}</h1>
      ${closed(detail) ? html`<p class="warning">${closed(detail)}</p><p><a class="button" href=${to()}>All matches</a></p>` : this.form.draw()}
      <section class="section"><h2>Seats <span class="muted">${detail.seats.length} of ${detail.seats_total}</span></h2>${seatList(detail, { free: 4 })}</section>
      <section class="section"><h2>The match</h2>${matchFacts(detail)}</section></main>`;
  }
}

/** Why nobody can join any more, or null. */
function closed(detail) {
  if (detail.status === "running") return "This match has started already, so no seat can be taken any more.";
  if (detail.status === "ended") return detail.started_at ? "This match is over." : "This match has been called off.";
  return detail.seats.length >= detail.seats_total ? "Every seat of this match is taken." : null;
}
