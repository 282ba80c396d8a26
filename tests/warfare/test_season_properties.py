"""What holds of every campaign, on random campaigns answered by chance."""

import os
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from shared.canonical import encode
from shared.warfare.answers import read
from shared.warfare.army import standing
from shared.warfare.battle.outcome import outcome
from shared.warfare.building import check_army
from shared.warfare.decisions import GM, KINDS, Stepped
from shared.warfare.errors import BadInput, Illegal
from shared.warfare.policy import Policy
from shared.warfare.season import aftermath, engaging, machine
from shared.warfare.season.state import Season, copy
from shared.warfare.season.work import Work
from shared.warfare.world import hex_key
from tests.warfare.chance import SEED
from tests.warfare.marks import rule
from tests.warfare.season_answerer import answer, random_campaign

FULL = os.environ.get("LASTWATERS_DRILLS") == "full"
CAMPAIGNS = 300 if FULL else 24
BLOCKS = 6
WINDOWS = 2_000
"""More than any campaign here can have."""


def played(seed: str) -> Iterator[tuple[Stepped[Season], dict[str, Any]]]:
    """Every state of a campaign, with the answers that close its window."""
    luck = random.Random(seed)
    now = machine.start(random_campaign(luck, seed))
    for _ in range(WINDOWS):
        prey = sorted({hex_key(army.hex) for army in now.state.armies if army.hex is not None})
        answers = {one.id: answer(luck, one, prey) for one in now.decisions if luck.random() < 0.9}
        if now.state.phase == "orders":
            answers |= _policies(luck, now.state)
        yield now, answers
        if not now.decisions:
            return
        now = machine.step(now.state, answers)
    raise AssertionError("a campaign that does not end")


def _policies(luck: random.Random, season: Season) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for army in season.armies:
        if army.controller is not None and army.controller not in season.out and luck.random() < 0.3:
            policy = Policy(
                heal=luck.choice(["most_wounded", "least_wounded", "ask"]),
                pay_fee=luck.random() < 0.7,
                scars=luck.randint(0, 2),
            )
            found.setdefault(f"policies:{army.controller}", {"armies": {}})["armies"][army.id] = policy
    return found


def sound(season: Season) -> None:
    ids = [army.id for army in season.armies]
    assert ids == sorted(set(ids))
    elsewhere = [one.army.id for one in season.records] + [one.army.id for one in season.dispersed]
    assert not set(ids) & set(elsewhere) and len(set(elsewhere)) == len(elsewhere)
    powers = {power.id for power in season.powers}
    hexes = {one.at for one in season.hexes}
    for army in season.armies:
        assert check_army(army) is None
        assert army.controller is None or army.controller in powers - set(season.out)
        assert army.hex in hexes
        assert all(unit.new_wounds == 0 and unit.state != "slain" for unit in army.units)
    for power in season.powers:
        assert min(power.coin, power.loyalty, power.fear) >= 0
        assert all(count > 0 for count in power.influence.values())
        champion = power.champion
        if champion is not None and champion.personal is not None:
            assert champion.alive and champion.at == _hex(season, champion.personal)
    for one in season.hexes:
        for site in one.sites:
            held = sum(army.depop_held for army in season.armies if army.origin_town == site.id)
            assert 0 <= held <= site.depopulated <= site.population
    pairs = [frozenset(pact) for pact in season.pacts]
    assert len(set(pairs)) == len(pairs)
    assert all(sum(power in pact for pact in pairs) <= 3 for power in powers)


def _hex(season: Season, name: str) -> object:
    return next(army.hex for army in season.armies if army.id == name)


def asked_soundly(now: Stepped[Season]) -> None:
    season = now.state
    alive = {power.id for power in season.powers} - set(season.out)
    ids = [decision.id for decision in now.decisions]
    assert len(set(ids)) == len(ids)
    assert bool(ids) == (season.phase != "ended")
    for decision in now.decisions:
        assert decision.power in alive or (decision.power == GM and season.options.gm_seat)
        if decision.battle is not None and decision.power != GM:
            battle = next(one for one in season.battles if one.id == decision.battle)
            assert decision.power in [power.id for power in battle.powers]
        msgspec.json.encode(decision)


def units(season: Season) -> int:
    """Living ones, wherever they are."""
    return sum(standing(army.units) for army in season.armies) + sum(
        len(one.army.units) for one in season.dispersed
    )


