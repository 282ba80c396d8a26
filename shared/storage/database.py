"""One service's database: transactions on PostgreSQL or SQLite, with events stored beside the effects.

PostgreSQL runs READ COMMITTED and locks rows (``with_for_update``); SQLite lets one writer in at a time
(BEGIN IMMEDIATE), which gives the same guarantees. Tables carry no schema name: on PostgreSQL the search path
is the service's own schema, on SQLite the file is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Protocol, cast

import sqlalchemy as sa

from shared.contracts.base import Event
from shared.storage.engine import READ_ONLY, SQLITE_BUSY_MS
from shared.storage.types import UTCDateTime

_CLOCK = sa.select(sa.func.clock_timestamp())
_PRESENT: sa.ColumnElement[datetime] = sa.func.statement_timestamp(type_=UTCDateTime)
"""Unlike ``clock_timestamp`` it is one moment for a statement, which so may look it up in an index."""
_open_transactions: ContextVar[int] = ContextVar("open_transactions", default=0)


def in_transaction() -> bool:
    """Whether the work at hand has a read-write transaction open: it must not wait for anybody else then."""
    return _open_transactions.get() > 0


OutboxRow = Mapping[str, Any]


class Emitter(Protocol):
    """Makes the outbox's rows of events, and stores all of a transaction at its end."""

    def row(self, event: Event, now: datetime) -> OutboxRow: ...

    def store(self, connection: sa.Connection, rows: Sequence[OutboxRow]) -> None: ...


class Transaction:
    """An open transaction. Leaving its block without an exception commits it."""

    def __init__(
        self,
        connection: sa.Connection,
        now: Callable[[], datetime],
        emitter: Emitter,
        reads: bool = False,
    ) -> None:
        self.connection = connection
        self._reads = reads
        self.afterwards: list[Callable[[], None]] = []
        self.emitted: list[OutboxRow] = []
        self._now = now
        self._moment: datetime | None = None
        self._emitter = emitter

    @property
    def postgresql(self) -> bool:
        return self.connection.dialect.name == "postgresql"

    def now(self) -> datetime:
        """The database's clock on PostgreSQL, so that no process's own clock decides; else the injected one."""
        if self.postgresql:
            moment = self.connection.execute(_CLOCK).scalar_one()
            self._moment = cast(datetime, moment).astimezone(UTC)
        else:
            self._moment = self._now()
        return self._moment

    @property
    def present(self) -> sa.ColumnElement[datetime]:
        """``now`` within a statement, where only the database has to know it."""
        if self.postgresql:
            return _PRESENT
        return sa.literal(self._now(), UTCDateTime)

    def execute(self, statement: Any, parameters: Any = None) -> sa.CursorResult[Any]:
        if self._reads and statement.is_dml:
            raise RuntimeError("a transaction that only reads changes nothing")
        return self.connection.execute(statement, parameters)

    def one(self, statement: Any) -> sa.Row[Any] | None:
        """The only row, or None. More than one is an error of ours."""
        return self.execute(statement).one_or_none()

    def all(self, statement: Any) -> list[sa.Row[Any]]:
        return list(self.execute(statement).all())

    def scalar(self, statement: Any) -> Any:
        return self.execute(statement).scalar()

    def emit(self, event: Event) -> None:
        """The event is published once this transaction has committed, and never if it has not.

        It is dated when this transaction last asked for the time.
        """
        self.emitted.append(self._emitter.row(event, self._moment or self.now()))

    def after_commit(self, work: Callable[[], None]) -> None:
        """Runs ``work`` once this transaction has committed, and never if it has not. A crash between loses it,
        so it is for hints only; facts are emitted."""
        self.afterwards.append(work)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Effects inside are undone alone when the block raises."""
        planned, emitted = len(self.afterwards), len(self.emitted)
        try:
            with self.connection.begin_nested():
                yield
        except BaseException:
            del self.afterwards[planned:], self.emitted[emitted:]
            raise


class Database:
    """The engine of one service. ``on_emit`` is called after each commit that stored events."""

    def __init__(self, engine: sa.Engine, now: Callable[[], datetime], emitter: Emitter) -> None:
        self.engine = engine
        self.on_emit: Callable[[], None] = lambda: None
        self._now = now
        self._emitter = emitter
        # A second writer must wait where other greenlets can run, not inside SQLite's busy handler.
        self._writer = Lock() if engine.dialect.name == "sqlite" else None

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """A read-write transaction: commits at the end of the block, rolls back when it raises."""
        with self._alone(), self.engine.begin() as connection:
            tx = Transaction(connection, self._now, self._emitter)
            yield tx
            if tx.emitted:
                self._emitter.store(connection, tx.emitted)
        if tx.emitted:
            self.on_emit()
        for work in tx.afterwards:
            work()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        before = _open_transactions.get()
        _open_transactions.set(before + 1)
        try:
            with self._turn():
                yield
        finally:
            _open_transactions.set(before)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._writer is None:
            yield
            return
        if not self._writer.acquire(timeout=SQLITE_BUSY_MS / 1000):
            raise TimeoutError("another transaction kept the database; was one opened inside another?")
        try:
            yield
        finally:
            self._writer.release()

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """For reading; each statement for itself on PostgreSQL, which saves two ways there and back."""
        options: dict[str, Any] = {READ_ONLY: True}
        if self.engine.dialect.name == "postgresql":
            # Under READ COMMITTED each statement sees what is committed by then, in a transaction or not.
            options["isolation_level"] = "AUTOCOMMIT"
        with self.engine.connect().execution_options(**options) as connection:
            tx = Transaction(connection, self._now, self._emitter, reads=True)
            yield tx
            if tx.emitted:
                raise RuntimeError("a transaction that only reads emits nothing")
