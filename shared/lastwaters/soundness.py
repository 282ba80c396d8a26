"""Whether a decoded snapshot is sound, and a memory beside it: sorted as contract.md says, naming what is there.

``world`` has checked the types already; here is what types cannot say.
"""

import itertools
from collections.abc import Iterable

from msgspec import UNSET

from shared.lastwaters.errors import BadInput
from shared.lastwaters.memory import ExactReading, Memory
from shared.lastwaters.tables import BANDS, BUILDINGS, NEUTRAL, SEATS, TECHS, UNITS
from shared.lastwaters.world import Faction, Hold, Snapshot

_BUILDING_PLACE = {name: place for place, name in enumerate(BUILDINGS)}


def check(snapshot: Snapshot, where: str = "snapshot") -> None:
    """BadInput, naming the first place that breaks contract.md; else nothing."""
    _factions(snapshot, where)
    factions = {faction.id for faction in snapshot.factions}
    _holds(snapshot.holds, factions, f"{where}.holds")
    _routes(snapshot, where)
    _dealings(snapshot, factions, where)
    result = snapshot.result
    if result is not None:
        _named(result.winner, factions, f"{where}.result.winner")
        _past(result.tick, snapshot.tick, f"{where}.result.tick")


def _factions(snapshot: Snapshot, where: str) -> None:
    factions = snapshot.factions
    if not SEATS[0] <= len(factions) <= SEATS[1]:
        raise BadInput(f"{where}.factions", f"{SEATS[0]} to {SEATS[1]} factions, not {len(factions)}")  # W-01
    seen: set[str] = set()
    for place, faction in enumerate(factions):
        at = f"{where}.factions[{place}]"
        if faction.id in seen or faction.id == NEUTRAL:
            raise BadInput(f"{at}.id", f"{faction.id!r} is taken")
        seen.add(faction.id)
        if faction.seat != place + 1:
            raise BadInput(f"{at}.seat", f"seats count from 1 in order, {faction.seat} stands at {place + 1}")
        _learning(faction, at)
        if faction.eliminated_tick is not None:
            _past(faction.eliminated_tick, snapshot.tick, f"{at}.eliminated_tick")


def _learning(faction: Faction, at: str) -> None:
    for number, tech in enumerate(faction.techs):
        _named(tech, TECHS, f"{at}.techs[{number}]")
    if len(set(faction.techs)) != len(faction.techs):
        raise BadInput(f"{at}.techs", "a technology stands twice")
    if faction.research is not None:
        _named(faction.research.tech, TECHS, f"{at}.research.tech")
        if faction.research.tech in faction.techs:
            raise BadInput(f"{at}.research.tech", "is known already")


def _holds(holds: tuple[Hold, ...], factions: set[str], where: str) -> None:
    _ascending((hold.id for hold in holds), where, "by id")
    for place, hold in enumerate(holds):
        _ground(hold, factions, f"{where}[{place}]")


def _ground(hold: Hold | ExactReading, factions: set[str], at: str) -> None:
    _owner(hold.owner, factions, f"{at}.owner")
    for number, building in enumerate(hold.buildings):
        _named(building, BUILDINGS, f"{at}.buildings[{number}]")
    _ascending(
        (_BUILDING_PLACE[name] for name in hold.buildings), f"{at}.buildings", "in the rulebook's order"
    )
    for side, units in hold.garrison.items():
        if side != NEUTRAL:
            _named(side, factions, f"{at}.garrison")
        if not units:
            raise BadInput(f"{at}.garrison.{side}", "empty entries are left out")
        for unit in units:
            _named(unit, UNITS, f"{at}.garrison.{side}")


def _owner(owner: str | None, factions: set[str], where: str) -> None:
    if owner is not None:
        _named(owner, factions, where)


def _past(tick: int, now: int, where: str) -> None:
    if tick > now:
        raise BadInput(where, "later than the snapshot")


def check_memory(memory: Memory, snapshot: Snapshot, where: str = "memory") -> None:
    """BadInput where it remembers what is not there: holds, factions, units, a tick to come."""
    factions = {faction.id for faction in snapshot.factions}
    holds = {hold.id for hold in snapshot.holds}
    for faction, known in memory.items():
        _named(faction, factions, where)
        for hold, reading in known.items():
            _named(hold, holds, f"{where}.{faction}")
            at = f"{where}.{faction}.{hold}"
            if reading.exact is not UNSET:
                _ground(reading.exact, factions, f"{at}.exact")
                _past(reading.exact.tick, snapshot.tick, f"{at}.exact.tick")
            if reading.band is not UNSET:
                _owner(reading.band.owner, factions, f"{at}.band.owner")
                _named(reading.band.band, [band for band, _ in BANDS], f"{at}.band.band")
                _past(reading.band.tick, snapshot.tick, f"{at}.band.tick")


def _routes(snapshot: Snapshot, where: str) -> None:
    holds = {hold.id for hold in snapshot.holds}
    for place, (one, other) in enumerate(snapshot.routes):
        at = f"{where}.routes[{place}]"
        _named(one, holds, at)
        _named(other, holds, at)
        if one >= other:
            raise BadInput(at, "a route joins two holds, the lower id first")
    _ascending(snapshot.routes, f"{where}.routes", "sorted")


def _dealings(snapshot: Snapshot, factions: set[str], where: str) -> None:
    bonds = {
        "pacts": [pact.members for pact in snapshot.pacts],
        "truces": [truce.members for truce in snapshot.truces],
    }
    for name, pairs in bonds.items():
        for place, (one, other) in enumerate(pairs):
            at = f"{where}.{name}[{place}].members"
            _named(one, factions, at)
            _named(other, factions, at)
            if one >= other:
                raise BadInput(at, "two factions, sorted")
        _ascending(pairs, f"{where}.{name}", "by members")
    for place, pact in enumerate(snapshot.pacts):
        _past(pact.formed_tick, snapshot.tick, f"{where}.pacts[{place}].formed_tick")
    for place, truce in enumerate(snapshot.truces):
        if truce.last_tick <= snapshot.tick:
            raise BadInput(f"{where}.truces[{place}].last_tick", "a truce that is over is left out")
    for place, proposal in enumerate(snapshot.proposals):
        at = f"{where}.proposals[{place}]"
        _named(proposal.from_, factions, f"{at}.from")
        _named(proposal.to, factions, f"{at}.to")
        if proposal.from_ == proposal.to:
            raise BadInput(at, "a faction cannot propose to itself")
        _past(proposal.tick, snapshot.tick, f"{at}.tick")
    _ascending(((p.from_, p.to) for p in snapshot.proposals), f"{where}.proposals", "by from, then to")


def _named(name: str, known: Iterable[str], where: str) -> None:
    if name not in known:  # every caller passes a set or a table
        raise BadInput(where, f"nothing is called {name!r}")


def _ascending(keys: Iterable[object], where: str, order: str) -> None:
    listed = list(keys)
    for place, (one, next_one) in enumerate(itertools.pairwise(listed)):
        if not one < next_one:  # type: ignore[operator]
            raise BadInput(f"{where}[{place + 1}]", f"not {order}, or twice the same")
