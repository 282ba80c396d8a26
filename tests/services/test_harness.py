"""The harness, and through it outbox and inbox, against a small service of its own."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from shared.contracts.accounts import AccountDeleted, AccountName, FindHandle, SignOut
from shared.contracts.base import Nothing, Refusal
from shared.contracts.lobby import MatchClosed
from shared.contracts.parking import DropParked, SurveyParked, UnparkEvents
from shared.runtime import envelope
from shared.runtime.service import NotYet, Ports, Service, every, handles, rpc
from shared.storage import event_tables, inbox, outbox
from shared.storage.database import Transaction
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore
from tests.services.harness import START, Running, build

metadata = sa.MetaData()
gone = sa.Table(
    "gone",
    metadata,
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("at", UTCDateTime, nullable=False),
)
event_tables.attach(metadata)


class Accounts(Service):
    name = "accounts"
    rounds = 0
    broken = False

    @rpc
    def find_handle(self, request: FindHandle) -> AccountName:
        if request.handle == "nobody":
            raise Refusal("not-found", "no such handle", scope="hour")
        return AccountName(id="a1", handle=request.handle)

    @rpc
    def sign_out(self, request: SignOut) -> Nothing:
        with self.database.begin() as tx:
            tx.emit(AccountDeleted(account=request.token_digest))
        return Nothing()

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        tx.execute(sa.insert(gone).values(account=event.match, at=event.at))
        tx.emit(AccountDeleted(account=event.match))
        if event.match == "early" and self.rounds == 0:
            raise NotYet
        if self.broken:
            raise ValueError("broken")

    @every(1.0)
    def sweep(self) -> None:
        self.rounds += 1


def accounts(tmp_path: Path) -> Running[Accounts]:
    return build(Accounts, tmp_path, metadata=metadata)


def rows(running: Running[Accounts]) -> dict[str, datetime]:
    with running.database.read() as tx:
        return {row.account: row.at for row in tx.all(sa.select(gone))}


def closed(match: str) -> MatchClosed:
    return MatchClosed(match=match, at=START)


def test_a_call_travels_as_json_and_a_refusal_as_a_value(tmp_path: Path) -> None:
    running = accounts(tmp_path)
    assert running.ask(FindHandle(handle="ann")) == AccountName(id="a1", handle="ann")
    with pytest.raises(Refusal) as refusal:
        running.ask(FindHandle(handle="nobody"))
    assert (refusal.value.code, refusal.value.extra) == ("not-found", {"scope": "hour"})


def test_effects_of_an_event_come_once(tmp_path: Path) -> None:
    running = accounts(tmp_path)
    assert running.deliver(closed("m1"), id="e1").handled == 1
    assert running.deliver(closed("m1"), id="e1").repeated == 1
    assert rows(running) == {"m1": START}
    assert running.emitted() == [AccountDeleted(account="m1")]


def test_a_failing_event_is_undone_alone_and_parked_in_the_end(tmp_path: Path) -> None:
    running = accounts(tmp_path)
    running.deliver(closed("m1"))
    outcome = running.deliver(closed("m2"), closed("m1"), closed("m3"))
    assert (outcome.handled, outcome.failed) == (2, 1)
    assert set(rows(running)) == {"m1", "m2", "m3"}
    assert len(running.emitted()) == 3
    assert running.retry().failed == 0  # not due yet
    for pause in inbox.BACK_OFF:
        running.clock.advance(pause.total_seconds())
        running.retry()
    with running.database.begin() as tx:
        tx.execute(sa.delete(gone))
    (event,) = running.ask(SurveyParked(at="accounts")).items
    assert (event.match, event.attempts, event.parked_at) == (
        "m1",
        len(inbox.BACK_OFF) + 1,
        running.clock.now(),
    )
    assert event.error.startswith("IntegrityError")
    assert running.retry().handled == 0  # not by itself
    assert running.ask(UnparkEvents(at="accounts")).count == 1
    assert running.retry().handled == 1
    assert running.ask(SurveyParked(at="accounts")).count == 0


def test_of_what_is_parked_one_event_is_tried_again_and_one_let_go(tmp_path: Path) -> None:
    running = accounts(tmp_path)
    texts = ["no", "sense", "at all"]
    assert running.deliver_texts(*texts).parked == len(texts)
    found = running.ask(SurveyParked(at="accounts"))
    assert found.count == len(texts)
    assert {(item.event, item.match) for item in found.items} == {("unreadable", None)}
    one, other, third = found.items
    running.ask(DropParked(at="accounts", id=one.id))
    assert running.ask(UnparkEvents(at="accounts", id=other.id)).count == 1
    assert [event.id for event in running.ask(SurveyParked(at="accounts")).items] == [third.id]
    assert running.retry().parked == 1
    for wrong in (
        DropParked(at="accounts", id=one.id),
        UnparkEvents(at="accounts", id=one.id),
        DropParked(at="accounts", id="e1"),
    ):
        with pytest.raises(Refusal, match="not-found"):
            running.ask(wrong)
    assert running.deliver_texts(*texts).repeated == len(texts), "dropped is handled"


def test_an_early_event_waits_and_does_not_count(tmp_path: Path) -> None:
    running = accounts(tmp_path)
    for _ in range(20):
        outcome = running.deliver(closed("early"), id="e1") if not rows(running) else running.retry()
        running.clock.advance(60)
    assert outcome.parked == outcome.failed == 0
    running.run("sweep")
    assert running.retry().handled == 1
    assert set(rows(running)) == {"early"}


class InOrder(Service):
    """Takes the events of a match in the order of their times alone."""

    name = "accounts"

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.next = START

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        if event.at != self.next:
            raise NotYet
        self.next += timedelta(seconds=1)


def test_a_match_whose_events_came_out_of_order_catches_up_at_once(tmp_path: Path) -> None:
    """Each waited for its own pause after the one before it, and fell behind where new ones came faster."""
    running = build(InOrder, tmp_path, metadata=metadata)
    for number in reversed(range(1, 60)):
        running.deliver(MatchClosed(match="m1", at=START + timedelta(seconds=number)))
        running.clock.advance(1)
    assert running.deliver(closed("m1")).handled == 1
    running.clock.advance(inbox.NOT_YET_LONGEST.total_seconds())
    assert running.retry().handled == 59


class Together(Service):
    """Takes many events at a time, and tells for each of the request that set it off."""

    name = "accounts"
    broken = ""

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.given: list[list[tuple[str, int]]] = []

    @handles
    def match_closed(self, events: Sequence[MatchClosed], tx: Transaction) -> None:
        self.given.append([(event.match, (event.at - START).seconds) for event in events])
        for event in events:
            tx.execute(insert_or_ignore(gone, {"account": event.match, "at": event.at}))
            tx.emit(AccountDeleted(account=event.match))
        if self.broken in {event.match for event in events}:
            raise ValueError("broken")


def sealed(match: str, second: int = 0, correlation: str = "") -> str:
    event = MatchClosed(match=match, at=START + timedelta(seconds=second))
    named = envelope.seal(event, id=f"{match}-{second}", at=START, correlation=correlation)
    return envelope.encode(named)


def test_events_taken_together_are_each_of_another_match_and_stay_in_order(tmp_path: Path) -> None:
    running = build(Together, tmp_path, metadata=metadata)
    outcome = running.deliver_texts(
        sealed("m2", 1), sealed("m1"), sealed("m3"), sealed("m2", 0), sealed("m1"), sealed("m2", 5)
    )
    assert (outcome.handled, outcome.repeated) == (5, 0)
    assert running.service.given == [[("m1", 0), ("m2", 1), ("m3", 0)], [("m2", 0)], [("m2", 5)]]
    assert running.deliver_texts(sealed("m1"), sealed("m4")).repeated == 1
    assert running.service.given[3:] == [[("m4", 0)]]


def test_where_one_of_many_fails_each_is_handled_alone(tmp_path: Path) -> None:
    running = build(Together, tmp_path, metadata=metadata)
    running.service.broken = "m2"
    outcome = running.deliver_texts(sealed("m1"), sealed("m2"), sealed("m3"))
    assert (outcome.handled, outcome.failed) == (2, 1)
    assert running.service.given[1:] == [[("m1", 0)], [("m2", 0)], [("m3", 0)]]
    with running.database.read() as tx:
        assert {row.account for row in tx.all(sa.select(gone))} == {"m1", "m3"}
    assert running.emitted() == [AccountDeleted(account="m1"), AccountDeleted(account="m3")]
    running.service.broken = ""
    running.clock.advance(60)
    assert running.retry().handled == 1
    assert len(running.emitted()) == 3


def test_events_taken_together_were_set_off_by_one_request(tmp_path: Path) -> None:
    running = build(Together, tmp_path, metadata=metadata)
    running.deliver_texts(sealed("m1", 0, "r1"), sealed("m2", 0, "r2"), sealed("m3", 0, "r1"))
    assert running.service.given == [[("m1", 0), ("m3", 0)], [("m2", 0)]]
    with running.database.read() as tx:
        stored = [envelope.decode(row.envelope) for row in tx.all(sa.select(outbox.outbox))]
    told = {msgspec.json.decode(one.payload)["account"]: one.correlation for one in stored}
    assert told == {"m1": "r1", "m2": "r2", "m3": "r1"}


def test_what_cannot_be_read_is_parked_and_changes_nothing(where: Path | str) -> None:
    running = build(Accounts, where, metadata=metadata)
    good = '{"id":"%s","event":"lobby.match_closed","version":%d,"at":"2026-01-01T00:00:00Z","payload":%s}'
    payload = '{"match":"m","at":"2026-01-01T00:00:00Z"}'
    bad = [
        "[]",
        "nonsense",
        good % ("e1", 2, payload),
        good % ("e2", 1, '{"match":7}'),
        good % ("e\\u0000", 1, payload),
        (good % ("e4", 1, payload)).replace("match_closed", "match_opened"),
        (good % ("e5", 1, payload)).replace("lobby.", "accounts."),
        '{"a\\u0000b":1}',
        '{"\\ud800":1}',
        "nul \0 and half a pair \ud800",
    ]
    assert running.deliver_texts(*bad).parked == len(bad)
    assert running.deliver_texts(*bad).repeated == len(bad)
    assert rows(running) == {} and running.emitted() == []
    assert running.ask(UnparkEvents(at="accounts")).count == len(bad)
    assert running.retry().parked == len(bad)
    assert running.ask(SurveyParked(at="accounts")).count == len(bad)
    assert running.deliver_texts(good % ("e1b", 1, payload)).handled == 1
