"""One service alone, as its tests see it: real tables, calls and events through the real dispatch, no broker.

Calls to other services are answered by the test; events are delivered through the inbox and read from the outbox.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from shared.contracts.base import Event, Request
from shared.runtime import dispatch, envelope, replies
from shared.runtime.service import Grown, Handling, Ports, Repeating, Service, Unavailable, entrypoints
from shared.runtime.settings import Settings
from shared.storage import outbox
from shared.storage.database import Database
from shared.storage.engine import create_engine, file_url
from shared.storage.inbox import Outcome

Answer = TypeVar("Answer")
Kind = TypeVar("Kind", bound=Event)
S = TypeVar("S", bound=Service)
Answers = Mapping[type[Request[Any]], "Callable[[Any], Any] | Running[Any]"]

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)

_engines: list[sa.Engine] = []


class ManualClock:
    """Stands still until the test moves it."""

    def __init__(self, start: datetime = START) -> None:
        self.moment = start

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


class CountedIds:
    """Predictable: ``match-000001``, ``match-000002``, ..., and secrets that count too."""

    def __init__(self) -> None:
        self._count = 0

    def new(self, prefix: str) -> str:
        self._count += 1
        return f"{prefix}-{self._count:06d}"

    def secret(self, size: int) -> bytes:
        self._count += 1
        return self._count.to_bytes(size, "big")


class RecordedFanout:
    def __init__(self) -> None:
        self.published: list[Grown] = []

    def publish(self, grown: Sequence[Grown]) -> None:
        self.published += grown


def offload(work: Callable[..., Any], *args: Any) -> Any:
    """At once, here."""
    return work(*args)


class Running(Generic[S]):
    """A service under test."""

    def __init__(self, service: S, clock: ManualClock, ids: Any, fanout: RecordedFanout) -> None:
        self.service = service
        self.clock = clock
        self.ids = ids
        self.fanout = fanout
        self._delivered = 0

    @property
    def database(self) -> Database:
        return self.service.database

    def ask(self, request: Request[Answer], correlation: str = "") -> Answer:
        """Calls the service as another one would: through JSON and back. A ``Refusal`` is raised."""
        body = dispatch.answer(self.service, request.method(), replies.encode_request(request), correlation)
        return replies.read(request, body)

    def deliver(self, *events: Event, id: str | None = None) -> Outcome:
        """Delivers events in one message; give ``id`` (of the first) to repeat an event.

        An error of a handler is in the outcome, not raised: the inbox keeps it.
        """
        texts = []
        for number, event in enumerate(events):
            self._delivered += 1
            name = id if id is not None and number == 0 else f"delivered-{self._delivered:06d}"
            texts.append(envelope.encode(envelope.seal(event, id=name, at=self.clock.now())))
        return self.deliver_texts(*texts)

    def deliver_texts(self, *texts: str) -> Outcome:
        """Delivers raw envelopes, as they come from the broker."""
        return dispatch.deliver(self.service, texts)

    def hear(self, event: Event) -> None:
        """Hands the event to the method marked ``hears``; what it raises is raised here."""
        for method, mark in entrypoints(type(self.service)).items():
            if mark == Handling(type(event), inbox=False):
                opened = envelope.seal(event, id="heard", at=self.clock.now())
                getattr(self.service, method)(envelope.open_as(type(event), opened))
                return
        raise AssertionError(f"{self.service.name} does not hear {type(event).__name__}")

    def retry(self) -> Outcome:
        """Tries again what waits in the inbox and is due by now."""
        return dispatch.retry_due(self.service)

    def run(self, method: str) -> None:
        """One round of a method marked ``every``."""
        assert isinstance(entrypoints(type(self.service))[method], Repeating), method
        getattr(self.service, method)()

    def emitted(self) -> list[Event]:
        """Every event in the outbox, oldest first."""
        with self.database.read() as tx:
            rows = tx.all(sa.select(outbox.outbox.c.envelope).order_by(outbox.outbox.c.seq))
        sealed = [envelope.decode(row.envelope) for row in rows]
        return [envelope.open_as(envelope.event_type(item.event), item) for item in sealed]

    def emitted_of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.emitted() if isinstance(event, kind)]

    def forget_emitted(self) -> None:
        """Empties the outbox, so that ``emitted`` tells only of what comes after."""
        with self.database.begin() as tx:
            tx.execute(sa.delete(outbox.outbox))


def build(
    service: type[S],
    where: Path | str,
    *,
    clock: ManualClock | None = None,
    answers: Answers | None = None,
    settings: Settings | None = None,
    ids: Any = None,
    metadata: sa.MetaData | None = None,
) -> Running[S]:
    """A running ``service``.

    ``where``: a folder (``tmp_path``) for a SQLite file, or a PostgreSQL URL whose role may make schemas.
    ``answers``: for each request type that the service sends, a function of the request (it may raise ``Refusal``
    or ``Unavailable``) or another ``Running``. Tables are made from ``metadata``, else from the service's own
    ``services.<name>.store.metadata``. Give the same ``where`` again for a restart.
    """
    clock = clock or ManualClock()
    ids = ids or CountedIds()
    fanout = RecordedFanout()
    url = file_url(where / f"{service.name}.sqlite") if isinstance(where, Path) else where
    engine = create_engine(url, service.name, durable=False)
    _engines.append(engine)
    _create_tables(engine, service.name, metadata if metadata is not None else _store_metadata(service))
    database = Database(engine, clock.now, outbox.OutboxEmitter(ids))

    def call(request: Request[Answer], timeout: float = 5.0) -> Answer:
        found = (answers or {}).get(type(request))
        if found is None:
            raise Unavailable(request.service(), f"the test answers no {type(request).__name__}")
        if isinstance(found, Running):
            body = dispatch.answer(found.service, request.method(), replies.encode_request(request))
            return replies.read(request, body)
        given = found(request)
        return replies.read(request, replies.encode_answer(given))

    ports = Ports(
        database=database,
        call=call,
        clock=clock,
        ids=ids,
        offload=offload,
        fanout=fanout,
        settings=settings or Settings(),
    )
    built = service(ports)
    built.started()
    return Running(built, clock, ids, fanout)


def close_all() -> None:
    """Ends the connections of everything built since the last time."""
    while _engines:
        _engines.pop().dispose()


def _store_metadata(service: type[Service]) -> sa.MetaData:
    import importlib

    package = service.__module__.rsplit(".", 1)[0]
    metadata: sa.MetaData = importlib.import_module(f"{package}.store").metadata
    return metadata


def _create_tables(engine: sa.Engine, schema: str, metadata: sa.MetaData) -> None:
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        metadata.create_all(connection)
