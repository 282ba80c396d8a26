"""What an attack or presence on a goal may be worth, in enemy units of rank 1 that no longer fight."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from shared.warfare.army import Check
from shared.warfare.battle import checks
from shared.warfare.battle.state import Fighter, Goal
from shared.warfare.battle.work import Work

RANK_WORTH: Final = 0.25
"""What a rank adds to the worth of a unit."""
ARMOR_WORTH: Final = 0.25
MOMENTUM_WORTH: Final = 0.3
REWARDS: Final[dict[str, float]] = {
    "initiative": 1.0, "remove": 2.5, "kill": 4.0, "encircle": 0.5, "scattered": 1.0, "coin": 1.0, "absent": 1.5,
}  # fmt: skip
"""Escalation and rallies are reckoned from the field."""
DENIAL: Final = 0.5
"""Part of a reward that keeping it from the enemy is worth."""
SURE: Final = 4.0
"""Successes ahead or behind that make the end of a goal sure."""


class Strength(NamedTuple):
    own: float
    enemy: float


def unit_worth(fighter: Fighter) -> float:
    return 1 + RANK_WORTH * (fighter.card.rank - 1)


def strength(work: Work, side: int) -> Strength:
    """Worth of the units on the field, of a side and of all against it."""
    own = enemy = 0.0
    for fighter in work.deployed():
        worth = fighter.active * unit_worth(fighter)
        if fighter.side == side:
            own += worth
        else:
            enemy += worth
    return Strength(own, enemy)


def chance(die: int, static: int, threshold: int) -> float:
    """That one die succeeds."""
    return min(1.0, max(0.0, (die + static - threshold + 1) / die))


def successes(work: Work, me: Fighter, check: Check, threshold: int, extra: int) -> float:
    """Expected, of a check of ``me``."""
    die = checks.attribute(me, check).die
    static = checks.static(work, me, check, extra)
    return checks.pool(work, me, check) * chance(die, static, threshold)


def attack(work: Work, me: Fighter, target: Fighter, extra: int, already: float) -> float:
    """The worth of an attack. ``already``: points others are expected to have dealt to this target before."""
    hits = successes(work, me, "attack", checks.threshold(work, target), extra)
    worth = unit_worth(target)
    capacity = work.profile(target).capacity
    room = sum(capacity - unit.wounds for unit in target.units if unit.state == "active")
    armor = max(0.0, target.armor - already)
    through = max(0.0, hits - armor)
    wounds = min(through, max(0.0, room - max(0.0, already - target.armor)))
    total = ARMOR_WORTH * min(hits, armor) + worth * wounds / capacity
    if wounds >= 0.5 and not work.trait(target, "unshaken"):
        kept = successes(work, target, "morale", max(1, me.card.rank), 0)
        stake = target.active if work.trait(me, "whole-stake") else target.active // 2
        total += worth * max(0.0, stake - kept) * min(1.0, wounds)
    return total


def presence(work: Work, me: Fighter, goal: Goal, extra: int, planned: float, rounds: int) -> float:
    """The worth of presence on a goal. ``planned``: successes of the own side not yet recorded there."""
    threshold = goal.thresholds[me.side]
    if threshold is None:
        return 0.0
    totals = [0.0] * len(work.battle.sides)
    for record in goal.presence:
        totals[record.side] += record.successes
    mine = totals[me.side] + planned
    best = max((total for side, total in enumerate(totals) if side != me.side), default=0.0)
    more = successes(work, me, "presence", threshold, extra)
    gain = _wins(mine + more - best) - _wins(mine - best)
    own = sum(reward_worth(work, me.side, name, by, rounds) for name, by in goal.rewards[me.side])
    theirs = max(
        (
            sum(reward_worth(work, side, name, by, rounds) for name, by in rewards)
            for side, rewards in enumerate(goal.rewards)
            if side != me.side
        ),
        default=0.0,
    )
    return gain * (own + DENIAL * theirs)


def _wins(ahead: float) -> float:
    """How likely a lead is to last."""
    return min(1.0, max(0.0, 0.5 + ahead / (2 * SURE)))


def reward_worth(work: Work, side: int, name: str, by: int | str, rounds: int) -> float:
    if name == "escalation":
        dice = [(one.active, one.attack.die) for one in work.line(side)]
        return rounds * sum(active / die for active, die in dice) / 2
    if name == "rally":
        routed = (unit for one in work.line(side) for unit in one.units if unit.state == "routed")
        return float(any(True for _ in routed))
    return REWARDS.get(name, 0.0)


def rest(work: Work, me: Fighter) -> float:
    return ARMOR_WORTH * (me.armor_max - me.armor) + MOMENTUM_WORTH * (me.momentum < me.active)


def strongest(fighters: Iterable[Fighter]) -> Fighter | None:
    return max(fighters, key=lambda one: one.active * unit_worth(one), default=None)
