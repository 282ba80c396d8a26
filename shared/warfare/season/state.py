"""A campaign as a value, between two windows. JSON-able; every list is sorted or in an order that means something.

A state handed out is never changed: ``machine.step`` works on a copy of its own (``copy``).
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from shared.warfare.army import Army, Id, Place
from shared.warfare.battle.state import Battle
from shared.warfare.options import Options
from shared.warfare.season.orders import Difficulty, Orders
from shared.warfare.world import Hex, Power

Phase = Literal[
    "disband",
    "support",
    "orders",
    "levels",
    "declare",
    "join",
    "battles",
    "heal",
    "fees",
    "desertion",
    "ended",
]


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A levy that came home mostly intact (WF-ACT-32): its card, for ``size`` units at most."""

    power: Id
    army: Army
    size: Annotated[int, Meta(ge=1)]


class Dispersed(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A destroyed army with units that fled (WF-END-03): ``army`` has just these."""

    army: Army
    hex: Place
    season: int
    controller: str | None
    """Its last; null for rogues."""
    fought: tuple[str, ...]
    """The powers of that battle: with the controller, those who know of it."""


class TruceUntil(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Holds through season ``until``."""

    a: str
    b: str
    until: int


class Proposed(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An open proposal of a pact (WF-CMP-07)."""

    by: str
    to: str


class Commander(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A leader the host lists, whom a goal may be set upon (WF-GOAL-16)."""

    id: Id
    power: Id
    at: Place


class Training(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A Train that passed and waits for D-04."""

    power: Id
    index: int
    army: Id
    dice: tuple[int, ...]
    experience: tuple[int, ...]
    """Ranks spent on it: back if it is discarded (WF-ACT-12)."""


class Bid(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A standing offer to an army that may desert (WF-ACT-40)."""

    power: Id
    army: Id
    coin: int


class Declared(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle declared in a hex, before the joiners are in. ``against`` by declarer names who is there."""

    at: Place
    against: dict[str, tuple[str, ...]]
    accept: dict[str, tuple[str, ...]]
    """By power: whom it lets join its side (WF-SET-04)."""
    powers: tuple[str, ...]
    """Those who declared or were declared against; ``rogues`` among them or not."""


class Season(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    seed: str
    season: Annotated[int, Meta(ge=1)] = 1
    phase: Phase = "disband"
    options: Options = Options()
    hosted: bool = False
    """Another host keeps income, claims and the end; the machine ends with the season."""
    powers: list[Power]
    """By seat."""
    hexes: list[Hex]
    armies: list[Army]
    """By id. Rogue ones have no controller."""
    out: list[str] = []
    """Powers that are eliminated, in that order."""
    records: list[Record] = []
    dispersed: list[Dispersed] = []
    pacts: list[tuple[str, str]] = []
    truces: list[TruceUntil] = []
    proposals: list[Proposed] = []
    commanders: list[Commander] = []
    filed: dict[str, Orders] = {}
    """Orders being resolved, by power."""
    difficulties: list[Difficulty] = []
    created: list[str] = []
    """Armies made or gathered this season (WF-SEAS-06)."""
    training: list[Training] = []
    bids: list[Bid] = []
    assets_used: list[str] = []
    """Assets used this season, as ``power/asset`` (WF-AST-05)."""
    moved: list[str] = []
    fought: list[str] = []
    withdrew: list[str] = []
    """Armies that retreated or surrendered."""
    regarrison: dict[str, str] = {}
    """New garrisons, taken at season's end (WF-ACT-05)."""
    declared: list[Declared] = []
    battles: list[Battle] = []
    """By hex; until all of them have ended."""
    goals_won: dict[str, list[tuple[str, int]]] = {}
    """By battle: goal and side, round by round."""
    unpaid: list[str] = []
    """Armies whose fee was not paid."""
    rolls: dict[str, int] = {}
    given: dict[str, list[int]] = {}
    """Faces by roll name without seed, season and battle (``dice.Rolls``); those of a battle in ``battle_given``."""
    battle_given: dict[str, dict[str, list[int]]] = {}
    standing: list[str] = []
    """The powers as they ended, best first (WF-CMP-09)."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Season)


def copy(season: Season) -> Season:
    """An equal state that shares nothing with this one."""
    return _decoder.decode(_encoder.encode(season))
