"""The real stack: how fast it works off what is due at one moment, and how late ticks are in ordinary traffic."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from services.report.store import matches, ticks
from tests.bench.cpu import cost, cpu_seconds
from tests.bench.figure import Figure
from tests.bench.real_stack import RealStack, open_matches, real_stack, set_deadlines, transactions_per_second

DUE_AT_ONCE, SEATS = 300, 8
RUNNING, SPREAD = 2_000, timedelta(minutes=1)
AHEAD = timedelta(seconds=3)
"""From setting the deadlines to the first of them."""
PATIENCE_SECONDS = 300.0


def drain() -> Iterator[Figure]:
    """Matches of eight with orders, all due at one moment, resolved, fogged and reported a second."""
    with real_stack() as real:
        opened = open_matches(real, DUE_AT_ONCE, SEATS, orders=True)
        due = datetime.now(UTC) + AHEAD
        set_deadlines(real, dict.fromkeys(opened, due))
        before = cpu_seconds(real.stack)
        told = wait_until_told(real, opened, due)
        spent = cost(before, cpu_seconds(real.stack), len(opened))
        rate = len(opened) / (told - due).total_seconds()
        transactions = transactions_per_second(real.postgresql)
    yield Figure(
        "stack.drain",
        rate / transactions,
        0.10,
        "higher",
        {
            "matches": len(opened),
            "seats": SEATS,
            "matches_per_second": rate,
            "pgbench_transactions_per_second": transactions,
            "first_step": 0.03,
            **spent,
        },
    )


def late() -> Iterator[Figure]:
    """The 99th percentile of lateness while deadlines are spread over a minute."""
    with real_stack() as real:
        opened = open_matches(real, RUNNING, 2, orders=False)
        first = datetime.now(UTC) + AHEAD
        set_deadlines(real, {match: first + SPREAD * n / RUNNING for n, match in enumerate(opened)})
        wait_until_told(real, opened, first + SPREAD)
        engine = real.engine("report")
        with engine.connect() as connection:
            rows = connection.execute(
                sa.select(ticks.c.deadline, ticks.c.ran_at).where(
                    ticks.c.tick == 1, ticks.c.match.in_(opened)
                )
            ).all()
        engine.dispose()
    lateness = sorted((row.ran_at - row.deadline).total_seconds() for row in rows)
    yield Figure(
        "stack.late",
        lateness[len(lateness) * 99 // 100],
        2.0,
        "lower",
        {
            "matches": len(lateness),
            "median_seconds": lateness[len(lateness) // 2],
            "most_seconds": lateness[-1],
        },
    )


def wait_until_told(real: RealStack, opened: list[str], due: datetime) -> datetime:
    """When the first tick of every match was reported. RuntimeError when that takes too long after ``due``."""
    engine = real.engine("report")
    missing = (
        sa.select(sa.func.count())
        .select_from(matches)
        .where(matches.c.next_tick < 2, matches.c.match.in_(opened))
    )
    try:
        time.sleep(max(0.0, (due - datetime.now(UTC)).total_seconds()))
        while True:
            with engine.connect() as connection:
                left = connection.scalar(missing)
            now = datetime.now(UTC)
            if left == 0:
                return now
            if (now - due).total_seconds() > PATIENCE_SECONDS:
                raise RuntimeError(
                    f"{left} of {len(opened)} ticks are not told {now - due} after they were due"
                )
            time.sleep(0.05)
    finally:
        engine.dispose()
