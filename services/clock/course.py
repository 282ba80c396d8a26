"""What happens to a match moves its row of the calendar: start, each resolved tick, early answers, the end."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from services.clock.store import ENDED, OPENING, PAUSED, WAITING, calendar
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.orders import EveryoneAnswered
from shared.contracts.resolution import TickResolved
from shared.outage import next_on_grid
from shared.runtime.service import NotYet
from shared.storage.database import Transaction
from shared.storage.match_rows import lock_matches
from shared.storage.upsert import insert_or_ignore


def start(tx: Transaction, event: MatchStarted) -> None:
    row = {
        "match": event.match,
        "state": OPENING,
        "tick": 0,
        "cadence_seconds": event.cadence_seconds,
        "started_at": event.started_at,
        "opened_at": event.started_at,
        "announcements": 0,
    }
    tx.execute(insert_or_ignore(calendar, row))


def go_on(tx: Transaction, events: Sequence[TickResolved]) -> None:
    """The next deadlines, on the grid, however late a tick was: never two ticks in a burst (K-03)."""
    rows = lock_matches(tx, calendar, [event.match for event in events])
    waiting = []
    for event in events:
        row = rows[event.match]
        if row.state == ENDED or event.tick < row.tick:
            continue
        if event.ended:
            _end(tx, event.match)
            continue
        cadence = timedelta(seconds=row.cadence_seconds)
        deadline = next_on_grid(row.started_at, cadence, max(event.ran_at, row.deadline or row.started_at))
        waiting.append(
            {
                "the_match": event.match,
                "the_tick": event.tick + 1,
                "the_opening": event.ran_at,
                "the_deadline": deadline,
            }
        )
        tx.emit(DeadlineSet(match=event.match, tick=event.tick + 1, at=deadline))
    if waiting:
        tx.execute(_WAIT, waiting)


_WAIT = (
    sa.update(calendar)
    .where(calendar.c.match == sa.bindparam("the_match"))
    .values(
        state=WAITING,
        tick=sa.bindparam("the_tick"),
        opened_at=sa.bindparam("the_opening"),
        deadline=sa.bindparam("the_deadline"),
        moved_from=None,
        revision=0,
        answered=False,
        next_at=sa.bindparam("the_deadline"),
        announcements=0,
        announced_at=None,
    )
)


def bring_forward(tx: Transaction, event: EveryoneAnswered) -> None:
    """While the match is paused it is kept in mind: it is told once a tick."""
    row = lock_matches(tx, calendar, [event.match])[event.match]
    if row.state != ENDED and row.tick < event.tick:
        raise NotYet(f"{event.match} waits for tick {row.tick}")
    now = tx.now()
    if row.state not in (WAITING, PAUSED) or row.tick != event.tick:
        return
    if row.state == WAITING and row.deadline > now:
        set_deadline(tx, row, now, answered=True)
    else:
        change(tx, event.match, answered=True)


def set_deadline(tx: Transaction, row: sa.Row[Any], at: datetime, **values: Any) -> None:
    """Another deadline for the tick of the locked ``row``, which waits for it, told beside the first that it had."""
    origin = row.moved_from or row.deadline
    revision = row.revision + 1 if at < row.deadline else row.revision
    change(tx, row.match, deadline=at, moved_from=origin, revision=revision, next_at=at, **values)
    tx.emit(DeadlineSet(match=row.match, tick=row.tick, at=at, moved_from=origin, revision=revision))


def change(tx: Transaction, match: str, **values: Any) -> None:
    tx.execute(sa.update(calendar).where(calendar.c.match == match).values(**values))


def close(tx: Transaction, event: MatchClosed) -> None:
    lock_matches(tx, calendar, [event.match])
    _end(tx, event.match)


def _end(tx: Transaction, match: str) -> None:
    change(tx, match, state=ENDED, deadline=None, next_at=None)
