"""Conditions that rows name (``Where``)."""

from collections.abc import Callable
from typing import Final

from shared.warfare.battle.state import Fighter, Goal
from shared.warfare.battle.work import Happening, Work
from shared.warfare.content.tables import TERRAINS
from shared.warfare.effects import Where

Condition = Callable[[Work, Fighter, Happening | None], bool]


def holds(where: Where, work: Work, fighter: Fighter, happening: Happening | None = None) -> bool:
    return all(CONDITIONS[name](work, fighter, happening) for name in where)


def walls(work: Work) -> Goal | None:
    """The Walls goal in play."""
    for goal in work.battle.goals:
        if "wall" in goal.tags and not goal.removed and goal.back_in <= work.battle.round:
            return goal
    return None


def _in(terrain: str) -> Condition:
    return lambda work, me, what: work.battle.terrain == terrain


def _tagged(*tags: str) -> Condition:
    return lambda work, me, what: (
        what is not None and what.goal is not None and any(tag in what.goal.tags for tag in tags)
    )


def _spell_of(element: str) -> Condition:
    return lambda work, me, what: (
        what is not None and what.spell is not None and what.spell.element == element
    )


def _within_reach(work: Work, me: Fighter, what: Happening | None) -> bool:
    strike = what.strike if what else None
    return strike is not None and not strike.counter and strike.mode in ("melee", "airborne")


def _from_afar(work: Work, me: Fighter, what: Happening | None) -> bool:
    return what is not None and what.strike is not None and what.strike.mode in ("ranged", "airborne")


def _charging(work: Work, me: Fighter, what: Happening | None) -> bool:
    return what is not None and what.strike is not None and what.strike.charging


def _by_larger(work: Work, me: Fighter, what: Happening | None) -> bool:
    return what is not None and what.actor is not None and work.size(what.actor) > work.size(me)


def _by_mortals(work: Work, me: Fighter, what: Happening | None) -> bool:
    return what is not None and what.actor is not None and work.profile(what.actor).mortal


def _light(work: Work, me: Fighter, what: Happening | None) -> bool:
    battle = work.battle
    return battle.round == 1 or (battle.round <= 4 and sunlit(work))  # WF-ANC-22


def sunlit(work: Work) -> bool:
    """WF-MAP-06, or as a game master rules it round by round (WF-GM-02)."""
    by_round = work.battle.sun_by_round
    if by_round:
        return by_round[min(work.battle.round, len(by_round)) - 1]
    return work.battle.sunlight


CONDITIONS: Final[dict[str, Condition]] = {
    **{f"in-{terrain}": _in(terrain) for terrain in TERRAINS},
    "even-round": lambda work, me, what: work.battle.round % 2 == 0,
    "odd-round": lambda work, me, what: work.battle.round % 2 == 1,
    "flying": lambda work, me, what: work.flies(me),
    "charging": _charging,
    "within-reach": _within_reach,
    "from-afar": _from_afar,
    "by-a-larger-army": _by_larger,
    "by-mortals": _by_mortals,
    "on-defence": _tagged("defence"),
    "on-walls-or-siege": _tagged("wall", "siege"),
    "defending-walls": lambda work, me, what: me.side == work.battle.defender and walls(work) is not None,
    "water-spell": _spell_of("W"),
    "fire-spell": _spell_of("F"),
    "side-cast-rank-of-round": lambda work, me, what: any(
        cast.side == me.side and cast.rank == work.battle.round for cast in work.battle.spoken
    ),
    "unhurt-this-round": lambda work, me, what: not me.hurt,
    "carries-a-wound": lambda work, me, what: any(
        unit.wounds and unit.state == "active" for unit in me.units
    ),
    "side-won-a-goal": lambda work, me, what: bool(work.battle.sides[me.side].won),
    "centenium-on-its-side": lambda work, me, what: any(
        "centenium" in ally.card.tags for ally in work.line(me.side)
    ),
    "light-holds": _light,
    "passes-before": lambda work, me, what: work.policy(me).pass_when == "before",
    "passes-after": lambda work, me, what: work.policy(me).pass_when == "after",
}
