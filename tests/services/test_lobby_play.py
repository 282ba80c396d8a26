"""The lobby from the start of a match to its end."""

import itertools
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from shared.contracts.accounts import AccountDeleted
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import (
    AddBots,
    CallOffMatch,
    CloseMatch,
    JoinMatch,
    LeaveMatch,
    MatchChanged,
    MatchClosed,
    MatchStarted,
    ResignSeat,
    SeatResigned,
    StartMatch,
    SurveyMatches,
)
from tests.services.databases import ON_BOTH
from tests.services.harness import START
from tests.services.lobby_match import Hall, hall, refused
from tests.services.racing import race
from tests.services.tiny_ruleset import NAME


@pytest.fixture
def lobby(place: Path | str) -> Hall:
    return hall(place)


def test_a_start_numbers_the_seats_in_order_of_joining(lobby: Hall) -> None:
    match = lobby.create("ann", seats=12, name="Dry season")
    lobby.join("bob", match.id)
    lobby.join("cat", match.id)
    lobby.ask(LeaveMatch(account="bob", match=match.id))
    lobby.ask(AddBots(account="ann", match=match.id, count=1, level="counting"))
    lobby.join("dan", match.id, faction_name="Dans")
    lobby.running.clock.advance(5)
    begun = lobby.start("ann", match.id)

    order = [("ann", 1, "f1"), ("cat", 2, "f2"), (f"bot:{match.id}:f3", 3, "f3"), ("dan", 4, "f4")]
    assert [(seat.account, seat.seat, seat.faction) for seat in begun.seats] == order
    assert (begun.status, begun.seats_total, begun.started_at) == ("lobby", 4, START + timedelta(seconds=5))
    (started,) = lobby.running.emitted_of(MatchStarted)
    assert started.seats == begun.seats
    assert started.seed == lobby.row(match.id).seed
    assert (started.match, started.name, started.ruleset) == (match.id, "Dry season", NAME)
    assert (started.cadence_seconds, started.practice, started.started_at) == (60, False, begun.started_at)
    assert bytes(started.settings) == bytes(begun.settings)
    assert all(match.id != change.match or "seed" not in repr(change) for change in lobby.changes())


def test_a_full_match_starts_by_itself(lobby: Hall) -> None:
    joined = lobby.create("ann", seats=2)
    lobby.join("bob", joined.id)
    filled = lobby.create("ann", seats=3)
    lobby.ask(AddBots(account="ann", match=filled.id, count=2, level="counting"))
    assert [event.match for event in lobby.running.emitted_of(MatchStarted)] == [joined.id, filled.id]


def test_refusals_of_a_start(lobby: Hall) -> None:
    match = lobby.create("ann", seats=3)
    assert refused(lobby, StartMatch(account="ann", match="match-none")) == "not-found"
    assert refused(lobby, StartMatch(account="ann", match=match.id)) == "not-enough-seats"
    lobby.join("bob", match.id)
    assert refused(lobby, StartMatch(account="bob", match=match.id)) == "forbidden"
    assert refused(lobby, ResignSeat(account="bob", match=match.id)) == "not-started"
    lobby.start("ann", match.id)
    assert refused(lobby, StartMatch(account="ann", match=match.id)) == "match-started"
    assert refused(lobby, CallOffMatch(account="ann", match=match.id)) == "match-started"
    assert refused(lobby, ResignSeat(account="bob", match=match.id)) == "not-started"
    lobby.report(match.id, 0)
    assert refused(lobby, StartMatch(account="ann", match=match.id)) == "match-started"
    lobby.report(match.id, 1, ended=True)
    assert refused(lobby, StartMatch(account="ann", match=match.id)) == "match-ended"
    assert refused(lobby, CallOffMatch(account="ann", match=match.id)) == "match-ended"


