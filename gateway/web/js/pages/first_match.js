/** A first match by one tap: private, against computer players, begun at once because every seat is taken. */
import { newKey } from "../api.js";
import { loadRules, RULESET } from "../rules.js";
import { matches } from "../server.js";
import { session } from "../session.js";

const SEATS = 4;
const LEVEL = "sound";

export class FirstMatch {
  constructor() {
    this.keys = { create: newKey(), bots: newKey() };
    this.busy = false;
  }

  /** Answers the match's id. Asked again after an error it goes on where it stopped. Throws Problem, Unreachable. */
  async begin() {
    this.busy = true;
    try {
      const { answer } = await loadRules();
      const level = answer.levels.includes(LEVEL) ? LEVEL : answer.levels[0];
      const wanted = {
        name: `${session.account.handle}'s first waters`, seats: SEATS, visibility: "private", ruleset: RULESET,
        cadence_seconds: Math.min(...answer.paces),
      };
      const made = await matches.create(wanted, this.keys.create);
      await matches.addBots(made.id, SEATS - 1, level, this.keys.bots);
      this.keys = { create: newKey(), bots: newKey() };
      return made.id;
    } finally {
      this.busy = false;
    }
  }
}
