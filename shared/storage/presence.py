"""When something could be done, mark by mark, and the gaps in which it could not (K-03).

Marks close to each other are kept as the span they make, so that weeks of seconds are a few rows. Any replica's
marks count.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

import sqlalchemy as sa

from shared.storage.database import Transaction
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

LEAST_GAP = timedelta(seconds=5)
"""Marks no further apart make one span: no shorter outage counts for any cadence (K-03)."""
KEEP = timedelta(days=14)


@dataclass(frozen=True)
class Span:
    start: datetime
    end: datetime


def spans_table(metadata: sa.MetaData, name: str) -> sa.Table:
    return sa.Table(
        name,
        metadata,
        sa.Column("start", UTCDateTime, primary_key=True),
        sa.Column("end", UTCDateTime, nullable=False),
    )


def mark(tx: Transaction, spans: sa.Table) -> datetime:
    """Notes that it could be done now; the moment noted."""
    now = tx.now()
    if tx.execute(_grow(spans), {"now": now, "near": now - LEAST_GAP}).rowcount == 0:
        tx.execute(insert_or_ignore(spans, {"start": now, "end": now}))
        tx.execute(sa.delete(spans).where(spans.c.end < now - KEEP))
    return now


@cache
def _grow(spans: sa.Table) -> sa.Update:
    """Built once: it runs every second."""
    now = sa.bindparam("now", type_=UTCDateTime)
    latest = sa.select(sa.func.max(spans.c.start)).scalar_subquery()
    return (
        sa.update(spans)
        .where(spans.c.start == latest, spans.c.end >= sa.bindparam("near"))
        .values(end=sa.case((spans.c.end < now, now), else_=spans.c.end))
    )


def gaps(tx: Transaction, spans: sa.Table, since: datetime, until: datetime | None = None) -> list[Span]:
    """The gaps between marks that reach past ``since``, oldest first; ``until`` is taken for a mark too."""
    found: list[Span] = []
    reached: datetime | None = None
    for span in tx.all(sa.select(spans.c.start, spans.c.end).order_by(spans.c.start, spans.c.end)):
        if reached is not None and span.start - reached > LEAST_GAP and span.start > since:
            found.append(Span(reached, span.start))
        reached = span.end if reached is None else max(reached, span.end)
    if until is not None and reached is not None and until - reached > LEAST_GAP:
        found.append(Span(reached, until))
    return found
