"""What happens between ticks, told to the feeds: deadlines, messages, seats.

Each data is an allow-list of its own (http-api.md's stream): no account id, no text of a message.
"""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from services.report import feed, seating
from services.report.store import deadlines
from shared import canonical
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchChanged, Seat
from shared.contracts.messaging import MessageSent
from shared.runtime.service import Fanout
from shared.storage.database import Transaction
from shared.storage.upsert import insert_or_ignore


def match_changed(tx: Transaction, event: MatchChanged, fanout: Fanout) -> None:
    if seating.change(tx, event):
        data = canonical.text({"status": event.status, "seats": [shown(seat) for seat in event.seats]})
        feed.tell(tx, event.match, "match", dict.fromkeys(event.accounts, data), fanout)


def shown(seat: Seat) -> dict[str, object]:
    """A seat as clients may see it."""
    return {
        "seat": seat.seat,
        "faction": seat.faction,
        "faction_name": seat.faction_name,
        "handle": seat.handle,
        "bot": seat.bot,
    }


def deadlines_set(tx: Transaction, events: Sequence[DeadlineSet], fanout: Fanout) -> None:
    """What is older than the word told last came late; one of a tick already told is past."""
    next_ticks = seating.lock_started(tx, [event.match for event in events])
    told: dict[str, object] = {}
    for event in keep_deadlines(tx, events):
        if event.tick >= next_ticks[event.match]:
            first = moved_from(event.at, event.moved_from)
            moved = {} if first is None else {"moved_from": first}
            told[event.match] = {"tick": event.tick, "at": event.at, **moved}
    feed.tell_all(tx, "deadline", told, fanout)


def keep_deadlines(tx: Transaction, events: Sequence[DeadlineSet]) -> list[DeadlineSet]:
    """Those of ``events`` that tell the newest deadline of their tick (see ``DeadlineSet``)."""
    rows = [
        {
            "match": event.match,
            "tick": event.tick,
            "at": event.at,
            "moved_from": moved_from(event.at, event.moved_from),
            "revision": event.revision,
        }
        for event in events
    ]
    new = set(tx.execute(_FIRST_DEADLINES, rows).scalars())
    return [event for event in events if event.match in new or move_deadline(tx, event)]


_FIRST_DEADLINES = insert_or_ignore(deadlines).returning(deadlines.c.match)


def move_deadline(tx: Transaction, event: DeadlineSet) -> bool:
    """Keeps the newest instant and the first that it was moved from. True if the event is the newest."""
    here = (deadlines.c.match == event.match, deadlines.c.tick == event.tick)
    known = tx.connection.execute(sa.select(deadlines).where(*here)).one()
    revision, at = max((known.revision, known.at), (event.revision, event.at))
    first = moved_from(at, known.moved_from, event.moved_from)
    tx.execute(sa.update(deadlines).where(*here).values(at=at, moved_from=first, revision=revision))
    newest: bool = (event.revision, event.at) > (known.revision, known.at)
    return newest


def moved_from(at: datetime, *told: datetime | None) -> datetime | None:
    """The first deadline, if ``at`` is later: one that came forward, as everyone had answered, made nobody wait."""
    return min((first for first in told if first is not None and first < at), default=None)


def message_sent(tx: Transaction, event: MessageSent, fanout: Fanout) -> None:
    """Each party hears of it under its own name for the conversation; nobody else hears anything."""
    seating.lock_started(tx, [event.match])
    told = {
        account: canonical.text({"id": event.message, "with": conversation})
        for account, conversation in event.readers.items()
    }
    feed.tell(tx, event.match, "message", told, fanout)
