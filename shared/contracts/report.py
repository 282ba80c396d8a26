"""Each player's report of each tick, and the numbered feed behind the event stream."""

from datetime import datetime
from typing import Literal

import msgspec

from shared.contracts.base import Event, Payload, RawOrNull, Request


class Report(Payload):
    """One faction's report of one tick.

    ``report`` is the ruleset's; ``digests`` are everybody's, ``nonce`` and ``sealed`` the reader's own (P-04);
    ``state_hash`` chains the ticks (P-05). ``moved_from`` tells a deadline that was moved (K-03).
    """

    match: str
    tick: int
    faction: str
    deadline: datetime | None
    moved_from: datetime | None
    ran_at: datetime
    rules_version: int
    state_hash: str
    digests: dict[str, str]
    nonce: str
    sealed: tuple[str, ...]
    report: msgspec.Raw


class ReportSummary(Payload):
    tick: int
    ran_at: datetime
    state_hash: str


class ReportPage(Payload):
    items: tuple[ReportSummary, ...]
    next_cursor: str | None


class FeedEvent(Payload):
    """``n`` counts per (match, viewer) without gaps; ``data`` is JSON."""

    n: int
    event: Literal["deadline", "tick", "message", "match"]
    data: msgspec.Raw
    at: datetime


class Feed(Payload):
    items: tuple[FeedEvent, ...]
    latest: int


class GetReport(Request[Report]):
    """Refusals: not-found, not-started."""

    account: str
    match: str
    tick: int


class ListReports(Request[ReportPage]):
    """Newest first. Refusals: not-found, not-started, malformed (cursor)."""

    account: str
    match: str
    limit: int
    cursor: str | None


class GetFeed(Request[Feed]):
    """Events after number ``after`` (null: none, only ``latest``). Refusals: not-found (not seated)."""

    account: str
    match: str
    after: int | None
    limit: int = 100


class TickReported(Event):
    """View and report of the tick are there: clients may be told, computer players may play."""

    match: str
    tick: int
    ran_at: datetime
    public: msgspec.Raw
    result: RawOrNull
    ended: bool
