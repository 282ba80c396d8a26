"""Who works on the next tick of a match: a lease with a fencing number, attempts counted before the work begins.

A worker that loses its lease (paused, cut off) may go on working: its commit asks for its fencing number and
changes no row once another has claimed the tick.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog

from services.resolution.store import OPENING, matches
from shared.contracts.clock import DueTick
from shared.contracts.resolution import MatchStalled
from shared.runtime import metrics
from shared.storage.database import Transaction
from shared.storage.text import legible

LEASE = timedelta(seconds=20)
MOST_ATTEMPTS = 3
"""After as many the match is stalled until an operator retries it."""
PAUSES = (timedelta(seconds=2), timedelta(seconds=5))
"""After the first and second failed attempt nobody tries again for so long."""
LONGEST_ERROR = 2_000
VANISHED = "a worker took this tick and was never heard of again"

log = structlog.get_logger()


@dataclass(frozen=True)
class Claim:
    """The right to resolve ``tick`` while ``fence`` is the last given out. ``attempts``: which one this will be."""

    match: str
    tick: int
    deadline: datetime | None
    ready_at: datetime | None
    fence: int
    attempts: int
    ruleset: str
    previous_hash: str


def take(tx: Transaction, due: Mapping[str, DueTick], *, tried_before: bool) -> list[Claim]:
    """Claims what is due, free and not resolved yet. Ticks that an earlier worker has begun are left out unless
    ``tried_before``: one of them may be what killed it, so they are taken one by one."""
    rows = tx.all(
        sa.select(matches)
        .where(matches.c.match.in_(list(due)), sa.not_(matches.c.ended), matches.c.stalled_at.is_(None))
        .order_by(matches.c.match)
        .with_for_update(skip_locked=True)
    )
    now = tx.now()
    wanted = [
        row
        for row in rows
        if row.tick == due[row.match].tick - 1
        and (row.lease_until is None or row.lease_until <= now)
        and (tried_before or row.attempts == 0)
    ]
    return _claim(tx, wanted, due, now)


def begun(tx: Transaction, due: Mapping[str, DueTick]) -> list[str]:
    """The matches among ``due`` that some worker has begun, and nobody works on now."""
    rows = tx.all(
        sa.select(matches.c.match, matches.c.tick, matches.c.lease_until)
        .where(
            matches.c.match.in_(list(due)),
            matches.c.attempts > 0,
            sa.not_(matches.c.ended),
            matches.c.stalled_at.is_(None),
        )
        .order_by(matches.c.match)
    )
    now = tx.now()
    return [
        row.match
        for row in rows
        if row.tick == due[row.match].tick - 1 and (row.lease_until is None or row.lease_until <= now)
    ]


def take_opening(tx: Transaction) -> tuple[Claim, sa.Row[Any]] | None:
    """Claims a match that has no tick 0 yet."""
    now = tx.now()
    row = tx.one(
        sa.select(matches)
        .where(
            matches.c.tick == OPENING,
            sa.not_(matches.c.ended),
            matches.c.stalled_at.is_(None),
            matches.c.lease_until.is_(None) | (matches.c.lease_until <= now),
        )
        .order_by(matches.c.match)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    if row is None:
        return None
    claims = _claim(tx, [row], {}, now)
    return (claims[0], row) if claims else None


def _claim(
    tx: Transaction, rows: Sequence[sa.Row[Any]], due: Mapping[str, DueTick], now: datetime
) -> list[Claim]:
    """Of locked rows. One that was begun too often is stalled here: its workers did not live to say so."""
    claims = []
    for row in rows:
        if row.attempts >= MOST_ATTEMPTS:
            _stall(tx, row.match, row.tick + 1, row.attempts, row.error or VANISHED, now)
            continue
        told = due.get(row.match)
        claims.append(
            Claim(
                match=row.match,
                tick=row.tick + 1,
                deadline=told.deadline if told is not None else None,
                ready_at=told.ready_at if told is not None else None,
                fence=row.fence + 1,
                attempts=row.attempts + 1,
                ruleset=row.ruleset,
                previous_hash=row.hash,
            )
        )
    if claims:
        tx.execute(
            sa.update(matches)
            .where(matches.c.match == sa.bindparam("the_match"))
            .values(
                fence=sa.bindparam("the_fence"),
                deadline=sa.bindparam("the_deadline"),
                lease_until=now + LEASE,
            ),
            [
                {"the_match": claim.match, "the_fence": claim.fence, "the_deadline": claim.deadline}
                for claim in claims
            ],
        )
    return claims


def begin(tx: Transaction, claims: Collection[Claim]) -> None:
    """Counts an attempt of each, to be committed before the ruleset gets to see the tick."""
    if claims:
        tx.execute(
            sa.update(matches)
            .where(_held(claims))
            .values(attempts=matches.c.attempts + 1, lease_until=tx.now() + LEASE)
        )


def renew(tx: Transaction, claims: Collection[Claim]) -> None:
    """For a worker that is slow and alive. What it has lost already stays lost."""
    tx.execute(sa.update(matches).where(_held(claims)).values(lease_until=tx.now() + LEASE))


def release(tx: Transaction, claims: Collection[Claim]) -> None:
    """Gives ticks back that could not be begun."""
    if claims:
        tx.execute(sa.update(matches).where(_held(claims)).values(lease_until=None))


def fail(tx: Transaction, claim: Claim, error: Exception) -> None:
    """Notes why an attempt failed; after the last one the match is stalled."""
    now = tx.now()
    words = legible(f"{type(error).__name__}: {error}")[:LONGEST_ERROR]
    pause = PAUSES[min(claim.attempts, len(PAUSES)) - 1]
    noted = tx.execute(sa.update(matches).where(_held([claim])).values(error=words, lease_until=now + pause))
    if noted.rowcount == 0:
        log.warning("claim lost", match=claim.match, tick=claim.tick, fence=claim.fence, exc_info=error)
        return
    metrics.FAILURES.labels("resolution", "tick").inc()
    log.error("tick failed", match=claim.match, tick=claim.tick, attempts=claim.attempts, exc_info=error)
    if claim.attempts >= MOST_ATTEMPTS:
        _stall(tx, claim.match, claim.tick, claim.attempts, words, now)


def _stall(tx: Transaction, match: str, tick: int, attempts: int, error: str, now: datetime) -> None:
    tx.execute(
        sa.update(matches)
        .where(matches.c.match == match)
        .values(stalled_at=now, error=error, lease_until=None)
    )
    tx.emit(MatchStalled(match=match, tick=tick))
    metrics.FAILURES.labels("resolution", "stalled").inc()
    log.critical("match stalled", match=match, tick=tick, attempts=attempts, error=error)


def _held(claims: Iterable[Claim]) -> sa.ColumnElement[bool]:
    """Rows of claims that nobody has taken over, and whose tick is still to be resolved: a commit may have succeeded
    though its answer was lost, and a match may be over."""
    ours = [(claim.match, claim.fence, claim.tick - 1) for claim in claims]
    return sa.tuple_(matches.c.match, matches.c.fence, matches.c.tick).in_(ours) & sa.not_(matches.c.ended)
