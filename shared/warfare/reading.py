"""Armies as people write them: titles or ids, ``d6+1``, printed numbers, a count of units."""

import re
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.warfare import card
from shared.warfare.answers import read
from shared.warfare.army import Army, Attribute, Base, Built, Mounts, Unit
from shared.warfare.building import bars_equipment, check_army
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.classes import CLASSES, TITAN
from shared.warfare.content.keywords import KEYWORDS, PREMIUM
from shared.warfare.content.tables import MOST_UNITS, TIERS
from shared.warfare.errors import BadInput, Illegal, illegal
from shared.warfare.policy import Policy
from shared.warfare.profile import granted, in_order

_DICE = re.compile(r"d(\d{1,4})([+-]\d{1,3})?\Z")


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army in a file. Numbers left out are those of the levy template with class, keywords and ancestry; given
    ones are read as printed on the card, everything included. ``units`` is a count or the wounds of each unit."""

    id: str
    ancestry: str
    name: str = ""
    class_: str = msgspec.field(name="class", default="levy")
    keywords: tuple[str, ...] = ()
    rank: int = 1
    tier: int | str | None = 0
    units: int | tuple[int | Unit, ...] = 1
    attack: str | None = None
    presence: str | None = None
    morale: str | None = None
    defense: int | None = None
    armor: int | None = None
    mobility: int | None = None
    fee: int | None = None
    signature: str | None = None
    experience: tuple[int, ...] = ()
    controller: str | None = None
    loyal_to: str | None = None
    personal: bool = False
    tags: tuple[str, ...] = ()
    mounts: Mounts | None = None
    garrison: str | None = None
    hex: tuple[int, int] | None = None
    origin_town: str | None = None
    policy: Policy = Policy()


def read_army(value: Any, where: str = "army") -> Army:
    """The card of a written army. BadInput names the path, Illegal the rule and what would be legal."""
    written: Written = read(value, Written, where)
    ancestry = named(ANCESTRIES, written.ancestry, "ancestry", written.id)
    class_ = named(CLASSES, written.class_, "class", written.id)
    own = granted(ANCESTRIES[ancestry].effects)
    wanted = [named(KEYWORDS, keyword, "keyword", written.id) for keyword in written.keywords]
    keywords = in_order((*own, *(keyword for keyword in wanted if keyword not in own)))
    if len(set(keywords)) != len(keywords):
        raise illegal("WF-CARD-01", "has a keyword twice", army=written.id, legal="each once")
    signature = written.signature
    if "greybeards" in keywords and signature is None:
        signature = written.policy.signature
    army = Army(
        id=written.id,
        name=written.name or written.id,
        ancestry=ancestry,
        class_=class_,
        keywords=keywords,
        rank=written.rank,
        tier=_tier(written, class_, ancestry, where),
        units=_units(written, where),
        signature=signature,
        experience=written.experience,
        controller=written.controller,
        loyal_to=written.loyal_to,
        personal=written.personal,
        premium=any(KEYWORDS[one].group == PREMIUM and one not in own for one in keywords),
        titanic=CLASSES[class_].group == TITAN,
        tags=written.tags,
        mounts=written.mounts,
        garrison=written.garrison,
        hex=written.hex,
        origin_town=written.origin_town,
        policy=written.policy,
        log=(Built("printed", class_=class_),),
    )
    if refusal := check_army(army):
        raise Illegal(refusal)
    whole = replace(army, base=_base(army, written, where))
    read(msgspec.to_builtins(whole), Army, where)  # the limits of what a card stores
    return whole


def named(table: Any, text: str, what: str, army: str = "") -> str:
    """The id in ``table`` of a title or id, however it is written."""
    wanted = text.strip().casefold().replace(" ", "-")
    if wanted in table:
        return wanted
    raise illegal("WF-CARD-01", f"no {what} {text!r}", army=army, legal=", ".join(table))


def dice(text: str, where: str) -> Attribute:
    """``d6+1`` (WF-DICE-01)."""
    found = _DICE.match(text.strip().replace("−", "-"))
    size = int(found[1]) if found else 0
    if found is None or size < 4 or size % 2:
        raise BadInput(where, f"{text!r} is not dN or dN+s with N even and at least 4 (WF-DICE-12)")
    return Attribute(size, int(found[2] or 0))


def _tier(written: Written, class_: str, ancestry: str, where: str) -> int | None:
    if bars_equipment(class_, ancestry) and written.tier == 0:
        return None
    if isinstance(written.tier, str):
        titles = [title.casefold() for title in TIERS]
        if written.tier.casefold() not in titles:
            raise BadInput(f"{where}.tier", f"no tier {written.tier!r}; there are {', '.join(TIERS)}")
        return titles.index(written.tier.casefold())
    if written.tier is not None and not 0 <= written.tier < len(TIERS):
        raise BadInput(f"{where}.tier", f"no tier {written.tier}; there are 0 to {len(TIERS) - 1}")
    return written.tier


def _units(written: Written, where: str) -> tuple[Unit, ...]:
    if isinstance(written.units, int):
        if not 1 <= written.units <= MOST_UNITS:
            raise illegal(
                "WF-CARD-01", f"has {written.units} units", army=written.id, legal=f"1 to {MOST_UNITS}"
            )
        return tuple(Unit() for _ in range(written.units))
    return tuple(Unit(unit) if isinstance(unit, int) else unit for unit in written.units)


def _base(army: Army, written: Written, where: str) -> Base:
    plain = card.values(army)

    def attribute(name: str) -> Attribute:
        text = getattr(written, name)
        found: Attribute = getattr(plain, name)
        return found if text is None else dice(text, f"{where}.{name}")

    def number(name: str, otherwise: int) -> int:
        found = getattr(written, name)
        return otherwise if found is None else int(found)

    return card.printed_base(
        army,
        attack=attribute("attack"),
        presence=attribute("presence"),
        morale=attribute("morale"),
        defense=number("defense", plain.defense),
        armor=number("armor", plain.armor_max),
        mobility=number("mobility", plain.mobility),
        fee=number("fee", plain.fee),
    )
