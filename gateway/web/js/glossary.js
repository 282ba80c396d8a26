/** Every word that a player meets, explained in a sentence or two. Numbers come from the rules' tables. */
import { bandRange, title } from "./rules.js";
import { BUILDING_WORDS, TECH_WORDS, UNIT_WORDS } from "./glossary_things.js";

/**
 * By name: {rule: where the rulebook has it, text(rules) -> words, also: other forms of the word, shy: true if it is
 * an everyday word too, so that withTerms leaves it alone}.
 */
const WORDS = {
  // The world
  hold: { rule: "W-03", also: ["holds"], text: () => "A place on the map that a faction can own. It pays its owner a yield each tick and can carry buildings and a garrison." },
  route: { rule: "W-02", also: ["routes"], text: () => "A line between two holds. Units travel along routes only, and sight is counted in routes." },
  garrison: { rule: "W-04", also: ["garrisons"], text: () => "All units that stand in a hold: its owner's, and those of friends who are guests there." },
  guest: { rule: "W-04", also: ["guests"], text: () => "Units that stand in another faction's hold. As long as you are friends they defend it; you can march them on from there." },
  neutral: { rule: "W-07", text: () => "Owned by nobody. Most neutral holds are guarded by some militia that never march." },
  start: { rule: "W-06", shy: true, text: () => "The hold that a faction begins with: it has a bastion, and nobody else starts near." },
  barren: { rule: "W-09", text: () => "Ground that yields nothing. It is still worth a view, or a way through." },
  lean: { rule: "W-09", text: () => "Ground that yields a little of every resource." },
  rich: { rule: "W-09", shy: true, text: () => "Ground that yields plenty of one resource and a little of the others." },
  faction: { rule: "W-01", also: ["factions"], text: () => "A player's side in a match: its holds, units, stores and knowledge. Computer players lead factions too." },
  seat: { rule: "W-01", also: ["seats"], text: () => "A faction's place in the lobby. Where numbers are even in a battle or a count, the lower seat goes first." },
  neighbour: { rule: "W-02", also: ["neighbours"], text: () => "A hold at the other end of one route, or the faction that owns it." },

  // Means
  water: { rule: "R-01", text: () => "One of the three resources: every unit, nearly all buildings and all research ask for it." },
  scrap: { rule: "R-01", text: () => "One of the three resources: for buildings, war engines and much of research." },
  grain: { rule: "R-01", text: () => "One of the three resources: it feeds recruits." },
  resource: { rule: "R-01", also: ["resources"], text: ({ resources }) => `${title(resources.join(", "))}: what holds pay and what units, buildings and research cost. All you own goes into one pool.` },
  stock: { rule: "R-01", also: ["stores"], text: () => "What you have of each resource. It has no limit, spoils never, and is spent anywhere on the map." },
  yield: { rule: "R-03", also: ["yields"], text: () => "What a hold pays its owner each tick: its own fixed amount and that of its buildings. It comes first in the tick, so you can plan with it." },
  purse: { rule: "T-02", shy: true, text: () => "What would be left of your stock, this tick's yield included, if all that you have filed were carried out." },

  // The tick
  tick: { rule: "T-01", also: ["ticks"], text: () => "The moment when everybody's sealed orders are opened and happen at the same time. Between two ticks nothing on the map moves." },
  seal: { rule: "K-04", shy: true, also: ["sealed"], text: () => "At the deadline the orders on file are closed for good: nobody can add, change or see any before they are carried out." },
  deadline: { rule: "K-03", also: ["deadlines"], text: () => "The time at which a tick comes. Orders accepted before it count; those after it are refused. If the server was away it is put off." },
  cadence: { rule: "K-01", text: () => "How long it is from one tick to the next in this match." },
  phase: { rule: "T-01", also: ["phases"], text: () => "A part of the tick: yields, recruiting, building, marching, battle, diplomacy, research, then who is out and what is seen." },
  order: { rule: "T-01", also: ["orders"], text: ({ limits }) => `What you want done at the tick: march, recruit, build, research, propose, accept or break. You can have up to ${limits.orders_a_tick} on file and change them until the deadline.` },
  march: { rule: "M-01", also: ["marches"], text: ({ limits }) => `Units leaving a hold along routes. A hop costs ${limits.hop_cost}, and a column can pay ${limits.speed_budget} for each point of its slowest unit's speed.` },
  column: { rule: "M-03", also: ["columns"], text: () => "The units of one march. It is as fast as its slowest unit and fights only where it ends." },
  speed: { rule: "M-03", text: ({ limits }) => `How far a unit gets in one tick: a point of speed pays for ${limits.speed_budget / limits.hop_cost === 1 ? "one hop" : `${limits.speed_budget / limits.hop_cost} hops`}.` },
  hop: { rule: "M-03", also: ["hops"], text: () => "The step from one hold to the next along a route." },
  recruit: { rule: "U-01", also: ["recruits", "recruited"], shy: true, text: () => "New units, raised in a hold that has a building for it. They defend in the same tick and can march in the next." },
  idle: { rule: "M-06", shy: true, text: () => "Units that no order of yours moves this tick. They stay and guard." },

  // Battle
  attack: { rule: "C-06", shy: true, text: () => "What a unit counts for when it comes at somebody." },
  defence: { rule: "C-05", text: () => "What a unit counts for when it is come at, with what the walls add to each unit." },
  battle: { rule: "C-01", also: ["battles"], text: () => "What happens where hostile units meet after marching, or where units meet a neutral garrison." },
  assault: { rule: "C-04", also: ["assaults"], text: () => "One fight of a battle: one side defends with its friends, its foes attack together. Assaults follow until nobody hostile is left." },
  exchange: { rule: "C-07", also: ["exchanges"], text: () => "One round of an assault. Both sides lose units at the same time, each by the other's power and by chance." },
  power: { rule: "C-05", shy: true, text: () => "All that the units of one side count for together, with technologies and walls." },
  variation: { rule: "C-07", also: ["variations"], text: () => "Chance in battle: each side's power is multiplied by something near one, drawn anew for every exchange." },
  siege: { rule: "C-06", text: () => "A unit built for siege attacks half as hard again where a hold is fortified." },
  fortified: { rule: "B-04", also: ["fortification"], text: ({ tables }) => `A hold with walls or the like (${tables.buildings.filter((row) => row.defence).map((row) => title(row.building).toLowerCase()).join(", ")}). Each adds to every defending unit's defence.` },
  capture: { rule: "C-11", also: ["captured", "captures"], text: () => "A hold changes hands when its owner has no units left there: the strongest foe present takes it." },
  loss: { rule: "C-08", also: ["losses"], text: () => "Units that fell. They are spread over all units of a side by their numbers." },

  // Sight
  fog: { rule: "F-01", text: () => "What you cannot see. Your own and your allies' holds see around them; units on their own see nothing." },
  sight: { rule: "F-02", text: ({ limits }) => `How far a hold sees: exactly up to ${limits.exact_range} route, as a band up to ${limits.band_range}. A watch and some technologies see further.` },
  exact: { rule: "F-04", shy: true, text: () => "Seen near: owner, every unit, buildings and yields." },
  band: { rule: "F-05", also: ["bands"], text: ({ tables }) => `Seen from afar: the owner, and only roughly how many stand there (${tables.bands.map((row) => row.band).join(", ")}).` },
  stale: { rule: "F-07", text: () => "Seen once, not now. What you read is of the tick named beside it, and may have changed since." },
  unknown: { rule: "F-07", shy: true, text: () => "Never seen. Only its name and its place are known." },

  // Diplomacy
  pact: { rule: "D-04", also: ["pacts"], text: ({ limits }) => `A public bond of two factions: they do not fight each other, share ground and see what the other sees. You have room for ${limits.pact_cap}, or more with a technology.` },
  allied: { rule: "D-06", also: ["ally", "allies"], text: () => "Bound by a pact." },
  friendly: { rule: "C-02", also: ["friend", "friends"], shy: true, text: () => "Bound by a pact or a truce. Friends do not fight each other; a friend's friend may be a foe." },
  hostile: { rule: "C-02", text: () => "Everybody with whom you have neither a pact nor a truce. Where you meet, you fight." },
  proposal: { rule: "D-03", also: ["proposals", "propose"], text: () => "The offer of a pact. It stays open until it is accepted or taken back, and only the two of you know of it." },
  break: { rule: "D-07", shy: true, text: ({ limits }) => `Ending a pact. Shared sight is gone at once; a truce of ${limits.truce_ticks} ticks follows, this one counted.` },
  truce: { rule: "D-07", also: ["truces"], text: ({ limits }) => `The time after a broken pact in which the two still do not fight: ${limits.truce_ticks} ticks, or fewer.` },

  // Research
  technology: { rule: "S-01", also: ["technologies", "research"], text: () => "Knowledge that holds for your whole faction. One is learned at a time; it is paid when it starts and cannot be stopped." },
  prerequisite: { rule: "P-03", also: ["prerequisites"], text: () => "A technology that has to be known before another can be started." },

  // Standing
  eliminated: { rule: "V-01", also: ["elimination"], text: () => "Out: a faction without a single hold at the end of a tick. Its units are gone, and it files nothing more." },
  resign: { rule: "V-01", also: ["resigned"], shy: true, text: () => "Giving your seat to a computer player, from the next tick to the end. Everybody is told; the rules know no difference." },
  victory: { rule: "V-02", text: ({ limits }) => `The last faction left wins. After the last tick (at most ${limits.tick_cap[1]}), the most holds win, then the fullest stores.` },

  // Reports and trust
  report: { rule: "P-01", also: ["reports"], shy: true, text: () => "What a tick did: what became of each order, what you gained and lost, and all that you could see happen." },
  receipt: { rule: "P-04", also: ["receipts"], text: () => "The server's signed word that it took an order at a certain time. Keep it, and it cannot be denied." },
  digest: { rule: "P-04", also: ["digests"], text: () => "A fingerprint of a faction's sealed orders, given to all at the tick. Orders cannot be swapped afterwards without showing." },
  "state hash": { rule: "P-05", also: ["state hashes"], text: () => "A fingerprint of the whole match after a tick, chained to the one before it. If anything were altered later, the chain would break." },
  commitment: { rule: "P-02", also: ["seed commitment"], text: () => "A fingerprint of the number that all chance comes from, shown before the match begins. At the end the number itself is published and has to fit." },
  seed: { rule: "W-11", text: () => "The secret number that map and chance are drawn from. It is published when the match has ended." },
  practice: { rule: "W-11", shy: true, text: () => "A match whose seed was given from outside, so somebody may have known it." },

  // Messages
  allowance: { rule: "G-02", text: ({ limits }) => `How many messages you may still send: ${limits.messages_an_hour} an hour, at most ${limits.messages_to_one_player} of them to one player.` },
  block: { rule: "G-03", shy: true, also: ["blocked"], text: () => "You get no more messages from a blocked player. They are not told, and cannot tell." },
  undeliverable: { rule: "G-03", text: () => "Somebody among those addressed takes no messages just now, so it went to nobody. Who it was is not told." },
};

