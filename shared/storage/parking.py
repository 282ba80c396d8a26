"""What an inbox has set aside: what operators see of it, try again after a repair, or let go."""

from datetime import datetime

import sqlalchemy as sa

from shared.contracts.base import Refusal
from shared.contracts.parking import ParkedEvent, ParkedEvents
from shared.runtime.envelope import Unreadable, decode
from shared.storage.database import Transaction
from shared.storage.inbox import inbox

SHOWN = 100
_PARKED = inbox.c.parked_at.is_not(None)


def survey(tx: Transaction) -> ParkedEvents:
    """The longest parked first, at most ``SHOWN`` of them."""
    rows = tx.all(sa.select(inbox).where(_PARKED).order_by(inbox.c.parked_at, inbox.c.id).limit(SHOWN))
    return ParkedEvents(
        items=tuple(
            ParkedEvent(
                id=row.id,
                event=row.event,
                match=_match(row.envelope),
                received_at=row.received_at,
                parked_at=row.parked_at,
                attempts=row.attempts,
                error=row.error or "",
            )
            for row in rows
        ),
        count=count(tx),
    )


def count(tx: Transaction) -> int:
    return int(tx.scalar(sa.select(sa.func.count()).where(_PARKED)))


def unpark(tx: Transaction, now: datetime, id: str | None = None) -> int:
    """Parked events, or the one named, are tried again from the beginning; how many."""
    parked = sa.update(inbox).where(_PARKED if id is None else _PARKED & (inbox.c.id == id))
    found = tx.execute(parked.values(parked_at=None, attempts=0, next_at=now)).rowcount
    if id is not None and not found:
        raise _not_found()
    return found


def drop(tx: Transaction, now: datetime, id: str) -> None:
    """The event counts as handled from now on, also should it come again."""
    parked = sa.update(inbox).where(_PARKED, inbox.c.id == id)
    if not tx.execute(parked.values(parked_at=None, done_at=now, envelope=None)).rowcount:
        raise _not_found()


def _not_found() -> Refusal:
    return Refusal("not-found", "No such event is set aside.")


def _match(text: str) -> str | None:
    try:
        return decode(text).match
    except Unreadable:
        return None
