"""Resolved ticks: the state of every match, tick by tick, with the proof chain."""

from datetime import datetime

import msgspec

from shared.contracts.base import Event, Nothing, Payload, RawOrNull, Request
from shared.contracts.orders import OrderResult


class ExportHead(Payload):
    """The export's fields beside ``ticks`` (contract.md), as JSON; ``ticks`` is the number of the last tick."""

    head: msgspec.Raw
    ticks: int


class ExportTick(Payload):
    """One entry of the export's ``ticks``, as JSON."""

    entry: msgspec.Raw


class GetExportHead(Request[ExportHead]):
    """``account`` null for operators. Refusals: not-found, not-ended."""

    account: str | None
    match: str


class GetExportTick(Request[ExportTick]):
    """Refusals: not-found, not-ended."""

    account: str | None
    match: str
    tick: int


class StalledMatch(Payload):
    """``error`` is for operators' eyes only."""

    match: str
    tick: int
    since: datetime
    attempts: int
    error: str


class StalledMatches(Payload):
    items: tuple[StalledMatch, ...]


class SurveyStalled(Request[StalledMatches]):
    limit: int = 200


class RetryTick(Request[Nothing]):
    """For operators: try the stalled tick again, with the sealed orders it has. Refusals: not-found."""

    match: str


class TickResolved(Event):
    """The light fact of a tick (0 is the opening): what clocks, messaging and lobbies need."""

    match: str
    tick: int
    deadline: datetime | None
    ran_at: datetime
    ended: bool
    live: tuple[str, ...]
    allowances: dict[str, int]
    per_player: int
    windows_close_early: bool


class TickOutcome(Event):
    """The whole of a tick for the services that read it: fog and orders. Opaque JSON but for the proof.

    ``record`` is null at tick 0. ``results`` by order id. ``sealed`` and ``nonces`` by faction.
    """

    match: str
    tick: int
    ruleset: str
    rules_version: int
    deadline: datetime | None
    ran_at: datetime
    state: msgspec.Raw
    record: RawOrNull
    results: dict[str, OrderResult]
    sealed: dict[str, tuple[str, ...]]
    nonces: dict[str, str]
    digests: dict[str, str]
    state_hash: str
    public: msgspec.Raw
    result: RawOrNull
    ended: bool


class MatchStalled(Event):
    """A tick failed three times and is set aside; the match waits for an operator."""

    match: str
    tick: int
