/** What became of a battle, as its ownership and one's own survivors tell it. */
import { allCalled, called, NEUTRAL } from "./sides.js";

/**
 * {kind, before, after}: `kind` is "taken", "lost", "held", "beaten" (an attack of ours that left nobody), "fought" or
 * "seen"; the hold's name stands between the words `before` and `after`. `view`: of after the tick.
 */
export function outcome(m, battle, view) {
  const { me } = m;
  const { owner_before: from, owner_after: to } = battle;
  if (me && from === me) return to === me ? told("held", "You held", `against ${attackersOf(m, battle)}`) : told("lost", "You lost", `to ${called(m, to)}`);
  if (me && to === me) return told("taken", "You took", `from ${from ? called(m, from) : "the wild garrison"}`);
  if (me && battle.assaults.some((assault) => assault.attackers.includes(me))) {
    if (view.forces.some((force) => force.hold === battle.hold)) return told("fought", "You fought at", held(m, battle));
    return told("beaten", "Your attack on", `was beaten back; ${held(m, battle)}`);
  }
  if (me && battle.assaults.some((assault) => assault.defenders.includes(me))) {
    return to === from ? told("held", "You helped to hold", "") : told("lost", "You helped to defend", `but ${held(m, battle)}`);
  }
  return told("seen", ...ofOthers(m, battle));
}

const told = (kind, before, after) => ({ kind, before, after });

/** Who holds the ground, which was not and is not one's own. */
function held(m, { owner_before: from, owner_after: to }) {
  if (!to) return "it stays wild";
  return to === from ? `${called(m, to)} still holds it` : `${called(m, to)} holds it now`;
}

function attackersOf(m, battle) {
  const owner = battle.owner_before;
  const hostile = battle.assaults.filter((assault) => assault.defenders.includes(owner)).flatMap((assault) => assault.attackers);
  const own = battle.assaults.filter((assault) => assault.attackers.includes(owner)).map((assault) => assault.defender);
  return allCalled(m, [...new Set([...hostile, ...own])]);
}

/** ["Blue took", "from Red"] or ["Blue held", "against Red"] */
function ofOthers(m, { assaults, owner_before: from, owner_after: to }) {
  const name = (id) => (id === NEUTRAL ? "The wild garrison" : called(m, id));
  if (to !== from) return [`${name(to)} took`, `from ${from ? called(m, from) : "the wild garrison"}`];
  const attackers = [...new Set(assaults.flatMap((assault) => assault.attackers))].filter((id) => id !== (to ?? NEUTRAL));
  return [`${name(to ?? NEUTRAL)} held`, attackers.length ? `against ${allCalled(m, attackers)}` : ""];
}