def test_a_match_runs_once_tick_zero_is_told(lobby: Hall) -> None:
    match = lobby.started("ann", "bob").id
    lobby.running.deliver(DeadlineSet(match=match, tick=1, at=START + timedelta(seconds=60)))
    assert lobby.get("ann", match).next_deadline is None
    told = len(lobby.changes())
    lobby.report(match, 0, public='{"points":{}}')
    running = lobby.get("ann", match)
    assert (running.status, running.tick) == ("running", 0)
    assert running.next_deadline == START + timedelta(seconds=60)
    assert bytes(running.public) == b'{"points":{}}'
    assert [change.status for change in lobby.changes()[told:]] == ["running"]
    lobby.report(match, 1, public='{"points":{"f1":1}}')
    after = lobby.get("ann", match)
    assert (after.tick, after.next_deadline, bytes(after.public)) == (1, None, b'{"points":{"f1":1}}')
    lobby.running.deliver(DeadlineSet(match=match, tick=2, at=START + timedelta(seconds=120)))
    assert lobby.get("ann", match).next_deadline == START + timedelta(seconds=120)
    (row,) = lobby.ask(SurveyMatches(status=("running",))).items
    assert (row.tick, row.next_deadline) == (1, START + timedelta(seconds=120))
    assert len(lobby.changes()) == told + 1, "a tick is told by the stream itself"


def test_a_deadline_is_shown_beside_no_other_tick_than_the_one_before_it(lobby: Hall) -> None:
    match = lobby.started("ann", "bob").id
    lobby.report(match, 0)
    second = START + timedelta(seconds=120)
    lobby.running.deliver(DeadlineSet(match=match, tick=2, at=second))
    early = lobby.get("ann", match)
    assert (early.tick, early.next_deadline) == (0, None)
    lobby.report(match, 1)
    assert lobby.get("ann", match).next_deadline == second


@ON_BOTH
def test_events_in_any_order_and_twice_give_the_same_match(lobby: Hall) -> None:
    match = lobby.started("ann", "bob").id
    end = START + timedelta(hours=1)
    later = START + timedelta(minutes=3)
    lobby.report(match, 2, public='{"at":2}', result='{"winner":"f1"}', ended=True, ran_at=end)
    lobby.report(match, 0, public='{"at":0}')
    lobby.report(match, 2, public='{"at":2}', result='{"winner":"f1"}', ended=True, ran_at=end)
    lobby.report(match, 1, public='{"at":1}')
    for tick, at in ((2, later), (1, end), (2, START), (2, later)):
        lobby.running.deliver(DeadlineSet(match=match, tick=tick, at=at))
    ended = lobby.get("ann", match)
    assert (ended.status, ended.tick, ended.ended_at, ended.next_deadline) == ("ended", 2, end, None)
    assert ended.result is not None and msgspec.json.decode(ended.result) == {"winner": "f1"}
    assert bytes(ended.public) == b'{"at":2}'
    assert ended.seed == lobby.row(match).seed
    row = lobby.row(match)
    assert (row.deadline_tick, row.deadline) == (2, later)


def test_the_seed_is_told_by_no_answer_before_the_end(lobby: Hall) -> None:
    match = lobby.started("ann", "bob").id
    seed = lobby.row(match).seed
    lobby.report(match, 0)
    for account in ("ann", "bob", "cat"):
        seen = lobby.get(account, match)
        assert seen.seed is None and seed not in repr(seen)
    lobby.report(match, 1, ended=True)
    assert lobby.get("cat", match).seed == seed


def test_a_moved_deadline_is_shown(lobby: Hall) -> None:
    match = lobby.started("ann", "bob").id
    lobby.report(match, 0)
    first, moved = START + timedelta(seconds=60), START + timedelta(seconds=75)
    lobby.running.deliver(DeadlineSet(match=match, tick=1, at=moved, moved_from=first))
    lobby.running.deliver(DeadlineSet(match=match, tick=1, at=first))
    assert lobby.get("ann", match).next_deadline == moved


