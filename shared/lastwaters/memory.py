"""What each faction remembers of the ground (F-07).

``Memory`` is ``{faction: {hold: {"exact"?: {tick, owner, garrison, buildings, yields}, "band"?: {tick, owner, band}}}}``:
the last reading of either kind with its tick; a hold never seen is left out. A reading of the snapshot's own tick is
current, any other stale. Memory never fades and never corrects itself.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from shared.lastwaters.tables import BANDS
from shared.lastwaters.world import Garrison, Hold, Resources, Whole, convert, decode


class ExactReading(Struct, frozen=True, forbid_unknown_fields=True):
    tick: Whole
    owner: str | None
    garrison: Garrison
    buildings: tuple[str, ...]
    yields: Resources


class BandReading(Struct, frozen=True, forbid_unknown_fields=True):
    tick: Whole
    owner: str | None
    band: str


class Reading(Struct, frozen=True, forbid_unknown_fields=True):
    exact: ExactReading | UnsetType = UNSET
    band: BandReading | UnsetType = UNSET


FactionMemory = dict[str, Reading]
Memory = dict[str, FactionMemory]


def read_memory(value: Any, where: str = "memory") -> Memory | None:
    """Decoded JSON, or its text, as memory; null stays None. BadInput for another form."""
    read = decode if isinstance(value, bytes | str) else convert
    memory: Memory | None = read(value, Memory | None, where)
    return memory


def size_band(garrison: Garrison) -> str:
    size = sum(count for units in garrison.values() for count in units.values())
    return next(name for name, least in reversed(BANDS) if size >= least)  # F-05


class Eye:
    """Makes the readings of one snapshot; those that are alike for many factions are made once."""

    def __init__(self, tick: int, holds: Iterable[Hold]) -> None:
        self._tick = tick
        self._holds = {hold.id: hold for hold in holds}
        self._exact: dict[str, Reading] = {}
        self._band: dict[str, Reading] = {}

    def remember(self, known: FactionMemory, exact: Iterable[str], band: Iterable[str]) -> None:
        """Put today's readings into one faction's memory, in place."""
        for hold in exact:
            reading = self._exact.get(hold) or self._read_exact(hold)
            older = known.get(hold)
            if older is not None and older.band is not UNSET:
                reading = Reading(reading.exact, older.band)
            known[hold] = reading
        for hold in band:
            reading = self._band.get(hold) or self._read_band(hold)
            older = known.get(hold)
            if older is not None and older.exact is not UNSET:
                reading = Reading(older.exact, reading.band)
            known[hold] = reading

    def _read_exact(self, hold: str) -> Reading:
        seen = self._holds[hold]
        exact = ExactReading(self._tick, seen.owner, seen.garrison, seen.buildings, seen.yields)
        reading = self._exact[hold] = Reading(exact=exact)
        return reading

    def _read_band(self, hold: str) -> Reading:
        seen = self._holds[hold]
        reading = self._band[hold] = Reading(
            band=BandReading(self._tick, seen.owner, size_band(seen.garrison))
        )
        return reading
