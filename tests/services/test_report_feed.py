"""The feed: numbered without gaps for each reader, a day long, and silent about what the reader may not know."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.report.service import ReportService
from shared.contracts.base import Refusal
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchChanged, Seat
from shared.contracts.messaging import MessageSent
from shared.contracts.report import Feed, FeedEvent, GetFeed
from shared.runtime import envelope
from shared.runtime.ids import SystemIds
from tests.services.harness import START, Running, build
from tests.services.lone_match import CADENCE, LoneMatch, fogged, seat


def report(where: Path | str) -> Running[ReportService]:
    return build(ReportService, where, ids=SystemIds())


def feed(running: Running[ReportService], account: str, after: int | None = 0, limit: int = 100) -> Feed:
    return running.ask(GetFeed(account=account, match="m1", after=after, limit=limit))


def plain(event: FeedEvent) -> tuple[int, str, Any]:
    return event.n, event.event, msgspec.json.decode(event.data)


def refused(running: Running[ReportService], account: str) -> str:
    with pytest.raises(Refusal) as refusal:
        feed(running, account)
    return refusal.value.code


def deadline(tick: int, late: timedelta = timedelta(0)) -> DeadlineSet:
    at = START + tick * CADENCE
    return DeadlineSet(match="m1", tick=tick, at=at + late, moved_from=at if late else None)


def message(number: int, readers: dict[str, str]) -> MessageSent:
    return MessageSent(match="m1", message=f"message-{number}", readers=readers)


def changed(revision: int, *seats: Seat, status: Any = "lobby") -> MatchChanged:
    accounts = tuple(seat.account for seat in seats)
    return MatchChanged(match="m1", status=status, seats=seats, accounts=accounts, revision=revision)


def opened(where: Path | str) -> tuple[LoneMatch, Running[ReportService]]:
    """A match at tick 0: everybody's feed holds that one event."""
    match, running = LoneMatch(), report(where)
    running.deliver(match.started(), fogged(match.outcomes[0]))
    return match, running


def test_the_seated_are_told_of_deadlines_ticks_messages_and_seats(tmp_path: Path) -> None:
    match, running = opened(tmp_path)
    running.deliver(
        deadline(1),
        message(1, {"account-1": "f2,f3", "account-2": "f1,f3", "bot:m1:f3": "f1,f2"}),
        deadline(1, timedelta(minutes=5)),
        changed(9, *match.seats, status="running"),
        fogged(match.resolve({"f1": 10})),
    )
    shown = [
        {"seat": 1, "faction": "f1", "faction_name": "Name 1", "handle": "handle-1", "bot": None},
        {"seat": 2, "faction": "f2", "faction_name": "Name 2", "handle": "handle-2", "bot": None},
        {"seat": 3, "faction": "f3", "faction_name": "Name 3", "handle": None, "bot": "counting"},
    ]
    assert [plain(event) for event in feed(running, "account-1").items] == [
        (1, "tick", {"tick": 0}),
        (2, "deadline", {"tick": 1, "at": "2026-01-01T13:00:00Z"}),
        (3, "message", {"id": "message-1", "with": "f2,f3"}),
        (4, "deadline", {"tick": 1, "at": "2026-01-01T13:05:00Z", "moved_from": "2026-01-01T13:00:00Z"}),
        (5, "match", {"status": "running", "seats": shown}),
        (6, "tick", {"tick": 1}),
    ]


def test_no_account_is_ever_named(tmp_path: Path) -> None:
    match, running = opened(tmp_path)
    running.deliver(changed(1, *match.seats, status="running"), message(1, {"account-1": "f2"}))
    told = msgspec.json.encode(feed(running, "account-1"))
    assert b"account-" not in told and b"bot:" not in told


def test_a_message_is_heard_of_by_its_parties_alone(tmp_path: Path) -> None:
    _, running = opened(tmp_path)
    running.deliver(message(1, {"account-1": "f3", "bot:m1:f3": "f1", "stranger": "f1"}), message(2, {}))
    assert feed(running, "account-1").latest == 2
    assert feed(running, "account-2").latest == 1
    assert refused(running, "bot:m1:f3") == refused(running, "stranger") == "not-found"


def test_what_is_hidden_changes_no_count_and_no_byte(tmp_path: Path) -> None:
    feeds = []
    for world, numbers in (("a", {"f1": 10, "f2": 99}), ("b", {"f1": 10})):
        (tmp_path / world).mkdir()
        match, running = opened(tmp_path / world)
        running.deliver(deadline(1), fogged(match.resolve(numbers)), deadline(2))
        feeds.append(msgspec.json.encode(feed(running, "account-1")))
    assert feeds[0] == feeds[1]


def test_lobby_news_goes_to_people_seated_then(tmp_path: Path) -> None:
    running = report(tmp_path)
    running.deliver(changed(1, seat(1)))
    running.deliver(changed(2, seat(1), seat(2)))
    running.deliver(changed(3, seat(1), seat(2), seat(3, bot="counting")))
    running.deliver(changed(4, seat(1), seat(3, bot="counting")))
    assert feed(running, "account-1").latest == 4
    assert refused(running, "account-2") == refused(running, "bot:m1:f3") == "not-found"
    running.deliver(changed(5, seat(1), seat(2)))
    assert [event.n for event in feed(running, "account-2").items] == [1, 2, 3]


def test_late_lobby_news_seats_nobody_again(tmp_path: Path) -> None:
    running = report(tmp_path)
    running.deliver(changed(3, seat(1)), changed(2, seat(1), seat(2)))
    assert feed(running, "account-1").latest == 1
    assert refused(running, "account-2") == "not-found"


