"""Making and levelling armies (section 13, WF-ACT-26, WF-ACT-46, section 14)."""

from collections.abc import Sequence
from itertools import chain

from msgspec.structs import replace

from shared.warfare.army import Army, Attribute, Base, Bonus, Built, Unit, standing
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.classes import CLASSES, TITAN
from shared.warfare.content.commands import SIGNATURES
from shared.warfare.content.keywords import CONFLICTS, KEYWORDS, PREMIUM
from shared.warfare.content.tables import LEVEL_DIE, LEVEL_PICKS, MOST_UNITS, PREMIUM_DIE, TIERS
from shared.warfare.dice import Rolls
from shared.warfare.effects import Trait
from shared.warfare.errors import Refusal, illegal
from shared.warfare.levelling import (
    BASIC_CLASSES,
    KEYWORD,
    LEARNED,
    keyword_refused,
    learnable,
    level_up,
    take,
)
from shared.warfare.profile import granted, in_order, profile

TITAN_CLASSES = tuple(name for name, row in CLASSES.items() if row.group == TITAN)


def template(
    id: str,
    ancestry: str,
    size: int,
    *,
    name: str = "",
    premium: str | None = None,
    titan: str | None = None,
    controller: str | None = None,
) -> Army:
    """The levy template with its ancestry (WF-ACT-26); ``premium`` is a free premium keyword, ``titan`` a class
    (WF-ACT-46). Illegal if there can be no such army."""
    if ancestry not in ANCESTRIES:
        raise illegal("WF-CARD-01", f"no ancestry {ancestry!r}", army=id, legal=", ".join(ANCESTRIES))
    if titan is not None and titan not in TITAN_CLASSES:
        raise illegal("WF-ACT-46", f"{titan!r} is no titan class", army=id, legal=", ".join(TITAN_CLASSES))
    if premium is not None and (premium not in KEYWORDS or KEYWORDS[premium].group != PREMIUM):
        allowed = ", ".join(name for name, row in KEYWORDS.items() if row.group == PREMIUM)
        raise illegal("WF-ACT-46", f"{premium!r} is no premium keyword", army=id, legal=allowed)
    keywords = granted(ANCESTRIES[ancestry].effects)
    if premium is not None and premium not in keywords:
        keywords = (*keywords, premium)
    if not 1 <= size <= MOST_UNITS:
        raise illegal("WF-CARD-01", f"has {size} units", army=id, legal=f"1 to {MOST_UNITS}")
    die = Attribute(PREMIUM_DIE) if premium is not None else Attribute()
    class_ = titan or "levy"
    army = Army(
        id=id,
        name=name or id,
        ancestry=ancestry,
        class_=class_,
        keywords=in_order(keywords),
        tier=None if bars_equipment(class_, ancestry) else 0,
        base=Base(attack=die, presence=die, morale=die),
        units=tuple(Unit() for _ in range(size)),
        controller=controller,
        loyal_to=controller,
        premium=premium is not None,
        titanic=titan is not None,
        log=(Built("template", class_=class_),),
    )
    if refusal := check_army(army):
        raise illegal(refusal.rule, refusal.what, army=id, legal=refusal.legal)
    return army


def bars_equipment(class_: str, ancestry: str) -> bool:
    """Whether such an army has no tier (WF-EQP-02)."""
    effects = chain(CLASSES[class_].effects, ANCESTRIES[ancestry].effects)
    return any(isinstance(effect, Trait) and effect.name == "no-equipment" for effect in effects)


def levy(
    id: str, ancestry: str, size: int, bonus: Bonus, *, signature: str | None = None, **flags: str | None
) -> Army:
    """A new levy: the template and one bonus of the level-up table (WF-ACT-26). ``flags`` as of ``template``."""
    army = take(template(id, ancestry, size, **flags), (bonus,), signature=signature)  # type: ignore[arg-type]
    return replace(army, log=(replace(army.log[0], bonuses=(bonus,)),))


def forge(army: Army, tier: int) -> Army:
    """A higher equipment tier (WF-ACT-15, WF-ACT-16)."""
    if army.tier is None:
        raise illegal("WF-EQP-02", "cannot use equipment", army=army.id, legal="no tier")
    if not army.tier < tier < len(TIERS):
        legal = ", ".join(f"{index} {TIERS[index]}" for index in range(army.tier + 1, len(TIERS)))
        raise illegal("WF-ACT-15", f"cannot be forged to tier {tier}", army=army.id, legal=legal or "none")
    return replace(army, tier=tier, log=(*army.log, Built("forge", tier=tier)))


