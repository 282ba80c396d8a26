"""Messages: sending, reading, limits (rules section 13)."""

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from services.messaging import store
from services.messaging.sending import LONGEST
from services.messaging.service import MessagingService
from shared.contracts.accounts import AccountDeleted
from shared.contracts.base import Refusal
from shared.contracts.lobby import MatchClosed
from shared.contracts.messaging import (
    BlockAccount,
    ListBlocks,
    ListConversations,
    ListMessages,
    MarkRead,
    MessageSent,
    SendMessage,
    SwitchOff,
    UnblockAccount,
)
from shared.lastwaters import tables
from tests.services.databases import ON_BOTH
from tests.services.harness import START, build
from tests.services.message_match import MATCH, Post, post, refusal, refused, sending, started
from tests.services.racing import race


@pytest.fixture
def mail(place: Path | str) -> Post:
    return post(place)


def test_a_message_is_there_at_once_for_its_parties_alone(mail: Post) -> None:
    sent = mail.send("f1", "f3", "f2", text="  meet at the weir\n").message
    assert (sent.sender, sent.to, sent.with_) == ("f1", ("f2", "f3"), "f2,f3")
    assert (sent.text, sent.sent_at, sent.tick) == ("meet at the weir", START, 0)
    assert mail.read("f1") == [sent]
    for reader, with_ in (("f2", "f1,f3"), ("f3", "f1,f2")):
        (got,) = mail.read(reader)
        assert (got.id, got.text, got.with_, got.to) == (sent.id, sent.text, with_, ("f2", "f3"))
    assert mail.read("f4") == []
    assert mail.running.emitted() == [
        MessageSent(match=MATCH, message=sent.id, readers={"a1": "f2,f3", "a2": "f1,f3", "a3": "f1,f2"})
    ]


@ON_BOTH
def test_a_conversation_is_its_set_of_parties(mail: Post) -> None:
    mail.send("f1", "f2", text="one")
    mail.send("f2", "f1", text="two")
    mail.send("f1", "f2", "f3", text="three")
    mail.send("f3", "f1", "f2", text="four")
    assert [message.text for message in mail.read("f2", with_="f1")] == ["two", "one"]
    for with_ in ("f1,f3", "f3,f1"):
        assert [message.text for message in mail.read("f2", with_=with_)] == ["four", "three"]
    assert [message.text for message in mail.read("f2")] == ["four", "three", "two", "one"]
    assert mail.read("f2", with_="f4") == []
    assert [one.with_ for one in mail.conversations("f2").items] == ["f1,f3", "f1"]


@ON_BOTH
def test_unread_leaves_out_ones_own_and_marks_only_move_forward(mail: Post) -> None:
    texts = [mail.send("f1", "f2").message.id for _ in range(3)]
    own = mail.send("f2", "f1").message.id
    mail.send("f1", "f2", "f3")
    assert mail.unread("f2") == {"f1": 3, "f1,f3": 1}
    assert mail.unread("f1") == {"f2": 1, "f2,f3": 0}
    mail.mark("f2", "f1", texts[1])
    assert mail.unread("f2") == {"f1": 1, "f1,f3": 1}
    mail.mark("f2", "f1", texts[0])
    assert mail.unread("f2") == {"f1": 1, "f1,f3": 1}
    mail.mark("f2", "f1", own)
    assert mail.unread("f2") == {"f1": 0, "f1,f3": 1}
    assert mail.unread("f1") == {"f2": 1, "f2,f3": 0}, "one party's mark is not another's"


@ON_BOTH
def test_a_mark_names_a_message_of_the_conversation(mail: Post) -> None:
    pair = mail.send("f1", "f2").message.id
    group = mail.send("f1", "f2", "f3").message.id
    for faction, with_, up_to in (
        ("a2", "f1", group),
        ("a2", "f1,f3", pair),
        ("a2", "f1", "msg-none"),
        ("a2", "f1", "\0"),
        ("a2", "", pair),
        ("a4", "f1", pair),
    ):
        mark = MarkRead(account=faction, match=MATCH, with_=with_, up_to=up_to)
        assert refused(mail, mark) == "not-found"
    assert mail.unread("f2") == {"f1": 1, "f1,f3": 1}


