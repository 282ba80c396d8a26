"""What each faction sees: views of every tick, memory, the public map."""

from datetime import datetime

import msgspec

from shared.contracts.base import Event, Payload, RawOrNull, Request


class View(Payload):
    """contract.md's view of one faction, as JSON. ``current`` while no later tick is there."""

    match: str
    tick: int
    faction: str
    current: bool
    view: msgspec.Raw


class Map(Payload):
    """The public graph (W-05), as JSON."""

    match: str
    map: msgspec.Raw


class GetView(Request[View]):
    """``tick`` null is the latest. Refusals: not-found, not-started."""

    account: str
    match: str
    tick: int | None = None


class GetMap(Request[Map]):
    """Refusals: not-found, not-started."""

    account: str
    match: str


class TickFogged(Event):
    """Views of the tick are stored; what report needs to write each faction's report goes along.

    ``record`` and ``entitled`` are null at tick 0 (there is no report of tick 0).
    """

    match: str
    tick: int
    ruleset: str
    rules_version: int
    deadline: datetime | None
    ran_at: datetime
    record: RawOrNull
    entitled: RawOrNull
    sealed: dict[str, tuple[str, ...]]
    nonces: dict[str, str]
    digests: dict[str, str]
    state_hash: str
    public: msgspec.Raw
    result: RawOrNull
    ended: bool