@rule("WF-GEN-01", "WF-SEAS-01", "WF-SEAS-09", "WF-DEC-01", "WF-DEC-03", "WF-CMP-09")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_campaigns_stay_sound_and_end(block: int) -> None:
    for index in range(CAMPAIGNS // BLOCKS):
        seed = f"{SEED}/{block}/{index}"
        try:
            for now, answers in played(seed):
                sound(now.state)
                asked_soundly(now)
                before = encode(now.state)
                assert encode(msgspec.json.decode(before, type=Season)) == before
                for name, given in answers.items():
                    assert machine.check(now.state, name, given) is None, name
                assert encode(now.state) == before
            last = now.state
            assert last.season <= last.options.seasons
            assert sorted(last.standing) == sorted(power.id for power in last.powers)
        except Exception as error:
            raise AssertionError(f"campaign {seed!r}") from error


@rule("WF-END-03", "WF-END-06", "WF-SEAS-09", "WF-CARD-02")
def test_units_and_coin_add_up_over_battles() -> None:
    """What a season's battles leave is what went in, less the slain; coin moves only as outcomes say."""
    fights = 0
    for index in range(8):
        for now, answers in played(f"{SEED}/units/{index}"):
            if now.state.phase != "battles":
                continue
            work = Work(copy(now.state))
            engaging.step(work, _by_battle(now, answers))
            if not aftermath.over(work):
                continue
            fights += 1
            results = [outcome(battle) for battle in work.season.battles]
            aftermath.settle(work)
            after = work.done()
            slain = sum(fate.slain for result in results for fate in result.fates)
            assert units(after) == units(now.state) - slain
            for power in now.state.powers:
                gained = sum(result.coin.get(power.id, 0) for result in results)
                left = next(one for one in after.powers if one.id == power.id)
                assert left.coin == power.coin + gained >= 0
    assert fights, "no battle was fought"


def _by_battle(now: Stepped[Season], answers: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for decision in now.decisions:
        if decision.battle is not None and decision.id in answers:
            form = KINDS[decision.kind].form
            found.setdefault(decision.battle, {})[decision.id] = read(answers[decision.id], form, "answer")
    return found


@rule("WF-RNG-01", "WF-RNG-03")
def test_a_campaign_is_the_same_from_the_same_answers() -> None:
    seed = f"{SEED}/again"
    once = [encode(now.state) for now, _ in played(seed)]
    assert once == [encode(now.state) for now, _ in played(seed)]


WRONG: tuple[Any, ...] = (
    None,
    7,
    {"no": "such"},
    {"disband": ["x"]},
    {"coin": 10_000},
    {"coin": -1},
    {"orders": [{"action": "train", "army": "rogue-1"}]},
    {"orders": [{"action": "muster", "armies": ["rogue-1"], "to": [0, 0]}]},
    {"orders": [{"action": "muster", "armies": [], "to": [0, 0]}]},
    {"orders": [{"action": "hire", "army": "p1.infantry", "coin": 99999}]},
    {"orders": [{"action": "propose", "power": "nobody"}]},
    {"orders": [{"action": "dance"}]},
    {"orders": [{"action": "whisper", "at": [99, 99]}]},
    {"picks": [0, 0, 0]},
    {"picks": [99, 1, 2]},
    {"declarations": [{"hex": [99, 99], "against": ["p1"]}]},
    {"accept": ["nobody"]},
    {"side_of": "nobody"},
    {"armies": {"nobody": "coin"}},
    {"armies": {"nobody": [0]}},
    {"line": ["nobody"]},
    {"entries": [{"army": "nobody", "command": "slay"}]},
    {"retreat": ["nobody"]},
    {"to": 99},
    {"spell": "none"},
    {"deploy": ["nobody"]},
)


@rule("WF-DEC-02")
def test_illegal_answers_never_change_a_state() -> None:
    tried = 0
    for index in range(4):
        luck = random.Random(f"{SEED}/wrong/{index}")
        for now, answers in played(f"{SEED}/wrong/{index}"):
            before = encode(now.state)
            for decision in now.decisions:
                for wrong in luck.sample(WRONG, 3):
                    tried += _tried(now.state, decision.id, wrong, answers)
            with pytest.raises(BadInput):
                machine.step(now.state, {**answers, "D-03:s0:nobody": {}})
            assert encode(now.state) == before
    assert tried


def _tried(season: Season, name: str, wrong: Any, answers: dict[str, Any]) -> bool:
    try:
        refused = machine.check(season, name, wrong) is not None
    except BadInput:
        refused = True
    if refused:
        with pytest.raises((BadInput, Illegal)):
            machine.step(season, {**answers, name: wrong})
    return refused


def test_an_ended_campaign_takes_nothing() -> None:
    *_, (last, _) = played(f"{SEED}/ended")
    assert machine.decisions(last.state) == ()
    assert machine.step(last.state, {}).state == last.state
    with pytest.raises(BadInput):
        machine.step(last.state, {"D-03:s1:p1": {}})
