/** Making a match. Bounds and defaults come from the rules' own schema of settings. */
import { newKey } from "../api.js";
import * as clock from "../clock.js";
import { complaint, field } from "../form_field.js";
import { afterDrawing } from "../frame.js";
import { html, nothing } from "../lit.js";
import { go, to } from "../router.js";
import { loadRules, RULESET, title } from "../rules.js";
import { matches } from "../server.js";
import { levelWords } from "./levels.js";

const SEATS = "4";
const FIELDS = ["name", "seats", "cadence_seconds", "bots"];
const PROBLEMS = { "idempotency-mismatch": { words: "This was asked differently before. Send it again." } };
const SETTING_WORDS = {
  holds_per_seat: { label: "Holds a seat", hint: (seats, value) => `So the map has ${seats * value} holds.` },
  tick_cap: { label: "Last tick", hint: () => "After it the most holds win." },
};

export class NewMatchPage {
  constructor(changed) {
    this.changed = changed;
    this.rules = null;
    // Numbers stand here as they were typed.
    this.wish = { name: "", seats: SEATS, pace: null, other: "", visibility: "public", bots: "0", level: null, settings: {} };
    this.key = newKey();
    this.made = null;
    this.problem = null;
    this.busy = false;
    this.load();
  }

  get title() { return "A new match"; }

  move() {}

  close() {}

  async load() {
    try {
      this.rules = await loadRules();
      const { answer, tables } = this.rules;
      this.schema = answer.settings.$defs.MatchSettings.properties;
      this.wish.pace = answer.paces.includes(tables.cadence_hours_default * 3600) ? tables.cadence_hours_default * 3600 : answer.paces[0];
      this.wish.level = answer.levels[1] ?? answer.levels[0];
      this.wish.settings = Object.fromEntries(Object.entries(this.schema).map(([name, row]) => [name, String(row.default)]));
      this.problem = null;
    } catch (error) {
      this.problem = { field: null, words: error.message };
    }
    this.changed();
  }

  /** A changed wish is another wish: it gets a key of its own, unless the match is made already. */
  set(patch) {
    Object.assign(this.wish, patch);
    if (!this.made) this.key = newKey();
    this.problem = null;
    this.changed();
  }

  async send(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    this.changed();
    const { name, seats, pace, other, visibility, level } = this.wish;
    const settings = Object.fromEntries(Object.entries(this.wish.settings).map(([setting, value]) => [setting, Number(value)]));
    const wanted = { name, seats: Number(seats), visibility, ruleset: RULESET, cadence_seconds: pace ?? Number(other), settings };
    try {
      this.made ??= await matches.create(wanted, this.key);
      if (this.botCount) await matches.addBots(this.made.id, this.botCount, level, `${this.key}-bots`);
      go("match", this.made.id);
    } catch (error) {
      this.problem = complaint(error, PROBLEMS);
      if (error.code === "idempotency-mismatch") this.key = newKey();
    }
    this.busy = false;
    this.changed();
    if (this.problem) afterDrawing(() => document.querySelector(`#new-match [aria-invalid="true"]`)?.focus());
  }

  get botCount() { return Number(this.wish.bots); }

  at(name) {
    return this.problem?.field === name ? this.problem.words : null;
  }

