"""The rulebook's plain numbers: equipment, level-up lines, terrain, limits of battles and drafts."""

from typing import Final, NamedTuple

TIERS: Final = ("Civilian", "Light", "Medium", "Heavy", "Grand")
TIER_ARMOR: Final = (0, 1, 2, 3, 4)  # section 14


class Line(NamedTuple):
    """A line of the level-up table (WF-LVL-01)."""

    title: str
    die: str = ""
    """The check whose die grows by ``by``."""
    number: str = ""
    """The number that grows by ``by``; neither: a keyword."""
    by: int = 0


LEVEL_LINES: Final[dict[int, Line]] = {
    1: Line("Presence", die="presence", by=2),
    2: Line("Attack", die="attack", by=2),
    3: Line("Morale", die="morale", by=2),
    4: Line("Defense", number="defense", by=1),
    5: Line("Mobility", number="mobility", by=1),
    6: Line("Keyword"),
}
LEVEL_DICE: Final = 3  # WF-LVL-02
LEVEL_PICKS: Final = 3
LEVEL_DIE: Final = 6
PREMIUM_DIE: Final = 6  # WF-ACT-46

CAPACITY: Final = 2  # WF-CARD-05
MOST_UNITS: Final = 1000
"""Of an army as it is made; what a machine can carry, no rule."""
RESISTS: Final = 1  # WF-CARD-11


class Terrain(NamedTuple):
    rough: bool = False
    water: bool = False
    shades: bool = False
    """No sunlight under it (WF-MAP-06)."""
    eased_by: str = ""
    """The trait for which it is not rough."""


TERRAINS: Final[dict[str, Terrain]] = {  # WF-MAP-02, MAP-03
    "plains": Terrain(),
    "forest": Terrain(rough=True, shades=True, eased_by="marches-forest"),
    "mountains": Terrain(rough=True, eased_by="marches-mountains"),
    "desert": Terrain(rough=True, eased_by="marches-desert"),
    "coast": Terrain(),
    "water": Terrain(water=True),
}

SITE_ORDER: Final = ("town", "stronghold", "outpost")  # WF-SET-06, largest first
PROPOSALS: Final = 2  # WF-SET-08
IMPERILLED_ODDS: Final = 3  # WF-RND-20
TRUCE_SEASONS: Final = 4  # WF-RND-17
BEST_FACE_COUNTS: Final = 2  # WF-AST-04, AST-07: critical dice

DRAFT_RANK: Final = 4  # WF-CMP-10
DRAFT_SIZE: Final = 8
DRAFT_ARMIES: Final = (1, 8)
DRAFT_TIER_COST: Final = 2
DRAFT_PREMIUM: Final = 4
DRAFT_TITANIC: Final = 8
