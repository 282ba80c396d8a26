"""What a seated game master rules: D-08, and orders beside any window (sections 7, 23, WF-DEC-08)."""

from typing import Any

from shared.warfare.answers import GmEffect, GmGoal, GmOrder, GmOrders, GmSetup
from shared.warfare.battle import forms, goals, setup
from shared.warfare.battle.window import Replies, Window
from shared.warfare.battle.work import Work
from shared.warfare.content.goals import BASE, CATALOGUE
from shared.warfare.content.statuses import STATUSES
from shared.warfare.content.tables import TERRAINS
from shared.warfare.decisions import GM
from shared.warfare.errors import Refusal
from shared.warfare.spells import DoStatus, Special, Spell
from shared.warfare.world import ROGUES


def keys(work: Work) -> list[str]:
    return [GM]


def question(work: Work, key: str) -> dict[str, Any]:
    battle = work.battle
    return {
        "terrain": list(TERRAINS),
        "sides": [list(side.powers) for side in battle.sides],
        "defender": battle.defender,
        "armies": [setup.banner(fighter) for fighter in battle.fighters if fighter.stand != "out"],
        "assets": {power.id: [asset.id for asset in power.committed] for power in battle.powers},
        "proposals": [
            {"side": side, "goal": proposal.goal, "target": proposal.target, "text": proposal.text}
            for side, one in enumerate(battle.sides)
            for proposal in work.contender(one.captain).proposals
        ],
        "catalogue": list(CATALOGUE),
        "rewards": sorted(goals.REWARDS),
        "statuses": list(STATUSES),
    }


def check(work: Work, key: str, answer: GmSetup) -> Refusal | None:
    sides = len(work.battle.sides)
    if answer.terrain is not None and answer.terrain not in TERRAINS:
        return Refusal(rule="WF-GM-01", what=f"no terrain {answer.terrain!r}", legal=", ".join(TERRAINS))
    if isinstance(answer.defender, int) and answer.defender >= sides:
        return Refusal(rule="WF-GM-03", what=f"no side {answer.defender}", legal=f"0 to {sides - 1}, none")
    for effect in answer.effects:
        if effect.status is not None and (effect.status not in STATUSES or effect.army not in work.by_id):
            return Refusal(
                rule="WF-SET-07", what=f"no status {effect.status!r} for {effect.army!r}",
                legal=", ".join(STATUSES),
            )  # fmt: skip
    names = ["walls", *BASE, *(goal.id for goal in answer.goals or ())]
    if twice := next((name for name in names if names.count(name) > 1), None):
        return Refusal(rule="WF-GM-04", what=f"goal {twice!r} is there twice", legal="each id once")
    for goal in answer.goals or ():
        if refusal := _check_goal(goal):
            return refusal
    return None


def _check_goal(goal: GmGoal) -> Refusal | None:
    for rewards in goal.rewards:
        for reward, by in rewards:
            if reward not in goals.REWARDS or not isinstance(by, int):
                return Refusal(
                    rule="WF-GM-04", what=f"no reward {reward!r} {by!r}", legal=", ".join(goals.REWARDS)
                )
    return None


def close(work: Work, replies: Replies) -> None:
    answer: GmSetup | None = replies.get(GM)
    if answer is not None:  # WF-GM-01 to GM-04
        battle = work.battle
        if answer.terrain is not None:
            battle.terrain = answer.terrain
            battle.sunlight = not battle.sunless and not TERRAINS[answer.terrain].shades
        if isinstance(answer.sunlight, bool):
            battle.sunlight = answer.sunlight
        elif answer.sunlight:
            battle.sun_by_round = list(answer.sunlight)
        if answer.defender is not None:
            battle.defender = None if answer.defender == "none" else answer.defender
        battle.effects += answer.effects
        work.emit("ruled", terrain=battle.terrain, defender=battle.defender)
    setup.open_round_one(work, answer)


def check_orders(work: Work, orders: GmOrders) -> Refusal | None:
    battle = work.battle
    for order in orders.orders:
        for name in order.targets:
            if name not in work.by_id:
                return Refusal(
                    rule="WF-DEC-08", what="is not in this battle", army=name, legal=", ".join(work.by_id)
                )
        for effect in order.effects:
            if isinstance(effect, DoStatus) and effect.name not in STATUSES:
                return Refusal(rule="WF-DEC-08", what=f"no status {effect.name!r}", legal=", ".join(STATUSES))
        for side in (order.side, order.winner):
            if isinstance(side, int) and side >= len(battle.sides):
                return Refusal(
                    rule="WF-DEC-08", what=f"no side {side}", legal=f"0 to {len(battle.sides) - 1}"
                )
        if order.goal is not None and order.goal not in [goal.id for goal in battle.goals]:
            return Refusal(
                rule="WF-DEC-08",
                what=f"no goal {order.goal!r}",
                legal=", ".join(one.id for one in battle.goals),
            )
    for name in orders.policies:
        if name not in work.by_id or work.by_id[name].power != ROGUES:
            rogues = [one.id for one in battle.fighters if one.power == ROGUES]
            return Refusal(rule="WF-GM-08", what="is no rogue army", army=name, legal=", ".join(rogues))
    for name in orders.imperilled:
        if name not in work.by_id:
            return Refusal(
                rule="WF-GM-09", what="is not in this battle", army=name, legal=", ".join(work.by_id)
            )
    powers = [power.id for power in battle.powers]
    for name in (*orders.spells, *orders.specials):
        if name not in powers:
            return Refusal(rule="WF-GM-06", what=f"no power {name!r}", legal=", ".join(powers))
    gifts: list[Spell | Special] = [gift for given in orders.spells.values() for gift in given]
    gifts += [gift for given in orders.specials.values() for gift in given]
    for effect in (effect for gift in gifts for effect in gift.effects):
        if isinstance(effect, DoStatus) and effect.name not in STATUSES:
            return Refusal(rule="WF-GM-06", what=f"no status {effect.name!r}", legal=", ".join(STATUSES))
    return None


def give(work: Work, orders: GmOrders) -> None:
    """Applies a game master's orders before the window closes; each is logged."""
    for name, policy in orders.policies.items():
        work.set_policy(work.by_id[name], policy)
    for name, ruling in orders.imperilled.items():
        work.by_id[name].imperilled = ruling
    for name, spells in orders.spells.items():  # WF-GM-06
        work.contender(name).spells += spells
    for name, specials in orders.specials.items():
        work.contender(name).specials += specials
    for order in orders.orders:
        _give(work, order)


def _give(work: Work, order: GmOrder) -> None:
    battle = work.battle
    # What is not on the field feels nothing of it and must not be named (WF-DEC-08, WF-VIS-03).
    reached = [army for name in order.targets if (army := work.by_id[name]).stand == "line"]
    work.emit("gm-order", targets=[army.id for army in reached], side=order.side, goal=order.goal)
    forms.perform(work, order.effects, me=None, side=order.side, targets=reached)
    if order.number is not None:
        battle.effects.append(GmEffect(number=order.number, by=order.by, side=order.side))
    for goal in battle.goals:
        if goal.id == order.goal and order.winner is not None:
            goal.ruled = -1 if order.winner == "none" else order.winner


WINDOW = Window("D-08", keys, question, check, close)