def controlled_build(
    start: Army, levels: Sequence[Sequence[Bonus]], *, class_: str | None = None, signature: str | None = None
) -> Army:
    """A levy raised by levels of three different bonuses each (WF-LVL-06); ``class_`` at the first."""
    army = start
    for bonuses in levels:
        if len({bonus.line for bonus in bonuses}) != LEVEL_PICKS:
            raise illegal(
                "WF-LVL-06", f"a level takes {LEVEL_PICKS} different bonuses", army=army.id,
                legal=f"{LEVEL_PICKS} different lines of the table",
            )  # fmt: skip
        first = class_ if army.class_ == "levy" else None
        army = level_up(army, bonuses, class_=first, signature=signature)
    return army


def random_build(
    rolls: Rolls, id: str, ancestry: str, size: int, rank: int, *, name: str = "", titanic: bool = False,
    premium: str | None = None,
) -> Army:  # fmt: skip
    """WF-LVL-07: bonuses by the d6 one by one, class and keywords uniformly, illegal keywords redrawn."""
    actor = f"army:{id}"

    def draw_class(among: Sequence[str]) -> str:
        return among[rolls.roll(actor, "build.class", len(among), 1)[0] - 1]

    def bonus(army: Army, line: int) -> Bonus:
        if line != KEYWORD or not learnable(army):
            return Bonus(line)
        while True:
            keyword = LEARNED[rolls.roll(actor, "build.keyword", len(LEARNED), 1)[0] - 1]
            if not keyword_refused(army, keyword):
                return Bonus(line, keyword)

    titan = draw_class(TITAN_CLASSES) if titanic else None
    army = template(id, ancestry, size, name=name, titan=titan, premium=premium)
    first = bonus(army, rolls.roll(actor, "build.bonus", LEVEL_DIE, 1)[0])
    army = levy(id, ancestry, size, first, name=name, titan=titan, premium=premium)
    for _ in range(rank - 1):
        lines: list[int] = []
        while len(lines) < LEVEL_PICKS:
            line = rolls.roll(actor, "build.bonus", LEVEL_DIE, 1)[0]
            if line not in lines:
                lines.append(line)
        picked: list[Bonus] = []
        grown = army
        for line in lines:
            picked.append(bonus(grown, line))
            grown = take(grown, picked[-1:])
        army = level_up(army, picked, class_=draw_class(BASIC_CLASSES) if army.class_ == "levy" else None)
    return army


def check_army(army: Army) -> Refusal | None:
    """Whether such an army can be at all."""

    def no(rule: str, what: str, legal: str) -> Refusal:
        return Refusal(rule=rule, what=what, army=army.id, legal=legal)

    if army.ancestry not in ANCESTRIES:
        return no("WF-CARD-01", f"no ancestry {army.ancestry!r}", ", ".join(ANCESTRIES))
    if army.class_ not in CLASSES:
        return no("WF-CARD-01", f"no class {army.class_!r}", ", ".join(CLASSES))
    if unknown := [name for name in army.keywords if name not in KEYWORDS]:
        return no("WF-CARD-01", f"no keyword {unknown[0]!r}", ", ".join(KEYWORDS))
    if len(set(army.keywords)) != len(army.keywords):
        return no("WF-CARD-01", "has a keyword twice", "each once")
    for pair in CONFLICTS:
        if set(pair) <= set(army.keywords):
            named = " and ".join(KEYWORDS[name].title for name in pair)
            return no("WF-LVL-04", f"cannot have {named}", "one of them")
    if not any(unit.state != "slain" for unit in army.units) or len(army.units) > MOST_UNITS:
        return no("WF-CARD-01", f"has {standing(army.units)} units", f"1 to {MOST_UNITS}")
    capacity = profile(army.ancestry, army.class_, army.keywords).capacity
    if any(unit.wounds >= capacity and unit.state != "slain" for unit in army.units):
        return no("WF-CARD-05", f"has a unit alive with {capacity} wounds or more", f"0 to {capacity - 1}")
    if army.titanic != (CLASSES[army.class_].group == TITAN):
        kind = TITAN_CLASSES if army.titanic else ("levy", *BASIC_CLASSES)
        return no("WF-ACT-46", f"cannot have the class {army.class_}", ", ".join(kind))
    if army.tier is not None and bars_equipment(army.class_, army.ancestry):
        return no("WF-EQP-02", "cannot use equipment", "tier null")
    own = granted(ANCESTRIES[army.ancestry].effects)
    if missing := [name for name in own if name not in army.keywords]:
        return no("WF-CARD-01", f"lacks {KEYWORDS[missing[0]].title} of its ancestry", ", ".join(own))
    premium = [name for name in army.keywords if KEYWORDS[name].group == PREMIUM and name not in own]
    if premium and not army.premium:
        return no("WF-ACT-46", f"cannot have {KEYWORDS[premium[0]].title}", "premium armies may")
    if (army.signature is not None) != ("greybeards" in army.keywords):
        return no("WF-CMD-08", "Greybeards and a signature command go together", ", ".join(SIGNATURES))
    if army.signature is not None and army.signature not in SIGNATURES:
        return no("WF-CMD-08", f"no signature command {army.signature!r}", ", ".join(SIGNATURES))
    return None
