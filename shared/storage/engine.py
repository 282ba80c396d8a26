"""Engines for both databases, set up so that they cannot surprise the services.

PostgreSQL: psycopg waits in Python, because its C wait would stop every greenlet of the process
(reliability 1); a connection to a demoted primary counts as broken (17). SQLite: write-ahead log, one writer at
a time from the first statement on. Errors never quote a statement's values: they may be what a fog hides.
"""

import re
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import ConnectionPoolEntry

LOCK_TIMEOUT_MS = 4_000
STATEMENT_TIMEOUT_MS = 30_000
IDLE_IN_TRANSACTION_TIMEOUT_MS = 20_000
"""A process that stands still in mid-transaction keeps its locks no longer than a worker its lease."""
SQLITE_BUSY_MS = 5_000
RECYCLE_SECONDS = 600
POOL_SIZE = 12
CONNECT_TIMEOUT_SECONDS = 5
READ_ONLY_SERVER = "25006"
READ_ONLY = "lastwaters_read_only"
USED_AT = "lastwaters_used_at"
IDLE_SECONDS = 1.0

SCHEMA = re.compile(r"[a-z][a-z0-9_]{0,40}")


def create_engine(
    url: str | URL,
    schema: str,
    *,
    durable: bool = True,
    pool_size: int = POOL_SIZE,
    lock_timeout_ms: int = LOCK_TIMEOUT_MS,
    statement_timeout_ms: int = STATEMENT_TIMEOUT_MS,
) -> sa.Engine:
    """An engine whose unqualified tables are those of ``schema`` (PostgreSQL) or of the file (SQLite).

    Errors never quote parameters: they may be sealed orders, and errors are logged.
    ``durable=False`` gives up safety against a crash of the machine on SQLite; for tests only.
    """
    if not SCHEMA.fullmatch(schema):
        raise ValueError(f"not a schema name: {schema!r}")
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        return _sqlite(address, durable, pool_size)
    return _postgresql(address, schema, pool_size, lock_timeout_ms, statement_timeout_ms)


def file_url(path: Path) -> str:
    return f"sqlite:///{path}"


def assert_wait_function() -> None:
    """Refuses to go on when something imported psycopg before this package could choose how it waits."""
    from psycopg import waiting

    if waiting.wait is not waiting.wait_selector:
        raise RuntimeError("psycopg was imported before shared.storage: its C wait blocks every greenlet")


def _postgresql(
    address: URL, schema: str, pool_size: int, lock_timeout_ms: int, statement_timeout_ms: int
) -> sa.Engine:
    assert_wait_function()
    options = {
        "search_path": schema,
        "lock_timeout": lock_timeout_ms,
        "statement_timeout": statement_timeout_ms,
        "idle_in_transaction_session_timeout": IDLE_IN_TRANSACTION_TIMEOUT_MS,
        "timezone": "UTC",
    }
    engine = sa.create_engine(
        address.set(drivername="postgresql+psycopg"),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_use_lifo=True,  # the connection used last has the most statements prepared
        pool_recycle=RECYCLE_SECONDS,
        isolation_level="READ COMMITTED",
        execution_options={"preserve_rowcount": True},  # else psycopg forgets how many rows an INSERT made
        hide_parameters=True,
        connect_args={
            "target_session_attrs": "read-write",
            "connect_timeout": CONNECT_TIMEOUT_SECONDS,
            "application_name": f"lastwaters-{schema}",
            "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
        },
    )
    # Many rows go in by one INSERT instead of one each: a third of the time here and on the server.
    engine.dialect.use_insertmanyvalues_wo_returning = True
    sa.event.listen(engine, "handle_error", _read_only_is_broken)
    sa.event.listen(engine, "checkin", _note_use)
    sa.event.listen(engine, "checkout", partial(_look_alive, engine.dialect))
    return engine


def _note_use(_connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.info[USED_AT] = monotonic()


def _look_alive(dialect: Any, connection: Any, entry: ConnectionPoolEntry, _proxy: object) -> None:
    """Asks the server after a pause only; a connection that was closed shows at once and costs no way there and back.

    One that is broken has the pool begin anew with all of its connections.
    """
    try:
        connection.pgconn.consume_input()  # its parting words, perhaps
        connection.pgconn.consume_input()
        used_at = entry.info.get(USED_AT)
        if used_at is not None and monotonic() - used_at > IDLE_SECONDS:
            dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        raise sa.exc.InvalidatePoolError from error


def _read_only_is_broken(context: sa.engine.ExceptionContext) -> None:
    if getattr(context.original_exception, "sqlstate", None) == READ_ONLY_SERVER:
        context.is_disconnect = True


def _sqlite(address: URL, durable: bool, pool_size: int) -> sa.Engine:
    if address.database in (None, "", ":memory:"):
        raise ValueError("a SQLite database of ours is a file: every connection must see the same one")
    engine = sa.create_engine(
        address,
        pool_size=pool_size,
        max_overflow=pool_size,
        hide_parameters=True,
        connect_args={"check_same_thread": False, "timeout": SQLITE_BUSY_MS / 1000},
    )
    pragmas = (
        "journal_mode=WAL",
        f"synchronous={'NORMAL' if durable else 'OFF'}",
        f"busy_timeout={SQLITE_BUSY_MS}",
        "foreign_keys=ON",
    )

    def configure(connection: Any, _entry: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # the driver must not begin by itself; `begin` below does
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    sa.event.listen(engine, "connect", configure)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _begin(connection: sa.Connection) -> None:
    # A transaction that reads first and writes later could fail half-way when another wrote in between.
    reading = connection.get_execution_options().get(READ_ONLY, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
