"""What holds of every battle, on random battles answered by chance."""

import os
import random
from collections.abc import Iterator

import msgspec
import pytest

from shared.canonical import encode
from shared.warfare.battle import machine
from shared.warfare.battle.opening import open_battle
from shared.warfare.battle.outcome import outcome
from shared.warfare.battle.state import Battle
from shared.warfare.battle.statuses import STATUSES
from shared.warfare.card import profile_of
from shared.warfare.decisions import GM, Stepped
from tests.warfare.answerer import answer, random_engagement
from tests.warfare.chance import SEED
from tests.warfare.marks import rule

FULL = os.environ.get("LASTWATERS_DRILLS") == "full"
BATTLES = 10_000 if FULL else 2_000
BLOCKS = 20


def played(seed: str) -> Iterator[Stepped[Battle]]:
    luck = random.Random(seed)
    now = open_battle(random_engagement(luck))
    yield now
    while now.decisions:
        answers = {decision.id: answer(luck, decision) for decision in now.decisions if luck.random() < 0.9}
        for decision in now.decisions:
            if decision.id in answers:
                refusal = machine.check(now.state, decision.id, answers[decision.id])
                assert refusal is None, (seed, refusal)
        now = machine.step(now.state, answers)
        yield now


def sound(battle: Battle) -> None:
    places = {"line": 0, "reserve": 0}
    for fighter in battle.fighters:
        capacity = profile_of(fighter.card).capacity
        assert 0 <= fighter.momentum <= fighter.active
        assert 0 <= fighter.armor <= max(0, fighter.armor_max)
        assert fighter.bloodied == max((unit.new_wounds for unit in fighter.units), default=0)
        for unit in fighter.units:
            assert 0 <= unit.new_wounds <= unit.wounds <= capacity
            assert (unit.state == "slain") == (unit.wounds == capacity) or fighter.killed
        assert all(stacks > 0 for stacks in fighter.statuses.values())
        for name in fighter.statuses:
            assert STATUSES[name].opposite not in fighter.statuses
        assert not fighter.bonds or fighter.statuses.get("weakened")
        if fighter.stand == "line":
            places["line"] += 1
            assert fighter.active or battle.phase == "ended"
    assert battle.round <= battle.options.rounds
    assert all(side.escalation >= 0 for side in battle.sides)
    assert all((threshold or 1) >= 1 for goal in battle.goals for threshold in goal.thresholds)


def asked_soundly(now: Stepped[Battle]) -> None:
    battle = now.state
    present = {
        fighter.power
        for fighter in battle.fighters
        if fighter.stand in ("here", "near", "line", "reserve", "delayed")
    }
    present |= {power.id for power in battle.powers if power.involved or power.champion}
    for decision in now.decisions:
        assert decision.power in present or decision.power == GM
        assert not any(power.id == decision.power and not power.asked for power in battle.powers)
    assert bool(now.decisions) == (battle.phase != "ended")


@rule("WF-GEN-01", "WF-CARD-12", "WF-ATK-20", "WF-STA-21", "WF-RND-01", "WF-DEC-03")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_battles_stay_sound(block: int) -> None:
    for index in range(BATTLES // BLOCKS):
        seed = f"{SEED}/{block}/{index}"
        try:
            for now in played(seed):
                sound(now.state)
                asked_soundly(now)
        except Exception as error:
            raise AssertionError(f"battle {seed!r}") from error
        ended = outcome(now.state)
        for fate, fighter in zip(ended.fates, now.state.fighters, strict=True):
            assert fate.slain + len(fate.army.units) == len(fighter.units)
            assert fate.routed == sum(unit.state == "routed" for unit in fate.army.units)


@rule("WF-RNG-03", "WF-GEN-06", "WF-GEN-08")
def test_the_same_answers_give_the_same_battle_and_states_are_whole_in_text() -> None:
    for index in range(20):
        first = [encode(now.state) for now in played(f"{SEED}/{index}")]
        again = [encode(now.state) for now in played(f"{SEED}/{index}")]
        assert first == again
        luck = random.Random(f"{SEED}/{index}")
        now = open_battle(random_engagement(luck))
        while now.decisions:
            answers = {
                decision.id: answer(luck, decision) for decision in now.decisions if luck.random() < 0.9
            }
            # Through canonical text, as a host keeps it: nothing may hang on the order of keys.
            text = encode(now.state)
            state = msgspec.json.decode(text, type=Battle)
            before = encode(now.state)
            machine.decisions(now.state)
            now = machine.step(state, answers)
            assert encode(state) == before
        assert encode(now.state) == first[-1]
