/** One match as its player sees it: everything loaded, kept live, and what is looked at. */
import { Problem, Unreachable } from "../api.js";
import * as clock from "../clock.js";
import { loadRules, RULESET } from "../rules.js";
import { matches, play, talk } from "../server.js";
import { session } from "../session.js";
import { onTold, tell } from "../tabs.js";
import { Following } from "./following.js";
import { Plan } from "./plan.js";

const NOTICE_MS = 8_000;
const TRY_AGAIN_MS = 3_000;

/**
 * Fields (all null or empty until loaded):
 *
 * - `detail`: GET match; `rules`: see rules.js; `graph`: {holds: [{id, name, x, y}], routes}; `holds`: Map by id of
 *   the graph; `neighbours`: Map id -> [ids]
 * - `view`: of now; `options`: what may be filed now, null while nothing may; `plan`: see plan.js
 * - `reports`: Map tick -> the report's answer; `talk`: GET conversations; `messages`: Map "f2,f3" -> [oldest first]
 * - `shown`: null for now, or {tick, view} of the past that is looked at
 * - `selected`: id of the hold looked at, or null; `march`: see march.js, null when none is planned; `panel`: its name
 * - `connection`: "connecting", "live" or "lost"; `failure`: why the match cannot be shown
 * - `notices`: [{id, kind: "info" | "problem", text}], told for some seconds and read out
 * - `tools`: what panels keep for themselves, by panel
 */
export class Match {
  constructor(id, changed) {
    this.id = id;
    this.changed = changed;
    this.detail = this.rules = this.graph = this.view = this.options = this.talk = this.shown = null;
    this.holds = new Map();
    this.neighbours = new Map();
    this.reports = new Map();
    this.messages = new Map();
    this.pastViews = new Map();
    this.plan = new Plan(id, session.account.id, changed);
    this.selected = null;
    this.march = null;
    this.panel = "hold";
    this.connection = "connecting";
    this.failure = null;
    this.notices = [];
    this.tools = {};
    this.endings = [];
    this.following = new Following(this);
    this.recovery = null;
  }

  get me() { return this.detail?.your_faction ?? null; }
  get seated() { return this.detail?.your_seat != null; }
  get running() { return this.detail?.status === "running"; }
  get ended() { return this.detail?.status === "ended" && this.detail.started_at !== null; }
  get playable() { return this.seated && this.detail.status !== "lobby" && this.detail.ruleset === RULESET && this.detail.started_at !== null; }
  /** The view that is drawn: of the past where one is looked at. */
  get drawn() { return this.shown?.view ?? this.view; }

  /** A faction as in the view: {id, seat, name, eliminated_tick}. */
  faction(id) {
    return this.view?.factions.find((faction) => faction.id === id) ?? null;
  }

  /** A hold in the drawn view: {id, sight, owner, garrison, ...}. */
  seen(id) {
    return this.drawn?.holds.find((hold) => hold.id === id) ?? null;
  }

  name(hold) {
    return this.holds.get(hold)?.name ?? hold;
  }

  /** Loads all and stays live until `close`. */
  async open() {
    this.endings.push(onTold((told) => this.told(told)));
    const wake = () => document.visibilityState === "visible" && this.refresh();
    document.addEventListener("visibilitychange", wake);
    this.endings.push(() => document.removeEventListener("visibilitychange", wake));
    try {
      await this.refreshDetail();
      this.following.suit();
      if (this.playable) await this.loadPlay();
    } catch (error) {
      this.failure = error;
    }
    this.changed();
  }

  close() {
    for (const end of this.endings) end();
    this.endings = [];
    this.following.end();
    clearTimeout(this.recovery);
  }

  async loadPlay() {
    const [rules, graph] = await Promise.all([this.rules ?? loadRules(), this.graph ?? play.map(this.id)]);
    if (this.graph === null) this.takeGraph(graph);
    this.rules = rules;
    await Promise.all([this.refreshView(), this.refreshDesk(), this.refreshTalk()]);
    if (this.view.tick > 0) this.loadReport(this.view.tick);
  }

  takeGraph(graph) {
    this.graph = graph;
    this.holds = new Map(graph.holds.map((hold) => [hold.id, hold]));
    this.neighbours = new Map(graph.holds.map((hold) => [hold.id, []]));
    for (const [one, other] of graph.routes) {
      this.neighbours.get(one).push(other);
      this.neighbours.get(other).push(one);
    }
  }

  async refreshDetail() {
    this.detail = await matches.get(this.id);
    clock.sync(this.detail.now);
    this.changed();
  }

  async refreshView() {
    this.view = await play.view(this.id);
    this.changed();
  }

