"""clock: fires once by deadline, moves deadlines for outages, announces until confirmed, obeys operators."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from services.clock.firing import IN_MESSAGE
from services.clock.service import ClockService
from services.clock.store import calendar
from shared.contracts.base import Refusal
from shared.contracts.clock import (
    CalendarRow,
    DeadlineSet,
    DueTick,
    MoveDeadline,
    PauseMatch,
    ReannounceTick,
    ResumeMatch,
    SurveyCalendar,
    TicksDue,
)
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.orders import EveryoneAnswered, GetOutages, Outage, Outages, TickName
from shared.contracts.resolution import TickResolved
from shared.runtime.service import Unavailable
from tests.services import harness
from tests.services.harness import START, ManualClock, Running
from tests.services.lone_match import LoneMatch

Clock = Running[ClockService]
CADENCE = timedelta(minutes=10)
SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)


def match_started(match: str = "m1", at: datetime = START) -> MatchStarted:
    told = LoneMatch(match).started()
    return msgspec.structs.replace(told, cadence_seconds=int(CADENCE.total_seconds()), started_at=at)


class ReadyOrders:
    """Answers GetOutages with what the test gives."""

    def __init__(self) -> None:
        self.outages: list[Outage] = []
        self.busy: tuple[TickName, ...] = ()
        self.down = False
        self.calls = 0

    def __call__(self, request: GetOutages) -> Outages:
        self.calls += 1
        if self.down:
            raise Unavailable("orders", "the test says so")
        told = tuple(o for o in self.outages if o.end > request.since)
        return Outages(items=told, ready_at=None, busy=self.busy)


def built(
    where: Path | str, orders: ReadyOrders | None = None, clock: ManualClock | None = None
) -> tuple[Clock, ReadyOrders]:
    orders = orders or ReadyOrders()
    return harness.build(ClockService, where, answers={GetOutages: orders}, clock=clock), orders


def started(where: Path | str, *names: str) -> tuple[Clock, ReadyOrders]:
    """Matches that wait for the deadline of tick 1, a cadence after the start."""
    clock, orders = built(where)
    for match in names or ("m1",):
        clock.deliver(match_started(match), resolved(match, 0, START))
    clock.run("fire")
    return clock, orders


def resolved(match: str, tick: int, ran_at: datetime, *, ended: bool = False) -> TickResolved:
    return TickResolved(
        match=match,
        tick=tick,
        deadline=None,
        ran_at=ran_at,
        ended=ended,
        live=(),
        allowances={},
        per_player=0,
        windows_close_early=True,
    )


def go_to(clock: Clock, moment: datetime) -> None:
    """The clock runs all the while, if at longer paces when the moment is far."""
    while (left := moment - clock.clock.now()) > timedelta(0):
        clock.clock.moment += min(5 * SECOND if left > 70 * SECOND else SECOND, left)
        clock.run("fire")


def leap_to(clock: Clock, moment: datetime) -> None:
    """Nobody runs meanwhile."""
    clock.clock.moment = moment


def announced(clock: Clock) -> list[DueTick]:
    return [tick for event in clock.emitted_of(TicksDue) for tick in event.ticks]


def deadlines(clock: Clock) -> list[DeadlineSet]:
    return clock.emitted_of(DeadlineSet)


def row(clock: Clock, match: str = "m1") -> CalendarRow:
    (found,) = [item for item in clock.ask(SurveyCalendar()).items if item.match == match]
    return found


def refused(code: str, clock: Clock, request: Any) -> None:
    with pytest.raises(Refusal) as caught:
        clock.ask(request)
    assert caught.value.code == code


def test_the_first_deadline_is_one_cadence_after_the_start(tmp_path: Path) -> None:
    clock, _ = built(tmp_path)
    clock.deliver(match_started())
    assert row(clock).state == "opening"
    clock.deliver(resolved("m1", 0, START + 3 * SECOND))
    assert deadlines(clock) == [DeadlineSet(match="m1", tick=1, at=START + CADENCE)]
    assert row(clock).state == "waiting"


def test_it_fires_once_at_the_first_look_at_or_after_the_deadline(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    go_to(clock, START + CADENCE - MILLISECOND)
    assert announced(clock) == []
    go_to(clock, START + CADENCE)
    due = DueTick(match="m1", tick=1, deadline=START + CADENCE)
    assert announced(clock) == [due]
    go_to(clock, START + CADENCE + MILLISECOND)
    assert announced(clock) == [due]


def test_idle_rounds_cost_no_call_and_no_event(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    clock.forget_emitted()
    go_to(clock, START + timedelta(minutes=5))
    assert orders.calls == 0
    assert clock.emitted() == []


def test_due_ticks_travel_many_in_a_message_after_one_call(tmp_path: Path) -> None:
    names = [f"m{n:03}" for n in range(2 * IN_MESSAGE + 1)]
    clock, orders = started(tmp_path, *names)
    go_to(clock, START + CADENCE)
    assert [len(event.ticks) for event in clock.emitted_of(TicksDue)] == [IN_MESSAGE, IN_MESSAGE, 1]
    assert [tick.match for tick in announced(clock)] == names
    assert orders.calls == 1


def test_the_oldest_deadline_comes_first_whatever_was_made_first(tmp_path: Path) -> None:
    clock, _ = started(tmp_path, "new", "old")
    clock.ask(MoveDeadline(match="new", tick=1, at=START + CADENCE + SECOND))
    leap_to(clock, START + CADENCE + 3 * SECOND)
    clock.run("fire")
    assert [tick.match for tick in announced(clock)] == ["old", "new"]


def test_it_is_announced_again_with_growing_pauses_until_it_is_confirmed(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    go_to(clock, START + CADENCE + 60 * SECOND)
    at = [0, 5, 15, 30, 45, 60]
    assert len(announced(clock)) == len(at)
    assert len(set(announced(clock))) == 1
    assert orders.calls == len(at)
    clock.deliver(resolved("m1", 1, clock.clock.now()))
    go_to(clock, START + CADENCE + 300 * SECOND)
    assert len(announced(clock)) == len(at)
    assert deadlines(clock)[1:] == [DeadlineSet(match="m1", tick=2, at=START + 2 * CADENCE)]


def test_ticks_confirmed_twice_or_late_change_nothing(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    clock.deliver(resolved("m1", 0, START))
    go_to(clock, START + CADENCE)
    clock.deliver(resolved("m1", 1, clock.clock.now()), resolved("m1", 1, clock.clock.now()))
    clock.deliver(resolved("m1", 0, clock.clock.now()))
    assert [(d.tick, d.at) for d in deadlines(clock)] == [(1, START + CADENCE), (2, START + 2 * CADENCE)]


def test_after_ten_intervals_down_exactly_one_tick_and_the_grid_goes_on(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    go_to(clock, START + timedelta(minutes=1))
    back = START + 11 * CADENCE
    leap_to(clock, back)
    clock.run("fire")
    moved = back + CADENCE / 10
    assert announced(clock) == []
    assert deadlines(clock)[1:] == [DeadlineSet(match="m1", tick=1, at=moved, moved_from=START + CADENCE)]
    go_to(clock, moved - MILLISECOND)
    assert announced(clock) == []
    go_to(clock, moved)
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=moved)]
    clock.deliver(resolved("m1", 1, moved + SECOND))
    assert deadlines(clock)[2:] == [DeadlineSet(match="m1", tick=2, at=START + 12 * CADENCE)]
    go_to(clock, moved + timedelta(minutes=5))
    assert len(announced(clock)) == 1


def test_a_clock_back_within_seconds_is_only_late(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    go_to(clock, START + CADENCE * 0.8)
    leap_to(clock, START + CADENCE + 5 * SECOND)
    clock.run("fire")
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=START + CADENCE)]


def test_an_outage_of_orders_moves_the_deadline_and_orders_away_fires_nothing(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    go_to(clock, START + CADENCE - 2 * SECOND)
    orders.down = True
    go_to(clock, START + CADENCE + 28 * SECOND)
    assert announced(clock) == []
    orders.down = False
    outage = Outage(start=START + CADENCE - 2 * SECOND, end=START + CADENCE + 28 * SECOND)
    orders.outages.append(outage)
    clock.run("fire")
    moved = START + CADENCE + 58 * SECOND
    assert deadlines(clock)[1:] == [DeadlineSet(match="m1", tick=1, at=moved, moved_from=START + CADENCE)]
    go_to(clock, moved)
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=moved)]
    assert orders.calls < 40


def test_an_outage_between_announcement_and_seal_moves_the_deadline_too(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    due = START + CADENCE
    go_to(clock, due)
    assert len(announced(clock)) == 1
    orders.down = True
    go_to(clock, due + 100 * SECOND)
    orders.down = False
    back = due + 103 * SECOND
    orders.outages.append(Outage(start=due + SECOND, end=back))
    go_to(clock, back + 20 * SECOND)
    before = len(announced(clock))
    moved = deadlines(clock)[-1]
    assert (moved.at, moved.moved_from) == (back + CADENCE / 10, due)
    go_to(clock, moved.at - SECOND)
    assert len(announced(clock)) == before
    go_to(clock, moved.at)
    assert announced(clock)[-1].deadline == moved.at


def test_a_broker_away_is_an_outage_though_orders_stood_ready(tmp_path: Path) -> None:
    """Orders cannot be reached, and marks all the while: the due tick was not fired."""
    clock, orders = started(tmp_path)
    go_to(clock, START + CADENCE - SECOND)
    orders.down = True
    go_to(clock, START + CADENCE + 45 * SECOND)
    # A new process in the middle of it changes nothing.
    again, _ = built(tmp_path, orders, clock.clock)
    again.service.ports.ids._count = 10_000
    leap_to(again, START + CADENCE + 50 * SECOND)
    again.run("fire")
    orders.down = False
    again.run("fire")
    assert announced(again) == []
    (moved,) = deadlines(again)[1:]
    assert START + CADENCE + 98 * SECOND <= moved.at <= START + CADENCE + 100 * SECOND


def test_an_outage_long_before_the_deadline_moves_nothing(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    orders.outages.append(Outage(start=START + 60 * SECOND, end=START + CADENCE / 2))
    go_to(clock, START + CADENCE)
    assert len(announced(clock)) == 1
    assert len(deadlines(clock)) == 1


def test_a_second_outage_in_the_extension_moves_it_again_and_keeps_the_first_deadline(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    end = START + CADENCE
    orders.outages.append(Outage(start=end - 20 * SECOND, end=end + 10 * SECOND))
    leap_to(clock, end - 1 * SECOND)
    go_to(clock, end + 39 * SECOND)
    orders.outages.append(Outage(start=end + 30 * SECOND, end=end + 40 * SECOND))
    go_to(clock, end + 50 * SECOND)
    assert [(d.at, d.moved_from) for d in deadlines(clock)[1:]] == [
        (end + 40 * SECOND, end),
        (end + 50 * SECOND, end),
    ]
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=end + 50 * SECOND)]


def test_a_second_replica_takes_over_when_the_leader_is_gone(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    other, _ = built(tmp_path, orders, clock.clock)
    other.service.ports.ids._count = 10_000
    other.service.firing._holder = "another"
    go_to(clock, START + CADENCE - SECOND)
    other.run("fire")
    leap_to(clock, START + CADENCE)
    other.run("fire")
    assert announced(clock) == []
    go_to(other, START + CADENCE + 4 * SECOND)
    assert len(announced(other)) == 1
    assert len(deadlines(other)) == 1
    # The old leader wakes: it does not lead any more.
    clock.run("fire")
    go_to(clock, START + CADENCE + 5 * SECOND)
    assert len(announced(other)) == 1


def test_when_everyone_has_answered_the_deadline_comes_forward(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    go_to(clock, START + 60 * SECOND)
    clock.deliver(EveryoneAnswered(match="m1", tick=1), EveryoneAnswered(match="m1", tick=1))
    now = clock.clock.now()
    forward = DeadlineSet(match="m1", tick=1, at=now, moved_from=START + CADENCE, revision=1)
    assert deadlines(clock)[1:] == [forward]
    clock.run("fire")
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=now)]
    clock.deliver(resolved("m1", 1, now + SECOND))
    assert deadlines(clock)[2:] == [DeadlineSet(match="m1", tick=2, at=START + CADENCE)]
    assert clock.deliver(EveryoneAnswered(match="m1", tick=1)).handled == 1
    assert clock.deliver(EveryoneAnswered(match="m1", tick=3)).waiting == 1


def test_a_paused_match_fires_nothing_until_resumed(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    clock.ask(PauseMatch(match="m1"))
    clock.ask(PauseMatch(match="m1"))
    leap_to(clock, START + 5.7 * CADENCE)
    clock.run("fire")
    assert announced(clock) == []
    assert row(clock).state == "paused"
    clock.ask(ResumeMatch(match="m1"))
    clock.ask(ResumeMatch(match="m1"))
    assert deadlines(clock)[1:] == [
        DeadlineSet(match="m1", tick=1, at=START + 7 * CADENCE, moved_from=START + CADENCE)
    ]
    go_to(clock, START + 7 * CADENCE)
    assert len(announced(clock)) == 1
    refused("tick-closed", clock, PauseMatch(match="m1"))


def test_a_pause_takes_back_no_extension(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    told = START + 20 * CADENCE
    clock.ask(MoveDeadline(match="m1", tick=1, at=told))
    clock.ask(PauseMatch(match="m1"))
    clock.clock.advance(30)
    clock.ask(ResumeMatch(match="m1"))
    assert [(d.at, d.moved_from) for d in deadlines(clock)[1:]] == [(told, START + CADENCE)]
    go_to(clock, told - SECOND)
    assert announced(clock) == []
    clock.ask(MoveDeadline(match="m1", tick=1, at=told + SECOND))
    assert deadlines(clock)[-1].moved_from == START + CADENCE
    go_to(clock, told + SECOND)
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=told + SECOND)]


@pytest.mark.parametrize(("minutes", "cadences"), [(5, 1), (6, 2), (10, 2), (16, 3)])
def test_after_a_pause_half_a_cadence_is_left(tmp_path: Path, minutes: int, cadences: int) -> None:
    clock, _ = started(tmp_path)
    clock.ask(PauseMatch(match="m1"))
    leap_to(clock, START + timedelta(minutes=minutes))
    clock.ask(ResumeMatch(match="m1"))
    assert row(clock).deadline == START + cadences * CADENCE


@pytest.mark.parametrize("first", ["pause", "answers"])
@pytest.mark.parametrize("minutes", [1, 25])
def test_what_everyone_answered_closes_when_the_pause_ends(tmp_path: Path, first: str, minutes: int) -> None:
    """Orders tells of it once a tick. It may have come just before the pause, while the tick could not be fired."""
    clock, orders = started(tmp_path)
    orders.down = True
    answered = EveryoneAnswered(match="m1", tick=1)
    if first == "answers":
        clock.deliver(answered)
    clock.ask(PauseMatch(match="m1"))
    if first == "pause":
        assert clock.deliver(answered).handled == 1
    orders.down = False
    go_to(clock, START + timedelta(minutes=minutes))
    assert announced(clock) == []
    clock.ask(ResumeMatch(match="m1"))
    clock.run("fire")
    now = START + timedelta(minutes=minutes)
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=now)]
    assert (deadlines(clock)[-1].at, deadlines(clock)[-1].moved_from) == (now, START + CADENCE)
    clock.deliver(resolved("m1", 1, now))
    clock.ask(PauseMatch(match="m1"))
    clock.ask(ResumeMatch(match="m1"))
    go_to(clock, now + CADENCE / 2 - SECOND)
    assert len(announced(clock)) == 1


def test_the_newest_word_of_a_deadline_is_the_greatest(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    orders.down = True
    answers = EveryoneAnswered(match="m1", tick=1)
    extended = START + timedelta(minutes=3)
    clock.ask(MoveDeadline(match="m1", tick=1, at=START + 2 * CADENCE))
    go_to(clock, START + 60 * SECOND)
    clock.deliver(answers)
    clock.ask(MoveDeadline(match="m1", tick=1, at=extended))
    clock.ask(PauseMatch(match="m1"))
    clock.deliver(answers)
    go_to(clock, START + 120 * SECOND)
    clock.ask(ResumeMatch(match="m1"))
    orders.down = False
    clock.run("fire")
    clock.deliver(resolved("m1", 1, clock.clock.now()))
    told = [(d.tick, d.revision, d.at) for d in deadlines(clock)]
    assert told == [
        (1, 0, START + CADENCE),
        (1, 0, START + 2 * CADENCE),
        (1, 1, START + 60 * SECOND),
        (1, 1, extended),
        (1, 2, START + 120 * SECOND),
        (2, 0, START + CADENCE),
    ]
    assert told == sorted(told)


def test_an_outage_after_everyone_has_answered_is_the_newest_word(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    orders.down = True
    clock.deliver(EveryoneAnswered(match="m1", tick=1))
    go_to(clock, START + 20 * SECOND)
    orders.down = False
    orders.outages.append(Outage(start=START - SECOND, end=START + 20 * SECOND))
    clock.run("fire")
    told = [(d.revision, d.at, d.moved_from) for d in deadlines(clock)[1:]]
    assert told == [(1, START, START + CADENCE), (1, START + 41 * SECOND, START + CADENCE)]


def test_an_extension_after_everyone_has_answered_outlives_a_pause(tmp_path: Path) -> None:
    clock, orders = started(tmp_path)
    orders.down = True
    clock.deliver(EveryoneAnswered(match="m1", tick=1))
    clock.ask(MoveDeadline(match="m1", tick=1, at=START + 3 * CADENCE))
    clock.ask(PauseMatch(match="m1"))
    clock.ask(ResumeMatch(match="m1"))
    assert row(clock).deadline == deadlines(clock)[-1].at == START + 3 * CADENCE


def test_a_deadline_is_read_by_who_knows_no_revisions_and_told_by_them() -> None:
    told = DeadlineSet(match="m1", tick=1, at=START, moved_from=None)
    without = b'{"match":"m1","tick":1,"at":"2026-01-01T12:00:00Z"}'
    assert msgspec.json.encode(told) == without
    assert msgspec.json.decode(without, type=DeadlineSet) == told


def test_operators_move_a_waiting_deadline_later_only(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    later = START + CADENCE + timedelta(minutes=5)
    for at in (START + CADENCE - SECOND, START):
        refused("malformed", clock, MoveDeadline(match="m1", tick=1, at=at))
    refused("tick-closed", clock, MoveDeadline(match="m1", tick=2, at=later))
    refused("not-found", clock, MoveDeadline(match="m2", tick=1, at=later))
    clock.ask(MoveDeadline(match="m1", tick=1, at=later))
    clock.ask(MoveDeadline(match="m1", tick=1, at=later))
    assert deadlines(clock)[1:] == [DeadlineSet(match="m1", tick=1, at=later, moved_from=START + CADENCE)]
    go_to(clock, later - MILLISECOND)
    assert announced(clock) == []
    go_to(clock, later)
    assert announced(clock) == [DueTick(match="m1", tick=1, deadline=later)]
    refused("tick-closed", clock, MoveDeadline(match="m1", tick=1, at=later + CADENCE))


def test_operators_have_a_due_tick_announced_at_once(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    clock.ask(ReannounceTick(match="m1"))
    clock.run("fire")
    assert announced(clock) == []
    go_to(clock, START + CADENCE)
    clock.ask(ReannounceTick(match="m1"))
    clock.run("fire")
    assert len(announced(clock)) == 2
    assert row(clock).late_seconds == 0
    leap_to(clock, START + CADENCE + 2 * SECOND)
    assert (row(clock).state, row(clock).late_seconds) == ("due", 2)


@pytest.mark.parametrize("over", [MatchClosed(match="m1", at=START), resolved("m1", 1, START, ended=True)])
def test_an_ended_match_is_off_the_calendar(tmp_path: Path, over: Any) -> None:
    clock, _ = started(tmp_path)
    clock.deliver(over)
    clock.deliver(resolved("m1", 1, START), EveryoneAnswered(match="m1", tick=1))
    leap_to(clock, START + 3 * CADENCE)
    clock.run("fire")
    assert announced(clock) == []
    assert clock.ask(SurveyCalendar()).items == ()
    for request in (
        PauseMatch(match="m1"),
        ResumeMatch(match="m1"),
        ReannounceTick(match="m1"),
        MoveDeadline(match="m1", tick=1, at=START + 9 * CADENCE),
    ):
        refused("match-ended", clock, request)


def test_clock_steps_of_an_hour_never_fire_twice_or_skip(tmp_path: Path) -> None:
    clock, _ = started(tmp_path)
    go_to(clock, START + CADENCE)
    assert len(announced(clock)) == 1
    leap_to(clock, START)
    clock.run("fire")
    clock.deliver(resolved("m1", 1, START + CADENCE))
    go_to(clock, START + 2 * CADENCE)
    assert [(tick.tick, tick.deadline) for tick in announced(clock)][1:2] == [(2, START + 2 * CADENCE)]


def test_extending_and_announcing_race(where: Path | str) -> None:
    """Either the tick was announced and the move is refused, or it was moved and not announced before."""
    clock, _ = built(where)
    names = [f"m{n:03}" for n in range(250)]
    with clock.database.read() as tx:
        now = tx.now()
    clock.clock.moment = now
    begun = now - CADENCE + SECOND
    clock.deliver(*(match_started(match, begun) for match in names))
    clock.deliver(*(resolved(match, 0, begun) for match in names))
    later = now + 10 * CADENCE
    outcomes: dict[str, str] = {}

    def extend(match: str) -> None:
        try:
            clock.ask(MoveDeadline(match=match, tick=1, at=later))
            outcomes[match] = "moved"
        except Refusal as refusal:
            outcomes[match] = refusal.code

    def in_turn(work: Callable[[str], None], items: list[str]) -> threading.Thread:
        thread = threading.Thread(target=lambda: [work(item) for item in items])
        thread.start()
        return thread

    with clock.database.begin() as tx:
        due = now - SECOND
        tx.execute(sa.update(calendar).values(deadline=due, next_at=due))
    threads = [in_turn(extend, names[n::4]) for n in range(4)]
    threads.append(in_turn(lambda _: clock.run("fire"), [""] * 6))
    for thread in threads:
        thread.join()
    told = {tick.match for tick in announced(clock)}
    assert {match for match, outcome in outcomes.items() if outcome == "tick-closed"} == told & set(outcomes)
    assert {match for match, outcome in outcomes.items() if outcome == "moved"} == set(names) - told
    assert set(outcomes.values()) <= {"moved", "tick-closed"}
