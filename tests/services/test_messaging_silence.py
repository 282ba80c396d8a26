"""Nobody learns why a message cannot be delivered, nor whom it failed for (G-03)."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from services.messaging import service, store
from shared.contracts.base import Refusal
from shared.contracts.lobby import MatchStarted
from shared.contracts.messaging import MessageSent
from tests.services.message_match import MATCH, Post, post, refusal, sending, started

Trace = list[tuple[str, int]]


def block(mail: Post) -> None:
    mail.block("f2", "f1")


def switch_off(mail: Post) -> None:
    mail.switch("f2", off=True)


def fill_inbox(mail: Post) -> None:
    for at in range(60 - len(mail.read("f2", limit=200))):
        mail.send(f"f{3 + at % 6}", "f2")


def block_of_another_recipient(mail: Post) -> None:
    mail.block("f3", "f1")


REASONS = [block, switch_off, fill_inbox]


@pytest.fixture
def mail(where: Path | str) -> Post:
    return post(where, 9)


def everything_told(mail: Post, faction: str) -> tuple[object, ...]:
    return (mail.list(faction), mail.conversations(faction))


@pytest.mark.parametrize("reason", REASONS)
def test_a_refused_message_leaves_nothing_to_see(mail: Post, reason: Callable[[Post], None]) -> None:
    mail.send("f1", "f2")
    reason(mail)
    before = [everything_told(mail, faction) for faction in ("f1", "f2", "f3")]
    mail.running.forget_emitted()
    for to in (("f2",), ("f2", "f3")):
        told = refusal(mail, sending("f1", *to))
        assert (told.code, told.detail) == ("undeliverable", "This message cannot be delivered now.")
        assert told.extra == {}
    assert [everything_told(mail, faction) for faction in ("f1", "f2", "f3")] == before
    assert [event.readers for event in mail.running.emitted_of(MessageSent)] == [{}, {}]
    mail.send("f1", "f3")


def test_a_refused_message_costs_no_allowance_and_fills_no_inbox(mail: Post) -> None:
    block(mail)
    for _ in range(100):
        assert refusal(mail, sending("f1", "f2")).code == "undeliverable"
    allowance = mail.conversations("f1").allowance
    assert (allowance.hour_left, allowance.per_player["f2"]) == (20, 10)
    for at in range(60):
        mail.send(f"f{3 + at % 6}", "f2")


def test_limits_are_told_before_deliverability(mail: Post) -> None:
    for _ in range(10):
        mail.send("f1", "f2")
    block(mail)
    assert refusal(mail, sending("f1", "f2")).code == "message-limit"


def test_an_inbox_opens_again_as_its_hour_passes(tmp_path: Path) -> None:
    mail = post(tmp_path, 9)
    fill_inbox(mail)
    assert refusal(mail, sending("f1", "f2")).code == "undeliverable"
    mail.running.clock.advance(3600)
    mail.send("f1", "f2")


def test_a_block_is_silent_one_way_and_ends_when_lifted(mail: Post) -> None:
    block(mail)
    mail.send("f2", "f1")
    assert refusal(mail, sending("f1", "f2")).code == "undeliverable"
    mail.switch("f2", off=True)
    mail.switch("f2", off=False)
    assert refusal(mail, sending("f1", "f2")).code == "undeliverable"
    assert mail.conversations("f2").off is False


def test_a_block_outlives_the_match(mail: Post) -> None:
    block(mail)
    other = started(mail.factions)
    fields = {name: getattr(other, name) for name in other.__struct_fields__}
    mail.running.deliver(MatchStarted(**{**fields, "match": "m2"}))
    second = Post(mail.running, mail.factions)
    resolve_second(second)
    request = sending("f1", "f2")
    request = type(request)(account=request.account, match="m2", to=request.to, text=request.text)
    assert refusal(mail, request).code == "undeliverable"


def resolve_second(mail: Post) -> None:
    with mail.running.database.begin() as tx:
        store.change_match(tx, "m2", tick=0, per_player=10)
        for faction in mail.factions:
            store.change_party(tx, "m2", faction, hour=20)


def test_the_same_wish_is_refused_again_whatever_has_changed(mail: Post) -> None:
    block(mail)
    assert refusal(mail, sending("f1", "f2", key="k")).code == "undeliverable"
    with mail.running.database.begin() as tx:
        store.remove_blocks(tx, store.blocks.c.account == "a2")
    assert refusal(mail, sending("f1", "f2", key="k")).code == "undeliverable"
    mail.send("f1", "f2", key="k2")


def test_what_was_refused_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    mail = post(tmp_path, 9)
    kept = mail.send("f1", "f2").message.id
    block(mail)
    for _ in range(3):
        assert refusal(mail, sending("f1", "f2", "f3")).code == "undeliverable"
    mail.running.run("forget_refused")
    assert stored(mail) == (4, 2 + 3 * 3)
    mail.running.clock.advance(3601)
    mail.running.run("forget_refused")
    mail.running.run("forget_refused")
    assert stored(mail) == (1, 2)
    assert [message.id for message in mail.read("f1")] == [kept]
    mail.send("f1", "f3")


def test_a_round_forgets_all_that_was_refused_however_much(
    where: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SWEPT_AT_ONCE", 2)
    monkeypatch.setattr(service, "KEEP_REFUSED", timedelta(0))
    mail = post(where, 9)
    block(mail)
    for _ in range(7):
        assert refusal(mail, sending("f1", "f2")).code == "undeliverable"
    mail.running.clock.advance(1)
    mail.running.run("forget_refused")
    assert stored(mail) == (0, 0)


def stored(mail: Post) -> tuple[int, int]:
    with mail.running.database.read() as tx:
        return tuple(  # type: ignore[return-value]
            tx.scalar(sa.select(sa.func.count()).select_from(table))
            for table in (store.messages, store.copies)
        )


@contextmanager
def traced(mail: Post) -> Iterator[Trace]:
    """Every statement sent to the database and how many rows it touched or gave."""
    trace: Trace = []

    def note(_connection: object, cursor: object, statement: str, *_rest: object) -> None:
        changes = statement.split(maxsplit=1)[0] in ("INSERT", "UPDATE", "DELETE")
        trace.append((re.sub(r"\s+", " ", statement), cursor.rowcount if changes else -1))  # type: ignore[attr-defined]

    engine = mail.running.database.engine
    sa.event.listen(engine, "after_cursor_execute", note)
    try:
        yield trace
    finally:
        sa.event.remove(engine, "after_cursor_execute", note)


def trace_of(mail: Post, *to: str, key: str | None = None) -> tuple[str, Trace]:
    with traced(mail) as trace:
        try:
            mail.send("f1", *to, key=key)
            code = "accepted"
        except Refusal as refusal:
            code = refusal.code
    return code, trace


@pytest.mark.parametrize("key", [None, "k"])
@pytest.mark.parametrize("to", [("f2",), ("f2", "f3")])
def test_the_database_is_asked_the_same_whatever_the_reason(
    where: Path | str, to: tuple[str, ...], key: str | None
) -> None:
    mail = post(where, 9)
    mail.send("f1", "f2", "f3")
    code, accepted = trace_of(mail, *to, key=key)
    assert code == "accepted" and len(accepted) >= 8
    inserted = sum(rows for statement, rows in accepted if statement.startswith("INSERT INTO copies"))
    assert inserted == 1 + len(to), "rows are counted"
    reasons = [*([block_of_another_recipient] if "f3" in to else []), *REASONS]
    for number, reason in enumerate(reasons):
        with mail.running.database.begin() as tx:
            store.remove_blocks(tx, sa.true())
            store.change_party(tx, MATCH, "f2", off=False)
        reason(mail)
        code, trace = trace_of(mail, *to, key=None if key is None else f"{key}{number}")
        assert code == "undeliverable", reason
        assert trace == accepted, reason


def test_what_a_refused_sender_reads_costs_what_it_cost_before(mail: Post) -> None:
    mail.send("f1", "f2")
    with traced(mail) as before:
        mail.conversations("f1")
        mail.list("f1")
    block(mail)
    for _ in range(5):
        refusal(mail, sending("f1", "f2"))
    with traced(mail) as after:
        mail.conversations("f1")
        mail.list("f1")
    assert after == before
