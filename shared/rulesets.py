"""The one interface a ruleset meets, and all that the services know of any game.

Everything of a game is opaque JSON to the platform (``Json``: UTF-8 text in canonical form, contract.md).
A ruleset is pure: the same input gives the same bytes on every machine; it does no I/O and reads no clock.

The way of a tick through it::

    new_match ─ state 0 ─┐                                        ┌─ views, memory (fog)
                         ├─ look ─────────────────────────────────┤
    briefing/check/options ─ orders ─ resolve ─ state, record ─ look ─ entitled ─ reports (report)
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Literal, Protocol

import msgspec

Json = bytes
Viewer = str
"""A faction id, or the name of a role such as ``game-master``."""


class SeatTaken(msgspec.Struct, frozen=True, kw_only=True):
    """One player of a new match: ``faction`` is ``f1`` for seat 1 and so on, zero-padded to one width."""

    faction: str
    seat: int
    name: str


class NewMatch(msgspec.Struct, frozen=True, kw_only=True):
    """``settings`` is complete (defaults filled in) and checked."""

    match_id: str
    seed: str
    seats: tuple[SeatTaken, ...]
    settings: Json


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """Why an order is refused: a fixed code of the ruleset (``malformed`` included) and plain words."""

    reason: str
    message: str


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one order at the tick; ``words`` only names what its faction is entitled to know."""

    order: str
    faction: str
    status: Literal["done", "failed"]
    reason: str | None
    words: str | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """``live`` may still act; ``result`` is null until the match has ended."""

    live: tuple[str, ...]
    ended: bool
    result: Json | None


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody is asked something until the tick.

    ``question`` is what a client draws; ``default`` says in words what happens without an answer;
    ``share`` is the part of the cadence, in percent, after which the window closes;
    ``needed``: the tick may fire early once every ``needed`` window of the state is answered.
    """

    viewer: Viewer
    question: Json
    default: str
    share: int = 100
    needed: bool = False


class Allowance(msgspec.Struct, frozen=True, kw_only=True):
    """Messages a faction may send within an hour, and to one player (rules G-02)."""

    hour: int
    per_player: int


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """A tick resolved: the next state, a ``record`` of what happened (for sight and reports; never shown whole
    before the end), and ``chronicle``, a JSON object whose fields stand in the export's entry of the tick."""

    state: Json
    record: Json
    results: tuple[Result, ...]
    chronicle: Json


class Looked(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody sees after a tick. ``memory`` is the whole match's; ``entitled`` (null at tick 0) is what
    each viewer's sight before the tick lets its report tell. A view of an ended match shows everything."""

    views: dict[Viewer, Json]
    memory: Json
    entitled: Json | None


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Where an export does not hold: a JSON path and what is wrong there."""

    where: str
    what: str


class Ruleset(Protocol):
    """One game. Every method raises ValueError for bytes that it did not make itself (never stored as such)."""

    id: str
    version: int
    title: str
    seats: tuple[int, int]
    """Fewest and most seats."""
    levels: tuple[str, ...]
    """Computer players, weakest first."""
    takeover_level: str
    """Who files for a seat that resigned."""
    roles: tuple[str, ...]
    """Viewers beside the players, such as a game master; none in Last Waters."""
    settings_type: type[msgspec.Struct]
    """The settings' schema: defaults and bounds by msgspec.Meta; unknown fields refused."""
    order_types: tuple[type[msgspec.Struct], ...]
    """One struct an order kind (tag field ``kind``), as a client files it: without id, seq and faction."""
    reasons: Mapping[str, str]
    """Every refusal code with plain words."""
    paces: tuple[int, ...]
    """Cadences in seconds a creator may choose; an operator may allow more."""

    def settings(self, given: Json) -> Json:
        """Complete settings from what a creator gave. ValueError names the path and what is allowed."""
        ...

    def new_match(self, new: NewMatch) -> Json:
        """The state of tick 0."""
        ...

    def order(self, given: Json, *, id: str, seq: int, faction: str) -> Json | Broken:
        """The canonical text of an order as filed (a JSON value as a client sent it), or why it is malformed."""
        ...

    def briefing(self, state: Json, faction: str) -> Json:
        """What filing checks and options of one faction read: nothing that it may not know (T-02)."""
        ...

    def check(self, briefing: Json, filed: Sequence[Json], new: Json) -> Broken | None:
        """Whether ``new`` may be filed beside ``filed`` (canonical texts of the same faction, by seq)."""
        ...

    def check_all(self, briefing: Json, orders: Sequence[Json]) -> list[Broken | None]:
        """As ``check`` for a whole list, each order beside those before it."""
        ...

    def options(self, briefing: Json, filed: Sequence[Json]) -> Json:
        """What the faction may file now: costs, limits, reasons why not; after what is filed."""
        ...

    def windows(self, state: Json) -> tuple[Window, ...]:
        """Who is asked what, until when, and the default."""
        ...

    def answered(self, state: Json, filed: Mapping[str, Sequence[Json]]) -> bool:
        """Whether every needed window is answered, so that the tick may fire early. False if none is needed."""
        ...

    def resolve(self, state: Json, orders: Sequence[Json]) -> Resolved:
        """The tick after ``state`` with the sealed orders (canonical texts) of all factions."""
        ...

    def look(self, state: Json, record: Json | None, memory: Json | None) -> Looked:
        """What everyone sees of ``state``; ``record`` and ``memory`` are null at tick 0."""
        ...

    def reports(self, record: Json, entitled: Json) -> dict[Viewer, Json]:
        """Each viewer's report of the tick."""
        ...

    def public(self, state: Json) -> Json:
        """What any account may see of the match."""
        ...

    def graph(self, state: Json) -> Json:
        """The map that is public from the start."""
        ...

    def standing(self, state: Json) -> Standing: ...

    def allowances(self, state: Json) -> dict[str, Allowance]:
        """By faction; one that may not send has 0 an hour."""
        ...

    def play(
        self, level: str, *, faction: str, view: Json, options: Json, briefing: Json, graph: Json, luck: str
    ) -> list[Json]:
        """A computer player's orders as a client would file them. ``luck`` keys its draws; it sees no seed."""
        ...

    def tables(self) -> Json:
        """Every number a client needs."""
        ...

    def pages(self) -> dict[str, str]:
        """Rule pages as Markdown by name; ``rules`` is the rulebook."""
        ...

    def export_settings(self, state: Json, settings: Json) -> Json:
        """The ``match.settings`` of an export."""
        ...

    def verify(self, export: Json) -> list[Difference]:
        """Replays a whole match (contract.md); empty if everything holds."""
        ...


INSTALLED: dict[str, str] = {
    "last-waters": "shared.lastwaters.ruleset:RULESET",
    "warfare": "shared.warfare.ruleset:WARFARE",
}
"""Ruleset id to where it stands; loaded on first use."""


def installed() -> tuple[str, ...]:
    return tuple(INSTALLED)


def ruleset(name: str) -> Ruleset:
    """The installed ruleset ``name``. KeyError if there is none."""
    module, _, attribute = INSTALLED[name].partition(":")
    found: Ruleset = getattr(import_module(module), attribute)
    return found