  draw() {
    if (!this.rules) return html`<main class="page narrow"><h1>A new match</h1>${this.problem ? html`<p class="problem" role="alert">${this.problem.words}</p><button @click=${() => this.load()}>Try again</button>` : html`<p class="muted" aria-busy="true">Reading the rules …</p>`}</main>`;
    const { wish } = this;
    const [least, most] = this.rules.answer.seats;
    const known = [...FIELDS, ...Object.keys(this.schema)];
    const general = this.problem && !known.includes(this.problem.field) ? this.problem.words : null;
    return html`<main class="page narrow">
      <p><a href=${to()}>All matches</a></p><h1>A new match</h1>
      ${general ? html`<p class="problem" role="alert">${general}</p>` : nothing}
      ${this.made ? html`<p class="warning">The match has been made; its computer players are still missing. <a href=${to("match", this.made.id)}>Open it</a></p>` : nothing}
      <form id="new-match" class="new-match" @submit=${(event) => this.send(event)}>
        ${field({ id: "name", label: "Name", value: wish.name, problem: this.at("name"), input: (name) => this.set({ name }), attributes: { required: true, maxlength: 80, autocomplete: "off", placeholder: "Low tide, early orders" } })}
        ${this.seats(least, most)}
        ${this.pace()}
        ${this.bots()}
        ${this.visibility()}
        <details class="card section"><summary>Size and length</summary><div class="field-pair">${Object.entries(this.schema).map(([name, row]) => this.setting(name, row))}</div></details>
        <button class="primary wide" ?disabled=${this.busy}>${this.busy ? "Making it …" : "Make the match"}</button>
      </form></main>`;
  }

  seats(least, most) {
    return field({
      id: "seats", label: "Seats", type: "number", value: this.wish.seats, problem: this.at("seats"),
      hint: `${least} to ${most} factions. When the last seat is taken, the match starts by itself.`,
      input: (seats) => this.set({ seats }), attributes: { min: least, max: most, required: true, inputmode: "numeric" },
    });
  }

  pace() {
    const { wish } = this;
    const paces = this.rules.answer.paces;
    const choice = (value, label) => html`<label class="choice"><input type="radio" name="pace" .checked=${wish.pace === value} @change=${() => this.set({ pace: value })}><span>${label}</span></label>`;
    return html`<fieldset class="field"><legend>A tick comes</legend>
      <div class="choices">${paces.map((seconds) => choice(seconds, clock.pace(seconds)))}${choice(null, "another pace")}</div>
      ${wish.pace === null
        ? field({ id: "cadence_seconds", label: "Seconds from tick to tick", type: "number", value: wish.other, problem: this.at("cadence_seconds"), hint: "Only paces that this server's operator has opened for trials.", input: (other) => this.set({ other }), attributes: { required: true, min: 1, inputmode: "numeric" } })
        : nothing}
    </fieldset>`;
  }

  bots() {
    const { wish } = this;
    const { levels } = this.rules.answer;
    return html`<fieldset class="field"><legend>Computer players</legend>
      ${field({ id: "bots", label: "How many", type: "number", value: wish.bots, problem: this.at("count"), input: (bots) => this.set({ bots }), attributes: { min: 0, max: Math.max(0, wish.seats - 1), inputmode: "numeric" }, hint: this.botCount && this.botCount === wish.seats - 1 ? "With you all seats are taken: the match starts at once." : "You can add and remove them until the start, too." })}
      ${this.botCount ? html`<div class="levels">${levels.map((level) => html`<label class="choice tall"><input type="radio" name="level" .checked=${wish.level === level} @change=${() => this.set({ level })}><span><strong>${title(level)}</strong> <small>${levelWords(level)}</small></span></label>`)}</div>` : nothing}
    </fieldset>`;
  }

  visibility() {
    const choice = (value, name, words) => html`<label class="choice tall"><input type="radio" name="visibility" .checked=${this.wish.visibility === value} @change=${() => this.set({ visibility: value })}><span><strong>${name}</strong> <small>${words}</small></span></label>`;
    return html`<fieldset class="field"><legend>Who may join</legend><div class="levels">
      ${choice("public", "Public", "It stands in the lobby, and anybody may take a seat.")}
      ${choice("private", "Private", "Only those to whom you give the invite link.")}</div></fieldset>`;
  }

  setting(name, row) {
    const words = SETTING_WORDS[name];
    return field({
      id: name, label: words?.label ?? title(name.replaceAll("_", "-")), type: "number", value: this.wish.settings[name], problem: this.at(name),
      hint: `${row.minimum} to ${row.maximum}. ${words?.hint(this.wish.seats, this.wish.settings[name]) ?? ""}`,
      input: (value) => this.set({ settings: { ...this.wish.settings, [name]: value } }), attributes: { min: row.minimum, max: row.maximum, required: true, inputmode: "numeric" },
    });
  }
}
