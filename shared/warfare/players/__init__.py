"""Computer players: they answer open decisions, knowing what ``views.veil`` shows their power and no more.

``answer`` is the way in for battles, ``rule`` for seasons. ``styles`` holds what sets the levels apart, ``weighing``
puts a worth to attacks and presence, ``field`` answers the windows of a battle, ``realm`` those of a season. They
keep nothing in mind between windows.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from shared.warfare.battle import machine
from shared.warfare.battle.state import Battle
from shared.warfare.decisions import Decision
from shared.warfare.players import field, realm
from shared.warfare.players.styles import STYLES
from shared.warfare.season import machine as seasons
from shared.warfare.season.state import Season
from shared.warfare.views import veil

LEVELS: Final = tuple(STYLES)
"""Weakest first."""


def answer(level: str, known: Battle, decision: Decision, luck: str) -> Struct | None:
    """What a player of ``level`` answers to a question of a battle; None leaves it to policies and defaults.

    ``known`` is the battle as the asked power knows it. ``luck`` keys the player's draws: the same arguments give
    the same answer, and it passes ``machine.check``. KeyError for an unknown level.
    """
    found = field.answer(STYLES[level], known, decision, luck)
    if found is None or machine.check(known, decision.id, found) is not None:
        return None
    return found


def rule(level: str, known: Season, decision: Decision, luck: str) -> Struct | None:
    """As ``answer``, for a campaign as the asked power knows it; questions of its battles included."""
    if decision.battle is not None:
        battle = next(one for one in known.battles if one.id == decision.battle)
        return answer(level, battle, decision, luck)
    found = realm.answer(STYLES[level], known, decision)
    if found is None or seasons.check(known, decision.id, found) is not None:
        return None
    return found


def answers(
    levels: Mapping[str, str], battle: Battle, decisions: tuple[Decision, ...], luck: str
) -> dict[str, Any]:
    """By decision id, what the powers named in ``levels`` answer to the open window."""
    found: dict[str, Any] = {}
    for decision in decisions:
        if decision.power in levels:
            known = veil(battle, decision.power)
            given = answer(levels[decision.power], known, decision, luck)
            if given is not None:
                found[decision.id] = given
    return found
