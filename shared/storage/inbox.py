"""Events come in here: once each, whatever the broker repeats (reliability 2, 3).

The row that remembers an event and the event's effects commit together: a message's whole batch in one transaction.
Where one of them fails nothing is kept, and each is handled again under a savepoint of its own, so that a failing
event is undone alone. What failed, or came before something it needs, waits here and is tried again; what keeps
failing is set aside for people (parked) and reported.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy.exc import DBAPIError

from shared.contracts.base import Event
from shared.runtime.envelope import Envelope, Unreadable, decode, open_as
from shared.storage import event_tables
from shared.storage.database import Database, Transaction
from shared.storage.text import legible
from shared.storage.upsert import insert_or_ignore

BACK_OFF = tuple(timedelta(seconds=s) for s in (1, 2, 5, 10, 30, 60, 120, 300))
"""The pause after the first, second, ... failure. After one more failure the event is parked."""
NOT_YET_PAUSE = timedelta(seconds=0.5)
NOT_YET_LONGEST = timedelta(seconds=5)
"""An event that waits for an earlier one is looked at again after its own age, between these two."""
KEEP_DONE = timedelta(days=7)
LONGEST_ERROR = 2_000

log = structlog.get_logger()
_metadata = sa.MetaData()
event_tables.attach(_metadata)
inbox = _metadata.tables["inbox"]
_REMEMBER = insert_or_ignore(inbox).returning(inbox.c.id)

Handle = Callable[[Sequence[Any], Transaction], None]


class NotYet(Exception):
    """An event came before one it depends on; it is handled later."""


@dataclass(frozen=True)
class Handler:
    """``handle`` is given one event; many at a time, each of another match, if it takes them ``together``."""

    event: type[Event]
    handle: Handle
    together: bool = False


Handlers = Mapping[str, Handler]
"""By the event's full name, ``source.event``."""


@dataclass
class Outcome:
    """What became of a batch, counted."""

    handled: int = 0
    repeated: int = 0
    waiting: int = 0
    failed: int = 0
    parked: int = 0
    errors: list[str] = field(default_factory=list)


@dataclass
class _Arrival:
    id: str
    event: str
    text: str
    envelope: Envelope | None
    unreadable: str = ""


def deliver(database: Database, handlers: Handlers, envelopes: Sequence[str]) -> Outcome:
    """Handles each envelope that was not handled before. Raises only when the database itself fails.

    First all of them together. Where one of them fails nothing is kept, and each is handled apart.
    """
    arrivals = list({arrival.id: arrival for arrival in map(_arrival, envelopes)}.values())
    if not arrivals:
        return Outcome()
    try:
        return _deliver(database, handlers, arrivals, apart=False)
    except Exception as error:
        if _lost(error):
            raise
    return _deliver(database, handlers, arrivals, apart=True)


def _deliver(database: Database, handlers: Handlers, arrivals: Sequence[_Arrival], apart: bool) -> Outcome:
    outcome = Outcome()
    with database.begin() as tx:
        now = tx.now()
        # In the order of ids, so that two batches with events in common cannot wait for each other.
        rows = [
            {"id": a.id, "event": a.event, "received_at": now, "attempts": 0, "done_at": now}
            for a in sorted(arrivals, key=lambda arrival: arrival.id)
        ]
        fresh = set(tx.execute(_REMEMBER, rows).scalars())
        outcome.repeated = len(arrivals) - len(fresh)
        # By match, as they came within one: batches lock matches in the same order, and so never each other.
        new = sorted((arrival for arrival in arrivals if arrival.id in fresh), key=_match)
        if apart:
            for arrival in new:
                _handle(tx, handlers, arrival, attempts=0, received_at=now, now=now, outcome=outcome)
        else:
            for group in _groups(handlers, new):
                _handle_bare(tx, handlers, group)
            outcome.handled = len(new)
    return outcome


