"""Events wait here, committed with the effects they tell of, until the broker has taken them.

Rows are marked one by one: numbers are not given in the order of commits, so "everything up to" would skip some
(reliability 19). One process of a service publishes at a time, in the order of the numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from shared.contracts.base import Event
from shared.runtime import correlation, envelope
from shared.runtime.ids import Ids
from shared.storage import event_tables
from shared.storage.database import OutboxRow, Transaction

KEEP_PUBLISHED = timedelta(hours=24)
RELAY_LOCK = 0x6C77_6F75  # any number of our own; advisory locks are per database, the schema is mixed in

_metadata = sa.MetaData()
event_tables.attach(_metadata)
outbox = _metadata.tables["outbox"]


@dataclass(frozen=True)
class Unpublished:
    seq: int
    event: str
    envelope: str


@dataclass(frozen=True)
class OutboxEmitter:
    """What ``Transaction.emit`` uses."""

    ids: Ids

    def row(self, event: Event, now: datetime) -> OutboxRow:
        sealed = envelope.seal(
            event, id=self.ids.new(f"event-{event.source()}"), at=now, correlation=correlation.current()
        )
        return {
            "id": sealed.id,
            "event": sealed.event,
            "envelope": envelope.encode(sealed),
            "created_at": now,
        }

    def store(self, connection: sa.Connection, rows: Sequence[OutboxRow]) -> None:
        connection.execute(sa.insert(outbox), rows)


def claim_unpublished(tx: Transaction, limit: int) -> list[Unpublished] | None:
    """The oldest rows, nobody else's until ``tx`` ends; None when another process is publishing."""
    if tx.postgresql:
        lock = sa.func.pg_try_advisory_xact_lock(RELAY_LOCK, sa.func.hashtext(sa.func.current_schema()))
        if not tx.scalar(sa.select(lock)):
            return None
    rows = tx.all(
        sa.select(outbox.c.seq, outbox.c.event, outbox.c.envelope)
        .where(outbox.c.published_at.is_(None))
        .order_by(outbox.c.seq)
        .limit(limit)
    )
    return [Unpublished(row.seq, row.event, row.envelope) for row in rows]


def mark_published(tx: Transaction, seqs: Sequence[int], now: datetime) -> None:
    tx.execute(sa.update(outbox).where(outbox.c.seq.in_(seqs)).values(published_at=now))


def oldest_unpublished(tx: Transaction) -> datetime | None:
    """When the row that has waited longest was stored."""
    found: datetime | None = tx.scalar(
        sa.select(outbox.c.created_at).where(outbox.c.published_at.is_(None)).order_by(outbox.c.seq).limit(1)
    )
    return found


def clean(tx: Transaction, now: datetime, limit: int = 1_000) -> int:
    """Deletes rows published long ago, at most ``limit``; how many."""
    old = (
        sa.select(outbox.c.seq)
        .where(outbox.c.published_at < now - KEEP_PUBLISHED)
        .order_by(outbox.c.published_at)
        .limit(limit)
    )
    return tx.execute(sa.delete(outbox).where(outbox.c.seq.in_(old))).rowcount
