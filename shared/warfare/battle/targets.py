"""Whom an army may attack, and how (WF-ATK-01 to ATK-03, ATK-06)."""

from shared.warfare.battle.checks import threshold
from shared.warfare.battle.state import Fighter, Goal
from shared.warfare.battle.work import Strike, Work
from shared.warfare.content.statuses import STATUSES
from shared.warfare.policy import Policy

COMMANDED_RANGED = 1
ALWAYS_RANGED = 2


def mode_of(work: Work, me: Fighter, *, commanded: bool = True) -> str:
    """WF-ATK-01."""
    ranged = work.trait(me, "ranged")
    if ranged >= ALWAYS_RANGED or (commanded and ranged >= COMMANDED_RANGED):
        return "ranged"
    return "airborne" if work.flies(me) else "melee"


def reaches(work: Work, me: Fighter, target: Fighter, mode: str) -> bool:
    """WF-ATK-02."""
    return (
        target.side != me.side
        and target.stand == "line"
        and target.active > 0
        and (mode != "melee" or not work.flies(target))
    )


def within_reach(work: Work, me: Fighter, mode: str) -> list[Fighter]:
    """Valid targets before restrictions, in canonical order."""
    return [target for target in work.deployed() if reaches(work, me, target, mode)]


def valid(work: Work, me: Fighter, mode: str) -> list[Fighter]:
    """Whom an attack must be aimed at: one of these (WF-ATK-03)."""
    found = within_reach(work, me, mode)
    if me.bonds:
        bonding = {bond.army for bond in me.bonds}
        found = [target for target in found if target.id in bonding] or found
    if mode == "melee":
        found = [target for target in found if _taunts(target)] or found
    return found


def _taunts(target: Fighter) -> bool:
    return any(STATUSES[name].taunts for name in target.statuses)


def by_preference(work: Work, me: Fighter, among: list[Fighter]) -> list[Fighter]:
    """Easiest to hit first, then fewest units, then canonical (WF-INT-26)."""
    return sorted(among, key=lambda target: (threshold(work, target), target.active))


def aimed_at(strike: Strike) -> set[str]:
    """Armies this attack has targeted already, redirected or not."""
    return {fighter.id for aim in strike.aims for fighter in (aim.declared, aim.final)}


def stand_in(work: Work, me: Fighter, strike: Strike, policy: Policy) -> Fighter | None:
    """Who takes an attack in the place of Rogues (WF-CLS-09, WF-INT-01)."""
    aimed = aimed_at(strike)
    allies = [
        ally
        for ally in work.deployed()
        if ally.side == me.side
        and ally is not me
        and ally.id not in aimed
        and reaches(work, strike.attacker, ally, strike.mode)
    ]
    for name in policy.redirect_to:
        for ally in allies:
            if ally.id == name:
                return ally
    return max(allies, key=lambda ally: ally.defense, default=None)


def to_bind(work: Work, me: Fighter, goal: Goal | None, policy: Policy) -> Fighter | None:
    """Whom Brawlers bond among those with presence on ``goal`` (WF-CLS-03, WF-INT-10)."""
    if goal is None or policy.bond == "never":
        return None
    there: dict[str, int] = {}
    for record in goal.presence:
        if record.side != me.side:
            there[record.army] = there.get(record.army, 0) + record.successes
    enemies = [enemy for enemy in work.deployed() if enemy.id in there and enemy.active]
    if policy.bond == "auto":
        return max(enemies, key=lambda enemy: there[enemy.id], default=None)
    named = {enemy.id: enemy for enemy in enemies}
    return next((named[name] for name in policy.bond if name in named), None)
