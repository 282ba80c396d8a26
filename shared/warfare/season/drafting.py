"""Drafting armies within a budget (WF-CMP-10)."""

from typing import Any

from msgspec.structs import replace

from shared.warfare.army import Army, Bonus
from shared.warfare.building import TITAN_CLASSES, controlled_build, forge, levy
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.keywords import KEYWORDS, PREMIUM
from shared.warfare.content.tables import (
    DRAFT_ARMIES,
    DRAFT_PREMIUM,
    DRAFT_RANK,
    DRAFT_SIZE,
    DRAFT_TIER_COST,
    DRAFT_TITANIC,
    LEVEL_LINES,
    TIERS,
)
from shared.warfare.errors import Illegal, Refusal, illegal
from shared.warfare.levelling import BASIC_CLASSES
from shared.warfare.season.drafts import Draft, Drafted
from shared.warfare.season.policies import check_words

DEFAULT_CLASSES = ("infantry", "archers", "pikes", "axes")
DEFAULT_LEVEL = (Bonus(4), Bonus(2), Bonus(3))
DEFAULT_ANCESTRY = "orcs"


def cost(army: Drafted) -> int:
    rank = 1 + len(army.levels)
    return (
        army.size * (rank + 1)
        + DRAFT_TIER_COST * army.tier
        + (DRAFT_PREMIUM if army.premium is not None else 0)
        + (DRAFT_TITANIC if army.class_ in TITAN_CLASSES else 0)
    )


def build(army: Drafted, id: str) -> Army:
    """Illegal if there can be no such army."""
    titan = army.class_ if army.class_ in TITAN_CLASSES else None
    start = levy(
        id, army.ancestry, army.size, army.bonus, signature=army.signature,
        name=army.name or None, premium=army.premium, titan=titan,
    )  # fmt: skip
    class_ = None if titan is not None else army.class_
    if not army.levels and class_ not in (None, "levy"):
        raise illegal("WF-LVL-03", f"cannot be {class_} at rank 1", army=id, legal="levy, or a level")
    built = controlled_build(start, army.levels, class_=class_, signature=army.signature)
    return forge(built, army.tier) if army.tier else built


def check(draft: Draft, power: str, budget: int) -> Refusal | None:
    if (total := sum(map(cost, draft.armies))) > budget:
        return Refusal(rule="WF-CMP-10", what=f"costs {total}", legal=f"up to {budget}")
    for number, army in enumerate(draft.armies, 1):
        if refusal := check_words(army.name or army_id(power, number), army.policy):
            return refusal
        try:
            build(army, army_id(power, number))
        except Illegal as error:
            return error.refusal
    return None


def army_id(power: str, number: int) -> str:
    return f"{power}.{number}"


def muster(draft: Draft, power: str) -> tuple[Army, ...]:
    """The armies of a checked draft."""
    armies = []
    for number, army in enumerate(draft.armies, 1):
        built = build(army, army_id(power, number))
        armies.append(replace(built, controller=power, loyal_to=power, policy=army.policy))
    return tuple(armies)


def default(budget: int) -> Draft:
    """Medium armies of four at rank 2 as long as they last; one levy where not even one is affordable."""
    plain = [
        Drafted(
            ancestry=DEFAULT_ANCESTRY, class_=DEFAULT_CLASSES[number % len(DEFAULT_CLASSES)], size=4, tier=2,
            bonus=Bonus(1), levels=(DEFAULT_LEVEL,),
        )
        for number in range(DRAFT_ARMIES[1])
    ]  # fmt: skip
    armies: list[Drafted] = []
    for army in plain:
        if sum(map(cost, armies)) + cost(army) <= budget:
            armies.append(army)
    if not armies:
        size = max(1, min(DRAFT_SIZE, budget // 2))
        armies = [Drafted(ancestry=DEFAULT_ANCESTRY, size=size, bonus=Bonus(1))]
    return Draft(armies=tuple(armies))


def question(budget: int) -> dict[str, Any]:
    return {
        "budget": budget,
        "armies": list(DRAFT_ARMIES),
        "rank": DRAFT_RANK,
        "size": DRAFT_SIZE,
        "tier": len(TIERS) - 1,
        "cost": {"tier": DRAFT_TIER_COST, "premium": DRAFT_PREMIUM, "titanic": DRAFT_TITANIC},
        "ancestries": list(ANCESTRIES),
        "classes": ["levy", *BASIC_CLASSES],
        "titans": list(TITAN_CLASSES),
        "premium": [name for name, row in KEYWORDS.items() if row.group == PREMIUM],
        "lines": {str(line): row.title for line, row in LEVEL_LINES.items()},
    }
