"""Phase 9: how far each faction sees, and what follows: memory, views, and what its next report may tell (section 10)."""

from collections.abc import Iterable, Mapping

from msgspec import UNSET, Struct

from shared.lastwaters.effects import Effects, effects
from shared.lastwaters.errors import BadInput
from shared.lastwaters.graph import Graph, graph
from shared.lastwaters.memory import Eye, FactionMemory, Memory
from shared.lastwaters.record import Before, Record
from shared.lastwaters.tables import BAND_RANGE, EXACT_RANGE, SIGHT_BONUS_MAX
from shared.lastwaters.views import Gallery, View
from shared.lastwaters.world import Hold, Snapshot


class Entitled(Struct, frozen=True):
    """Holds whose events a faction may be told: seen exactly, or as a band, at the end of the tick before (P-02)."""

    exact: tuple[str, ...]
    band: tuple[str, ...]


class Sighting(Struct, frozen=True):
    """``entitled`` is None for a first sight, which no report goes with; else it names who gets a new report."""

    views: dict[str, View]
    memory: Memory
    entitled: dict[str, Entitled] | None


def look(after: Snapshot, record: Record, memory: Memory) -> Sighting:
    """Sight at the end of the tick that ``record`` tells of; ``memory`` is that of the tick before."""
    techs = {faction.id: faction.techs for faction in record.factions}  # T-05
    views, remembered = _look(after, techs, memory)
    entitled = {
        faction.id: _entitled(faction, record.tick - 1, memory.get(faction.id, {}))
        for faction in record.factions
        if not faction.eliminated  # T-06
    }
    return Sighting(views, remembered, entitled)


def first(snapshot: Snapshot) -> Sighting:
    """Sight without a past, with the techs of the snapshot itself: at tick 0 the match's first memory (F-01)."""
    views, memory = _look(snapshot, {faction.id: faction.techs for faction in snapshot.factions}, {})
    return Sighting(views, memory, None)


def view(snapshot: Snapshot, faction: str, memory: Memory | None) -> View:
    """One faction's view: what ``memory`` holds or, without any, as ``first``. BadInput for an unknown faction."""
    row = next((row for row in snapshot.factions if row.id == faction), None)
    if row is None:
        raise BadInput("faction", f"nothing is called {faction!r}")
    if memory is None:
        return first(snapshot).views[faction]
    return Gallery(snapshot).view(row, memory.get(faction, {}))


def _look(
    snapshot: Snapshot, techs: Mapping[str, tuple[str, ...]], memory: Memory
) -> tuple[dict[str, View], Memory]:
    eye, gallery, map_ = Eye(snapshot.tick, snapshot.holds), Gallery(snapshot), graph(snapshot.routes)
    seeing = _seeing(snapshot)
    remembered: Memory = {}
    views: dict[str, View] = {}
    for faction in snapshot.factions:
        known = dict(memory.get(faction.id, {}))
        if faction.eliminated_tick is None:  # T-06
            eye.remember(known, *_tiers(map_, seeing[faction.id], effects(techs[faction.id])))
        remembered[faction.id] = known
        views[faction.id] = gallery.view(faction, known)
    return views, remembered


def _seeing(snapshot: Snapshot) -> dict[str, list[Hold]]:
    """The holds each faction sees from: its own and its allies' (F-01, D-06)."""
    owned: dict[str, list[Hold]] = {faction.id: [] for faction in snapshot.factions}
    for hold in snapshot.holds:
        if hold.owner is not None:
            owned[hold.owner].append(hold)
    seeing = {faction: list(holds) for faction, holds in owned.items()}
    for pact in snapshot.pacts:
        one, other = pact.members
        seeing[one] += owned[other]
        seeing[other] += owned[one]
    return seeing


def _tiers(map_: Graph, seeing: Iterable[Hold], known: Effects) -> tuple[set[str], set[str]]:
    """The holds seen exactly and those seen as a band only; the best tier counts (F-06)."""
    exact: set[str] = set()
    band: set[str] = set()
    for hold in seeing:
        bonus = known.sight + sum(known.building_sight.get(building, 0) for building in hold.buildings)
        bonus = min(bonus, SIGHT_BONUS_MAX)  # F-03
        exact |= map_.within(hold.id, EXACT_RANGE + bonus)
        band |= map_.within(hold.id, BAND_RANGE + bonus)
    return exact, band - exact


def _entitled(faction: Before, tick: int, known: FactionMemory) -> Entitled:
    """Readings of ``tick`` are what was seen then; own holds are always seen (F-04), memory or none."""
    exact = {hold for hold, seen in known.items() if seen.exact is not UNSET and seen.exact.tick == tick}
    exact.update(faction.holds)
    band = {hold for hold, seen in known.items() if seen.band is not UNSET and seen.band.tick == tick} - exact
    return Entitled(tuple(sorted(exact)), tuple(sorted(band)))
