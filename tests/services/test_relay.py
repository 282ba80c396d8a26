"""The relay: many events in a message, in order, each marked once it is published and not before."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa

from shared.contracts.accounts import AccountDeleted, SessionsEnded
from shared.runtime import relay as relay_module
from shared.runtime.broker import Line, Lines, Unroutable
from shared.runtime.ids import SystemIds
from shared.runtime.jobs import Job
from shared.runtime.relay import Relay
from shared.storage import event_tables, outbox
from shared.storage.database import Database, Transaction
from shared.storage.engine import create_engine, file_url
from tests.services.harness import ManualClock

TAKEN = frozenset({"accounts.account_deleted"})


class FakeLines:
    """A broker that takes every message, or fails at those events that it is told to fail at."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, list[Any], bool]] = []
        self.failing: dict[str, Exception] = {}
        self.seconds = 0.0
        self.rounds = 0

    @contextmanager
    def line(self, _timeout: float) -> Iterator["FakeLines"]:
        self.rounds += 1
        yield self

    def publish(self, body: str, *, exchange: str, routing_key: str, mandatory: bool) -> None:
        if routing_key in self.failing:
            raise self.failing[routing_key]
        time.sleep(self.seconds)
        payloads = [envelope["payload"] for envelope in json.loads(body)]
        self.messages.append((f"{exchange}/{routing_key}", payloads, mandatory))


@pytest.fixture
def store(tmp_path: Path) -> Database:
    metadata = sa.MetaData()
    event_tables.attach(metadata)
    engine = create_engine(file_url(tmp_path / "outbox.sqlite"), "accounts", durable=False)
    metadata.create_all(engine)
    return Database(engine, ManualClock().now, outbox.OutboxEmitter(SystemIds()))


@pytest.fixture
def broker() -> FakeLines:
    return FakeLines()


@pytest.fixture
def declared() -> list[object]:
    return []


@pytest.fixture
def relay(store: Database, broker: FakeLines, declared: list[object]) -> Relay:
    return Relay("accounts", store, cast(Lines[Line], broker), TAKEN, declared.append)


@pytest.fixture
def on_postgresql(database: str) -> Iterator[Database]:
    metadata = sa.MetaData()
    event_tables.attach(metadata)
    engine = create_engine(database, "accounts")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE SCHEMA accounts")
        metadata.create_all(connection)
    yield Database(engine, ManualClock().now, outbox.OutboxEmitter(SystemIds()))
    engine.dispose()


def emit(store: Database, *accounts: str) -> None:
    with store.begin() as tx:
        for account in accounts:
            tx.emit(AccountDeleted(account=account))
            tx.emit(SessionsEnded(account=account, token_digests=()))


def waiting(store: Database) -> int:
    with store.begin() as tx:
        return len(outbox.claim_unpublished(tx, 1_000) or [])


def test_events_of_one_type_travel_together_in_order(
    store: Database, relay: Relay, broker: FakeLines
) -> None:
    names = [f"a{number}" for number in range(5)]
    emit(store, *names)
    assert relay.publish_all() == 10
    assert [(where, len(payloads), mandatory) for where, payloads, mandatory in broker.messages] == [
        ("accounts.events/account_deleted", 5, True),
        ("accounts.events/sessions_ended", 5, False),
    ]
    assert [payload["account"] for payload in broker.messages[0][1]] == names
    assert relay.publish_all() == 0


def test_messages_are_bounded(
    store: Database, relay: Relay, broker: FakeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "MOST_IN_MESSAGE", 2)
    monkeypatch.setattr(relay_module, "BATCH", 3)
    emit(store, *"abcd")
    assert relay.publish_all() == 8
    assert max(len(payloads) for _, payloads, _ in broker.messages) == 2
    sent = [
        payload["account"]
        for where, payloads, _ in broker.messages
        for payload in payloads
        if "deleted" in where
    ]
    assert sent == list("abcd")


def test_what_was_published_before_a_failure_stays_marked(
    store: Database, relay: Relay, broker: FakeLines
) -> None:
    emit(store, "a", "b")
    broker.failing = {"sessions_ended": ConnectionError("gone")}
    with pytest.raises(ConnectionError):
        relay.publish_all()
    assert waiting(store) == 2
    broker.failing = {}
    assert relay.publish_all() == 2
    assert [len(payloads) for _, payloads, _ in broker.messages] == [2, 2]


