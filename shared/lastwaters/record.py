"""What happened in a tick: the results, and the record that sight and reports are made from.

A record is the whole truth of a tick. It never leaves the server before the end of the match; ``reports`` picks from
it what each faction is entitled to. All of it is JSON-able (msgspec structs).
"""

from typing import Literal

import msgspec
from msgspec import Struct

from shared.lastwaters.world import Resources, Result

UnitCounts = dict[str, int]
Losses = dict[str, UnitCounts]
"""Side (a faction or ``neutral``) to its fallen by unit; nothing for a side that lost nobody."""


class OrderResult(Struct, frozen=True):
    order: str
    faction: str
    status: Literal["done", "failed"]
    reason: str | None


class Exchange(Struct, frozen=True):
    """One exchange of blows. Powers are the doubled integers of C-06, variations thousandths (C-07)."""

    attack_power: int
    defence_power: int
    attack_variation: int
    defence_variation: int
    attack_losses: Losses
    defence_losses: Losses


class Assault(Struct, frozen=True):
    defender: str
    defenders: tuple[str, ...]
    attackers: tuple[str, ...]
    exchanges: tuple[Exchange, ...]


class Battle(Struct, frozen=True):
    hold: str
    assaults: tuple[Assault, ...]
    owner_before: str | None
    owner_after: str | None


class Capture(Struct, frozen=True):
    hold: str
    to: str
    from_: str | None = msgspec.field(name="from")


class Filed(Struct, frozen=True):
    """``kind`` is what the order calls itself; None if that is no text."""

    faction: str
    seq: int
    kind: str | None


class UnitsAt(Struct, frozen=True):
    hold: str
    faction: str
    units: UnitCounts


class BuiltAt(Struct, frozen=True):
    hold: str
    faction: str
    building: str


class Spent(Struct, frozen=True):
    recruits: Resources
    builds: Resources
    research: Resources


class PactBroken(Struct, frozen=True):
    members: tuple[str, str]
    by: tuple[str, ...]


class Offer(Struct, frozen=True):
    from_: str = msgspec.field(name="from")
    to: str


class Before(Struct, frozen=True):
    """What sight and reports need of a faction as it was before the tick."""

    id: str
    seat: int
    techs: tuple[str, ...]
    eliminated: bool
    holds: tuple[str, ...]


class Record(Struct, frozen=True, kw_only=True):
    """Tick ``tick`` as it was resolved. Lists by hold are sorted by hold, then faction."""

    tick: int
    factions: tuple[Before, ...]
    filed: dict[str, Filed]
    """By order id."""
    results: tuple[OrderResult, ...]
    yields: dict[str, Resources]
    spent: dict[str, Spent]
    recruited: tuple[UnitsAt, ...]
    built: tuple[BuiltAt, ...]
    left: tuple[UnitsAt, ...]
    arrived: tuple[UnitsAt, ...]
    present: dict[str, tuple[str, ...]]
    """Factions with units at a hold after movement, for the holds with an arrival, a battle or a capture."""
    battles: tuple[Battle, ...]
    captures: tuple[Capture, ...]
    taken_buildings: dict[str, tuple[str, ...]]
    """What stands on each captured hold."""
    pacts_formed: tuple[tuple[str, str], ...]
    pacts_broken: tuple[PactBroken, ...]
    proposed: tuple[Offer, ...]
    withdrawn: tuple[Offer, ...]
    """Proposals that a break closed."""
    started: dict[str, str]
    completed: dict[str, str]
    """Faction to tech."""
    vanished: tuple[UnitsAt, ...]
    """Units of the factions eliminated (V-01)."""
    eliminated: tuple[str, ...]
    result: Result | None
