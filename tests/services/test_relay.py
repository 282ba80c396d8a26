"""The relay: many events in a message, in order, each marked once it is published and not before."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa

from shared.contracts.accounts import AccountDeleted, SessionsEnded
from shared.runtime import relay as relay_module
from shared.runtime.broker import Line, Lines, Unroutable
from shared.runtime.ids import SystemIds
from shared.runtime.relay import Relay
from shared.storage import event_tables, outbox
from shared.storage.database import Database
from shared.storage.engine import create_engine, file_url
from tests.services.harness import ManualClock

TAKEN = frozenset({"accounts.account_deleted"})


class FakeLines:
    """A broker that takes every message, or fails at those events that it is told to fail at."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, list[Any], bool]] = []
        self.failing: dict[str, Exception] = {}

    @contextmanager
    def line(self, _timeout: float) -> Iterator["FakeLines"]:
        yield self

    def publish(self, body: str, *, exchange: str, routing_key: str, mandatory: bool) -> None:
        if routing_key in self.failing:
            raise self.failing[routing_key]
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


def test_a_lower_number_that_is_committed_later_is_published_too(database: str, broker: FakeLines) -> None:
    """Numbers are given before the commit: who goes on from the last number seen would skip it."""
    metadata = sa.MetaData()
    event_tables.attach(metadata)
    engine = create_engine(database, "accounts")
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE SCHEMA accounts")
        metadata.create_all(connection)
    store = Database(engine, ManualClock().now, outbox.OutboxEmitter(SystemIds()))
    relay = Relay("accounts", store, cast(Lines[Line], broker), TAKEN, lambda _: None)
    with store.begin() as slow:
        slow.emit(AccountDeleted(account="lower"))
        with Database(engine, ManualClock().now, outbox.OutboxEmitter(SystemIds())).begin() as fast:
            fast.emit(AccountDeleted(account="higher"))
        assert relay.publish_all() == 1
    assert relay.publish_all() == 1
    assert relay.publish_all() == 0
    assert [payloads[0]["account"] for _, payloads, _ in broker.messages] == ["higher", "lower"]
    engine.dispose()