def test_a_lost_queue_is_declared_again(
    store: Database, relay: Relay, broker: FakeLines, declared: list[object]
) -> None:
    emit(store, "a")
    broker.failing = {"account_deleted": Unroutable("account_deleted")}
    with pytest.raises(Unroutable):
        relay.publish_all()
    assert declared == [broker]
    broker.failing = {}
    assert relay.publish_all() == 2


def test_a_slow_round_ends_early_and_the_next_begins_with_what_has_waited_longest(
    store: Database, relay: Relay, broker: FakeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay_module, "MOST_IN_MESSAGE", 1)
    monkeypatch.setattr(relay_module, "PUBLISH_SECONDS", 0.0)
    emit(store, *"abc")
    assert relay.publish_all() == 6
    assert broker.rounds == 6
    assert [(where.rpartition("/")[2], payloads[0]["account"]) for where, payloads, _ in broker.messages] == [
        (event, account) for account in "abc" for event in ("account_deleted", "sessions_ended")
    ]


def test_a_slow_broker_gets_each_event_once(
    on_postgresql: Database, broker: FakeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as all of it takes PostgreSQL keeps no idle transaction open."""
    relay = Relay("accounts", on_postgresql, cast(Lines[Line], broker), TAKEN, lambda _: None)
    monkeypatch.setattr(relay_module, "MOST_IN_MESSAGE", 1)
    monkeypatch.setattr(relay_module, "PUBLISH_SECONDS", 0.3)
    broker.seconds = 0.05

    def impatient(connection: Any, _record: object, _proxy: object) -> None:
        connection.execute("SET idle_in_transaction_session_timeout = 1000")
        connection.commit()

    sa.event.listen(on_postgresql.engine, "checkout", impatient)
    emit(on_postgresql, *(f"a{number:02}" for number in range(15)))
    assert relay.publish_all() == 30
    assert len(broker.messages) == 30


def test_who_finds_another_publishing_leaves_it_to_that_one_and_still_wakes_at_once(
    on_postgresql: Database, broker: FakeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[bool] = []
    claim = outbox.claim_unpublished

    def counted(tx: Transaction, limit: int) -> Any:
        rows = claim(tx, limit)
        tries.append(rows is not None)
        return rows

    monkeypatch.setattr(outbox, "claim_unpublished", counted)
    relay = Relay("accounts", on_postgresql, cast(Lines[Line], broker), TAKEN, lambda _: None)
    job = Job("accounts", "relay", 3_600, relay.publish_all)
    other = Database(on_postgresql.engine, ManualClock().now, outbox.OutboxEmitter(SystemIds()))
    on_postgresql.on_emit = job.wake
    job.start()
    try:
        with other.begin() as publishing:
            assert claim(publishing, 1) == []
            emit(on_postgresql, "a")
            time.sleep(0.5)
            assert tries == [False], "50 a second would keep the database busy"
            emit(on_postgresql, "b")
            wait_for(lambda: tries == [False, False])
        emit(on_postgresql, "c")
        wait_for(lambda: len(broker.messages) == 2)
    finally:
        job.stop()
    assert [len(payloads) for _, payloads, _ in broker.messages] == [3, 3]


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_lower_number_that_is_committed_later_is_published_too(
    on_postgresql: Database, broker: FakeLines
) -> None:
    """Numbers are given before the commit: who goes on from the last number seen would skip it."""
    store = on_postgresql
    relay = Relay("accounts", store, cast(Lines[Line], broker), TAKEN, lambda _: None)
    with store.begin() as slow:
        slow.emit(AccountDeleted(account="lower"))
        with Database(store.engine, ManualClock().now, outbox.OutboxEmitter(SystemIds())).begin() as fast:
            fast.emit(AccountDeleted(account="higher"))
        assert relay.publish_all() == 1
    assert relay.publish_all() == 1
    assert relay.publish_all() == 0
    assert [payloads[0]["account"] for _, payloads, _ in broker.messages] == ["higher", "lower"]
