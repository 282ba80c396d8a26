"""Goals (section 11): those of every battle, walls, and the catalogue a captain chooses from."""

from typing import Final, Literal, NamedTuple

Reward = tuple[str, int | str]
"""What a winner gets: an effect of ``battle.goals`` and its number or status."""
Needs = Literal["", "champion", "site", "army"]


class GoalRow(NamedTuple):
    """Thresholds and rewards of the first role (attacker, proposer) and the second (defender, opponents)."""

    rule: str
    title: str
    thresholds: tuple[int, int]
    rewards: tuple[tuple[Reward, ...], tuple[Reward, ...]]
    tags: tuple[str, ...] = ()
    needs: Needs = ""
    order: int = 3
    """When its reward is applied (WF-GOAL-03): features, initiative, advance, the rest."""


_BOTH_LEAD: Final = ((("initiative", 1),), (("initiative", 1),))
_BOTH_PRESS: Final = ((("escalation", 1),), (("escalation", 1),))
_BOTH_RALLY: Final = ((("rally", 1),), (("rally", 1),))

BASE: Final[dict[str, GoalRow]] = {
    "initiative": GoalRow("WF-GOAL-05", "Seize the Initiative", (3, 3), _BOTH_LEAD, order=1),
    "advance": GoalRow("WF-GOAL-05", "Advance", (2, 2), _BOTH_PRESS, order=2),
}
WALLS: Final = GoalRow("WF-GOAL-10", "Walls", (2, 2), ((("remove", 1),), ()), ("wall", "defence"), order=0)
WALL_THRESHOLDS: Final = (2, 2, 3, 4)
"""An attacker's, by wall rank (WF-GOAL-10); the first when the option is off."""

CATALOGUE: Final[dict[str, GoalRow]] = {  # WF-GOAL-16
    "assassinate": GoalRow(
        "WF-GOAL-14", "Assassinate", (4, 2), ((("kill", 1),), (("absent", 1),)), needs="champion"
    ),
    "plunder": GoalRow("WF-GOAL-16", "Plunder", (3, 3), ((("coin", 1),), ()), needs="site"),
    "rally": GoalRow("WF-GOAL-16", "Rally", (3, 3), _BOTH_RALLY),
    "encircle": GoalRow("WF-GOAL-16", "Encircle", (4, 2), ((("encircle", 1),), ())),
    "disorder": GoalRow("WF-GOAL-16", "Disorder", (3, 2), ((("scattered", 2),), ()), needs="army"),
}
GOALS: Final[dict[str, GoalRow]] = {**BASE, "walls": WALLS, **CATALOGUE}
