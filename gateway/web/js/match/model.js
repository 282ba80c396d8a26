/** One match as its player sees it: everything loaded, kept live, and what is looked at. */
import { Problem, Unreachable } from "../api.js";
import * as clock from "../clock.js";
import { loadRules, RULESET } from "../rules.js";
import { matches, play, talk } from "../server.js";
import { session } from "../session.js";
import { onTold, tell } from "../tabs.js";
import { Desk } from "./desk.js";
import { Following } from "./following.js";
import { Past } from "./past.js";
import * as march from "./march.js";
import { Plan } from "./plan.js";
import { Replay } from "./replay.js";
import { marksOf } from "./report_marks.js";

const NOTICE_MS = 8_000;
const TRY_AGAIN_MS = 3_000;

/**
 * Fields (all null or empty until loaded):
 *
 * - `detail`: GET match; `rules`: see rules.js; `graph`: {holds: [{id, name, x, y}], routes}; `holds`: Map by id of
 *   the graph; `neighbours`: Map id -> [ids]
 * - `view`: of now; `options`: what may be filed now, null while nothing may; `plan`: see plan.js
 * - `reports`: Map tick -> the report's answer; `talk`: GET conversations; `messages`: Map "f2,f3" -> [oldest first]
 * - `shown`: null for now, or {tick, view} of the past that is looked at, see past.js; `replay`: the whole of an ended
 *   match, see replay.js; `marks`: [{hold, kind: "battle" | "captured" | "lost" | "event"}] of the tick looked at
 * - `selected`: id of the hold looked at, or null; `march`: see march.js, null when none is planned; `panel`: its name
 * - `connection`: "connecting", "live" or "lost"; `failure`: why the match cannot be shown
 * - `notices`: [{id, kind: "info" | "problem", text, panel, link}], told for some seconds and read out
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
    this.past = new Past(this);
    this.replay = new Replay(this);
    this.plan = new Plan(id, session.account.id, changed);
    this.desk = new Desk(this);
    this.selected = null;
    this.march = null;
    this.panel = "hold";
    this.connection = "connecting";
    this.failure = null;
    this.notices = [];
    this.tools = {};
    /** Called with the tick when its report has come. */
    this.turnedTo = () => {};
    this.endings = [];
    this.following = new Following(this);
    this.recovery = null;
    this.deskRead = false;
    this.closed = false;
  }

  get me() { return this.detail?.your_faction ?? null; }
  get seated() { return this.detail?.your_seat != null; }
  get running() { return this.detail?.status === "running"; }
  get ended() { return this.detail?.status === "ended" && this.detail.started_at !== null; }
  get playable() { return this.seated && this.detail.status !== "lobby" && this.detail.ruleset === RULESET && this.detail.started_at !== null; }
  /** The view that is drawn: of the past where one is looked at. */
  get drawn() { return this.shown?.view ?? this.view; }

  /** When one's faction was eliminated, or null. */
  get out() { return this.detail?.public?.factions.find((faction) => faction.id === this.me)?.eliminated_tick ?? null; }

  /** True for the ticks of which an eliminated faction gets no report (T-06). */
  silencedAt(tick) {
    return this.out !== null && tick > this.out;
  }

  /** The tick after which the drawn view was taken. */
  get lookedAt() { return this.shown?.tick ?? this.view?.tick ?? 0; }
  get marks() { return marksOf(this.reports.get(this.lookedAt)?.report ?? null, this.replay.tick(this.lookedAt)); }

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
    if (this.running && this.plan.drafts.items.length) await this.desk.deliver();
  }

  close() {
    for (const end of this.endings) end();
    this.endings = [];
    this.following.end();
    this.plan.close();
    this.desk.close();
    clearTimeout(this.recovery);
    this.closed = true;
  }

  async loadPlay() {
    const [rules, graph] = await Promise.all([this.rules ?? loadRules(), this.graph ?? play.map(this.id)]);
    if (this.graph === null) this.takeGraph(graph);
    this.rules = rules;
    await Promise.all([this.refreshView(), this.refreshDesk(), this.refreshTalk()]);
    if (this.view.tick > 0) this.attempt(() => this.loadReport(this.view.tick));
    if (this.ended) this.replay.load();
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
  refreshDesk() {
    return this.desk.refresh();
  }

  /** Conversations, and what is new in those that were opened before. */
  async refreshTalk() {
    this.talk = await talk.conversations(this.id);
    this.changed();
    for (const { with: parties, last_at: last } of this.talk.items) {
      if (this.messages.has(parties) && this.messages.get(parties).at(-1)?.sent_at !== last) await this.refreshConversation(parties);
    }
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
      this.connection = "live";
    });
    if (this.connection === "live" && this.running) await this.desk.deliver();
  }

  later(milliseconds) {
    clearTimeout(this.recovery);
    if (!this.closed) this.recovery = setTimeout(() => this.refresh(), milliseconds);
  }

  /** No answer came, though the stream may believe to be alive: tries again until one comes. */
  lost() {
    this.connection = "lost";
    this.later(TRY_AGAIN_MS);
  }

  /** The report of a tick, null if there is none yet; kept once there is one. */
  async loadReport(tick) {
    if (this.silencedAt(tick)) return null;
    if (!this.reports.get(tick)) {
      try {
        this.reports.set(tick, await play.report(this.id, tick));
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) throw error;
        this.reports.set(tick, null);
      }
      this.changed();
    }
    return this.reports.get(tick);
  }

  /** Looks at the match after an earlier tick; null comes back to now. */
  async show(tick) {
    await this.past.show(tick);
  }

  select(hold) {
    this.selected = hold;
    this.changed();
  }

  /**
   * Files an order, tells what became of it and reads anew what may be filed then. Answers the draft that was left
   * over, or null.
   */
  file(order) {
    return this.desk.file(order);
  }

  /** Replaces the filed list (see Plan.replace); answers null, or the Problem or Unreachable that was told. */
  rearrange(edit) {
    return this.desk.rearrange(edit);
  }

  /** Tells something for some seconds; `way`: {panel, link: its words}, a panel that it leads to. */
  notice(kind, text, way = {}) {
    if (this.notices.some((notice) => notice.kind === kind && notice.text === text)) return;
    const notice = { id: Math.random(), kind, text, ...way };
    const others = this.notices.filter((other) => !notice.instead || other.instead !== notice.instead);
    this.notices = [...others.slice(-2), notice];
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
      if (error instanceof Problem && error.passing) this.later(error.retryAfter ? error.retryAfter * 1000 : TRY_AGAIN_MS);
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
      } else if (kind === "match") {
        await this.seatsChanged();
      }
    });
    this.changed();
  }

  /** Seats were taken or freed, or the match began or ended; perhaps it is no longer ours to see. */
  async seatsChanged() {
    const wasRunning = this.running;
    try {
      await this.refreshDetail();
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      this.failure = error;
      this.following.end();
      return;
    }
    this.following.suit();
    if (wasRunning && this.ended) await this.turned(this.detail.tick);
    else if (this.playable && this.graph === null) await this.loadPlay();
  }

  async turned(tick) {
    await this.refreshDetail();
    await this.loadPlay();
    march.renew(this);
    if (tick > 0) {
      await this.loadReport(tick);
      this.turnedTo(tick);
    }
  }

  /** Reads what is new of a conversation that was opened before. */
  async refreshConversation(parties) {
    const known = this.messages.get(parties);
    if (!known) return;
    const after = known.at(-1)?.id ?? null;
    this.hear(parties, (await talk.messages(this.id, { with: parties, after, limit: 200 })).items.reverse());
  }

  /** Later messages of a conversation, those that are known already left out. */
  hear(parties, later) {
    const known = this.messages.get(parties) ?? [];
    const ids = new Set(known.map((message) => message.id));
    this.messages.set(parties, [...known, ...later.filter((message) => !ids.has(message.id))]);
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
