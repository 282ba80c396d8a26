"""An army as it lies between battles: what its card stores (section 3).

Stored are the build (base values, class, ancestry, keywords, and the log of how it came about, WF-CARD-17) and
what happened to it (units, experience). The numbers of the printed card follow from these: ``card.values``.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from shared.warfare.policy import Policy

Id = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[^|\s]+\Z")]
Place = tuple[int, int]
"""A hex: axial (q, r)."""
UnitState = Literal["active", "routed", "slain"]
Check = Literal["attack", "presence", "morale"]  # WF-CARD-06
CHECKS: tuple[Check, ...] = ("attack", "presence", "morale")


class Unit(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A unit token (WF-CARD-02). ``new_wounds`` are those of the battle that is on."""

    wounds: Annotated[int, Meta(ge=0, le=9)] = 0
    new_wounds: Annotated[int, Meta(ge=0, le=9)] = 0
    state: UnitState = "active"


class Attribute(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """``dN+s`` (WF-DICE-01)."""

    die: Annotated[int, Meta(ge=4, le=10_000, multiple_of=2)] = 4  # WF-DICE-12
    static: Annotated[int, Meta(ge=-1000, le=1000)] = 0

    def __str__(self) -> str:
        return f"d{self.die}{self.static:+d}" if self.static else f"d{self.die}"


class Base(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Numbers before class, keywords, ancestry and mounts are added; the defaults are the levy's (WF-CARD-01)."""

    attack: Attribute = Attribute()
    presence: Attribute = Attribute()
    morale: Attribute = Attribute()
    defense: Annotated[int, Meta(ge=-1000, le=1000)] = 3
    armor: Annotated[int, Meta(ge=-1000, le=1000)] = 0
    mobility: Annotated[int, Meta(ge=-1000, le=1000)] = 1
    fee: Annotated[int, Meta(ge=-1000, le=100_000)] = 1


class Mounts(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the host says of an army's mounts (WF-CARD-13)."""

    mobility: int = 0
    attack: int = 0
    presence: int = 0
    morale: int = 0
    defense: int = 0


class Bonus(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of the level-up table as taken; ``keyword`` with line 6 (WF-LVL-01)."""

    line: Annotated[int, Meta(ge=1, le=6)]
    keyword: str | None = None


class Built(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One entry of the build log: the template, a level, or a forge (WF-CARD-17)."""

    kind: Literal["template", "level", "forge", "printed"]
    bonuses: tuple[Bonus, ...] = ()
    class_: str | None = msgspec.field(name="class", default=None)
    tier: int | None = None


class Army(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card. Frozen, and its units with it: whoever changes units makes new ones."""

    id: Id
    name: str = ""
    ancestry: str
    class_: str = msgspec.field(name="class", default="levy")
    keywords: tuple[str, ...] = ()
    """All of them, those of its ancestry included, in the order of section 16."""
    rank: Annotated[int, Meta(ge=1)] = 1
    tier: Annotated[int, Meta(ge=0, le=4)] | None = 0
    """Null: cannot use equipment (WF-EQP-02)."""
    base: Base = Base()
    units: tuple[Unit, ...]
    signature: str | None = None
    """The Greybeards' command (WF-CMD-08)."""
    experience: tuple[Annotated[int, Meta(ge=1)], ...] = ()
    """Ranks of its one-use Experience assets (WF-AST-08)."""
    controller: str | None = None
    """A power; null for a rogue army."""
    loyal_to: str | None = None
    personal: bool = False
    premium: bool = False
    titanic: bool = False
    tags: tuple[str, ...] = ()
    """Words of the host, such as ``centenium`` (WF-ANC-31)."""
    mounts: Mounts | None = None
    origin_town: str | None = None
    levied: bool = False
    levied_size: Annotated[int, Meta(ge=0)] = 0
    """Units it was last levied with (WF-ACT-32)."""
    depop_held: Annotated[int, Meta(ge=0)] = 0
    garrison: str | None = None
    """A site's id, or ``power:`` and the id of a power that houses it (WF-CARD-16)."""
    hex: Place | None = None
    policy: Policy = Policy()
    log: tuple[Built, ...] = ()


def active(units: "tuple[Unit, ...] | list[Unit]") -> int:
    """Units that act, roll and count (WF-CARD-03)."""
    return sum(unit.state == "active" for unit in units)


def standing(units: "tuple[Unit, ...] | list[Unit]") -> int:
    """Units not slain: what a power supports (WF-PWR-05)."""
    return sum(unit.state != "slain" for unit in units)
