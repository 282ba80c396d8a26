/** The whole of an ended match, from its export: every state, order and battle of everybody. */
import { matches } from "../server.js";

/**
 * `whole`: {match: {id, name, seats, settings, factions}, seed, commitment, rules_version, result, checksums, ticks:
 * [{tick, snapshot, hash, and from tick 1 on deadline, ran_at, orders, nonces, digests, results, battles, captures}]}.
 * `state`: "absent", "loading", "ready" or "failed"
 * (`trouble` says why); `open`: whether the map shows all of it.
 */
export class Replay {
  constructor(m) {
    this.m = m;
    this.state = "absent";
    this.open = true;
    this.whole = null;
    this.trouble = null;
    this.views = new Map();
  }

  /** Reads the export, once. */
  async load() {
    if (this.state === "loading" || this.state === "ready") return;
    this.state = "loading";
    this.m.changed();
    try {
      this.whole = await matches.export(this.m.id);
      this.state = "ready";
      await this.m.past.redraw();
    } catch (error) {
      this.state = "failed";
      this.trouble = error;
    }
    this.m.changed();
  }

  /** The export's entry of a tick: {tick, orders, results, battles, captures, snapshot, hash, ...}; null if not here. */
  tick(tick) {
    return this.open ? (this.whole?.ticks[tick] ?? null) : null;
  }

  /** The whole map after a tick, as a view; null if not here or not wanted. */
  view(tick) {
    const entry = this.tick(tick);
    if (!entry) return null;
    if (!this.views.has(tick)) this.views.set(tick, viewOf(entry.snapshot, this.m.me));
    return this.views.get(tick);
  }

  /** Between everything and what the player saw at the time. */
  async see(open) {
    this.open = open;
    await this.m.past.redraw();
    this.m.changed();
  }
}

/** A snapshot as the view of one who sees every hold exactly; dealings between others stay theirs. */
function viewOf(snapshot, me) {
  const { tick, holds, factions, pacts, proposals, truces } = snapshot;
  const own = factions.find((faction) => faction.id === me);
  return {
    faction: me,
    tick,
    holds: holds.map(({ id, owner, garrison, buildings, yields }) => ({ id, sight: "exact", seen_tick: tick, owner, garrison, buildings, yields })),
    forces: holds.filter((hold) => hold.garrison[me]).map((hold) => ({ hold: hold.id, units: hold.garrison[me] })),
    stock: own.stock,
    techs: own.techs,
    research: own.research,
    pacts,
    proposals: proposals.filter((offer) => offer.from === me || offer.to === me),
    truces: truces.filter((truce) => truce.members.includes(me)),
    factions: factions.map(({ id, seat, name, eliminated_tick }) => ({ id, seat, name, eliminated_tick })),
  };
}
