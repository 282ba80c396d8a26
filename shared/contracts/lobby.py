"""Matches before, while and after they are played, as anyone may see them; who sits where."""

from datetime import datetime
from typing import Literal

import msgspec

from shared.contracts.base import Event, Nothing, Payload, RawOrNull, Request

Status = Literal["lobby", "running", "ended"]
Visibility = Literal["public", "private"]


class Seat(Payload):
    """``account`` is never shown to clients; a computer player's is ``bot:{match}:{faction}``.

    ``bot`` is the level of a computer player, also of the one that took over after a resignation.
    """

    seat: int
    faction: str
    faction_name: str
    account: str
    handle: str | None
    bot: str | None = None
    resigned: bool = False


class MatchDetail(Payload):
    """A match for one reader: ``your_seat`` and ``invite_code`` are theirs alone (the code only for the creator)."""

    id: str
    name: str
    ruleset: str
    status: Status
    visibility: Visibility
    practice: bool
    seats_total: int
    seats: tuple[Seat, ...]
    cadence_seconds: int
    settings: msgspec.Raw
    tick: int
    now: datetime
    next_deadline: datetime | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    public: msgspec.Raw
    seed_commitment: str
    seed: str | None
    result: RawOrNull
    your_seat: int | None
    you_created: bool
    invite_code: str | None


class MatchPage(Payload):
    items: tuple[MatchDetail, ...]
    next_cursor: str | None


class CreateMatch(Request[MatchDetail]):
    """Settings are checked by the ruleset. ``key``: drawn by the caller for this wish; the same wish again gives
    the same match. Refusals: malformed, too-many-matches."""

    account: str
    handle: str
    name: str
    seats: int
    cadence_seconds: int
    ruleset: str
    visibility: Visibility
    settings: msgspec.Raw
    seed: str | None = None
    key: str | None = None


class ListMatches(Request[MatchPage]):
    """Refusals: malformed (cursor)."""

    account: str
    status: tuple[Status, ...]
    mine: bool
    limit: int
    cursor: str | None


class GetMatch(Request[MatchDetail]):
    """Refusals: not-found (also a private match of others)."""

    account: str
    match: str


class GetInvite(Request[MatchDetail]):
    """Refusals: not-found."""

    account: str
    code: str


class JoinMatch(Request[MatchDetail]):
    """Refusals: not-found, match-started, match-ended, already-seated, match-full, name-taken, malformed, too-many-matches."""

    account: str
    handle: str
    match: str
    invite_code: str | None = None
    faction_name: str | None = None
    key: str | None = None


class LeaveMatch(Request[Nothing]):
    """Refusals: not-found, match-started, match-ended."""

    account: str
    match: str


class RemoveSeat(Request[MatchDetail]):
    """Refusals: not-found, forbidden (also one's own seat: that is LeaveMatch), match-started, match-ended."""

    account: str
    match: str
    seat: int


class AddBots(Request[MatchDetail]):
    """All of them or none; the match starts if it is full then (K-02). ``key``: drawn by the caller for this wish;
    the same wish again seats nobody. Refusals: not-found, forbidden, match-started, match-ended, match-full,
    malformed (count, level)."""

    account: str
    match: str
    count: int
    level: str
    key: str | None = None


class StartMatch(Request[MatchDetail]):
    """Refusals: not-found, forbidden, not-enough-seats, match-started, match-ended."""

    account: str
    match: str


class CallOffMatch(Request[Nothing]):
    """Refusals: not-found, forbidden, match-started, match-ended."""

    account: str
    match: str


class ResignSeat(Request[MatchDetail]):
    """From the next tick a computer player files for the seat. Refusals: not-found, not-started, match-ended."""

    account: str
    match: str


class CloseMatch(Request[Nothing]):
    """For operators: the match ends now, without a winner. Refusals: not-found, match-ended."""

    match: str


class MatchRow(Payload):
    id: str
    name: str
    ruleset: str
    status: Status
    seats: int
    tick: int
    next_deadline: datetime | None


class MatchRows(Payload):
    items: tuple[MatchRow, ...]


class SurveyMatches(Request[MatchRows]):
    """For operators: matches of every visibility, newest first."""

    status: tuple[Status, ...]
    limit: int = 200


class MatchStarted(Event):
    """All a service has to know of a match from its start; seats are numbered 1..N in order of joining (K-02)."""

    match: str
    name: str
    ruleset: str
    settings: msgspec.Raw
    seed: str
    practice: bool
    cadence_seconds: int
    started_at: datetime
    seats: tuple[Seat, ...]


class MatchChanged(Event):
    """Something about the lobby or the seats changed; ``accounts`` are those that are told: all seated players.

    ``revision`` counts the match's changes from 1: of two events the higher is the later.
    """

    match: str
    status: Status
    seats: tuple[Seat, ...]
    accounts: tuple[str, ...]
    revision: int = 0


class SeatResigned(Event):
    """A computer player of ``level`` files for the seat from the next tick on."""

    match: str
    faction: str
    account: str
    level: str


class MatchClosed(Event):
    """An operator ended the match."""

    match: str
    at: datetime
