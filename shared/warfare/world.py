"""The map and the powers as the host keeps them (sections 1 and 4, 2.3)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.warfare.army import Id, Place
from shared.warfare.policy import SUPPORT_ORDER, Resource
from shared.warfare.spells import Asset, Special, Spell

Whole = Annotated[int, Meta(ge=0, le=10**9)]
TerrainName = Literal["plains", "forest", "mountains", "desert", "coast", "water"]
SiteKind = Literal["town", "stronghold", "outpost"]
ROGUES = "rogues"
"""Stands for the controllers of rogue armies, after the last seat (WF-GEN-06)."""


class Site(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A town, stronghold or outpost (WF-MAP-02); the last four fields are a town's."""

    id: Id
    kind: SiteKind
    name: str = ""
    owner: str | None = None
    wall: Annotated[int, Meta(ge=0, le=3)] = 0
    wall_damage: Whole = 0
    population: Whole = 0
    uprising: Whole = 0
    depopulated: Whole = 0
    ancestries: tuple[str, ...] = ()


class Hex(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WF-MAP-02. ``rough`` null follows the terrain."""

    at: Place
    terrain: TerrainName = "plains"
    rough: bool | None = None
    road: bool = False
    sunless: bool = False
    sites: tuple[Site, ...] = ()


class Champion(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A champion: its body is the army ``personal``, if it has one (WF-SET-16, WF-GOAL-15)."""

    name: str = ""
    at: Place | None = None
    personal: str | None = None
    alive: bool = True


class Power(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WF-PWR-01 and what the host supplies (2.3). Claimed towns are the sites it owns."""

    id: Id
    seat: Annotated[int, Meta(ge=1)]
    kind: Literal["city", "conspiracy", "champion"] = "city"
    name: str = ""
    coin: Whole = 0
    loyalty: Whole = 0
    fear: Whole = 0
    ratings: dict[str, Whole] = {}
    """By domain; the option ``challenge_rating`` where none is given (WF-AST-02)."""
    influence: dict[str, Whole] = {}
    """By hex, ``q,r``."""
    support: Whole = 0
    """Host-recorded effects on a champion's limit (WF-PWR-04)."""
    champion: Champion | None = None
    assets: tuple[Asset, ...] = ()
    spells: tuple[Spell, ...] = ()
    specials: tuple[Special, ...] = ()
    support_order: tuple[Resource, ...] = SUPPORT_ORDER


def distance(a: Place, b: Place) -> int:
    """WF-MAP-01."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def hex_key(place: Place) -> str:
    return f"{place[0]},{place[1]}"