def test_a_deadline_that_came_forward_is_shown_in_whatever_order_it_is_told(lobby: Hall) -> None:
    first = START + timedelta(seconds=60)
    words = (
        (first, None, 0),
        (first + timedelta(seconds=15), first, 0),
        (START + timedelta(seconds=20), first, 1),
        (START + timedelta(seconds=40), first, 1),
    )
    for number, order in enumerate(itertools.permutations(words)):
        match = lobby.started(f"ann{number}", f"bob{number}").id
        lobby.report(match, 0)
        for at, moved_from, revision in order:
            told = DeadlineSet(match=match, tick=1, at=at, moved_from=moved_from, revision=revision)
            lobby.running.deliver(told)
        assert lobby.get(f"ann{number}", match).next_deadline == START + timedelta(seconds=40), order


def test_an_event_of_a_match_that_never_started_changes_nothing(lobby: Hall) -> None:
    match = lobby.create("ann").id
    for name in (match, "match-none"):
        outcome = lobby.report(name, 0)
        assert outcome.failed == 1
    assert lobby.get("ann", match).status == "lobby"


@ON_BOTH
def test_a_resigned_seat_goes_to_a_computer_player(lobby: Hall) -> None:
    match = lobby.started("ann", "bob").id
    lobby.report(match, 0)
    told = len(lobby.changes())
    for _ in range(2):
        after = lobby.resign("bob", match)
        assert (after.seats[1].bot, after.seats[1].resigned, after.seats[1].account) == (
            "counting",
            True,
            "bob",
        )
        assert after.your_seat == 2
    assert lobby.running.emitted_of(SeatResigned) == [
        SeatResigned(match=match, faction="f2", account="bob", level="counting")
    ]
    assert [change.accounts for change in lobby.changes()[told:]] == [("ann", "bob")]
    assert refused(lobby, ResignSeat(account="cat", match=match)) == "not-found"
    lobby.report(match, 1, ended=True)
    assert refused(lobby, ResignSeat(account="ann", match=match)) == "match-ended"


@ON_BOTH
def test_the_matches_of_a_deleted_account_go_on(lobby: Hall) -> None:
    match, over = lobby.started("ann", "bob").id, lobby.started("ann", "bob").id
    lobby.report(match, 0)
    lobby.report(over, 0, ended=True)
    for _ in range(2):
        lobby.running.deliver(AccountDeleted(account="bob"))
    seat = lobby.get("ann", match).seats[1]
    assert (seat.handle, seat.bot, seat.resigned) == (None, "counting", True)
    assert lobby.get("ann", match).status == "running"
    seat = lobby.get("ann", over).seats[1]
    assert (seat.handle, seat.bot, seat.resigned) == (None, None, False)
    assert [event.match for event in lobby.running.emitted_of(SeatResigned)] == [match]


@ON_BOTH
def test_operators_close_matches(lobby: Hall) -> None:
    running, open_one = lobby.started("ann", "bob").id, lobby.create("ann").id
    lobby.report(running, 0)
    for match in (running, open_one):
        lobby.ask(CloseMatch(match=match))
        closed = lobby.get("ann", match)
        assert (closed.status, closed.ended_at, closed.result) == ("ended", START, None)
        assert refused(lobby, CloseMatch(match=match)) == "match-ended"
    assert lobby.running.emitted_of(MatchClosed) == [MatchClosed(match=running, at=START)]
    lobby.report(running, 1, ran_at=START + timedelta(hours=1))
    assert (lobby.get("ann", running).status, lobby.get("ann", running).tick) == ("ended", 1)
    assert refused(lobby, CloseMatch(match="match-none")) == "not-found"


