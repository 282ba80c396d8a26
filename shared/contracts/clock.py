"""The calendar: when each running match's next tick is due."""

from datetime import datetime
from typing import Literal

from shared.contracts.base import Event, Nothing, Payload, Request


class DueTick(Payload):
    """``tick`` is the number of the tick to resolve; ``deadline`` the instant it was due.

    Outages that ended by ``ready_at`` are reckoned with in the deadline (K-03); a seal after a later one is refused.
    """

    match: str
    tick: int
    deadline: datetime
    ready_at: datetime | None = None


class CalendarRow(Payload):
    """``state``: waiting (for the deadline), due (announced), paused, ended."""

    match: str
    tick: int
    deadline: datetime | None
    state: Literal["opening", "waiting", "due", "paused", "ended"]
    announced_at: datetime | None
    late_seconds: float


class CalendarRows(Payload):
    items: tuple[CalendarRow, ...]


class SurveyCalendar(Request[CalendarRows]):
    """For operators: matches by how late they are, most late first."""

    limit: int = 200


class PauseMatch(Request[Nothing]):
    """No tick fires until resumed. Refusals: not-found, match-ended, tick-closed (already announced)."""

    match: str


class ResumeMatch(Request[Nothing]):
    """The deadline that stood, or the first of the grid at least half a cadence away, whichever is later; now, if
    everyone has answered. Refusals: not-found, match-ended."""

    match: str


class MoveDeadline(Request[Nothing]):
    """For operators: a later deadline for the waiting tick. Refusals: not-found, match-ended, tick-closed, malformed."""

    match: str
    tick: int
    at: datetime


class ReannounceTick(Request[Nothing]):
    """For operators: announce the due tick again now. Refusals: not-found, match-ended."""

    match: str


class TicksDue(Event):
    """Ticks to resolve, many in one message; announced again until each is confirmed resolved."""

    ticks: tuple[DueTick, ...]


class DeadlineSet(Event, omit_defaults=True):
    """The deadline of tick ``tick``; ``moved_from`` is the first one, where it is another.

    ``revision`` counts how often it came forward, as everyone had answered. Else it only moves later: so the newest
    word of a match is the greatest (``tick``, ``revision``, ``at``), in whatever order they come. Zero stays unsaid,
    so that a process that knows no revisions still reads it.
    """

    match: str
    tick: int
    at: datetime
    moved_from: datetime | None = None
    revision: int = 0