def _groups(handlers: Handlers, arrivals: Sequence[_Arrival]) -> Iterator[list[_Arrival]]:
    """What is handed over at once: events of one kind that one request or tick has set off, each of another match.

    Of one match they stay in their order.
    """
    earlier: Counter[str] = Counter()
    groups: dict[tuple[int, str, str], list[_Arrival]] = {}
    for arrival in arrivals:
        match = _match(arrival)
        correlation = arrival.envelope.correlation if arrival.envelope else ""
        groups.setdefault((earlier[match], arrival.event, correlation), []).append(arrival)
        earlier[match] += 1
    for place in sorted(groups):
        group = groups[place]
        handler = handlers.get(group[0].event)
        if handler is not None and handler.together:
            yield group
        else:
            yield from ([arrival] for arrival in group)


def _handle_bare(tx: Transaction, handlers: Handlers, group: Sequence[_Arrival]) -> None:
    """Raises whatever is wrong with the events or their handling."""
    with _bound(group):
        opened = [_open(handlers, arrival) for arrival in group]
        _, handle = opened[0]
        handle([event for event, _ in opened], tx)


def retry_due(database: Database, handlers: Handlers, limit: int = 20) -> Outcome:
    """Tries again what waits until nothing is due, each in its own transaction, the longest due first.

    One that succeeds may be what others of its match wait for: they are tried at once. Else events that came
    out of order would be handled one a pause, and where new ones come faster the match would never catch up.
    """
    outcome = Outcome()
    while True:
        with database.read() as tx:
            due = sa.select(inbox.c.id).where(inbox.c.next_at <= tx.present)
            rows = tx.all(due.order_by(inbox.c.next_at, inbox.c.received_at).limit(limit))
        taken = [_retry(database, handlers, id, outcome) for (id,) in rows]
        if not any(taken):
            return outcome


def _retry(database: Database, handlers: Handlers, id: str, outcome: Outcome) -> bool:
    """False if another process has it."""
    with database.begin() as tx:
        now = tx.now()
        row = tx.one(
            sa.select(inbox).where(inbox.c.id == id, inbox.c.next_at <= now).with_for_update(skip_locked=True)
        )
        if row is None:
            return False
        arrival = _arrival(row.envelope)
        before = outcome.handled
        tx.execute(
            sa.update(inbox)
            .where(inbox.c.id == id)
            .values(done_at=now, next_at=None, envelope=None, error=None)
        )
        _handle(tx, handlers, arrival, row.attempts, row.received_at, now, outcome)
        if outcome.handled > before and (match := _match(arrival)):
            _wake(tx, match, now)
    return True


def _wake(tx: Transaction, match: str, now: datetime) -> None:
    """What waits in the match for an earlier event is due. Not what another process has at hand: it may be waiting
    for a lock of ours."""
    of_the_match = inbox.c.envelope.contains(f'"match":"{match}"', autoescape=True)
    waiting = sa.select(inbox.c.id).where(inbox.c.next_at > now, inbox.c.error.is_(None), of_the_match)
    tx.execute(
        sa.update(inbox).where(inbox.c.id.in_(waiting.with_for_update(skip_locked=True))).values(next_at=now)
    )


def park(database: Database, event: str, body: object, reason: str) -> None:
    """Keeps a message that could not even be taken apart, so that somebody may look at it."""
    text = legible(body if isinstance(body, str) else repr(body))
    with database.begin() as tx:
        now = tx.now()
        row = {
            "id": _digest(text),
            "event": event,
            "envelope": text,
            "received_at": now,
            "attempts": 0,
            "parked_at": now,
            "error": legible(reason)[:LONGEST_ERROR],
        }
        tx.execute(insert_or_ignore(inbox, row))
    log.error("event parked", event_name=event, reason=reason)


def oldest_waiting(tx: Transaction) -> datetime | None:
    """When the event came that has waited longest to be handled."""
    found: datetime | None = tx.scalar(
        sa.select(sa.func.min(inbox.c.received_at)).where(inbox.c.next_at.is_not(None))
    )
    return found


