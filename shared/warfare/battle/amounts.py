"""Amounts that rows name (``Amount``)."""

from collections.abc import Callable
from typing import Final

from shared.warfare.battle.conditions import walls
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Work
from shared.warfare.effects import Amount

FRIENDS = 3


def amount(by: Amount, work: Work, fighter: Fighter) -> int:
    return by if isinstance(by, int) else AMOUNTS[by](work, fighter)


def _wall_rank(work: Work, me: Fighter) -> int:
    wall = walls(work)
    return wall.rank if wall else 0


AMOUNTS: Final[dict[str, Callable[[Work, Fighter], int]]] = {
    "momentum": lambda work, me: me.momentum,
    "round": lambda work, me: work.battle.round,
    "attacks-received": lambda work, me: me.attacked,
    "three-less-friends": lambda work, me: max(0, FRIENDS - (len(work.line(me.side)) - 1)),
    "wall-rank": _wall_rank,
}
