"""What the lobby learns of a match under way. Events may come in any order."""

from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from services.lobby import store
from services.lobby.announcing import announce
from services.lobby.store import Row
from shared.contracts.clock import DeadlineSet
from shared.contracts.report import TickReported
from shared.storage.database import Transaction

LONG_AGO = datetime.min.replace(tzinfo=UTC)


def ticks_reported(tx: Transaction, events: Sequence[TickReported]) -> None:
    """Tick 0 makes a match run; public facts are those of the latest tick."""
    rows = _lock(tx, [event.match for event in events])
    latest = [
        {"the_match": event.match, "the_tick": event.tick, "the_facts": bytes(event.public)}
        for event in events
        if event.tick >= rows[event.match].tick
    ]
    if latest:
        tx.execute(_TAKE_TICK, latest)
    for event in events:
        row = rows[event.match]
        if event.result is not None:
            store.change_match(tx, row.id, result=bytes(event.result))
        if event.ended and row.status != store.ENDED:
            store.change_match(tx, row.id, status=store.ENDED, ended_at=event.ran_at)
            announce(tx, row.id)
        elif row.status == store.STARTING:
            store.change_match(tx, row.id, status=store.RUNNING)
            announce(tx, row.id)


def deadlines_set(tx: Transaction, events: Sequence[DeadlineSet]) -> None:
    """The newest word counts (see ``DeadlineSet``)."""
    rows = _lock(tx, [event.match for event in events])
    news = []
    for event in events:
        row = rows[event.match]
        known = (row.deadline_tick, row.deadline_revision, row.deadline or LONG_AGO)
        if (event.tick, event.revision, event.at) > known:
            news.append(
                {
                    "the_match": event.match,
                    "the_tick": event.tick,
                    "the_revision": event.revision,
                    "at": event.at,
                }
            )
    if news:
        tx.execute(_TAKE_DEADLINE, news)


def _lock(tx: Transaction, ids: Sequence[str]) -> dict[str, Row]:
    """By match."""
    rows = store.lock_matches(tx, ids)
    for id in ids:
        if id not in rows or rows[id].started_at is None:
            raise LookupError(f"match {id} was never started here")
    return rows


_TAKE_TICK = (
    sa.update(store.matches)
    .where(store.matches.c.id == sa.bindparam("the_match"))
    .values(tick=sa.bindparam("the_tick"), public=sa.bindparam("the_facts"))
)
_TAKE_DEADLINE = (
    sa.update(store.matches)
    .where(store.matches.c.id == sa.bindparam("the_match"))
    .values(
        deadline_tick=sa.bindparam("the_tick"),
        deadline_revision=sa.bindparam("the_revision"),
        deadline=sa.bindparam("at"),
    )
)
