"""K-03 as a function: which outages move a deadline, and where to."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.outage import least, moved, next_on_grid, unfired
from shared.storage.presence import Span

START = datetime(2026, 3, 28, 0, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = 24 * HOUR


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def outage(start: float, end: float) -> Span:
    return Span(at(start), at(end))


def minutes_moved_to(*outages: Span) -> float:
    """Of an hour's cadence whose filing period began at minute 0; its last tenth begins at minute 54."""
    return (moved(at(60), at(0), HOUR, outages) - START) / timedelta(minutes=1)


@pytest.mark.parametrize(
    ("cadence", "seconds"),
    [(timedelta(seconds=1), 5), (HOUR, 5), (2 * HOUR, 7.2), (DAY, 86.4), (2 * DAY, 172.8)],
)
def test_shorter_is_only_lateness(cadence: timedelta, seconds: float) -> None:
    assert least(cadence) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (10, 40, 60),  # long before the last tenth
        (50, 53.9, 60),  # ends before it
        (50, 55, 60),  # touches it, with time enough left to catch up
        (53, 58, 63),  # five minutes lost, five given after its end
        (30, 59, 65),  # half an hour lost, but never more than a tenth of the cadence given
        (58, 61, 64),  # runs past the deadline
        (60, 61, 62),  # all after the deadline, before the tick was fired
        (60, 600, 606),  # ten intervals
        (59.95, 59.95 + 5 / 60, 60),  # exactly five seconds is lateness
        (59.95, 59.95 + 5.1 / 60, 59.95 + 10.2 / 60),
    ],
)
def test_where_an_outage_moves_the_deadline_to(start: float, end: float, expected: float) -> None:
    assert minutes_moved_to(outage(start, end)) == pytest.approx(expected)


def test_outages_that_overlap_or_meet_are_one() -> None:
    parts = [outage(58, 60), outage(59, 61), outage(61, 62)]
    assert minutes_moved_to(*parts) == minutes_moved_to(outage(58, 62)) == 66
    short = [outage(59.9, 59.97), outage(59.97, 60.02)]
    assert minutes_moved_to(*short) == pytest.approx(60.14)


def test_of_separate_outages_the_one_that_asks_for_most_decides() -> None:
    assert minutes_moved_to(outage(54, 59), outage(60, 61)) == 64
    assert minutes_moved_to(outage(54, 59.5), outage(59.8, 60)) == 65


def test_the_same_outages_move_a_deadline_once() -> None:
    outages = [outage(30, 59), outage(60, 62)]
    once = moved(at(60), at(0), HOUR, outages)
    assert moved(once, at(0), HOUR, outages) == once


def test_a_clock_that_was_away_left_the_tick_unfired_from_its_deadline_on() -> None:
    gaps = [outage(10, 20), outage(50, 75), outage(80, 90)]
    assert unfired(at(60), gaps) == [outage(60, 75), outage(80, 90)]
    # Away until three seconds after the deadline: lateness.
    assert minutes_moved_to(*unfired(at(60), [outage(10, 60 + 3 / 60)])) == 60


def test_both_down_in_turn_is_one_outage() -> None:
    """Orders away from 58 to 62, the clock from 61 to 70: nothing could be done from 58 to 70."""
    assert minutes_moved_to(outage(58, 62), *unfired(at(60), [outage(61, 70)])) == 76


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (0, 60),
        (0.1, 60),
        (29.9, 60),
        (30, 60),
        (30.1, 120),
        (60, 120),
        (89, 120),
        (91, 180),
        (660, 720),
        (-500, 60),
    ],
)
def test_the_grid_goes_on_at_least_half_a_cadence_later(after: float, expected: float) -> None:
    assert next_on_grid(START, HOUR, at(after)) == at(expected)


def test_deadlines_are_instants_through_both_changes_of_daylight_saving() -> None:
    for begin in (datetime(2026, 3, 28, 18, tzinfo=UTC), datetime(2026, 10, 24, 18, tzinfo=UTC)):
        deadline = begin
        for k in range(1, 9):
            deadline = next_on_grid(begin, 6 * HOUR, deadline)
            assert deadline == begin + k * 6 * HOUR


@given(
    cadence=st.sampled_from([1, 5, 60, 3600, 86_400, 172_800]),
    after=st.timedeltas(timedelta(seconds=-5), timedelta(days=30)),
)
def test_the_grid_property(cadence: int, after: timedelta) -> None:
    step = timedelta(seconds=cadence)
    found = next_on_grid(START, step, START + after)
    assert (found - START) % step == timedelta(0)
    assert found > START
    assert found >= START + after + step / 2
    assert found == START + step or found - step < START + after + step / 2


@given(
    outages=st.lists(
        st.tuples(st.floats(0, 70, allow_nan=False), st.floats(0, 30, allow_nan=False)), max_size=5
    )
)
def test_the_moved_deadline_is_never_earlier_and_stays_put(outages: list[tuple[float, float]]) -> None:
    spans = [outage(start, start + length) for start, length in outages]
    once = moved(at(60), at(0), HOUR, spans)
    assert once >= at(60)
    assert moved(once, at(0), HOUR, spans) == once
    assert moved(at(60), at(0), HOUR, reversed(spans)) == once
