"""The forms of season orders, the answer to D-03 (sections 6 and 27), and of what stands beside any window."""

from typing import Annotated

from msgspec import Meta, Struct

from shared.warfare.army import Army, Bonus, Mounts, Place
from shared.warfare.policy import Count, Policy, Resource
from shared.warfare.spells import Asset, Small, Special, Spell

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Names = Annotated[tuple[Name, ...], Meta(max_length=200)]
Payment = Annotated[tuple[Resource, ...], Meta(min_length=3, max_length=3)]
"""In what order resources pay support; each once (WF-INT-30)."""


class Order(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="action"
):
    """What all orders have. ``assets`` are ids of the power's assets, or ``profession:`` and an army's id; only
    challenges take them (WF-AST-05, WF-AST-06)."""

    assets: Names = ()


class Muster(Order, frozen=True, tag="muster"):
    """WF-ACT-01. ``garrison`` (a site there, or ``power:`` and one that houses armies) regarrisons (WF-ACT-04)."""

    armies: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=200)]
    to: Place
    garrison: Name | None = None


class Train(Order, frozen=True, tag="train"):
    """WF-ACT-10. ``experience``: ranks of the army's own assets to spend (WF-AST-08)."""

    army: Name
    experience: Annotated[tuple[Count, ...], Meta(max_length=200)] = ()


class Forge(Order, frozen=True, tag="forge"):
    """WF-ACT-15."""

    army: Name
    tier: Annotated[int, Meta(ge=1, le=4)]


class Gather(Order, frozen=True, tag="gather"):
    """WF-ACT-20: the id of a dispersed army."""

    army: Name


class Levy(Order, frozen=True, tag="levy"):
    """WF-ACT-25: with ``ancestry`` and ``bonus`` a new army, with ``record`` (an army's id) an old one."""

    town: Name
    size: Annotated[int, Meta(ge=1, le=10_000)]
    ancestry: Name | None = None
    bonus: Bonus | None = None
    signature: Name | None = None
    record: Name | None = None
    name: Annotated[str, Meta(max_length=100)] = ""


class Hire(Order, frozen=True, tag="hire"):
    """WF-ACT-40."""

    army: Name
    coin: Count


class Whisper(Order, frozen=True, tag="whisper"):
    """WF-CMP-06."""

    at: Place


class Purge(Order, frozen=True, tag="purge"):
    """WF-CMP-06: the influence of ``power``."""

    at: Place
    power: Name


class Disband(Order, frozen=True, tag="disband"):
    """WF-ACT-30: free."""

    army: Name


class Propose(Order, frozen=True, tag="propose"):
    """WF-CMP-07: free."""

    power: Name


class Accept(Order, frozen=True, tag="accept"):
    power: Name


class Break(Order, frozen=True, tag="break"):
    """Without a pact it withdraws the open proposals between the two."""

    power: Name


AnyOrder = (
    Muster | Train | Forge | Gather | Levy | Hire | Whisper | Purge | Disband | Propose | Accept | Break
)


class Orders(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-03."""

    orders: Annotated[tuple[AnyOrder, ...], Meta(max_length=100)] = ()
    replace_policies: Annotated[dict[str, Policy], Meta(max_length=200)] = {}


class Policies(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Beside any window, under ``policies:`` and the power: standing policies filed anew (section 19)."""

    armies: Annotated[dict[str, Policy], Meta(max_length=200)] = {}
    support_order: Payment | None = None


class Difficulty(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WF-GM-10: this season's challenges of a power, of one action or all, are harder or easier."""

    power: Name
    action: Name | None = None
    by: Small


class SiteRuling(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WF-GM-11. Null leaves a number as it is."""

    site: Name
    depopulated: Count | None = None
    uprising: Count | None = None
    wall: Annotated[int, Meta(ge=0, le=3)] | None = None
    wall_damage: Count | None = None


class Grant(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a game master enters for a power (WF-CMP-08, WF-GM-06)."""

    power: Name
    assets: Annotated[tuple[Asset, ...], Meta(max_length=50)] = ()
    spells: Annotated[tuple[Spell, ...], Meta(max_length=50)] = ()
    specials: Annotated[tuple[Special, ...], Meta(max_length=50)] = ()


class Rulings(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Beside any window of the season, under ``gm`` (WF-DEC-08, section 23)."""

    difficulties: Annotated[tuple[Difficulty, ...], Meta(max_length=100)] = ()
    sites: Annotated[tuple[SiteRuling, ...], Meta(max_length=100)] = ()
    grants: Annotated[tuple[Grant, ...], Meta(max_length=50)] = ()
    mounts: Annotated[dict[str, Mounts | None], Meta(max_length=100)] = {}
    policies: Annotated[dict[str, Policy], Meta(max_length=200)] = {}
    """Of rogue armies (WF-GM-08)."""
    moves: Annotated[dict[str, Place], Meta(max_length=200)] = {}
    """Of rogue armies: the hex each is in from now on."""
    recruits: Annotated[dict[str, Name | None], Meta(max_length=200)] = {}
    """Rogue armies that enter a power's service, loyal to nobody; null lets any army that is not loyal go rogue."""
    armies: Annotated[tuple[Army, ...], Meta(max_length=100)] = ()
    """New ones (WF-GM-12)."""
