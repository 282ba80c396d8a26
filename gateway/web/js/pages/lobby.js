/** The lobby: one's own matches first, then open ones to join, then what runs and what has ended in public. */
import * as clock from "../clock.js";
import { icon } from "../icons.js";
import { html, nothing, repeat } from "../lit.js";
import { go, to } from "../router.js";
import { onTold } from "../tabs.js";
import { FirstMatch } from "./first_match.js";
import { matchCard } from "./match_card.js";
import { MatchList } from "./match_list.js";
import { Waiting } from "./waiting.js";

const REFRESH_MS = 10_000;
const foreign = (match) => match.your_seat === null;

const TABS = [
  { name: "yours", label: "Yours" },
  { name: "open", label: "Open to join", empty: "No public match is waiting for players just now. Make one, and others can join it." },
  { name: "running", label: "Running", empty: "No public match of others is running." },
  { name: "ended", label: "Ended", empty: "No public match of others has ended yet." },
];

export class LobbyPage {
  constructor(changed) {
    this.changed = changed;
    this.tab = "yours";
    this.underway = new MatchList({ mine: true, status: "lobby,running" });
    this.past = new MatchList({ mine: true, status: "ended" });
    this.open = new MatchList({ status: "lobby" }, foreign);
    this.running = new MatchList({ status: "running" }, foreign);
    this.ended = new MatchList({ status: "ended" }, (match) => foreign(match) && match.started_at !== null);
    this.waiting = new Waiting();
    this.first = new FirstMatch();
    this.problem = null;
    this.loading = null;
    this.code = "";
    this.wake = () => document.visibilityState === "visible" && this.load(true);
    document.addEventListener("visibilitychange", this.wake);
    this.endings = [
      clock.everySecond(changed),
      onTold(({ what }) => what === "orders" && this.load(true)),
      () => document.removeEventListener("visibilitychange", this.wake),
    ];
    const timer = setInterval(() => document.visibilityState === "visible" && this.load(false), REFRESH_MS);
    this.endings.push(() => clearInterval(timer));
    this.load(true);
  }

  get title() { return "Matches"; }

  move() {}

  close() {
    for (const end of this.endings) end();
  }

  get lists() {
    return this.tab === "yours" ? [this.underway, this.past] : [this[this.tab]];
  }

  /** Reads the lists that are in sight; all of them if `whole`. */
  load(whole) {
    this.loading ??= this.read(whole).finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  async read(whole) {
    try {
      const lists = whole ? [this.underway, this.past, this.open, this.running, this.ended] : this.lists;
      const times = await Promise.all(lists.map((list) => list.load()));
      const now = times.find((time) => time !== null);
      if (now) clock.sync(now);
      this.problem = null;
      this.changed();
      await this.waiting.load(this.underway.items.filter((match) => match.status === "running"), whole);
    } catch (error) {
      this.problem = error.message;
    }
    this.changed();
  }

  async more(list) {
    try {
      await list.more();
    } catch (error) {
      this.problem = error.message;
    }
    this.changed();
  }

  async begin() {
    if (this.first.busy) return;
    const beginning = this.first.begin();
    this.changed();
    try {
      go("match", await beginning);
    } catch (error) {
      this.problem = error.message;
      this.changed();
    }
  }

  /** Takes a code or a whole link. */
  join(event) {
    event.preventDefault();
    const code = this.code.trim().split("/").at(-1);
    if (code) go("join", code);
  }

  choose(name) {
    this.tab = name;
    this.changed();
    this.load(false);
  }

  count(name) {
    return name === "yours" ? this.underway.count : this[name].count;
  }

  draw() {
    const tab = TABS.find((one) => one.name === this.tab);
    return html`<main class="page lobby">
      <div class="row spread lobby-head"><h1>Matches</h1><a class="button primary" href=${to("new")}>${icon("plus")}New match</a></div>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <div class="lobby-tabs" role="tablist" aria-label="Which matches" @keydown=${(event) => this.steer(event)}>
        ${TABS.map(({ name, label }) => html`<button role="tab" id=${`lobby-${name}`} aria-selected=${name === this.tab} aria-controls="matches" tabindex=${name === this.tab ? 0 : -1}
          @click=${() => this.choose(name)}>${label}<span class="tab-count">${this.count(name)}</span></button>`)}
      </div>
      <section id="matches" role="tabpanel" aria-labelledby=${`lobby-${this.tab}`}>${tab.name === "yours" ? this.yours() : this.others(tab)}</section>
      <form class="row invitation" @submit=${(event) => this.join(event)}>
        <label for="code">Invited?</label>
        <input id="code" placeholder="Invite link or code" autocomplete="off" autocapitalize="none" spellcheck="false" .value=${this.code} @input=${(event) => { this.code = event.target.value; }}>
        <button>Open it</button>
      </form>
    </main>`;
  }

  steer(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = TABS.findIndex((tab) => tab.name === this.tab);
    const next = TABS[(at + step + TABS.length) % TABS.length];
    this.choose(next.name);
    document.getElementById(`lobby-${next.name}`).focus();
  }

  yours() {
    const { underway, past } = this;
    if (underway.items === null || past.items === null) return reading();
    if (!underway.items.length && !past.items.length) return this.welcome();
    const soonest = (one, other) => Date.parse(one.next_deadline ?? one.now) - Date.parse(other.next_deadline ?? other.now);
    const running = underway.items.filter((match) => match.status === "running").sort(soonest);
    const lobbies = underway.items.filter((match) => match.status === "lobby");
    return html`${this.group("Running", running)}${this.group("Waiting to start", lobbies)}${this.unfold(underway)}
      ${!underway.items.length ? html`<div class="card lead"><p>Nothing of yours is running.</p>
        <p class="row"><a class="button primary" href=${to("new")}>Make a match</a><button @click=${() => this.choose("open")}>Look for one to join</button></p></div>` : nothing}
      ${this.group("Ended", past.items)}${this.unfold(past)}`;
  }

  welcome() {
    return html`<div class="card lead">
      <h2>Play your first match</h2>
      <p>One tap makes a match with computer players, for you alone to see. The guide takes you through the first ticks.</p>
      <p class="row"><button class="primary" ?disabled=${this.first.busy} @click=${() => this.begin()}>${this.first.busy ? "Drawing the map …" : "Play your first match"}</button>
        <button @click=${() => this.choose("open")}>Join one with people</button></p>
      <p class="muted"><small>It waits for nobody, and nobody waits for you: leave it whenever you like.</small></p>
    </div>`;
  }

  others(tab) {
    const list = this[tab.name];
    if (list.items === null) return reading();
    if (!list.items.length && !list.cursor) return html`<div class="card lead"><p>${tab.empty}</p><p class="row"><a class="button" href=${to("new")}>Make a match</a></p></div>`;
    return html`<ul class="plain match-list">${repeat(list.items, (match) => match.id, (match) => matchCard(match))}</ul>${this.unfold(list)}`;
  }

  group(heading, items) {
    if (!items.length) return nothing;
    return html`<h2 class="group">${heading} <span class="muted">${items.length}</span></h2>
      <ul class="plain match-list">${repeat(items, (match) => match.id, (match) => matchCard(match, this.waiting.of(match)))}</ul>`;
  }

  unfold(list) {
    return list.cursor ? html`<p class="row more"><button @click=${() => this.more(list)}>Show more</button></p>` : nothing;
  }
}

function reading() {
  return html`<p class="muted" aria-busy="true">Reading the matches …</p>`;
}