@ON_BOTH
def test_messages_are_paged_newest_first(mail: Post) -> None:
    ids = []
    for at in range(9):
        ids.append(mail.send("f1", "f2" if at % 2 else "f3").message.id)
    pages, cursor = [], None
    while True:
        page = mail.list("f1", limit=4, cursor=cursor)
        pages.append([message.id for message in page.items])
        cursor = page.next_cursor
        if cursor is None:
            break
        mail.send("f2", "f1")
    assert pages == [ids[8:4:-1], ids[4:0:-1], ids[:1]]
    assert [message.id for message in mail.read("f1", after=ids[5])][-3:] == ids[:5:-1]
    assert [message.id for message in mail.read("f3", after=ids[4])] == [ids[8], ids[6]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": 0},
        {"limit": 201},
        {"limit": -5},
        {"cursor": "msg-none"},
        {"cursor": "\0"},
        {"after": ""},
        {"after": "msg-none"},
        {"with_": ""},
        {"with_": "f9"},
        {"with_": "f1"},
        {"with_": "f1,f2"},
        {"with_": "f2,"},
    ],
    ids=repr,
)
def test_a_list_asked_for_wrongly_is_malformed(mail: Post, wrong: dict[str, Any]) -> None:
    with pytest.raises(Refusal, match="malformed"):
        mail.list("f1", **wrong)


def test_another_partys_message_is_no_place_in_ones_own_list(mail: Post) -> None:
    other = mail.send("f2", "f3").message.id
    with pytest.raises(Refusal, match="malformed"):
        mail.list("f1", after=other)
    with pytest.raises(Refusal, match="malformed"):
        mail.list("f1", cursor=other)


def test_the_longest_message_is_the_one_that_the_rules_publish() -> None:
    assert LONGEST == tables.MESSAGE_CHARACTERS


@pytest.mark.parametrize("text", ["", " \n\t ", "x" * 2001, "a\0b", "a" * 2000 + "\0"])
def test_a_text_of_another_form_is_malformed(mail: Post, text: str) -> None:
    assert refused(mail, sending("f1", "f2", text=text)) == "malformed"
    assert mail.running.emitted() == []


def test_a_lone_surrogate_is_malformed(mail: Post) -> None:
    with pytest.raises(Refusal, match="malformed"):
        mail.running.service.send_message(sending("f1", "f2", text="a\ud800b"))


@pytest.mark.parametrize("text", ["x", "  " + "x" * 2000 + "  ", "🜄" * 2000, "one\ntwo\tthree"])
def test_texts_of_up_to_two_thousand_characters_arrive_whole(mail: Post, text: str) -> None:
    mail.send("f1", "f2", text=text)
    assert mail.read("f2")[0].text == text.strip()


def test_refusals_of_recipients_in_their_order(mail: Post) -> None:
    assert refused(mail, sending("f1")) == "malformed"
    assert refused(mail, sending("f1", "f2", "f2")) == "malformed"
    assert refused(mail, sending("f1", "f9")) == "unknown-faction"
    assert refused(mail, sending("f1", "f1", "f9")) == "unknown-faction"
    assert refused(mail, sending("f1", "\0")) == "unknown-faction"
    assert refused(mail, sending("f1", "f1")) == "self"
    mail.resolve(1, live=("f1", "f2", "f3"))
    assert refused(mail, sending("f1", "f1", "f4")) == "self"
    assert refused(mail, sending("f1", "f2", "f4")) == "eliminated"


@ON_BOTH
def test_who_has_no_seat_finds_no_match(mail: Post) -> None:
    message = mail.send("f1", "f2").message.id
    for match, who in ((MATCH, "a9"), ("m0", "a1"), ("\0", "a1")):
        for request in (
            SendMessage(account=who, match=match, to=("f2",), text="x"),
            ListMessages(account=who, match=match, with_=None, after=None, limit=5, cursor=None),
            ListConversations(account=who, match=match),
            MarkRead(account=who, match=match, with_="f1", up_to=message),
            SwitchOff(account=who, match=match, off=True),
        ):
            assert refused(mail, request) == "not-found"


def test_an_end_that_comes_before_the_start_waits_for_it(mail: Post) -> None:
    assert mail.running.deliver(MatchClosed(match="m2", at=START)).waiting == 1


