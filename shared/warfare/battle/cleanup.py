"""The Cleanup phase and D-14 (WF-RND-25 to RND-27)."""

from typing import Any

from shared.warfare.answers import Withdraw
from shared.warfare.battle import damage, ending, forms, leaving, statuses, triggers
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.window import Replies, Window, asked
from shared.warfare.battle.work import Happening, Work
from shared.warfare.content.statuses import STATUSES
from shared.warfare.errors import Refusal


def begin(work: Work) -> None:
    """Up to the ticking of statuses; then withdrawals are asked for."""
    for fighter in work.deployed():  # (1) burning
        for name, status in STATUSES.items():
            if status.burns and name in fighter.statuses:
                work.emit("burning", army=fighter.id)
                forms.hurt(work, fighter, 1, status.burns)
    if ending.over(work):
        return
    for fighter in work.deployed():  # (2) frightened
        for name, status in STATUSES.items():
            if status.frightens and (stacks := fighter.statuses.get(name, 0)):
                damage.challenge(work, fighter, "morale.frightened", stacks)
    if ending.over(work):
        return
    for fighter in work.deployed():  # (3) ticks
        statuses.tick(work, fighter)
    for fighter in work.battle.fighters:
        if fighter.stand == "delayed":  # WF-SET-13, WF-STA-23
            fighter.delayed -= 1
            if fighter.delayed <= 0:
                fighter.stand = "reserve"
                work.battle.sides[fighter.side].bench.append(fighter.id)
    work.battle.phase = "withdraw"


def _line(work: Work, power: str) -> list[Fighter]:
    return [one for one in work.line(work.contender(power).side) if one.power == power]


def _hemmed(work: Work, power: str) -> bool:
    return work.battle.sides[work.contender(power).side].hemmed


def keys(work: Work) -> list[str]:
    return [
        name
        for name in asked(work, work.battle.powers)
        if (line := _line(work, name))
        and (not _hemmed(work, name) or any(fighter.active > 1 for fighter in line))
    ]


def question(work: Work, power: str) -> dict[str, Any]:
    line = _line(work, power)
    return {
        "round": work.battle.round,
        "retreat": [] if _hemmed(work, power) else [fighter.id for fighter in line],
        "rout": [
            {
                "army": fighter.id,
                "units": [index for index, unit in enumerate(fighter.units) if unit.state == "active"],
                "most": fighter.active - 1,
            }
            for fighter in line
            if fighter.active > 1
        ],
    }


def check(work: Work, power: str, answer: Withdraw) -> Refusal | None:
    line = {fighter.id: fighter for fighter in _line(work, power)}
    for name in (*answer.retreat, *(shed.army for shed in answer.rout)):
        if name not in line:
            return Refusal(
                rule="WF-RND-26", what="is not on the field for you", army=name, legal=", ".join(line)
            )
    if answer.retreat and _hemmed(work, power):
        return Refusal(
            rule="WF-RND-26", what="is encircled", army=answer.retreat[0], legal="no retreat this round"
        )
    seen: set[str] = set()
    for shed in answer.rout:
        fighter = line[shed.army]
        able = [index for index, unit in enumerate(fighter.units) if unit.state == "active"]
        if shed.army in seen or len(set(shed.units)) != len(shed.units) or not set(shed.units) <= set(able):
            return Refusal(
                rule="WF-RND-27", what=f"cannot rout units {list(shed.units)}", army=shed.army,
                legal=f"of {able}, each once",
            )  # fmt: skip
        if len(shed.units) >= len(able):
            return Refusal(
                rule="WF-RND-27", what="keeps its last unit", army=shed.army, legal=f"at most {len(able) - 1}"
            )
        seen.add(shed.army)
    return None


def close(work: Work, replies: Replies) -> None:
    battle = work.battle
    for contender in battle.powers:  # (4)
        answer: Withdraw | None = replies.get(contender.id)
        for fighter in _line(work, contender.id):
            if answer is None:
                _by_policy(work, fighter)
                continue
            for shed in answer.rout:
                if shed.army == fighter.id:
                    damage.rout_units(work, fighter, list(shed.units))
            if fighter.id in answer.retreat:
                leaving.leave(work, fighter)
    if ending.over(work):
        return
    triggers.happen(work, Happening("round-end"))  # (5)
    for fighter in battle.fighters:  # (6)
        fighter.attacked = fighter.guard = 0
        fighter.exhausted = fighter.hurt = False
        fighter.once.clear()  # WF-INT-41
    for side in battle.sides:
        side.won.clear()
        side.hemmed = False
    if ending.over(work):  # (7)
        return
    if battle.round >= battle.options.rounds:  # WF-RND-01
        ending.end(work, None)  # WF-END-02
        return
    work.next_round()
    battle.phase = "deploy"


def _by_policy(work: Work, fighter: Fighter) -> None:
    """WF-INT-23, WF-INT-24."""
    policy = work.policy(fighter)
    if policy.shed == "on_brink":
        capacity = work.profile(fighter).capacity
        brink = [
            index
            for index, unit in enumerate(fighter.units)
            if unit.state == "active" and unit.wounds == capacity - 1
        ]
        damage.rout_units(work, fighter, brink[: max(0, fighter.active - 1)])
    when = policy.retreat
    if when == "never" or work.battle.sides[fighter.side].hemmed:
        return
    few = when.active_at_most is not None and fighter.active <= when.active_at_most
    hurt = when.bloodied_at_least is not None and fighter.bloodied >= when.bloodied_at_least
    if few or hurt:
        leaving.leave(work, fighter)


WINDOW = Window("D-14", keys, question, check, close, default=lambda work, key: None)