def test_the_last_seat_goes_to_one_of_many(where: Path | str) -> None:
    lobby = hall(where)
    match = lobby.create("ann", seats=3).id
    lobby.join("bob", match)
    outcomes = race([lambda i=i: str(lobby.join(f"p{i}", match).your_seat) for i in range(24)])
    assert outcomes.count("3") == 1
    assert set(outcomes) == {"3", "match-started"}
    (started,) = lobby.running.emitted_of(MatchStarted)
    assert len(started.seats) == 3


def test_an_account_takes_one_seat_however_often_it_asks(where: Path | str) -> None:
    lobby = hall(where)
    match = lobby.create("ann", seats=30).id
    outcomes = race([lambda: str(lobby.join("bob", match).your_seat) for _ in range(24)])
    assert sorted(outcomes) == ["2"] + ["already-seated"] * 23


def test_one_of_two_factions_gets_the_name(where: Path | str) -> None:
    lobby = hall(where)
    match = lobby.create("ann", seats=50).id
    outcomes = race(
        [lambda i=i: str(lobby.join(f"p{i}", match, faction_name="Rust").your_seat) for i in range(24)]
    )
    assert sorted(outcomes) == ["2"] + ["name-taken"] * 23


def test_a_match_starts_once_with_whoever_sits_then(where: Path | str) -> None:
    lobby = hall(where)
    match = lobby.create("ann", seats=30).id
    lobby.join("bob", match)
    calls = [lambda: lobby.start("ann", match).status for _ in range(6)]
    joins = [lambda i=i: f"p{i}" if lobby.join(f"p{i}", match).your_seat else "" for i in range(12)]
    leaves = [lambda: str(lobby.ask(LeaveMatch(account="bob", match=match)))]
    outcomes = race([*joins[:6], *leaves, *calls, *joins[6:]])
    (started,) = lobby.running.emitted_of(MatchStarted)
    seated = {seat.account for seat in started.seats}
    assert seated - {"ann", "bob"} == {outcome for outcome in outcomes if outcome.startswith("p")}
    assert ("bob" in seated) == (outcomes[6] == "match-started")
    assert sorted(seat.seat for seat in started.seats) == list(range(1, len(seated) + 1))
    last = lobby.changes()[-1]
    assert {seat.account for seat in last.seats} == seated
    revisions = [change.revision for change in lobby.running.emitted_of(MatchChanged)]
    assert sorted(revisions) == list(range(1, len(revisions) + 1))


def test_lobbies_of_one_account_are_counted_one_after_the_other(where: Path | str) -> None:
    lobby = hall(where)
    others = [lobby.create(f"p{i}").id for i in range(12)]
    creates = [lambda: "made" if lobby.create("ann").id else "" for _ in range(12)]
    joins = [lambda match=match: "made" if lobby.join("ann", match).id else "" for match in others]
    outcomes = race([*creates, *joins])
    assert sorted(set(outcomes)) == ["made", "too-many-matches"]
    assert outcomes.count("made") == 5


def test_a_wish_delivered_many_times_at_once_opens_one_lobby(where: Path | str) -> None:
    lobby = hall(where)
    outcomes = race([lambda: lobby.create("ann", key="k").id for _ in range(24)])
    assert len(set(outcomes)) == 1
    match = outcomes[0]
    bots = AddBots(account="ann", match=match, count=1, level="counting", key="b")
    assert set(race([lambda: str(len(lobby.ask(bots).seats)) for _ in range(24)])) == {"2"}


def test_nobody_joins_while_the_account_is_deleted(where: Path | str) -> None:
    lobby = hall(where)
    matches = [lobby.create(f"p{i}").id for i in range(12)]
    delete = [lambda: str(lobby.running.deliver(AccountDeleted(account="ann")).failed)]
    joins = [lambda match=match: lobby.join("ann", match).id for match in matches]
    assert race([*joins[:6], *delete, *joins[6:]])[6] == "0"
    for match in matches:
        assert all(seat.account != "ann" for seat in lobby.get("p0", match).seats)
    assert refused(lobby, JoinMatch(account="ann", handle="a", match=matches[0])) == "unauthenticated"
