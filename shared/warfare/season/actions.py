"""The orders of D-03: what may be filed, and their resolution by kind (WF-SEAS-04 to WF-SEAS-07)."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from shared.warfare.army import Place
from shared.warfare.challenge import Challenge
from shared.warfare.errors import Refusal
from shared.warfare.season import (
    choices,
    diplomacy,
    hiring,
    influence,
    levies,
    musters,
    policies,
    training,
    trials,
)
from shared.warfare.season.orders import AnyOrder, Orders
from shared.warfare.season.trials import action_of
from shared.warfare.season.window import Replies, Window
from shared.warfare.season.work import Work

Check = Callable[[Work, str, Any], Refusal | None]
Do = Callable[[Work, str, int, Any], dict[str, object]]


class Action(NamedTuple):
    """``do`` is null for kinds that resolve all together."""

    check: Check
    do: Do | None = None
    once: bool = False
    """An army may be named by one such order a season."""


ACTIONS: Final[dict[str, Action]] = {  # in the order of resolution (WF-SEAS-05)
    "disband": Action(levies.check_disband),
    "hire": Action(hiring.check_hire),
    "gather": Action(hiring.check_gather),
    "levy": Action(levies.check_levy, levies.raise_levy),
    "forge": Action(training.check_forge, training.forge, once=True),
    "train": Action(training.check_train, training.train, once=True),
    "whisper": Action(influence.check_whisper, influence.whisper),
    "purge": Action(influence.check_purge, influence.purge),
    "propose": Action(diplomacy.check),
    "accept": Action(diplomacy.check),
    "break": Action(diplomacy.check),
    "muster": Action(musters.check_muster, once=True),
}

ONCE: Final = {"muster": "WF-ACT-01", "train": "WF-ACT-10", "forge": "WF-ACT-16"}


def check_orders(work: Work, power: str, answer: Orders) -> Refusal | None:
    """Whether these may be filed together, as far as the power can know."""
    slots = work.season.options.actions_per_season
    if sum(action_of(order) not in choices.FREE for order in answer.orders) > slots:
        return Refusal(rule="WF-SEAS-04", what="more orders than slots", legal=f"{slots} and free ones")
    assets: set[str] = set()
    once: set[tuple[str, str]] = set()
    for order in answer.orders:
        name = action_of(order)
        if refusal := ACTIONS[name].check(work, power, order) or trials.check_assets(work, power, order):
            return refusal
        if twice := assets & set(order.assets):
            return Refusal(rule="WF-AST-05", what=f"asset {min(twice)!r} twice", legal="once a season")
        assets |= set(order.assets)
        if ACTIONS[name].once:
            for army in _armies(order):
                if (name, army) in once:
                    return Refusal(
                        rule=ONCE[name], what=f"has one {name} already", army=army, legal="one a season"
                    )
                once.add((name, army))
    return policies.check(work, power, answer.replace_policies)


def _armies(order: AnyOrder) -> tuple[str, ...]:
    many = getattr(order, "armies", None)
    return tuple(many) if many is not None else (str(getattr(order, "army", "")),)


def keys(work: Work) -> list[str]:
    return work.seats()


def close(work: Work, replies: Replies) -> None:
    for power in work.seats():
        answer: Orders | None = replies.get(power)
        if answer is not None:
            policies.replace_all(work, answer.replace_policies)
            work.season.filed[power] = answer
    for power, index, order in _filed(work, "disband"):
        refusal = levies.check_disband(work, power, order)
        if refusal is None:
            levies.disband(work, order.army)
        _tell(work, power, index, order, refusal, {})
    offers = [hiring.Offered(*one) for one in _filed(work, "hire")]
    for offer, refusal, facts in hiring.hire(work, offers):
        _tell(work, offer.power, offer.number, offer.order, refusal, facts)
    _gather(work)
    for name in ("levy", "forge", "train"):
        _each(work, name)
    work.season.phase = "levels"


def _filed(work: Work, action: str) -> list[tuple[str, int, Any]]:
    """Orders of a kind by seat, then as filed."""
    return [
        (power, index, order)
        for power in work.seats()
        if power in work.season.filed
        for index, order in enumerate(work.season.filed[power].orders)
        if action_of(order) == action
    ]


def _gather(work: Work) -> None:
    tries: list[hiring.Gathered] = []
    for power, index, order in _filed(work, "gather"):
        refusal = hiring.check_gather(work, power, order) or trials.check_assets(work, power, order)
        if refusal is None:
            tries.append(hiring.roll_gather(work, power, index, order))
        else:
            _tell(work, power, index, order, refusal, {})
    won = hiring.gather(work, tries)
    for one in tries:
        units = won.get((one.power, one.number), 0)
        _tell(
            work, one.power, one.number, one.order, None,
            {"challenge": one.rolled, "army": one.order.army, "units": units}, done=units > 0,
        )  # fmt: skip


def _each(work: Work, action: str) -> None:
    """One after the other, each checked again as it resolves."""
    row = ACTIONS[action]
    for power, index, order in _filed(work, action):
        refusal = row.check(work, power, order) or trials.check_assets(work, power, order)
        facts = row.do(work, power, index, order) if refusal is None and row.do is not None else {}
        _tell(work, power, index, order, refusal, facts)


def _tell(
    work: Work, power: str, index: int, order: AnyOrder, refusal: Refusal | None, facts: dict[str, Any],
    *, done: bool = True,
) -> None:  # fmt: skip
    """What became of an order, to its power only (WF-VIS-05)."""
    rolled: Challenge | None = facts.pop("challenge", None)
    shown: dict[str, Any] = {"index": index, "action": action_of(order), **facts}
    if rolled is not None:
        done = done and rolled.passed
        shown |= {
            "faces": list(rolled.faces),
            "successes": rolled.successes,
            "difficulty": rolled.difficulty,
            "excess": rolled.excess,
        }
    if refusal is not None:
        shown |= {"rule": refusal.rule, "why": refusal.message}
    status = "done" if done and refusal is None else "failed"
    work.emit("order", (power,), power=power, status=status, **shown)


def finish(work: Work) -> None:
    """What follows D-04: influence, diplomacy, then Movement, and on to declarations."""
    for name in ("whisper", "purge"):
        _each(work, name)
    filed = [diplomacy.Filed(*one) for power in work.seats() for one in _diplomatic(work, power)]
    for told, refusal in diplomacy.resolve(work, filed):
        _tell(work, told.power, told.number, told.order, refusal, {"with": told.order.power})
    going: dict[str, Place] = {}
    for power, index, order in _filed(work, "muster"):
        refusal = musters.check_muster(work, power, order, resolving=True) or trials.check_assets(
            work, power, order
        )
        facts = musters.muster(work, power, index, order, going) if refusal is None else {}
        _tell(work, power, index, order, refusal, facts)
    musters.march(work, going)
    work.season.filed = {}
    work.season.phase = "declare"


def _diplomatic(work: Work, power: str) -> list[tuple[str, int, Any]]:
    filed = work.season.filed.get(power, Orders())
    return [
        (power, index, order)
        for index, order in enumerate(filed.orders)
        if action_of(order) in ("propose", "accept", "break")
    ]


def _levels(work: Work, replies: Replies) -> None:
    training.close(work, replies)
    finish(work)


WINDOW = Window("D-03", keys, choices.question, check_orders, close, default=lambda work, key: {})
LEVELS = Window("D-04", training.keys, training.question, training.check, _levels)
