"""Every number of the game, in one place, as data (RULES.md holds the same tables for people).

The other modules read these tables and hold no number of their own.
"""

from typing import Final, Literal, NamedTuple

RULESET: Final = "last-waters"
RULES_VERSION: Final = 1

RESOURCES: Final = ("water", "scrap", "grain")
NEUTRAL: Final = "neutral"
"""The garrison key, and the side in battle, of militia that belongs to nobody (W-04)."""


class Cost(NamedTuple):
    """What leaves the pool, in whole units of each resource."""

    water: int
    scrap: int
    grain: int

    def times(self, count: int) -> "Cost":
        return Cost(self.water * count, self.scrap * count, self.grain * count)


class Unit(NamedTuple):
    attack: int
    defence: int
    speed: int
    cost: Cost
    siege: bool = False
    """Half as much attack again against a fortified hold (C-06)."""


UNITS: Final[dict[str, Unit]] = {  # section 3; the order is that of C-07 and C-08
    "militia": Unit(attack=2, defence=3, speed=1, cost=Cost(3, 0, 4)),
    "outrider": Unit(attack=4, defence=2, speed=2, cost=Cost(5, 1, 6)),
    "wrecker": Unit(attack=6, defence=1, speed=1, cost=Cost(6, 14, 6), siege=True),
}


class Building(NamedTuple):
    cost: Cost | None
    """None: cannot be ordered."""
    raises: tuple[str, ...] = ()
    defence: int = 0
    """Added to the defence of every unit that defends the hold; above 0 the hold is fortified (B-04)."""
    sight: int = 0
    yields: Cost = Cost(0, 0, 0)
    research_cut: int = 0
    """Percent of research time saved."""


BUILDINGS: Final[dict[str, Building]] = {  # section 4; the order is that of a snapshot's lists
    "bastion": Building(cost=None, raises=("militia",), defence=2),
    "palisade": Building(cost=Cost(10, 40, 0), defence=2),
    "muster-hall": Building(cost=Cost(25, 45, 0), raises=("militia", "outrider", "wrecker"), defence=1),
    "watch": Building(cost=Cost(15, 15, 0), defence=1, sight=1),
    "archive": Building(cost=Cost(20, 25, 0), research_cut=10),
    "growhouse": Building(cost=Cost(15, 15, 0), yields=Cost(0, 0, 5)),
    "salvage-yard": Building(cost=Cost(15, 0, 15), yields=Cost(0, 5, 0)),
    "cistern": Building(cost=Cost(20, 10, 0), yields=Cost(5, 0, 0)),
}

Field = Literal["economy", "military", "logistics", "diplomacy"]


class Tech(NamedTuple):
    field: Field
    cost: Cost
    ticks: int
    effect: str
    """In words, for people."""
    needs: tuple[str, ...] = ()
    yield_percent: Cost = Cost(0, 0, 0)
    """Percent on the faction's total of each resource (R-04)."""
    building_yields: tuple[tuple[str, int], ...] = ()
    """(building, factor): that building's own yield is multiplied (S-05)."""
    attack: tuple[tuple[str, int], ...] = ()
    defence: tuple[tuple[str, int], ...] = ()
    speed: tuple[tuple[str, int], ...] = ()
    """(unit, bonus); effects on one number add (S-05)."""
    fortification: tuple[tuple[str, int], ...] = ()
    """(building, bonus) for the defenders that know it (C-05)."""
    hop_discount: int = 0
    """Off a hop that ends on own ground (M-03)."""
    sight: int = 0
    """From every hold it sees from (F-03)."""
    sight_factor: tuple[tuple[str, int], ...] = ()
    """(building, factor) on the building's sight (F-03)."""
    research_cut: int = 0
    pact_cap: int = 0
    message_factor: int = 1
    truce_shorter: int = 0


TECHS: Final[dict[str, Tech]] = {  # section 9
    "cistern-works": Tech("economy", Cost(40, 0, 0), 2, "+20 % water", yield_percent=Cost(20, 0, 0)),
    "scrapcraft": Tech("economy", Cost(30, 10, 0), 2, "+20 % scrap", yield_percent=Cost(0, 20, 0)),
    "deep-roots": Tech("economy", Cost(40, 0, 0), 2, "+20 % grain", yield_percent=Cost(0, 0, 20)),
    "grafted-orchards": Tech(
        "economy",
        Cost(35, 35, 0),
        4,
        "growhouses yield double",
        needs=("deep-roots",),
        building_yields=(("growhouse", 2),),
    ),
    "common-stores": Tech(
        "economy",
        Cost(55, 65, 0),
        6,
        "+10 % water, scrap, grain",
        needs=("cistern-works", "scrapcraft", "deep-roots"),
        yield_percent=Cost(10, 10, 10),
    ),
    "muster-discipline": Tech(
        "military", Cost(30, 30, 0), 4, "militia defence +1", defence=(("militia", 1),)
    ),
    "outrider-drills": Tech("military", Cost(30, 40, 0), 4, "outrider attack +1", attack=(("outrider", 1),)),
    "iron-ranks": Tech(
        "military",
        Cost(60, 90, 0),
        6,
        "every unit's defence +1",
        needs=("muster-discipline",),
        defence=(("militia", 1), ("outrider", 1), ("wrecker", 1)),
    ),
    "palisade-craft": Tech(
        "military", Cost(35, 75, 0), 4, "a palisade's defence +1", fortification=(("palisade", 1),)
    ),
    "long-roads": Tech("logistics", Cost(40, 40, 0), 4, "outrider speed +1", speed=(("outrider", 1),)),
    "convoy-routes": Tech(
        "logistics",
        Cost(45, 65, 0),
        6,
        "a hop that ends on own ground costs 1 instead of 2",
        needs=("long-roads",),
        hop_discount=1,
    ),
    "signaling": Tech("logistics", Cost(35, 35, 0), 4, "sight +1 from every hold it sees from", sight=1),
    "watchfires": Tech(
        "logistics", Cost(30, 40, 0), 4, "a watch's sight is doubled", sight_factor=(("watch", 2),)
    ),
    "runner-networks": Tech("logistics", Cost(60, 0, 0), 4, "research time -20 %", research_cut=20),
    "runners-code": Tech(
        "diplomacy", Cost(30, 0, 0), 2, "hourly message allowance doubled", message_factor=2
    ),
    "long-councils": Tech("diplomacy", Cost(60, 0, 0), 4, "pact cap +1", needs=("runners-code",), pact_cap=1),
    "emissaries": Tech(
        "diplomacy",
        Cost(40, 30, 0),
        4,
        "truce 1 tick shorter when it breaks a pact",
        needs=("long-councils",),
        truce_shorter=1,
    ),
}

