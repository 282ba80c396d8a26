"""The view one faction is shown (contract.md): the only projection of a snapshot to a viewer.

It is an allow-list. Of the ground it shows what the viewer's own memory holds (``_row``); of the rest the viewer's
own row, what it is a party to, and what is public. Nothing is copied and then struck out.
"""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from shared.lastwaters.memory import ExactReading, FactionMemory, Reading
from shared.lastwaters.world import (
    Faction,
    Garrison,
    Hold,
    Pact,
    Proposal,
    Research,
    Resources,
    Snapshot,
    Truce,
)


class OlderReading(Struct, frozen=True):
    seen_tick: int
    owner: str | None
    garrison: Garrison
    buildings: tuple[str, ...]
    yields: Resources


class HoldView(Struct, frozen=True):
    """One hold as its viewer knows it; which fields are there follows from ``sight`` and the kind of reading."""

    id: str
    sight: Literal["exact", "band", "stale", "unknown"]
    owner: str | UnsetType | None = UNSET
    seen_tick: int | UnsetType = UNSET
    garrison: Garrison | UnsetType = UNSET
    buildings: tuple[str, ...] | UnsetType = UNSET
    yields: Resources | UnsetType = UNSET
    band: str | UnsetType = UNSET
    older: OlderReading | UnsetType = UNSET


class Force(Struct, frozen=True):
    hold: str
    units: dict[str, int]


class FactionView(Struct, frozen=True):
    """What everybody knows of a faction."""

    id: str
    seat: int
    name: str
    eliminated_tick: int | None


class View(Struct, frozen=True):
    faction: str
    tick: int
    holds: tuple[HoldView, ...]
    """Every hold of the map, by id."""
    forces: tuple[Force, ...]
    """All own units, by hold (F-04)."""
    stock: Resources
    techs: tuple[str, ...]
    research: Research | None
    proposals: tuple[Proposal, ...]
    pacts: tuple[Pact, ...]
    truces: tuple[Truce, ...]
    factions: tuple[FactionView, ...]


class Gallery:
    """Hangs the views of one snapshot; rows that are alike for many viewers are made once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._factions = tuple(
            FactionView(f.id, f.seat, f.name, f.eliminated_tick) for f in snapshot.factions
        )
        self._forces = _forces(snapshot)
        self._unknown = [HoldView(hold.id, "unknown") for hold in snapshot.holds]
        self._current: dict[str, HoldView] = {}
        """Exact rows by hold: a current exact reading is the same for everybody who has one."""
        ended = snapshot.result is not None
        self._open = tuple(_whole(hold, snapshot.tick) for hold in snapshot.holds) if ended else ()

    def view(self, faction: Faction, known: FactionMemory) -> View:
        """What ``faction`` is shown, ``known`` being its memory; every hold exactly once the match has ended (V-03)."""
        snapshot, id_ = self._snapshot, faction.id
        return View(
            faction=id_,
            tick=snapshot.tick,
            holds=self._rows(known) if snapshot.result is None else self._open,
            forces=tuple(self._forces.get(id_, ())),
            stock=faction.stock,
            techs=faction.techs,
            research=faction.research,
            proposals=tuple(p for p in snapshot.proposals if id_ in (p.from_, p.to)),  # D-05
            pacts=snapshot.pacts,
            truces=tuple(truce for truce in snapshot.truces if id_ in truce.members),
            factions=self._factions,
        )

    def _rows(self, known: FactionMemory) -> tuple[HoldView, ...]:
        rows = []
        current, tick = self._current, self._snapshot.tick
        for unknown in self._unknown:
            reading = known.get(unknown.id)
            if reading is None:
                rows.append(unknown)
                continue
            exact = reading.exact
            if exact is not UNSET and exact.tick == tick:
                row = current.get(unknown.id)
                if row is None:
                    row = current[unknown.id] = _exact_row(unknown.id, "exact", exact)
                rows.append(row)
            else:
                rows.append(_row(unknown.id, reading, tick))
        return tuple(rows)


def _row(hold: str, reading: Reading, tick: int) -> HoldView:
    """The latest reading, and an older exact one beside a band (F-07). No exact reading of ``tick`` comes here."""
    exact, band = reading.exact, reading.band
    if band is UNSET:
        return HoldView(hold, "unknown") if exact is UNSET else _exact_row(hold, "stale", exact)
    if exact is not UNSET and exact.tick >= band.tick:
        return _exact_row(hold, "stale", exact)
    return HoldView(
        hold,
        "band" if band.tick == tick else "stale",
        owner=band.owner,
        seen_tick=band.tick,
        band=band.band,
        older=UNSET
        if exact is UNSET
        else OlderReading(exact.tick, exact.owner, exact.garrison, exact.buildings, exact.yields),
    )


def _exact_row(hold: str, sight: Literal["exact", "stale"], exact: ExactReading) -> HoldView:
    return HoldView(hold, sight, exact.owner, exact.tick, exact.garrison, exact.buildings, exact.yields)


def _whole(hold: Hold, tick: int) -> HoldView:
    return HoldView(hold.id, "exact", hold.owner, tick, hold.garrison, hold.buildings, hold.yields)


def _forces(snapshot: Snapshot) -> dict[str, list[Force]]:
    forces: dict[str, list[Force]] = {}
    for hold in snapshot.holds:
        for side, units in hold.garrison.items():
            forces.setdefault(side, []).append(Force(hold.id, units))
    return forces
