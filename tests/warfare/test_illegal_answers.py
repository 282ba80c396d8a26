"""A fuzzer of answers that are not legal: they are refused by name, and the state never changes."""

import os
import random
from typing import Any

import pytest

from shared.canonical import encode
from shared.warfare.battle import machine
from shared.warfare.battle.opening import open_battle
from shared.warfare.battle.state import Battle
from shared.warfare.decisions import Decision, Stepped
from shared.warfare.errors import BadInput, Illegal
from tests.warfare.answerer import answer, random_engagement
from tests.warfare.chance import SEED
from tests.warfare.marks import rule

BATTLES = 400 if os.environ.get("LASTWATERS_DRILLS") == "full" else 40
NONSENSE = [
    "",
    "nobody",
    "p1",
    "p10",
    "advance",
    "special:none",
    -1,
    0,
    1,
    7,
    10**9,
    None,
    True,
    [],
    {},
    "*" * 300,
]


def garbled(luck: random.Random, value: Any, names: list[str]) -> Any:
    """``value`` with something in it changed, swapped for a name from elsewhere, doubled, or replaced by nonsense."""
    if isinstance(value, dict) and value and luck.random() < 0.9:
        key = luck.choice(list(value))
        if luck.random() < 0.1:
            return {**value, luck.choice(["spice", "army", "line", "entries"]): luck.choice(NONSENSE)}
        return {**value, key: garbled(luck, value[key], names)}
    if isinstance(value, list | tuple) and value and luck.random() < 0.9:
        listed = list(value)
        if luck.random() < 0.3:
            return [*listed, luck.choice([*listed, *names])]
        at = luck.randrange(len(listed))
        listed[at] = garbled(luck, listed[at], names)
        return listed
    return luck.choice([*NONSENSE, *names])


def names_of(battle: Battle) -> list[str]:
    return [
        *(fighter.id for fighter in battle.fighters),
        *(power.id for power in battle.powers),
        *(goal.id for goal in battle.goals),
        *(asset.id for power in battle.powers for asset in (*power.assets, *power.committed)),
    ]


def refused(battle: Battle, decision: Decision, given: Any) -> bool:
    """Whether ``given`` may not be sealed; then a step must not take it either."""
    before = encode(battle)
    try:
        refusal = machine.check(battle, decision.id, given)
    except BadInput as problem:
        assert problem.where and problem.what
    else:
        if refusal is None:
            assert encode(battle) == before
            return False
        assert refusal.rule.startswith("WF-") and refusal.what and refusal.legal, refusal
    with pytest.raises((Illegal, BadInput)):
        machine.step(battle, {decision.id: given})
    assert encode(battle) == before
    return True


@rule("WF-DEC-02", "WF-GEN-01")
def test_no_illegal_answer_changes_a_battle() -> None:
    count = 0
    for index in range(BATTLES):
        luck = random.Random(f"{SEED}/{index}")
        now: Stepped[Battle] = open_battle(random_engagement(luck))
        while now.decisions:
            answers = {decision.id: answer(luck, decision) for decision in now.decisions}
            decision = luck.choice(now.decisions)
            given = garbled(luck, answers[decision.id], names_of(now.state))
            try:
                count += refused(now.state, decision, given)
            except AssertionError as error:
                raise AssertionError(f"battle {SEED}/{index}: {decision.id} {given!r}") from error
            now = machine.step(now.state, answers)
    assert count > BATTLES, f"only {count} answers were refused"


@rule("WF-DEC-01")
def test_a_decision_that_is_not_open_is_refused() -> None:
    now = open_battle(random_engagement(random.Random(5)))
    closed = now.decisions[0].id
    now = machine.step(now.state, {})
    for name in (closed, "D-11:elsewhere:r1:p1", "gm", ""):
        before = encode(now.state)
        with pytest.raises(BadInput):
            machine.step(now.state, {name: {}})
        with pytest.raises(BadInput):
            machine.check(now.state, name, {})
        assert encode(now.state) == before