  /** Orders and options: after filing, and when the tick has turned. */
  async refreshDesk() {
    if (!this.running) {
      this.options = null;
      return;
    }
    try {
      await this.plan.load();
      this.options = await play.options(this.id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.options = null;
    }
    this.changed();
  }

  async refreshTalk() {
    this.talk = await talk.conversations(this.id);
    this.changed();
  }

  /** Everything anew: after a lost connection, and when one comes back to the page. */
  async refresh() {
    await this.attempt(async () => {
      await this.refreshDetail();
      this.following.suit();
      if (!this.playable) {
        this.connection = "live";
        return;
      }
      await this.loadPlay();
      await this.plan.send();
      await this.refreshDesk();
      this.connection = "live";
    });
  }

  /** No answer came, though the stream may believe to be alive: tries again until one comes. */
  lost() {
    this.connection = "lost";
    clearTimeout(this.recovery);
    this.recovery = setTimeout(() => this.refresh(), TRY_AGAIN_MS);
  }

  /** The report of a tick; kept once loaded, null if there is none. */
  async loadReport(tick) {
    if (!this.reports.has(tick)) {
      try {
        this.reports.set(tick, await play.report(this.id, tick));
      } catch (error) {
        if (error instanceof Problem && error.status === 404) this.reports.set(tick, null);
        else throw error;
      }
      this.changed();
    }
    return this.reports.get(tick);
  }

  /** Looks at the match after an earlier tick; null comes back to now. */
  async show(tick) {
    if (tick === null || tick === this.view.tick) {
      this.shown = null;
    } else {
      if (!this.pastViews.has(tick)) this.pastViews.set(tick, await play.view(this.id, tick));
      this.shown = { tick, view: this.pastViews.get(tick) };
    }
    this.changed();
  }

  select(hold) {
    this.selected = hold;
    this.changed();
  }

  /** Files an order and reads anew what may be filed then. Answers the draft that was left over, or null. */
  async file(order) {
    const left = await this.plan.file(order);
    if (left?.state === "refused") this.notice("problem", `Refused: ${left.problem.detail}`);
    await this.attempt(() => this.refreshDesk());
    return left;
  }

  notice(kind, text) {
    const notice = { id: Math.random(), kind, text };
    this.notices = [...this.notices.slice(-2), notice];
    setTimeout(() => {
      this.notices = this.notices.filter((other) => other !== notice);
      this.changed();
    }, NOTICE_MS);
    this.changed();
  }

  /** Does what may fail by the server's word or by the connection; a problem is told, the page lives on. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Unreachable) this.lost();
      else this.notice("problem", error.message);
      this.changed();
      return null;
    }
  }

  async heard(kind, data) {
    await this.attempt(async () => {
      if (kind === "deadline") {
        if (data.moved_from) this.notice("info", "The server was away for a while, so this tick's deadline has moved.");
        this.detail.next_deadline = data.at;
        await this.refreshDesk();
      } else if (kind === "tick") {
        await this.turned(data.tick);
      } else if (kind === "message") {
        await this.refreshTalk();
        await this.refreshConversation(data.with);
      } else if (kind === "match") {
        await this.seatsChanged();
      }
    });
    this.changed();
  }

  /** Seats were taken or freed, or the match began or ended; perhaps it is no longer ours to see. */
  async seatsChanged() {
    try {
      await this.refreshDetail();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      this.failure = error;
      this.following.end();
      return;
    }
    this.following.suit();
    if (this.playable && this.graph === null) await this.loadPlay();
  }

  async turned(tick) {
    this.march = null;
    await this.refreshDetail();
    await this.loadPlay();
    if (tick > 0) {
      await this.loadReport(tick);
      this.notice("info", this.ended ? "The match is over." : `Tick ${tick} has been resolved. Your report is here.`);
    }
  }

  /** Reads what is new of a conversation that was opened before. */
  async refreshConversation(parties) {
    const known = this.messages.get(parties);
    if (!known) return;
    const after = known.at(-1)?.id ?? null;
    const fresh = (await talk.messages(this.id, { with: parties, after, limit: 200 })).items.reverse();
    const ids = new Set(known.map((message) => message.id));
    this.messages.set(parties, [...known, ...fresh.filter((message) => !ids.has(message.id))]);
    this.changed();
  }

  told({ what, match }) {
    if (match !== this.id) return;
    if (what === "orders") this.attempt(() => this.refreshDesk());
    if (what === "messages" || what === "read") this.attempt(() => this.refreshTalk());
  }

  /** Word to the other tabs. */
  tell(what) {
    tell(what, this.id);
  }
}
