"""P8: after a gap there is no burst of ticks, and no outage is charged to the players (K-03)."""

import time
from datetime import timedelta

import msgspec
import sqlalchemy as sa

from services.clock.store import calendar
from services.resolution import store
from shared.contracts.report import GetFeed, GetReport
from tests.drills.promises import check_once, latest, wait_for_ticks
from tests.drills.yard import CALL_SECONDS, Yard, until

CADENCE = 1
INTERVALS = 10


def test_after_ten_intervals_without_a_clock_one_tick_fires_and_the_grid_goes_on(yard: Yard) -> None:
    people = {f"p08-{number}": [f"p08-{number}-a", f"p08-{number}-b"] for number in range(3)}
    matches = {yard.open(pair, cadence=CADENCE): pair[0] for pair in people.values()}
    wait_for_ticks(yard, list(matches), 3)
    with yard.away("clock"):
        time.sleep(INTERVALS * CADENCE)
        before = latest(yard, matches)
    until(
        "the tick after the gap and two more are told",
        lambda: all(tick >= before[match] + 3 for match, tick in latest(yard, matches).items()),
    )
    for match, account in matches.items():
        check_gap(yard, match, account)
    check_once(yard, list(matches))


def check_gap(yard: Yard, match: str, account: str) -> None:
    rows = ticks(yard, match)
    with yard.engine("clock").connect() as connection:
        started_at = connection.scalar(sa.select(calendar.c.started_at).where(calendar.c.match == match))
    gap = max(range(2, len(rows)), key=lambda at: rows[at].ran_at - rows[at - 1].ran_at)
    late = rows[gap]
    length = late.ran_at - rows[gap - 1].ran_at
    assert length >= timedelta(seconds=INTERVALS * CADENCE)
    announced = deadlines(yard, match, account)[late.tick]
    first, *moves = announced
    assert first.get("moved_from") is None
    assert moves, "the delay was not announced in the stream"
    assert {move["moved_from"] for move in moves} == {first["at"]}
    told = yard.call(GetReport(account=account, match=match, tick=late.tick), timeout=CALL_SECONDS)
    assert msgspec.to_builtins(told.moved_from) == first["at"]
    assert told.deadline == late.deadline > told.moved_from
    cadence = timedelta(seconds=CADENCE)
    following = rows[gap + 1].deadline
    assert (following - started_at) % cadence == timedelta(0)
    assert following - late.ran_at >= cadence / 2
    assert following - late.ran_at < 3 * cadence / 2


def ticks(yard: Yard, match: str) -> list[sa.Row[tuple[object, ...]]]:
    query = sa.select(store.ticks.c.tick, store.ticks.c.deadline, store.ticks.c.ran_at).where(
        store.ticks.c.match == match
    )
    with yard.engine("resolution").connect() as connection:
        return list(connection.execute(query.order_by(store.ticks.c.tick)))


def deadlines(yard: Yard, match: str, account: str) -> dict[int, list[dict[str, object]]]:
    """What the stream told of each tick's deadline, in its order."""
    found: dict[int, list[dict[str, object]]] = {}
    after = 0
    while True:
        feed = yard.call(GetFeed(account=account, match=match, after=after), timeout=CALL_SECONDS)
        for item in feed.items:
            after = item.n
            if item.event == "deadline":
                data = msgspec.json.decode(item.data)
                found.setdefault(data["tick"], []).append(data)
        if not feed.items or after >= feed.latest:
            return found