def test_nobody_writes_before_tick_zero(tmp_path: Path) -> None:
    running = build(MessagingService, tmp_path)
    opened = Post(running, ("f1", "f2"))
    for _ in range(2):
        running.deliver(started(("f1", "f2")))
    assert refused(opened, sending("f1", "f2")) == "not-started"
    assert refused(opened, ListConversations(account="a1", match=MATCH)) == "not-started"
    opened.resolve(0)
    opened.send("f1", "f2")


@ON_BOTH
def test_an_eliminated_faction_reads_and_does_not_send(mail: Post) -> None:
    message = mail.send("f1", "f2").message
    mail.resolve(1, live=("f1", "f3", "f4"), allowances={"f1": 20, "f3": 20, "f4": 20})
    assert refused(mail, sending("f2", "f1")) == "eliminated"
    assert refused(mail, sending("f1", "f2")) == "eliminated"
    assert [got.id for got in mail.read("f2")] == [message.id]
    mail.mark("f2", "f1", message.id)
    allowance = mail.conversations("f2").allowance
    assert (allowance.hour_left, set(allowance.per_player.values())) == (0, {0})
    assert set(mail.conversations("f1").allowance.per_player) == {"f3", "f4"}


@pytest.mark.parametrize("how", ["tick", "closed"])
def test_an_ended_match_is_read_and_nobody_sends(mail: Post, how: str) -> None:
    message = mail.send("f1", "f2").message
    if how == "tick":
        mail.resolve(1, ended=True)
    else:
        mail.running.deliver(MatchClosed(match=MATCH, at=START))
        mail.resolve(1)
    assert refused(mail, sending("f2", "f1")) == "match-ended"
    assert mail.read("f2")[0].id == message.id
    assert mail.conversations("f2").allowance.hour_left == 0
    mail.mark("f2", "f1", message.id)
    assert mail.unread("f2") == {"f1": 0}


def test_twenty_an_hour(mail: Post) -> None:
    for at in range(20):
        sent = mail.send("f1", "f2" if at % 2 else "f3")
        assert sent.allowance.hour_left == 19 - at
        mail.running.clock.advance(10)
    assert mail.conversations("f1").allowance == sent.allowance
    limit = refusal(mail, sending("f1", "f4"))
    assert (limit.code, limit.extra) == ("message-limit", {"scope": "hour", "retry_after": 3400})
    mail.running.clock.advance(3399)
    assert refusal(mail, sending("f1", "f4")).extra == {"scope": "hour", "retry_after": 1}
    mail.running.clock.advance(1)
    mail.send("f1", "f4")
    assert refusal(mail, sending("f1", "f4")).extra == {"scope": "hour", "retry_after": 10}
    mail.send("f2", "f1")


def age(mail: Post, seconds: float) -> None:
    """Makes all that was sent older; PostgreSQL's clock is nobody's to move."""
    with mail.running.database.begin() as tx:
        for row in tx.all(sa.select(store.copies)):
            here = sa.and_(*(column == getattr(row, column.name) for column in store.copies.primary_key))
            older = row.sent_at - timedelta(seconds=seconds)
            tx.execute(sa.update(store.copies).where(here).values(sent_at=older))


@ON_BOTH
def test_ten_to_the_same_player(mail: Post) -> None:
    for at in range(10):
        sent = mail.send("f1", "f2")
        assert sent.allowance.per_player == {"f2": 9 - at, "f3": 10, "f4": 10}
    for to in (("f2",), ("f2", "f3")):
        assert refusal(mail, sending("f1", *to)).extra == {"scope": "player", "retry_after": 3600}
    mail.send("f1", "f3")
    mail.send("f2", "f1")
    age(mail, 3000)
    assert 0 < refusal(mail, sending("f1", "f2")).extra["retry_after"] <= 600
    age(mail, 600)
    assert mail.send("f1", "f2").allowance.per_player["f2"] == 9


def test_a_group_message_counts_once_for_the_hour_and_once_for_each_recipient(mail: Post) -> None:
    for _ in range(10):
        sent = mail.send("f1", "f2", "f3", "f4")
    assert (sent.allowance.hour_left, sent.allowance.per_player) == (10, {"f2": 0, "f3": 0, "f4": 0})


