"""One leader at a time: a lease in the database with a fencing number.

Two that believe they lead do no harm, since each announcement is a compare-and-set on the calendar; the lease
only saves the work of doing it twice.
"""

from datetime import timedelta

import sqlalchemy as sa

from services.clock.store import leadership
from shared.storage.database import Transaction
from shared.storage.upsert import insert_or_ignore

LEASE = timedelta(seconds=3)
"""Shorter than the least outage, so that a change of leaders is only lateness."""
OFFICE = 1


def hold(tx: Transaction, holder: str) -> int | None:
    """Takes or keeps the lead; the fencing number, or None while another leads."""
    now = tx.now()
    until = now + LEASE
    row = tx.one(sa.select(leadership).where(leadership.c.office == OFFICE).with_for_update())
    if row is None:
        first = {"office": OFFICE, "holder": holder, "fence": 1, "lease_until": until}
        return 1 if tx.execute(insert_or_ignore(leadership, first)).rowcount == 1 else None
    if row.holder != holder and row.lease_until > now:
        return None
    fence: int = row.fence if row.holder == holder else row.fence + 1
    tx.execute(sa.update(leadership).values(holder=holder, fence=fence, lease_until=until))
    return fence


def leads(tx: Transaction, fence: int) -> bool:
    """Whether nobody else has taken the lead; none can until ``tx`` ends."""
    latest: int | None = tx.scalar(sa.select(leadership.c.fence).with_for_update(read=True))
    return latest == fence
