"""What a player makes of its view: who stands where, how strongly, and what could come (section 10).

Exact readings are taken as they are; stale and band readings are estimates on the careful side.
"""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from shared.lastwaters.effects import NONE, effects
from shared.lastwaters.filing import Briefing
from shared.lastwaters.graph import graph
from shared.lastwaters.players.odds import Units, attack_power, defence_power, walls
from shared.lastwaters.tables import BANDS, BUILDINGS, GARRISON_MAX, NEUTRAL, UNITS
from shared.lastwaters.views import HoldView, View

GROWTH = 8  # percent by which a garrison of another faction is reckoned to grow a tick while unseen
WALLS_UNSEEN = 2  # defence per unit reckoned with where buildings were never seen
RIDERS_UNSEEN = 4  # of how many unseen units one is reckoned to be an outrider
RECRUITS_JOIN = 3  # militia that may be raised in another faction's hold before an attack arrives
BASE_WORTH = 14  # of any hold: it counts at the end, and carries buildings


class Guard(NamedTuple):
    """What an attack on a hold would meet, as far as is known."""

    power: int
    """Defence power, doubled."""
    fortified: bool
    recruits: int
    """Defence power, doubled, that recruits may add before the battle (U-03)."""


class Ground:
    """A view read for planning. ``own`` are the player's holds, ``forces`` its units by hold, guests too."""

    def __init__(self, view: View, brief: Briefing) -> None:
        self.me = view.faction
        self.tick = brief.tick
        self.brief = brief
        self.map = graph(brief.routes)
        self.known = effects(view.techs)
        self.own = brief.holds
        self.forces: dict[str, dict[str, int]] = {force.hold: dict(force.units) for force in view.forces}
        self.rows = {row.id: row for row in view.holds}
        bonds = [pact.members for pact in view.pacts]
        self.allies = {f for members in bonds if self.me in members for f in members} - {self.me}
        truces = [truce.members for truce in view.truces if truce.last_tick >= brief.tick]
        self.friends = self.allies | {f for members in truces for f in members} - {self.me}
        self._guards: dict[str, Guard] = {}

    def owner(self, hold: str) -> str | None:
        """The last known owner; None for neutral and for unknown ground."""
        owner = self.rows[hold].owner
        return None if owner is UNSET else owner

    def rival(self, hold: str) -> bool:
        """Whether a faction that may be attacked holds it."""
        owner = self.owner(hold)
        return owner is not None and owner != self.me and owner not in self.friends

    def open_ground(self, hold: str) -> bool:
        """Whether it is known and neutral."""
        return self.rows[hold].sight != "unknown" and self.owner(hold) is None

    def worth(self, hold: str) -> int:
        """What holding it is worth: its yield, its buildings' yields, and that it counts."""
        row = self.rows[hold]
        reading = row if row.yields is not UNSET else row.older
        if reading is UNSET or reading.yields is UNSET or reading.buildings is UNSET:
            return BASE_WORTH
        yields = reading.yields
        built = sum(sum(BUILDINGS[b].yields) + 2 * BUILDINGS[b].defence for b in reading.buildings)
        return BASE_WORTH + yields.water + yields.scrap + yields.grain + built

    def guard(self, hold: str) -> Guard:
        found = self._guards.get(hold)
        if found is None:
            found = self._guards[hold] = self._guard(self.rows[hold])
        return found

    def _guard(self, row: HoldView) -> Guard:
        if row.garrison is not UNSET and row.buildings is not UNSET and row.seen_tick is not UNSET:
            ramparts = walls(row.buildings)
            power = sum(
                defence_power(units, ramparts) for side, units in row.garrison.items() if self._hostile(side)
            )
            age = self.tick - 1 - row.seen_tick
            if age and row.owner is not None:
                power += power * GROWTH * age // 100 + 2 * UNITS["militia"].defence * (1 + age // 2)
            return Guard(power, ramparts > 0, _recruits(row.owner, row.buildings))
        older = row.older
        if row.owner is None and older is not UNSET and older.owner is None:
            return Guard(sum(defence_power(units, 0) for units in older.garrison.values()), False, 0)
        count = _reckoned(row)
        if row.owner is None:
            return Guard(defence_power({"militia": min(count, GARRISON_MAX)}, 0), False, 0)
        if older is UNSET:
            return Guard(defence_power({"militia": count}, WALLS_UNSEEN), True, 0)
        ramparts = walls(older.buildings)
        return Guard(
            defence_power({"militia": count}, ramparts),
            ramparts > 0,
            _recruits(row.owner, older.buildings),
        )

    def threat(self, hold: str) -> int:
        """The largest attack power, doubled, that other factions' units seen nearby or in it could bring."""
        total = 0
        near = self.map.within(hold, 1)
        for place in self.map.within(hold, 2):
            row = self.rows[place]
            if row.garrison is not UNSET:
                for side, units in row.garrison.items():
                    if side != NEUTRAL and self._hostile(side):
                        riding = units if place in near else _riders(units)
                        total += attack_power(riding, NONE, False)
            elif self.rival(place):
                total += attack_power({"outrider": _reckoned(row) // RIDERS_UNSEEN}, NONE, False)
        return total

    def _hostile(self, side: str) -> bool:
        return side != self.me and side not in self.friends


def _recruits(owner: str | UnsetType | None, buildings: tuple[str, ...]) -> int:
    if not owner or not any(BUILDINGS[b].raises for b in buildings):
        return 0
    return defence_power({"militia": RECRUITS_JOIN}, walls(buildings))


def _riders(units: Units) -> dict[str, int]:
    return {unit: count for unit, count in units.items() if UNITS[unit].speed > 1}


def _reckoned(row: HoldView) -> int:
    """Units where only a band is known: two thirds of the way from its low end to its high end."""
    for number, (band, low) in enumerate(BANDS):
        if band == row.band:
            high = BANDS[number + 1][1] if number + 1 < len(BANDS) else 2 * low
            return low + (high - low) * 2 // 3
    return 0
