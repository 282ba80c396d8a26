"""Answers that no question asks for: refused, and nothing has changed."""

import random
from typing import Any

import pytest

from shared.canonical import encode
from shared.warfare.battle import machine
from shared.warfare.battle.opening import open_battle
from shared.warfare.errors import BadInput, Illegal
from tests.warfare.answerer import answer, random_engagement
from tests.warfare.marks import rule

SEED = random.randrange(10**9)
JUNK: tuple[Any, ...] = (None, True, -1, 10**30, 0.5, "", "nobody", [], {}, ["nobody"], {"x": 1}, [[1]], "p1")


def spoiled(luck: random.Random, value: Any) -> Any:
    """``value`` with one place in it changed."""
    if isinstance(value, dict) and value and luck.random() < 0.9:
        name = luck.choice(sorted(value))
        return {**value, name: spoiled(luck, value[name])}
    if isinstance(value, list) and value and luck.random() < 0.8:
        index = luck.randrange(len(value))
        changed = spoiled(luck, value[index])
        return [*value[:index], changed, *value[index + 1 :], *([changed] if luck.random() < 0.3 else [])]
    return luck.choice(JUNK)


@rule("WF-DEC-01", "WF-DEC-02")
@pytest.mark.parametrize("block", range(4))
def test_illegal_answers_never_change_a_battle(block: int) -> None:
    refused = 0
    for index in range(60):
        seed = f"{SEED}/{block}/{index}"
        luck = random.Random(seed)
        now = open_battle(random_engagement(luck, armies=3))
        while now.decisions:
            answers = {decision.id: answer(luck, decision) for decision in now.decisions}
            decision = luck.choice(now.decisions)
            wrong = spoiled(luck, answers[decision.id])
            before = encode(now.state)
            try:
                refusal = machine.check(now.state, decision.id, wrong)
            except BadInput as error:
                assert error.where and error.what
                refusal = None
                legal = False
            else:
                legal = refusal is None
            assert encode(now.state) == before, seed
            if not legal:
                refused += 1
                if refusal is not None:
                    assert refusal.rule.startswith("WF-") and refusal.what and refusal.legal, seed
                with pytest.raises((BadInput, Illegal)):
                    machine.step(now.state, {**answers, decision.id: wrong})
                assert encode(now.state) == before, seed
            now = machine.step(now.state, answers)
    assert refused > 100


@rule("WF-DEC-01")
def test_a_window_takes_no_answer_of_another() -> None:
    luck = random.Random(SEED)
    now = open_battle(random_engagement(luck))
    old = {decision.id: answer(luck, decision) for decision in now.decisions}
    now = machine.step(now.state, old)
    while now.decisions and now.decisions[0].id in old:
        now = machine.step(now.state, {})
    if now.decisions:
        with pytest.raises(BadInput, match="no such open decision"):
            machine.step(now.state, old)