def test_who_resigned_goes_on_reading(tmp_path: Path) -> None:
    _, running = opened(tmp_path)
    left = msgspec.structs.replace(seat(1), bot="counting", resigned=True)
    running.deliver(changed(1, left, seat(2), status="running"))
    assert [plain(event)[2]["seats"][0]["bot"] for event in feed(running, "account-1", after=1).items] == [
        "counting"
    ]


def test_old_deadlines_are_no_news(tmp_path: Path) -> None:
    match, running = opened(tmp_path)
    running.deliver(deadline(1, timedelta(minutes=5)), deadline(1))
    assert feed(running, "account-1").latest == 2
    running.deliver(fogged(match.resolve({})), deadline(1, timedelta(minutes=9)))
    assert feed(running, "account-1").latest == 3


def test_a_deadline_that_came_forward_is_news_and_charged_to_nobody(tmp_path: Path) -> None:
    _, running = opened(tmp_path)
    forward = DeadlineSet(
        match="m1", tick=1, at=START + timedelta(minutes=9), moved_from=START + CADENCE, revision=1
    )
    again = msgspec.structs.replace(forward, at=START + CADENCE + timedelta(minutes=1))
    running.deliver(deadline(1, timedelta(minutes=5)))
    running.deliver(forward)
    running.deliver(deadline(1, timedelta(minutes=7)))
    running.deliver(again)
    assert [plain(event) for event in feed(running, "account-1", after=1).items] == [
        (2, "deadline", {"tick": 1, "at": "2026-01-01T13:05:00Z", "moved_from": "2026-01-01T13:00:00Z"}),
        (3, "deadline", {"tick": 1, "at": "2026-01-01T12:09:00Z"}),
        (4, "deadline", {"tick": 1, "at": "2026-01-01T13:01:00Z", "moved_from": "2026-01-01T13:00:00Z"}),
    ]


def test_events_before_the_start_is_known_wait_for_it(tmp_path: Path) -> None:
    match, running = LoneMatch(), report(tmp_path)
    outcome = running.deliver(deadline(1), message(1, {"account-1": "f2"}), fogged(match.outcomes[0]))
    assert outcome.waiting == 3
    running.deliver(match.started())
    running.clock.advance(60)
    assert running.retry().handled == 3
    assert [event.n for event in feed(running, "account-1").items] == [1, 2, 3]


def test_reading_goes_on_where_it_stopped(tmp_path: Path) -> None:
    _, running = opened(tmp_path)
    running.deliver(*(message(n, {"account-1": "f2"}) for n in range(9)))
    assert feed(running, "account-1", after=None) == Feed(items=(), latest=10)
    page = feed(running, "account-1", after=4, limit=3)
    assert ([event.n for event in page.items], page.latest) == ([5, 6, 7], 10)
    assert feed(running, "account-1", after=10).items == ()
    assert feed(running, "account-1", after=2**40) == Feed(items=(), latest=10)
    assert [event.n for event in feed(running, "account-1", after=-5, limit=1).items] == [1]


def test_a_day_is_kept_and_numbers_never_start_over(tmp_path: Path) -> None:
    _, running = opened(tmp_path)
    running.clock.advance(60)
    running.deliver(message(1, {"account-1": "f2"}))
    running.clock.advance(24 * 3600 - 60)
    running.run("prune_feeds")
    assert feed(running, "account-1").latest == 2
    assert [event.n for event in feed(running, "account-1").items] == [1, 2]
    running.clock.advance(1)
    running.run("prune_feeds")
    assert [event.n for event in feed(running, "account-1").items] == [2]
    running.clock.advance(24 * 3600)
    running.run("prune_feeds")
    assert feed(running, "account-1") == Feed(items=(), latest=2)
    running.deliver(message(2, {"account-1": "f2"}))
    assert [event.n for event in feed(running, "account-1").items] == [3]


def test_gateways_hear_of_what_is_committed(tmp_path: Path) -> None:
    _, running = opened(tmp_path)
    running.deliver(message(1, {"account-1": "f2"}))
    assert running.fanout.published == [
        ("m1", "account-1", 1),
        ("m1", "account-2", 1),
        ("m1", "account-1", 2),
    ]


def test_many_writers_leave_no_gap_and_no_double(where: Path | str) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    draw = random.Random(seed)
    _, running = opened(where)
    events = [
        message(n, {account: "f3" for account in ("account-1", "account-2") if draw.random() < 0.7})
        for n in range(40)
    ] + [deadline(tick) for tick in range(1, 11)]
    draw.shuffle(events)
    messages = [
        envelope.encode(envelope.seal(event, id=f"event-{n}", at=START)) for n, event in enumerate(events)
    ]
    batches = [messages[at : at + 5] for at in range(0, len(messages), 5)]
    with ThreadPoolExecutor(8) as writers:
        outcomes = list(writers.map(lambda texts: running.deliver_texts(*texts), batches * 2))
    assert sum(outcome.handled for outcome in outcomes) == len(events)
    for account in ("account-1", "account-2"):
        told = feed(running, account)
        heard = [event for event in events if isinstance(event, DeadlineSet) or account in event.readers]
        assert [event.n for event in told.items] == list(range(1, 2 + len(heard)))
        assert told.latest == 1 + len(heard)
        ids = [json.loads(bytes(event.data))["id"] for event in told.items if event.event == "message"]
        assert len(ids) == len(set(ids))
