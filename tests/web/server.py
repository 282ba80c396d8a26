"""The embedded stack that the browser tests play on: people, matches, and ticks that come when a test wants them.

Matches tick once an hour, so that no tick comes by itself while a test looks; ``tick_now`` brings the next one.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from services.bots.store import matches as followed
from services.bots.store import turns
from services.clock.store import WAITING, calendar
from services.orders.store import snapshots
from shared.storage.engine import create_engine, file_url
from tests.stack.client import PASSWORD, Client, Refused, Seat, wait_for
from tests.stack.stacks import Running

CADENCE = 3600
PATIENCE = 60.0
SEED = "5ea"


@dataclass(frozen=True)
class Person:
    """An account; ``client`` speaks for it over HTTP, beside any browser it is signed in at."""

    handle: str
    client: Client = field(repr=False)
    password: str = field(default=PASSWORD, repr=False)


class WebServer:
    """``data_dir``: where the stack keeps its data."""

    def __init__(self, running: Running, data_dir: Path) -> None:
        self.running = running
        self.url = running.url
        self._clock = create_engine(file_url(data_dir / "embedded" / "clock.sqlite"), "clock")
        self._bots = create_engine(file_url(data_dir / "embedded" / "bots.sqlite"), "bots")
        self._orders = create_engine(file_url(data_dir / "embedded" / "orders.sqlite"), "orders")

    def close(self) -> None:
        self._clock.dispose()
        self._bots.dispose()
        self._orders.dispose()

    def new_handle(self, name: str) -> str:
        """Nobody's yet."""
        return f"{name}-{uuid4().hex[:6]}"

    def person(self, name: str, *, exact: bool = False) -> Person:
        """A new account of that name and, unless ``exact``, a few letters more."""
        handle = name if exact else self.new_handle(name)
        return Person(handle, self.running.visitor().sign_up(handle))

    def lobby(self, creator: Person, *, seats: int, **wishes: Any) -> Seat:
        """A match that waits for players; ``creator`` holds its first seat."""
        wanted = {
            "name": f"The tide of {creator.handle}",
            "cadence_seconds": CADENCE,
            "seed": SEED,
            "visibility": "private",
        }
        return creator.client.open_match(**{**wanted, "seats": seats, **wishes})

    def match(
        self, creator: Person, *others: Person, bots: int = 0, level: str = "sound", **wishes: Any
    ) -> Seat:
        """A match that runs, all of whose lists of tick 1 are open; the creator's seat. ``wishes``: of POST /v1/matches."""
        seat = self.lobby(creator, seats=1 + len(others) + bots, **{"visibility": "public", **wishes})
        if bots:
            seat.add_bots(bots, level)
        for other in others:
            other.client.join(seat.match)
        seat.wait_for_status("running", PATIENCE)
        self._wait_for_the_list(seat, 1)
        return seat

    def tick_now(self, seat: Seat, ticks: int = 1) -> int:
        """The next tick (or so many) happens at once, with what the computer players file for it; the last tick,
        once it is told: its view and its report are there and, unless the match has ended, the next list is open."""
        for _ in range(ticks):
            wanted = seat.detail()["tick"] + 1
            self._wait_for_the_list(seat, wanted)
            self._make_due(seat.match, wanted)
            detail = seat.wait_for_tick(wanted, PATIENCE)
            for told in (partial(seat.report, wanted), partial(seat.view, wanted)):
                wait_for(partial(_there, told), bool, PATIENCE)
            if detail["status"] == "ended":
                break
            self._wait_for_the_list(seat, wanted + 1)
        return int(seat.detail()["tick"])

    def state(self, match: str, tick: int) -> bytes:
        """The whole state that orders for ``tick``, which is open, are checked against."""
        found = sa.select(snapshots.c.state).where(snapshots.c.match == match, snapshots.c.tick == tick)
        with self._orders.connect() as connection:
            return zlib.decompress(connection.scalars(found).one())

    def _wait_for_the_list(self, seat: Seat, tick: int) -> None:
        """Its orders are taken, the clock waits for its deadline, the computer players have filed."""
        wait_for(
            partial(_there, seat.options),
            lambda found: found is not None and found["tick"] == tick,
            PATIENCE,
        )
        wait_for(lambda: self._waits(seat.match, tick), bool, PATIENCE)
        wait_for(lambda: self._bots_have_filed(seat.match, tick), bool, PATIENCE)

    def _waits(self, match: str, tick: int) -> bool:
        found = sa.select(calendar.c.tick).where(*_of(match, tick))
        with self._clock.connect() as connection:
            return connection.scalar(found) is not None

    def _bots_have_filed(self, match: str, tick: int) -> bool:
        open_tick = sa.select(followed.c.open_tick).where(followed.c.match == match)
        left = sa.select(sa.func.count()).select_from(turns).where(turns.c.match == match)
        with self._bots.connect() as connection:
            return connection.scalar(open_tick) == tick and connection.scalar(left) == 0

    def _make_due(self, match: str, tick: int) -> None:
        """Straight in the clock's own table, since its calls only ever move deadlines later."""
        now = datetime.now(UTC)
        with self._clock.begin() as connection:
            changed = connection.execute(
                sa.update(calendar).where(*_of(match, tick)).values(deadline=now, next_at=now)
            )
        assert changed.rowcount == 1


def _of(match: str, tick: int) -> tuple[Any, ...]:
    return calendar.c.match == match, calendar.c.tick == tick, calendar.c.state == WAITING


def _there(look: Callable[[], Any]) -> Any:
    """What is found; None while it is still on its way."""
    try:
        return look()
    except Refused as refused:
        if refused.code not in ("not-found", "not-started"):
            raise
        return None
