"""K-03 as a function: where an outage moves a deadline to, and where the grid of deadlines goes on."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from shared.storage.presence import Span

LEAST = timedelta(seconds=5)
PER_MILLE = 1000
TENTH = 10


def least(cadence: timedelta) -> timedelta:
    """What is not longer than this is only lateness."""
    return max(LEAST, cadence / PER_MILLE)


def unfired(deadline: datetime, gaps: Iterable[Span]) -> list[Span]:
    """The parts of ``gaps`` (in which nothing could be fired) in which the tick of ``deadline`` was due."""
    return [Span(max(gap.start, deadline), gap.end) for gap in gaps if gap.end > deadline]


def moved(deadline: datetime, opened_at: datetime, cadence: timedelta, outages: Iterable[Span]) -> datetime:
    """The deadline as ``outages`` leave it, for a tick not fired yet that takes orders since ``opened_at``.

    Outages that overlap or meet are one. One that ends before the last tenth of the filing period moves nothing.
    The same outages, asked again with the deadline they led to, leave it there.
    """
    last_tenth = deadline - (deadline - opened_at) / TENTH
    latest = deadline
    for outage in _merged(outages):
        length = outage.end - outage.start
        if length > least(cadence) and outage.end > last_tenth:
            latest = max(latest, outage.end + min(length, cadence / TENTH))
    return latest


def next_on_grid(started_at: datetime, cadence: timedelta, after: datetime) -> datetime:
    """The first deadline start + k * cadence that is at least half a cadence after ``after``."""
    steps = -((started_at - after - cadence / 2) // cadence)
    return started_at + max(steps, 1) * cadence


def _merged(spans: Iterable[Span]) -> list[Span]:
    whole: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if whole and span.start <= whole[-1].end:
            whole[-1] = Span(whole[-1].start, max(whole[-1].end, span.end))
        else:
            whole.append(span)
    return whole
