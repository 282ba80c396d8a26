"""Turns as work: claimed under a lease, done, or due again later."""

from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa

from services.bots.store import matches, seats, turns
from shared.storage.database import Transaction

LEASE = timedelta(seconds=60)
AT_ONCE = 12
"""Turns a worker takes in one go; well done within a lease."""
PAUSES = tuple(timedelta(seconds=s) for s in (0.5, 1, 2, 5, 10, 30, 60, 300))
"""After the first, second, ... try that failed; the last one again and again."""


@dataclass(frozen=True)
class Turn:
    """The list of ``tick`` of one seat. ``attempts`` counts this try in."""

    match: str
    tick: int
    faction: str
    attempts: int
    account: str
    level: str
    ruleset: str


def some_due(tx: Transaction) -> bool:
    return tx.scalar(sa.select(turns.c.match).where(turns.c.due_at <= tx.present).limit(1)) is not None


def claim(tx: Transaction) -> list[Turn]:
    """The turns that are due longest, each counted as tried and nobody else's until its lease is over."""
    now = tx.now()
    rows = tx.all(
        sa.select(turns, seats.c.account, seats.c.level, matches.c.ruleset)
        .join(seats, sa.and_(seats.c.match == turns.c.match, seats.c.faction == turns.c.faction))
        .join(matches, matches.c.match == turns.c.match)
        .where(turns.c.due_at <= now)
        .order_by(turns.c.due_at, turns.c.match, turns.c.faction)
        .limit(AT_ONCE)
        .with_for_update(of=turns, skip_locked=True)
    )
    claimed = [
        Turn(
            match=row.match,
            tick=row.tick,
            faction=row.faction,
            attempts=row.attempts + 1,
            account=row.account,
            level=row.level,
            ruleset=row.ruleset,
        )
        for row in rows
    ]
    if claimed:
        keys = [(turn.match, turn.tick, turn.faction) for turn in claimed]
        tx.execute(
            sa.update(turns)
            .where(sa.tuple_(turns.c.match, turns.c.tick, turns.c.faction).in_(keys))
            .values(attempts=turns.c.attempts + 1, due_at=now + LEASE)
        )
    return claimed


def done(tx: Transaction, turn: Turn) -> None:
    """Filed, or too late: nothing is left to do, whoever did it."""
    tx.execute(sa.delete(turns).where(*_this(turn)))


def later(tx: Transaction, turn: Turn) -> None:
    """Due again after a pause, unless another worker has taken the turn since."""
    pause = PAUSES[min(turn.attempts, len(PAUSES)) - 1]
    tx.execute(
        sa.update(turns)
        .where(*_this(turn), turns.c.attempts == turn.attempts)
        .values(due_at=tx.now() + pause)
    )


def _this(turn: Turn) -> tuple[sa.ColumnElement[bool], ...]:
    return turns.c.match == turn.match, turns.c.tick == turn.tick, turns.c.faction == turn.faction
