"""The printed card: an army's effective numbers (section 3, WF-CARD-17)."""

from typing import Any, NamedTuple

from shared.warfare.army import Army, Attribute, Base, active, standing
from shared.warfare.content.ancestries import ANCESTRIES, ELEMENTS
from shared.warfare.content.classes import CLASSES
from shared.warfare.content.keywords import KEYWORDS
from shared.warfare.content.tables import TIER_ARMOR, TIERS
from shared.warfare.profile import Profile, elements, profile


class Values(NamedTuple):
    """Effective numbers, before anything of a battle."""

    attack: Attribute
    presence: Attribute
    morale: Attribute
    defense: int
    armor_max: int
    mobility: int
    fee: int


def profile_of(army: Army) -> Profile:
    return profile(army.ancestry, army.class_, army.keywords)


def values(army: Army) -> Values:
    raises = profile_of(army).raises
    base, mounts = army.base, army.mounts
    by = {name: raises.get(name, 0) for name in ("attack", "presence", "morale", "defense", "mobility")}
    if mounts is not None:  # WF-CARD-13
        for name in by:
            by[name] += getattr(mounts, name)
    return Values(
        attack=Attribute(base.attack.die, base.attack.static + by["attack"]),
        presence=Attribute(base.presence.die, base.presence.static + by["presence"]),
        morale=Attribute(base.morale.die, base.morale.static + by["morale"]),
        defense=max(1, base.defense + by["defense"]),
        armor_max=max(0, tier_armor(army.tier) + base.armor + raises.get("armor", 0)),  # WF-EQP-01
        mobility=max(0, base.mobility + by["mobility"]),
        fee=max(0, base.fee + raises.get("fee", 0)),
    )


def size(army: Army) -> int:
    """Size wherever it is read outside a battle (WF-CARD-03, WF-CARD-04)."""
    units = active(army.units)
    return units + profile_of(army).traits.get("size", 0) if units else 0


def tier_armor(tier: int | None) -> int:
    return 0 if tier is None else TIER_ARMOR[tier]


def printed_base(
    army: Army, *, attack: Attribute, presence: Attribute, morale: Attribute, defense: int, armor: int,
    mobility: int, fee: int,
) -> Base:  # fmt: skip
    """The base that makes ``army`` print these numbers."""
    raises, mounts = profile_of(army).raises, army.mounts

    def less(name: str) -> int:
        return raises.get(name, 0) + (getattr(mounts, name, 0) if mounts else 0)

    return Base(
        attack=Attribute(attack.die, attack.static - less("attack")),
        presence=Attribute(presence.die, presence.static - less("presence")),
        morale=Attribute(morale.die, morale.static - less("morale")),
        defense=defense - less("defense"),
        armor=armor - tier_armor(army.tier) - raises.get("armor", 0),
        mobility=mobility - less("mobility"),
        fee=fee - less("fee"),
    )


def show(army: Army) -> dict[str, Any]:
    """The card as people print it, as JSON."""
    shown, element = values(army), profile_of(army).element
    return {
        "id": army.id,
        "name": army.name,
        "rank": army.rank,
        "tier": None if army.tier is None else TIERS[army.tier],
        "class": CLASSES[army.class_].title,
        "ancestry": ANCESTRIES[army.ancestry].title,
        "units": standing(army.units),
        "defense": shown.defense,
        "attack": str(shown.attack),
        "morale": str(shown.morale),
        "presence": str(shown.presence),
        "armor": shown.armor_max,
        "fee": shown.fee,
        "mobility": shown.mobility,
        "element": element,
        "resists": {ELEMENTS[name]: profile_of(army).resists for name in elements(element)},
        "keywords": [KEYWORDS[name].title for name in army.keywords],
        "experience": list(army.experience),
        **({"signature": army.signature} if army.signature else {}),
    }
