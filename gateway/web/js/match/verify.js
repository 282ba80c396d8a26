/** Checks an ended match in the browser: what the export says against hashes, one's own reports and receipts. */
import { Problem } from "../api.js";
import { canonical, hashLines, sha256 } from "../canonical.js";
import { play, rulebook } from "../server.js";
import { checkSignature } from "./receipt_check.js";

/** Something is not what was promised; the message says what and where. */
export class Mismatch extends Error {}

/** This browser, or what is stored, does not allow the check. */
export class Unchecked extends Error {}

/**
 * `label`: what is promised; `run(subject, step)` answers what was found in words, or throws Mismatch or Unchecked.
 * `subject`: {m, whole: the export}; `step(done, of)` is awaited between ticks and lets the page breathe.
 */
export const CHECKS = [
  { name: "commitment", label: "The seed is the one the server was bound to from the start", run: seed }, // P-02
  { name: "digests", label: "The orders played are the ones sealed before each tick", run: digests }, // P-04
  { name: "chain", label: "Every state is chained to the one before", run: chain }, // P-05
  { name: "head", label: "Names and times are as written down", run: head },
  { name: "result", label: "The winner is the one announced", run: result },
  { name: "reports", label: "Your reports told you the same while you played", run: reports },
  { name: "receipts", label: "Every order you hold a receipt for was played", run: receipts },
];

function same(given, right, what) {
  if (given !== right) throw new Mismatch(`${what} does not match: ${short(given)} stands there, ${short(right)} was worked out.`);
}

const short = (value) => {
  const text = typeof value === "string" ? value : String(canonical(value ?? null));
  return text.length > 18 ? `${text.slice(0, 16)}…` : text;
};

const factionsOf = (whole) => whole.ticks[0].snapshot.factions.map((faction) => faction.id);

/** The canonical texts of a faction's sealed orders of a tick, by seq. */
function sealedTexts(entry, faction) {
  return entry.orders.filter((order) => order.faction === faction).sort((one, other) => one.seq - other.seq).map(canonical);
}

async function seed({ m, whole }) {
  same(whole.commitment, m.detail.seed_commitment, "The commitment in the export");
  same(whole.commitment, await sha256(whole.seed), "The commitment to the seed");
  for (const { tick, snapshot } of whole.ticks) same(snapshot.seed, whole.seed, `The seed in tick ${tick}`);
  return "Its SHA-256 is the commitment that was public while you played.";
}

async function digests({ whole }, step) {
  const factions = factionsOf(whole);
  for (const entry of whole.ticks.slice(1)) {
    for (const faction of factions) {
      const right = await hashLines([entry.nonces[faction], ...sealedTexts(entry, faction)]);
      same(entry.digests[faction], right, `Tick ${entry.tick}: the digest of ${faction}`);
    }
    const strange = entry.orders.find((order) => !factions.includes(order.faction));
    if (strange) throw new Mismatch(`Tick ${entry.tick}: an order of ${strange.faction}, who does not play.`);
    await step(entry.tick, whole.ticks.length - 1);
  }
  return `${factions.length} factions, ${whole.ticks.length - 1} ticks.`;
}

async function chain({ whole }, step) {
  const factions = factionsOf(whole);
  let previous = "";
  for (const [place, entry] of whole.ticks.entries()) {
    same(entry.tick, place, `Entry ${place}: the number of the tick`);
    same(entry.snapshot.tick, place, `Tick ${place}: the number in its state`);
    const sealed = place ? factions.map((faction) => entry.digests[faction]) : [];
    const right = await hashLines([canonical(entry.snapshot), previous, ...sealed, whole.rules_version]);
    same(entry.hash, right, `Tick ${place}: the hash of the state`);
    previous = right;
    await step(place, whole.ticks.length - 1);
  }
  return `The last state is ${short(previous)}`;
}

async function head({ whole }) {
  const { checksums } = whole;
  if (!checksums) throw new Unchecked("This export carries no checksums of them.");
  same(checksums.match, await sha256(canonical(whole.match)), "The head of the match");
  for (const [place, { deadline, ran_at }] of whole.ticks.slice(1).entries()) {
    same(checksums.ticks[place], await sha256(canonical({ deadline, ran_at })), `Tick ${place + 1}: its times`);
  }
  return "Match, factions, deadlines.";
}

async function result({ m, whole }) {
  const last = whole.ticks.at(-1).snapshot;
  same(canonical(whole.result), canonical(last.result), "The result of the export");
  same(canonical(m.detail.result), canonical(last.result), "The result announced");
  const name = last.factions.find((faction) => faction.id === last.result?.winner)?.name;
  return name ? `${name}, in tick ${last.result.tick}.` : "Nobody has won.";
}

async function reports({ m, whole }, step) {
  let found = 0;
  for (const entry of whole.ticks.slice(1)) {
    const told = await patiently(() => m.loadReport(entry.tick));
    if (told) {
      const at = `Tick ${entry.tick}: your report's`;
      same(told.state_hash, entry.hash, `${at} state hash`);
      same(canonical(told.digests), canonical(entry.digests), `${at} digests`);
      same(told.nonce, entry.nonces[m.me], `${at} nonce`);
      same(canonical(told.sealed), canonical(sealedTexts(entry, m.me)), `${at} sealed orders`);
      found += 1;
    }
    await step(entry.tick, whole.ticks.length - 1);
  }
  if (!found) throw new Unchecked("There are no reports of yours.");
  return `${found} reports: hashes, digests, nonces and orders.`;
}

async function receipts({ m, whole }, step) {
  const keys = new Map((await rulebook.keys()).items.map((key) => [key.id, key]));
  let [found, signed] = [0, 0];
  for (const entry of whole.ticks.slice(1)) {
    const sealed = new Set(sealedTexts(entry, m.me));
    const { items } = await patiently(() => play.orders(m.id, entry.tick));
    for (const { receipt } of items.filter((item) => item.receipt)) {
      const at = `Tick ${entry.tick}: the receipt ${short(receipt.sha256)}`;
      same(receipt.sha256, await sha256(receipt.text), `${at}, its hash`);
      if (!sealed.has(receipt.text)) throw new Mismatch(`${at} is of an order that was not played.`);
      const key = keys.get(receipt.key);
      if (!key) throw new Mismatch(`${at} is signed with a key that is none of this server's.`);
      const { ok } = await checkSignature(receipt, key);
      if (ok === false) throw new Mismatch(`${at} does not carry the server's signature.`);
      signed += ok ? 1 : 0;
      found += 1;
    }
    await step(entry.tick, whole.ticks.length - 1);
  }
  if (!found) throw new Unchecked("You filed no orders yourself.");
  return `${found} receipts, ${signed === found ? "each" : `${signed} of them`} with the server's signature checked.`;
}

/** Asks again when the server asks for patience. */
async function patiently(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || !error.passing) throw error;
      await new Promise((done) => setTimeout(done, (error.retryAfter ?? 1) * 1000));
    }
  }
}
