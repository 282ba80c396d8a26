"""orders' readiness marks and the outages between them (K-03)."""

from datetime import datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from services.orders.service import OrdersService
from services.orders.store import ready_spans
from shared.contracts.orders import GetOutages, Outage, Outages, SealRequestItem, SealTicks, TickName
from tests.services import harness
from tests.services.harness import START, ManualClock, Running
from tests.services.lone_match import LoneMatch


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


def marked(orders: Running[OrdersService], until: float) -> None:
    """A mark a second until ``until`` seconds after the start."""
    while orders.clock.now() < START + seconds(until):
        orders.clock.advance(1)
        orders.run("mark_ready")


def test_marks_a_second_apart_leave_no_outage_and_one_row(tmp_path: Path) -> None:
    orders = harness.build(OrdersService, tmp_path)
    marked(orders, 60)
    answer = orders.ask(GetOutages(since=START))
    assert answer.items == ()
    assert answer.ready_at == START + seconds(60)
    with orders.database.read() as tx:
        assert len(tx.all(sa.select(ready_spans))) == 1


def test_a_gap_is_an_outage_from_the_last_mark_to_the_next(tmp_path: Path) -> None:
    orders = harness.build(OrdersService, tmp_path)
    marked(orders, 10)
    orders.clock.advance(4)
    marked(orders, 20)
    orders.clock.advance(40)
    again = harness.build(OrdersService, tmp_path, clock=orders.clock)
    # The asked service is there to answer, so the outage is over.
    outage = Outage(start=START + seconds(20), end=START + seconds(60))
    assert again.ask(GetOutages(since=START)).items == (outage,)
    assert again.ask(GetOutages(since=START + seconds(59))).items == (outage,)
    assert again.ask(GetOutages(since=START + seconds(60))).items == ()


def test_while_no_call_can_come_in_no_order_can_be_taken(tmp_path: Path) -> None:
    orders = harness.build(OrdersService, tmp_path)
    marked(orders, 10)
    orders.service.reachable = lambda: False
    marked(orders, 40)
    orders.service.reachable = lambda: True
    marked(orders, 41)
    outage = Outage(start=START + seconds(10), end=START + seconds(41))
    assert orders.ask(GetOutages(since=START)).items == (outage,)


def test_any_replica_that_is_ready_counts(tmp_path: Path) -> None:
    clock = ManualClock()
    first = harness.build(OrdersService, tmp_path, clock=clock)
    second = harness.build(OrdersService, tmp_path, clock=clock)
    for n in range(40):
        clock.advance(1)
        (first if n < 20 else second).run("mark_ready")
    assert first.ask(GetOutages(since=START)).items == ()


def test_a_mark_that_comes_late_never_shortens_a_span(tmp_path: Path) -> None:
    orders = harness.build(OrdersService, tmp_path)
    marked(orders, 10)
    orders.clock.advance(-3)
    orders.run("mark_ready")
    with orders.database.read() as tx:
        assert tx.scalar(sa.select(ready_spans.c.end)) == START + seconds(10)


def test_nothing_is_sealed_after_an_outage_that_the_deadline_does_not_reckon_with(tmp_path: Path) -> None:
    orders, match = harness.build(OrdersService, tmp_path), LoneMatch()
    orders.deliver(match.started(), match.outcomes[0])
    marked(orders, 61)
    tick = TickName(match="m1", tick=1)

    def told() -> Outages:
        return orders.ask(GetOutages(since=START, ticks=(tick,)))

    def sealed(ready_at: datetime | None) -> str | None:
        item = SealRequestItem(match="m1", tick=1, ready_at=ready_at)
        return orders.ask(SealTicks(ticks=(item,))).items[0].error

    before = told().ready_at
    orders.clock.advance(40)
    assert sealed(before) == "outage"
    marked(orders, 103)
    assert sealed(before) == "outage"
    after = told()
    assert (len(after.items), after.sealed) == (1, ())
    assert sealed(after.ready_at) is None
    assert told().sealed == (tick,)
