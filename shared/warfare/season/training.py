"""Train with its window D-04, and Forge Armaments (WF-ACT-10 to WF-ACT-16)."""

from collections import Counter
from typing import Any

from shared.warfare.answers import LevelChoice
from shared.warfare.army import Army
from shared.warfare.building import forge as forged
from shared.warfare.content.commands import SIGNATURES
from shared.warfare.content.tables import LEVEL_LINES, LEVEL_PICKS
from shared.warfare.errors import Illegal, Refusal
from shared.warfare.levelling import (
    BASIC_CLASSES,
    check_level,
    chosen,
    learnable,
    level_dice,
    level_up,
    policy_choice,
)
from shared.warfare.season.orders import Forge, Train
from shared.warfare.season.state import Training
from shared.warfare.season.trials import attempt, experience
from shared.warfare.season.window import Replies, about, listed
from shared.warfare.season.work import Work, size, trait

QUARTER = 4


def _own(work: Work, power: str, name: str, rule: str) -> Refusal | None:
    legal = [army.id for army in work.of(power) if army.id not in work.season.created]
    if name in legal:
        return None
    return Refusal(rule=rule, what="is no army of yours to order", army=name, legal=listed(legal))


def check_train(work: Work, power: str, order: Train) -> Refusal | None:
    if refusal := _own(work, power, order.army, "WF-ACT-10"):
        return refusal
    held = work.armies[order.army].experience
    if Counter(order.experience) - Counter(held):
        return Refusal(
            rule="WF-AST-08", what=f"has not the Experience {list(order.experience)}", army=order.army,
            legal=listed(held),
        )  # fmt: skip
    return None


def train_difficulty(army: Army) -> int:
    return army.rank + 1 + size(army) // QUARTER


def forge_difficulty(army: Army, tier: int) -> int:
    return tier + size(army) // QUARTER + trait(army, "forge-difficulty")


def train(work: Work, power: str, index: int, order: Train) -> dict[str, object]:
    army = work.armies[order.army]
    difficulty = train_difficulty(army)
    spent = experience(work, order)
    left = Counter(army.experience) - Counter(order.experience)
    army = work.change(army.id, experience=tuple(rank for rank in army.experience if _take(left, rank)))
    rolled = attempt(work, power, index, order, difficulty, more=spent)
    if rolled.passed:
        work.season.training.append(
            Training(
                power=power,
                index=index,
                army=army.id,
                dice=tuple(level_dice(work.rolls, army, rolled.excess)),  # WF-ACT-11
                experience=order.experience,
            )
        )
    return {"challenge": rolled, "army": army.id}


def _take(left: Counter[int], rank: int) -> bool:
    left[rank] -= 1
    return left[rank] >= 0


def check_forge(work: Work, power: str, order: Forge) -> Refusal | None:
    if refusal := _own(work, power, order.army, "WF-ACT-15"):
        return refusal
    try:
        forged(work.armies[order.army], order.tier)
    except Illegal as error:
        return error.refusal
    return None


def forge(work: Work, power: str, index: int, order: Forge) -> dict[str, object]:
    army = work.armies[order.army]
    rolled = attempt(work, power, index, order, forge_difficulty(army, order.tier))
    if rolled.passed:
        work.put(forged(army, order.tier))
    return {"challenge": rolled, "army": army.id}


# D-04


def _waiting(work: Work, key: str) -> Training:
    return next(one for one in work.season.training if one.army == about(key))


def keys(work: Work) -> list[str]:
    return [f"{one.power}#{one.army}" for one in work.season.training]


def question(work: Work, key: str) -> dict[str, Any]:
    one = _waiting(work, key)
    army = work.armies[one.army]
    return {
        "army": army.id,
        "dice": list(one.dice),
        "lines": [LEVEL_LINES[face].title for face in one.dice],
        "picks": LEVEL_PICKS,
        "pick_twice": work.season.options.levelup_pick == "free",
        "keywords": list(learnable(army)),
        "classes": list(BASIC_CLASSES) if army.class_ == "levy" else [],
        "signatures": list(SIGNATURES),
        "policy": _picked(work, one),
    }


def _picked(work: Work, one: Training) -> Any:
    return policy_choice(work.armies[one.army], one.dice)


def check(work: Work, key: str, answer: LevelChoice) -> Refusal | None:
    one = _waiting(work, key)
    return check_level(work.armies[one.army], one.dice, answer, work.season.options)


def close(work: Work, replies: Replies) -> None:
    for one in work.season.training:
        army = work.armies[one.army]
        choice = replies.get(f"{one.power}#{one.army}") or _picked(work, one)
        if choice.discard:  # WF-ACT-12
            work.change(army.id, experience=(*army.experience, *one.experience))
            work.emit("level", (one.power,), army=army.id, discarded=True)
            continue
        bonuses = chosen(one.dice, choice)
        risen = level_up(army, bonuses, class_=choice.class_, signature=choice.signature)
        work.put(risen)
        work.emit(
            "level", (one.power,), army=army.id, discarded=False, rank=risen.rank,
            bonuses=[LEVEL_LINES[bonus.line].title for bonus in bonuses],
        )  # fmt: skip
    work.season.training = []