/** All entries by name for the given rules: words, units, buildings, technologies, bands. */
export function entries(rules) {
  const { tables } = rules;
  const cost = (row) => rules.resources.filter((name) => row.cost[name]).map((name) => `${row.cost[name]} ${name}`).join(", ");
  const found = new Map(Object.entries(WORDS).map(([name, entry]) => [name, { rule: entry.rule, text: entry.text(rules) }]));
  for (const row of tables.units) {
    found.set(row.unit, { rule: "U-01", text: `${UNIT_WORDS[row.unit] ?? "A kind of unit."} Attack ${row.attack}, defence ${row.defence}, speed ${row.speed}; costs ${cost(row)}.` });
  }
  for (const row of tables.buildings) {
    found.set(row.building, { rule: "B-01", text: `${BUILDING_WORDS[row.building]?.(row, rules) ?? "A building."} ${row.orderable ? `Costs ${cost(row)}.` : "It cannot be built."}` });
  }
  for (const row of tables.techs) {
    const needs = row.needs.length ? `; needs ${row.needs.map(title).join(", ")}` : "";
    found.set(row.tech, { rule: "S-05", text: `${TECH_WORDS[row.field] ?? "Technology"}: ${row.effect}. Takes ${row.ticks} ticks, costs ${cost(row)}${needs}.` });
  }
  for (const { band } of tables.bands) {
    found.set(band, { rule: "F-05", text: `Seen from afar: ${bandRange(tables.bands, band)} units stand there.` });
  }
  return found;
}

/** Other forms of the words that stand in WORDS, and those that withTerms passes over. */
export const FORMS = new Map(Object.entries(WORDS).flatMap(([name, entry]) => [name, ...(entry.also ?? [])].map((form) => [form, name])));
export const SHY = new Set(Object.entries(WORDS).filter(([, entry]) => entry.shy).map(([name]) => name));
