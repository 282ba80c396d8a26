"""A match played again from its export, on another stack: the same orders under the same names, tick by tick.

Orders are filed one after another, in the order of ``filings``, which is also the order in which ``ReplayedIds``
hands out their ids; so the two always agree. Where a faction cancelled orders, their numbers stay free (contract.md):
the order that follows is filed as often as it takes and cancelled again.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.clock.course import bring_forward
from shared.contracts.orders import EveryoneAnswered
from shared.runtime.hosting import SystemClock
from shared.runtime.ids import Ids, SystemIds
from shared.storage import outbox
from shared.storage.database import Database
from shared.storage.engine import create_engine, file_url
from tests.stack.client import Json, Seat

NONCE_BYTES = 32


@dataclass(frozen=True)
class Filing:
    """One order as it was filed; ``kept`` until the seal, or cancelled at once."""

    tick: int
    faction: str
    id: str
    order: Json
    kept: bool


def filings(export: Json) -> Iterator[Filing]:
    """All filings that lead to the export's sealed orders."""
    for entry in export["ticks"][1:]:
        last_seq: dict[str, int] = {}
        for order in entry["orders"]:
            faction, seq = order["faction"], order["seq"]
            body = {name: value for name, value in order.items() if name not in ("id", "seq", "faction")}
            for spare in range(last_seq.get(faction, 0) + 1, seq):
                yield Filing(entry["tick"], faction, f"spare-{entry['tick']}-{faction}-{spare}", body, False)
            yield Filing(entry["tick"], faction, order["id"], body, True)
            last_seq[faction] = seq


class ReplayedIds:
    """For each service (``ids`` of ``Embedded``): match id, order ids and nonces of an export, in turn."""

    def __init__(self, export: Json) -> None:
        self._of = {
            "lobby": _Replayed({"match": [export["match"]["id"]]}, []),
            "orders": _Replayed(
                {"order": [filing.id for filing in filings(export)]},
                [nonce for entry in export["ticks"][1:] for _, nonce in sorted(entry["nonces"].items())],
            ),
        }

    def __call__(self, service: str) -> Ids:
        return self._of.get(service, SystemIds())


class _Replayed:
    def __init__(self, names: dict[str, list[str]], nonces: list[str]) -> None:
        self._names = {prefix: deque(given) for prefix, given in names.items()}
        self._nonces = deque(nonces)
        self._system = SystemIds()
        self._key_drawn = False

    def new(self, prefix: str) -> str:
        return self._names[prefix].popleft() if prefix in self._names else self._system.new(prefix)

    def secret(self, size: int) -> bytes:
        if size != NONCE_BYTES or not self._nonces or not self._key_drawn:
            self._key_drawn = True  # the first is for the key that signs receipts
            return self._system.secret(size)
        return bytes.fromhex(self._nonces.popleft())


def file_tick(seats: dict[str, Seat], filed: list[Filing]) -> None:
    """Files a tick's orders, as the seats' players do."""
    for filing in filed:
        seat = seats[filing.faction]
        answer = seat.file(filing.tick, filing.order)
        assert answer["id"] == filing.id
        if not filing.kept:
            cancelled = seat.try_cancel(filing.tick, filing.id)
            assert cancelled.accepted, cancelled


class Calendar:
    """The calendar of an embedded stack, so that its ticks come when a test wants them."""

    def __init__(self, embedded_dir: Path) -> None:
        self._engine = create_engine(file_url(embedded_dir / "clock.sqlite"), "clock")
        self._clock = Database(self._engine, SystemClock().now, outbox.OutboxEmitter(SystemIds()))

    def fire(self, match: str, tick: int) -> None:
        """Makes the waiting tick due now, as where everybody asked has answered."""
        with self._clock.begin() as tx:
            bring_forward(tx, EveryoneAnswered(match=match, tick=tick))

    def close(self) -> None:
        self._engine.dispose()


def without_times(value: Any) -> Any:
    """``value`` without the instants that differ from one playing to the next."""
    if isinstance(value, dict):
        times = ("deadline", "moved_from", "ran_at", "checksums")
        return {name: without_times(inner) for name, inner in value.items() if name not in times}
    if isinstance(value, list):
        return [without_times(inner) for inner in value]
    return value
