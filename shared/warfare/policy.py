"""Standing policies: how an army answers interrupts, and how its power answers when it files nothing (section 19).

Every default is the bold one of section 19, so ``Policy()`` is what rogues follow (WF-PWR-11).
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Auto = Literal["auto", "never", "always"]
Count = Annotated[int, Meta(ge=0, le=10_000)]
Allocation = Literal["spread", "sacrifice"]
DamageType = Literal["untyped", "burn", "freeze", "shock", "crush", "flare", "void"]
AssetUse = Literal["never", "first_attack", "first_presence", "first_morale"]
"""How a power's committed asset is used without a command (WF-INT-28)."""


class Retreat(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Either condition is enough (WF-INT-23)."""

    active_at_most: Count | None = None
    bloodied_at_least: Count | None = None


class FromRound(Struct, frozen=True, forbid_unknown_fields=True):
    from_round: Annotated[int, Meta(ge=1, le=7)]


class Policy(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Switches by the names of section 19."""

    redirect: Literal["never", "always", "lethal"] = "never"  # WF-INT-01
    redirect_to: tuple[str, ...] = ()
    intercept: Literal["never", "always"] | tuple[str, ...] = "never"  # WF-INT-02
    dervish: Auto = "auto"  # WF-INT-03
    tortoise: Literal["auto", "never"] = "auto"  # WF-INT-04
    agile: Literal["all", "never", "slain", "full"] = "all"  # WF-INT-05
    counter: Literal["auto", "never"] = "auto"  # WF-INT-06
    flight: Auto = "auto"  # WF-INT-07
    surge: Auto = "auto"  # WF-INT-08
    chill: Literal["auto", "never", "enemies", "always"] = "auto"  # WF-INT-09
    bond: Literal["auto", "never"] | tuple[str, ...] = "auto"  # WF-INT-10
    taunt: Literal["never", "always", "if_unhurt"] = "never"  # WF-INT-11
    restore: Literal["auto", "never"] | Count = "auto"  # WF-INT-12; a number only in a command sheet
    lift: Auto = "auto"  # WF-INT-13; always only in a command sheet
    pass_: tuple[tuple[str, Count], ...] = msgspec.field(name="pass", default=())  # WF-INT-14
    pass_when: Literal["before", "after"] = "after"
    wounds: Allocation = "spread"  # WF-INT-15
    routs: Literal["most_wounded", "least_wounded"] = "most_wounded"  # WF-INT-16
    bloodlust: Allocation = "sacrifice"  # WF-INT-17
    needler: Auto = "auto"  # WF-INT-18
    slayer: Auto = "auto"  # WF-INT-19
    type: Literal["auto"] | tuple[DamageType, ...] = "auto"  # WF-INT-20
    axes: Auto = "auto"  # WF-INT-21
    hammers: Auto = "auto"
    two: Literal["never", "always"] = "never"
    second_goal: Literal["never"] | tuple[str, ...] = "never"
    heal: Literal["most_wounded", "least_wounded", "ask"] = "most_wounded"  # WF-INT-22
    scars: Count = 0
    retreat: Literal["never"] | Retreat = "never"  # WF-INT-23
    shed: Literal["never", "on_brink"] = "never"  # WF-INT-24
    surrender: Literal["decline", "accept", "if_imperilled"] = "decline"  # WF-INT-25
    offer: Literal["never", "if_enemy_imperilled"] = "never"
    stance: Literal["slay", "hold", "rest"] = "slay"  # WF-INT-26
    goal: str = "advance"
    deploy: Literal["asap"] | FromRound = "asap"  # WF-INT-27
    levelup: tuple[Annotated[int, Meta(ge=1, le=6)], ...] = (4, 2, 3, 1, 6, 5)  # WF-INT-29
    keywords: tuple[str, ...] = ()
    class_: str = msgspec.field(name="class", default="infantry")
    signature: str = "onslaught"
    pay_fee: bool = True  # WF-INT-30
    keep: dict[str, Count] = {}
    """By switch: momentum this spend never goes below."""


Resource = Literal["coin", "fear", "loyalty"]
SUPPORT_ORDER: tuple[Resource, ...] = ("coin", "fear", "loyalty")  # WF-INT-30, a power's
