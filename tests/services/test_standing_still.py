"""A process that stands still in mid-transaction keeps its locks for a while, and holds up no other match."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from services.orders import turnstile
from services.orders.sealing import BUSY
from services.orders.service import OrdersService
from services.orders.store import ticks
from services.resolution.claims import LEASE
from shared.contracts.orders import GetOutages, SealedTicks, SealRequestItem, SealTicks, TickName
from shared.storage.engine import IDLE_IN_TRANSACTION_TIMEOUT_MS
from tests.services import harness
from tests.services.harness import START, Running
from tests.services.lone_match import LoneMatch
from tests.services.test_clock import CADENCE, announced, deadlines, go_to, started

NAMES = ("m1", "m2", "m3")
SEAL = SealTicks(ticks=tuple(SealRequestItem(match=name, tick=1) for name in NAMES))


def opened(url: str) -> Running[OrdersService]:
    orders = harness.build(OrdersService, url)
    for name in NAMES:
        match = LoneMatch(name, early=False)
        assert orders.deliver(match.started(), id=f"start-{name}").handled == 1
        assert orders.deliver(match.outcomes[0], id=f"open-{name}").handled == 1
    return orders


@contextmanager
def standing_still(orders: Running[OrdersService], match: str, *, filing: bool) -> Iterator[None]:
    """Another process has the match's open tick locked: in mid-filing, or in mid-seal."""
    with orders.database.begin() as tx:
        if filing:
            turnstile.share(tx, match, 1)
        row = sa.select(ticks.c.sealed_at).where(ticks.c.match == match, ticks.c.tick == 1)
        tx.one(row.with_for_update(read=filing))
        yield


def errors(sealed: SealedTicks) -> dict[str, str | None]:
    return {item.match: item.error for item in sealed.items}


def test_a_filing_that_stands_still_keeps_its_own_tick_alone_from_the_seal(database: str) -> None:
    orders = opened(database)
    with standing_still(orders, "m2", filing=True):
        assert errors(orders.ask(SEAL)) == {"m1": None, "m2": BUSY, "m3": None}
    again = orders.ask(SEAL)
    assert errors(again) == dict.fromkeys(NAMES)


def test_whoever_asks_for_outages_is_told_what_is_being_sealed_and_waits_for_nothing(database: str) -> None:
    orders = opened(database)
    orders.ask(SealTicks(ticks=SEAL.ticks[:1]))
    asked = GetOutages(since=START, ticks=tuple(TickName(match=name, tick=1) for name in (*NAMES, "none")))
    with standing_still(orders, "m2", filing=False):
        told = orders.ask(asked)
    assert (told.sealed, told.busy) == (asked.ticks[:1], asked.ticks[1:2])
    assert orders.ask(asked).busy == ()


def test_a_tick_that_is_busy_is_looked_at_later_and_others_are_announced(tmp_path: Path) -> None:
    clock, orders = started(tmp_path, "m1", "m2")
    orders.busy = (TickName(match="m1", tick=1),)
    go_to(clock, START + CADENCE)
    assert [due.match for due in announced(clock)] == ["m2"]
    orders.busy = ()
    clock.clock.advance(1)
    clock.run("fire")
    assert [due.match for due in announced(clock)] == ["m2"], "not before its pause is over"
    clock.clock.advance(5)
    clock.run("fire")
    assert "m1" in [due.match for due in announced(clock)]
    assert not [event for event in deadlines(clock) if event.moved_from]


def test_locks_go_while_a_worker_still_has_its_lease() -> None:
    assert timedelta(milliseconds=IDLE_IN_TRANSACTION_TIMEOUT_MS) <= LEASE
