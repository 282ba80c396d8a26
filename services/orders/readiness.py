"""Whether orders could be taken, second by second, so that an outage is never charged to the players (K-03)."""

from datetime import datetime, timedelta

import sqlalchemy as sa

from services.orders.store import ready_spans
from shared.contracts.orders import Outage, Outages
from shared.storage.database import Transaction
from shared.storage.upsert import insert_or_ignore

LEAST_OUTAGE = timedelta(seconds=5)
"""Marks closer together make one span: no shorter outage counts for any cadence."""
KEEP = timedelta(days=14)


def mark(tx: Transaction) -> datetime:
    """Notes that this replica could take orders now. Any replica's marks count."""
    now = tx.now()
    latest = sa.select(sa.func.max(ready_spans.c.start)).scalar_subquery()
    grown = tx.execute(
        sa.update(ready_spans)
        .where(ready_spans.c.start == latest, ready_spans.c.end >= now - LEAST_OUTAGE)
        .values(end=sa.case((ready_spans.c.end < now, now), else_=ready_spans.c.end))
    )
    if grown.rowcount == 0:
        tx.execute(insert_or_ignore(ready_spans, {"start": now, "end": now}))
        tx.execute(sa.delete(ready_spans).where(ready_spans.c.end < now - KEEP))
    return now


def outages(tx: Transaction, since: datetime) -> Outages:
    """Gaps between spans that reach past ``since``; whoever asks is answered, so the last span goes on till now."""
    ready_at = mark(tx)
    spans = tx.all(
        sa.select(ready_spans.c.start, ready_spans.c.end).order_by(ready_spans.c.start, ready_spans.c.end)
    )
    gaps: list[Outage] = []
    reached: datetime | None = None
    for span in spans:
        if reached is not None and span.start - reached > LEAST_OUTAGE and span.start > since:
            gaps.append(Outage(start=reached, end=span.start))
        reached = span.end if reached is None else max(reached, span.end)
    return Outages(items=tuple(gaps), ready_at=ready_at)
