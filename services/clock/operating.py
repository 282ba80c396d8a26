"""What operators may do to the calendar. Each is a compare-and-set on the row: a tick is announced or changed,
never both."""

from datetime import datetime, timedelta
from typing import Any, cast

import sqlalchemy as sa

from services.clock.course import change, set_deadline
from services.clock.store import DUE, ENDED, OPENING, PAUSED, WAITING, calendar
from shared.contracts.base import Refusal
from shared.contracts.clock import (
    CalendarRow,
    CalendarRows,
    MoveDeadline,
    PauseMatch,
    ReannounceTick,
    ResumeMatch,
    SurveyCalendar,
)
from shared.outage import next_on_grid
from shared.storage.database import Transaction


def survey(tx: Transaction, request: SurveyCalendar) -> CalendarRows:
    now = tx.now()
    rows = tx.all(
        sa.select(calendar)
        .where(calendar.c.state != ENDED)
        .order_by(calendar.c.deadline.is_(None), calendar.c.deadline, calendar.c.match)
        .limit(request.limit)
    )
    return CalendarRows(
        items=tuple(
            CalendarRow(
                match=row.match,
                tick=row.tick,
                deadline=row.deadline,
                state=row.state,
                announced_at=row.announced_at,
                late_seconds=_late(row, now),
            )
            for row in rows
        )
    )


def pause(tx: Transaction, request: PauseMatch) -> None:
    row = _running(tx, request.match)
    if row.state in (OPENING, DUE):
        raise _announced()
    change(tx, request.match, state=PAUSED, next_at=None)


def resume(tx: Transaction, request: ResumeMatch) -> None:
    """Never before the deadline that the players were told, unless all of them have answered."""
    row = _running(tx, request.match)
    if row.state != PAUSED:
        return
    now = tx.now()
    cadence = timedelta(seconds=row.cadence_seconds)
    deadline = now if row.answered else max(row.deadline, next_on_grid(row.started_at, cadence, now))
    if deadline == row.deadline:
        change(tx, request.match, state=WAITING, opened_at=now, next_at=deadline)
    else:
        set_deadline(tx, row, deadline, state=WAITING, opened_at=now)


def move(tx: Transaction, request: MoveDeadline) -> None:
    row = _running(tx, request.match)
    if row.state != WAITING or row.tick != request.tick:
        raise _announced()
    if row.deadline == request.at:
        return
    if request.at <= max(row.deadline, tx.now()):
        raise Refusal("malformed", "A deadline can only be moved to a later time that is still to come.")
    # It stands, though everyone has answered: a pause does not take it back.
    set_deadline(tx, row, request.at, answered=False)


def reannounce(tx: Transaction, request: ReannounceTick) -> None:
    row = _running(tx, request.match)
    if row.state == DUE:
        change(tx, request.match, next_at=tx.now())


def _running(tx: Transaction, match: str) -> sa.Row[Any]:
    row = tx.one(sa.select(calendar).where(calendar.c.match == match).with_for_update())
    if row is None:
        raise Refusal("not-found", "There is no such match.")
    if row.state == ENDED:
        raise Refusal("match-ended", "The match has ended.")
    return row


def _announced() -> Refusal:
    return Refusal("tick-closed", "This tick is not waiting for its deadline.")


def _late(row: sa.Row[Any], now: datetime) -> float:
    if row.state not in (WAITING, DUE):
        return 0.0
    return max(0.0, (now - cast(datetime, row.deadline)).total_seconds())