@ON_BOTH
def test_the_ruleset_sets_the_allowance_and_the_latest_tick_decides(mail: Post) -> None:
    mail.resolve(2, allowances={"f1": 40, "f2": 20, "f3": 0}, per_player=2)
    mail.resolve(1, allowances={"f1": 1}, per_player=1)
    assert mail.conversations("f1").allowance.hour_left == 40
    mail.send("f1", "f2")
    assert mail.send("f1", "f2").message.tick == 2
    assert refusal(mail, sending("f1", "f2")).extra["scope"] == "player"
    assert refusal(mail, sending("f3", "f1")).extra == {"scope": "hour", "retry_after": 3600}


def test_the_same_wish_sends_once(mail: Post) -> None:
    first = mail.send("f1", "f2", key="k")
    mail.running.clock.advance(5)
    assert mail.send("f1", "f2", key="k") == first
    assert refused(mail, sending("f1", "f3", key="k")) == "idempotency-mismatch"
    assert len(mail.read("f2")) == 1
    assert mail.conversations("f1").allowance.hour_left == 19


@ON_BOTH
def test_blocks_are_the_accounts_own_list(mail: Post) -> None:
    for _ in range(2):
        mail.block("f1", "f3")
        mail.running.clock.advance(1)
        mail.block("f1", "f2")
    assert mail.ask(ListBlocks(account="a1")).ids == ("a3", "a2")
    assert mail.ask(ListBlocks(account="a2")).ids == ()
    assert refused(mail, BlockAccount(account="a1", blocked="a1")) == "self"
    for _ in range(2):
        mail.ask(UnblockAccount(account="a1", blocked="a3"))
    assert mail.ask(ListBlocks(account="a1")).ids == ("a2",)
    mail.block("f3", "f1")
    mail.running.deliver(AccountDeleted(account="a1"))
    assert mail.ask(ListBlocks(account="a1")).ids == ()
    assert mail.ask(ListBlocks(account="a3")).ids == ()


def test_limits_hold_exactly_with_200_senders_at_once(where: Path | str) -> None:
    crowd = post(where, 30)
    others = [faction for faction in crowd.factions if faction != "f01"]
    outcomes = race([lambda i=i: crowd.send("f01", others[i % 29]).message.sender for i in range(200)])
    assert Counter(outcomes) == {"f01": 20, "message-limit": 180}
    assert len(crowd.read("f01", limit=200)) == 20
    crowd.resolve(1, allowances=dict.fromkeys(crowd.factions, 1000))
    outcomes = race([lambda: crowd.send("f02", "f03", "f04").message.sender for _ in range(200)])
    assert Counter(outcomes) == {"f02": 10, "message-limit": 190}


def test_an_inbox_takes_sixty_exactly_whoever_sends_at_once(where: Path | str) -> None:
    crowd = post(where, 50)
    outcomes = race([lambda i=i: crowd.send(f"f{2 + i % 49:02}", "f01").message.id for i in range(200)])
    assert outcomes.count("undeliverable") == 140
    assert len(crowd.read("f01", limit=200)) == 60


def test_a_wish_delivered_many_times_at_once_sends_once(where: Path | str) -> None:
    crowd = post(where)
    outcomes = race([lambda: crowd.send("f1", "f2", key="k").message.id for _ in range(24)])
    assert len(set(outcomes)) == 1
    assert len(crowd.read("f2")) == 1


def test_nobody_sends_after_the_end_however_close(where: Path | str) -> None:
    crowd = post(where, 50)
    sends = [lambda i=i: crowd.send(f"f{1 + i:02}", "f50").message.id for i in range(40)]
    ends = [lambda: str(crowd.resolve(1, ended=True))]
    outcomes = race([*sends[:20], *ends, *sends[20:]])
    accepted = [outcome for outcome in outcomes if outcome.startswith("msg")]
    assert set(outcomes) <= {*accepted, "match-ended", "None"}
    assert sorted(message.id for message in crowd.read("f50")) == sorted(accepted)
    assert {message.tick for message in crowd.read("f50")} <= {0}


def test_messages_keep_their_order_for_every_reader(where: Path | str) -> None:
    crowd = post(where, 20)
    race([lambda i=i: crowd.send(f"f{3 + i % 12:02}", "f01", "f02").message.id for i in range(48)])
    first, second = ([message.id for message in crowd.read(reader)] for reader in ("f01", "f02"))
    assert first == second and len(first) == 48
    times = [message.sent_at for message in crowd.read("f01")]
    assert times == sorted(times, reverse=True)
    assert times[0] - times[-1] < timedelta(hours=1)