def clean(tx: Transaction, now: datetime, limit: int = 1_000) -> int:
    """Forgets events handled long ago, at most ``limit``; how many."""
    old = (
        sa.select(inbox.c.id).where(inbox.c.done_at < now - KEEP_DONE).order_by(inbox.c.done_at).limit(limit)
    )
    return tx.execute(sa.delete(inbox).where(inbox.c.id.in_(old))).rowcount


def _digest(text: str) -> str:
    return "unreadable-" + hashlib.sha256(text.encode()).hexdigest()[:32]


def _match(arrival: _Arrival) -> str:
    return (arrival.envelope and arrival.envelope.match) or ""


def _arrival(text: str) -> _Arrival:
    try:
        envelope = decode(text)
    except Unreadable as error:
        text = legible(text)
        return _Arrival(_digest(text), "unreadable", text, None, str(error))
    return _Arrival(envelope.id, envelope.event, text, envelope)


def _handle(
    tx: Transaction,
    handlers: Handlers,
    arrival: _Arrival,
    attempts: int,
    received_at: datetime,
    now: datetime,
    outcome: Outcome,
) -> None:
    with _bound([arrival]):
        try:
            event, handle = _open(handlers, arrival)
        except Unreadable as error:
            _keep(tx, arrival, attempts, parked_at=now, error=str(error))
            outcome.parked += 1
            log.error("event parked", event_name=arrival.event, event_id=arrival.id, reason=str(error))
            return
        try:
            with tx.savepoint():
                handle([event], tx)
        except NotYet:
            pause = min(max(now - received_at, NOT_YET_PAUSE), NOT_YET_LONGEST)
            _keep(tx, arrival, attempts, next_at=now + pause)
            outcome.waiting += 1
        except Exception as error:
            if _lost(error):
                raise
            outcome.errors.append(f"{type(error).__name__}: {error}")
            _failed(tx, arrival, attempts + 1, now, error, outcome)
        else:
            outcome.handled += 1


def _bound(group: Sequence[_Arrival]) -> AbstractContextManager[None]:
    """What is logged and emitted inside carries the events' correlation, and logs those of one event its match and tick."""
    envelope = group[0].envelope
    if envelope is None:
        return nullcontext()
    if len(group) > 1:
        return structlog.contextvars.bound_contextvars(correlation=envelope.correlation)
    return structlog.contextvars.bound_contextvars(
        correlation=envelope.correlation, match=envelope.match, tick=envelope.tick
    )


def _lost(error: Exception) -> bool:
    """Whether the database itself is gone, which is nobody's fault who handles an event."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _open(handlers: Handlers, arrival: _Arrival) -> tuple[Any, Handle]:
    if arrival.envelope is None:
        raise Unreadable(arrival.unreadable)
    handler = handlers.get(arrival.event)
    if handler is None:
        raise Unreadable(f"{arrival.event} is not handled here")
    return open_as(handler.event, arrival.envelope), handler.handle


def _failed(
    tx: Transaction, arrival: _Arrival, attempts: int, now: datetime, error: Exception, outcome: Outcome
) -> None:
    words = f"{type(error).__name__}: {error}"
    if attempts > len(BACK_OFF):
        _keep(tx, arrival, attempts, parked_at=now, error=words)
        outcome.parked += 1
        log.error(
            "event parked", event_name=arrival.event, event_id=arrival.id, attempts=attempts, exc_info=error
        )
        return
    _keep(tx, arrival, attempts, next_at=now + BACK_OFF[attempts - 1], error=words)
    outcome.failed += 1
    log.warning(
        "event failed", event_name=arrival.event, event_id=arrival.id, attempts=attempts, exc_info=error
    )


def _keep(
    tx: Transaction,
    arrival: _Arrival,
    attempts: int,
    *,
    next_at: datetime | None = None,
    parked_at: datetime | None = None,
    error: str | None = None,
) -> None:
    tx.execute(
        sa.update(inbox)
        .where(inbox.c.id == arrival.id)
        .values(
            envelope=arrival.text,
            attempts=attempts,
            next_at=next_at,
            parked_at=parked_at,
            done_at=None,
            error=error and legible(error)[:LONGEST_ERROR],
        )
    )
