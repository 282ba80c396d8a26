"""What the lobby learns of a match under way. Events may come in any order."""

from datetime import UTC, datetime

from services.lobby import store
from services.lobby.announcing import announce
from services.lobby.store import Row
from shared.contracts.clock import DeadlineSet
from shared.contracts.report import TickReported
from shared.storage.database import Transaction

LONG_AGO = datetime.min.replace(tzinfo=UTC)


def tick_reported(tx: Transaction, event: TickReported) -> None:
    """Tick 0 makes the match run; public facts are those of the latest tick."""
    row = _lock(tx, event.match)
    if event.tick >= row.tick:
        store.change_match(tx, row.id, tick=event.tick, public=bytes(event.public))
    if event.result is not None:
        store.change_match(tx, row.id, result=bytes(event.result))
    if event.ended and row.status != store.ENDED:
        store.change_match(tx, row.id, status=store.ENDED, ended_at=event.ran_at)
        announce(tx, row.id)
    elif row.status == store.STARTING:
        store.change_match(tx, row.id, status=store.RUNNING)
        announce(tx, row.id)


def deadline_set(tx: Transaction, event: DeadlineSet) -> None:
    """A deadline only ever moves to a later time (K-03)."""
    row = _lock(tx, event.match)
    if (event.tick, event.at) > (row.deadline_tick, row.deadline or LONG_AGO):
        store.change_match(tx, row.id, deadline_tick=event.tick, deadline=event.at)


def _lock(tx: Transaction, match: str) -> Row:
    row = store.match(tx, match, lock=True)
    if row is None or row.started_at is None:
        raise LookupError(f"match {match} was never started here")
    return row