# World and map (W-01 to W-10)
SEATS: Final = (2, 50)
HOLDS_PER_SEAT: Final = (4, 40)
HOLDS_PER_SEAT_DEFAULT: Final = 8
TICK_CAP: Final = (1, 50)
TICK_CAP_DEFAULT: Final = 50
START_BUILDING: Final = "bastion"  # W-06
START_MILITIA: Final = 10
START_STOCK: Final = Cost(100, 100, 100)
START_YIELDS: Final = Cost(8, 8, 8)  # W-08
NEUTRAL_UNIT: Final = "militia"  # W-07
GARRISON_BASE: Final = 1
GARRISON_SPAN: Final = 6
GARRISON_MIN_DEPTH: Final = 3
GARRISON_MAX: Final = 8
BARREN_BAND: Final = (0, 0)  # W-09
LEAN_BAND: Final = (2, 4)
RICH_BAND: Final = (7, 10)
BARREN_PERCENT: Final = 10
RICH_PERCENT_BASE: Final = 25
RICH_PERCENT_SPAN: Final = 40
MEAN_DEGREE_TENTHS: Final = (24, 36)  # W-10
START_NEIGHBOURS: Final = 2
STARTS_APART: Final = 3
FAIR_RADIUS: Final = 2
FAIR_HOLDS_PERCENT: Final = 25
FAIR_HOLDS_SLACK: Final = 1
FAIR_GARRISON_PERCENT: Final = 25
FAIR_GARRISON_SLACK: Final = 2
FAIR_YIELD_PERCENT: Final = 30
FAIR_YIELD_SLACK: Final = 4
ATTEMPTS: Final = 64
LATE_ATTEMPT: Final = 33
"""From this attempt on the wider figures hold."""
LATE_STARTS_APART: Final = 2
LATE_FAIR_PERCENT: Final = 40

# Orders
COUNT: Final = (1, 1_000_000)  # T-02
ORDERS_A_TICK: Final = 500  # T-08

# Movement
HOP_COST: Final = 2  # M-03
SPEED_BUDGET: Final = 2
"""A path may cost this many times the column's speed."""

# Battle
POWER_SCALE: Final = 2  # C-06
SIEGE_SCALE: Final = 3
VARIATION_BASE: Final = 900  # C-07
VARIATION_DRAW: Final = 201
VARIATION_ONE: Final = 1000

# Diplomacy
PACT_CAP: Final = 3  # D-04
PACT_CAP_MAX: Final = 8
TRUCE_TICKS: Final = 2  # D-07

# Research
PROGRESS_A_TICK: Final = 100  # S-03
FULL_TIME: Final = 100
ARCHIVES_COUNTED: Final = 3
RESEARCH_CUT_MAX: Final = 50
OVER_MAX: Final = 99

# Sight
EXACT_RANGE: Final = 1  # F-02
BAND_RANGE: Final = 2
SIGHT_BONUS_MAX: Final = 2  # F-03
BANDS: Final = (("handful", 0), ("company", 6), ("host", 16), ("horde", 41))  # F-05: from this size on

# Messages
MESSAGE_CHARACTERS: Final = 2_000  # G-01
MESSAGES_AN_HOUR: Final = 20  # G-02
MESSAGES_TO_ONE_PLAYER: Final = 10

# The calendar
CADENCES_HOURS: Final = (6, 12, 24, 48)  # K-01
CADENCE_HOURS_DEFAULT: Final = 24

REASONS: Final[dict[str, str]] = {  # P-03
    "not-owned": "The hold is not yours, or you have no units there.",
    "cannot-raise": "No building on that hold raises that unit.",
    "unaffordable": "Your stores do not cover the cost.",
    "already-built": "The hold already carries that building.",
    "not-buildable": "That building cannot be ordered.",
    "units-absent": "Those units are not there, or another of your moves has claimed them.",
    "path-broken": "The path does not follow routes, or comes to one hold twice.",
    "too-far": "The column is too slow to get that far in one tick.",
    "busy-researching": "Another technology is being researched.",
    "already-known": "That technology is already known.",
    "missing-prerequisite": "A technology that this one needs is missing.",
    "unknown-tech": "There is no such technology.",
    "pact-exists": "You already have a pact with that faction.",
    "pact-cap": "There is no room for another pact.",
    "already-proposed": "You have an open proposal to that faction.",
    "no-proposal": "That faction has no open proposal to you.",
    "nothing-to-break": "There is no pact to break and no proposal to withdraw.",
    "unknown-faction": "There is no such faction.",
    "self": "A faction cannot name itself.",
    "eliminated": "That faction has been eliminated.",
    "malformed": "The order is not well formed.",
}
FILING_REASONS: Final[dict[str, str]] = {  # T-08
    "too-many-orders": "No more orders can be filed for this tick.",
}
