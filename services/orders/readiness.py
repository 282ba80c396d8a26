"""Whether orders could be taken, second by second, so that an outage is never charged to the players (K-03)."""

from datetime import datetime

from services.orders.sealing import sealed_among
from services.orders.store import ready_spans
from shared.contracts.orders import GetOutages, Outage, Outages
from shared.storage import presence
from shared.storage.database import Transaction


def mark(tx: Transaction) -> datetime:
    """This replica could take orders now."""
    return presence.mark(tx, ready_spans)


def outages(tx: Transaction, request: GetOutages) -> Outages:
    """Whoever asks is answered, so no outage goes on."""
    sealed, busy = sealed_among(tx, request.ticks)
    ready_at = mark(tx)
    gaps = presence.gaps(tx, ready_spans, request.since)
    return Outages(
        items=tuple(Outage(start=gap.start, end=gap.end) for gap in gaps),
        ready_at=ready_at,
        sealed=sealed,
        busy=busy,
    )
