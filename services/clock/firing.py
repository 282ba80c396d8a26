"""The leader's round: due ticks are announced, many in a message, until each is confirmed resolved."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog

from services.clock import leading
from services.clock.store import DUE, WAITING, calendar, firing_spans
from shared import outage
from shared.contracts.clock import DeadlineSet, DueTick, TicksDue
from shared.contracts.orders import GetOutages, Outages, TickName
from shared.runtime.service import Ports, Unavailable
from shared.storage import presence
from shared.storage.database import Transaction
from shared.storage.presence import Span

AT_ONCE = 400
"""Ticks of one transaction."""
IN_MESSAGE = 20
"""Ticks of one message: what one worker takes at a time."""
PAUSES = tuple(timedelta(seconds=s) for s in (5, 10, 15))
"""Between the announcements of a tick that is not confirmed; the last one again and again."""
HOLD_EVERY = timedelta(seconds=1)

log = structlog.get_logger()
Row = sa.Row[Any]


class Firing:
    def __init__(self, ports: Ports) -> None:
        self._database = ports.database
        self._call = ports.call
        self._clock = ports.clock
        self._holder = ports.ids.new("clock")
        self._fence: int | None = None
        self._held_at: datetime | None = None

    def round(self) -> None:
        """Leads, if nobody else does, and fires what is due. Costs one look when nothing is."""
        now = self._clock.now()
        if self._held_at is None or not timedelta(0) <= now - self._held_at < HOLD_EVERY:
            idle = self._hold()
            self._held_at = now
            if idle:
                return
        if self._fence is None:
            return
        while self._fire_some(self._fence) == AT_ONCE:
            pass

    def _hold(self) -> bool:
        """Whether nothing is due."""
        with self._database.begin() as tx:
            self._fence = leading.hold(tx, self._holder)
            if self._fence is None or _due(tx, limit=1):
                # While something is due, only firing it shows that it could be fired.
                return False
            presence.mark(tx, firing_spans)
            return True

    def _fire_some(self, fence: int) -> int:
        """How many rows were looked at."""
        with self._database.read() as tx:
            rows = _due(tx, limit=AT_ONCE)
        if not rows:
            return 0
        waiting = [row for row in rows if row.state == WAITING]
        since = min(row.opened_at for row in rows)
        fired = tuple(TickName(match=row.match, tick=row.tick) for row in rows if row.state == DUE)
        try:
            told = self._call(GetOutages(since=since, ticks=fired))
        except Unavailable as error:
            # It could not be sealed either. The time until it can is an outage.
            log.warning("due ticks wait for orders", ticks=len(rows), error=str(error))
            return 0
        with self._database.begin() as tx:
            if not leading.leads(tx, fence):
                return 0
            if waiting:
                presence.mark(tx, firing_spans)
            _fire(tx, rows, told, presence.gaps(tx, firing_spans, since))
        return len(rows)


def _due(tx: Transaction, limit: int) -> list[Row]:
    """Oldest deadline first."""
    due = sa.select(calendar).where(calendar.c.next_at <= tx.present)
    return tx.all(due.order_by(calendar.c.deadline, calendar.c.match).limit(limit))


def _fire(tx: Transaction, seen: Sequence[Row], told: Outages, gaps: Sequence[Span]) -> None:
    """Of the rows seen, those that are still as they were: announced, or moved where an outage asks for it (K-03)."""
    now = tx.now()
    as_seen = {(row.match, row.tick, row.state) for row in seen}
    locked = tx.all(
        sa.select(calendar)
        .where(calendar.c.match.in_([row.match for row in seen]), calendar.c.next_at <= now)
        .order_by(calendar.c.match)
        .with_for_update(skip_locked=True)
    )
    outages = [Span(item.start, item.end) for item in told.items]
    sealed = {(name.match, name.tick) for name in told.sealed}
    busy = {(name.match, name.tick) for name in told.busy}
    announced: list[dict[str, Any]] = []
    moved: list[dict[str, Any]] = []
    waiting: list[dict[str, Any]] = []
    for row in sorted(locked, key=lambda row: (row.deadline, row.match)):
        if (row.match, row.tick, row.state) not in as_seen:
            continue
        if (row.match, row.tick) in busy:
            waiting.append({"the_match": row.match, "the_next": now + PAUSES[0]})
            continue
        cadence = timedelta(seconds=row.cadence_seconds)
        if (row.match, row.tick) in sealed:
            deadline = row.deadline
        else:
            # A tick that was announced was fired; that it could not be sealed since is an outage of orders alone.
            unable = [*outages, *outage.unfired(row.deadline, gaps)] if row.state == WAITING else outages
            deadline = outage.moved(row.deadline, row.opened_at, cadence, unable)
        change = {
            "the_match": row.match,
            "the_deadline": deadline,
            "the_origin": row.moved_from if deadline == row.deadline else row.moved_from or row.deadline,
        }
        if deadline != row.deadline:
            tx.emit(
                DeadlineSet(
                    match=row.match,
                    tick=row.tick,
                    at=deadline,
                    moved_from=change["the_origin"],
                    revision=row.revision,
                )
            )
            log.warning(
                "deadline moved", match=row.match, tick=row.tick, at=deadline, moved_from=row.deadline
            )
        if deadline > now:
            moved.append(change)
            continue
        pause = PAUSES[min(row.announcements, len(PAUSES) - 1)]
        announced.append({**change, "the_next": now + pause, "the_tick": row.tick})
    if waiting:
        tx.execute(_LOOK_LATER, waiting)
    _store(tx, moved, state=WAITING, next_at=sa.bindparam("the_deadline"))
    _store(
        tx,
        announced,
        state=DUE,
        next_at=sa.bindparam("the_next"),
        announcements=calendar.c.announcements + 1,
        announced_at=now,
    )
    ticks = [
        DueTick(
            match=change["the_match"],
            tick=change["the_tick"],
            deadline=change["the_deadline"],
            ready_at=told.ready_at,
        )
        for change in announced
    ]
    for at in range(0, len(ticks), IN_MESSAGE):
        tx.emit(TicksDue(ticks=tuple(ticks[at : at + IN_MESSAGE])))


_LOOK_LATER = (
    sa.update(calendar)
    .where(calendar.c.match == sa.bindparam("the_match"))
    .values(next_at=sa.bindparam("the_next"))
)


def _store(tx: Transaction, changes: Sequence[dict[str, Any]], **values: Any) -> None:
    if not changes:
        return
    tx.execute(
        sa.update(calendar)
        .where(calendar.c.match == sa.bindparam("the_match"))
        .values(
            deadline=sa.bindparam("the_deadline"),
            moved_from=sa.bindparam("the_origin"),
            **values,
        ),
        [{name: value for name, value in change.items() if name != "the_tick"} for change in changes],
    )
