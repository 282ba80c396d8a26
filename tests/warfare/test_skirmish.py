"""A single battle as a match: drafts within a budget, armies given, the battle (WF-CMP-10)."""

import random
from typing import Any

import msgspec
import pytest

from shared.canonical import encode
from shared.warfare.answers import read
from shared.warfare.card import show
from shared.warfare.errors import BadInput, Illegal
from shared.warfare.options import Options
from shared.warfare.season import drafting, skirmish
from shared.warfare.season.drafts import Draft
from shared.warfare.season.skirmish import Corner, Skirmish, new_skirmish
from shared.warfare.world import Hex, Site
from tests.warfare.answerer import answer
from tests.warfare.chance import SEED
from tests.warfare.marks import rule
from tests.warfare.realm import army

LEVEL = [{"line": 4}, {"line": 2}, {"line": 3}]
PLAIN = {"ancestry": "orcs", "class": "axes", "size": 4, "tier": 2, "bonus": {"line": 1}, "levels": [LEVEL]}


def corners(count: int = 2) -> list[Corner]:
    return [Corner(id=f"p{seat}", seat=seat) for seat in range(1, count + 1)]


def refused(*armies: Any, options: Options | None = None) -> str:
    now = new_skirmish("s", corners(), options=options)
    found = skirmish.check(now.state, "draft:p1", {"armies": list(armies)})
    return found.rule if found is not None else ""


@rule("WF-CMP-10", "WF-LVL-06")
@pytest.mark.parametrize(
    ("changes", "cost"),
    [
        ({}, 16),
        ({"levels": [], "class": "levy", "tier": 0, "size": 8}, 16),
        ({"levels": [LEVEL] * 3, "size": 8}, 44),
        ({"premium": "frigid"}, 20),
        ({"class": "giant"}, 24),
        ({"class": "giant", "premium": "nightmare", "tier": 4}, 32),
    ],
)
def test_what_an_army_costs(changes: dict[str, Any], cost: int) -> None:
    draft: Draft = read({"armies": [{**PLAIN, **changes}]}, Draft, "draft")
    assert drafting.cost(draft.armies[0]) == cost
    assert refused({**PLAIN, **changes}) == ""
    assert refused({**PLAIN, **changes}, options=Options(draft_budget=cost - 1)) == "WF-CMP-10"
    (built,) = drafting.muster(draft, "p1")
    assert built.rank == 1 + len(draft.armies[0].levels) and len(built.units) == draft.armies[0].size


@rule("WF-CMP-10", "WF-LVL-03", "WF-LVL-04", "WF-EQP-02", "WF-ACT-46")
@pytest.mark.parametrize(
    ("changes", "forbidden_by"),
    [
        ({"ancestry": "hobbits"}, "WF-CARD-01"),
        ({"class": "knights"}, "WF-LVL-03"),
        ({"levels": []}, "WF-LVL-03"),
        ({"class": "dragon"}, "WF-EQP-02"),
        ({"premium": "siege"}, "WF-ACT-46"),
        ({"bonus": {"line": 6, "keyword": "frigid"}}, "WF-LVL-04"),
        ({"levels": [[{"line": 4}, {"line": 4}, {"line": 3}]]}, "WF-LVL-06"),
        ({"policy": {"class": "dragon"}}, "WF-INT-29"),
    ],
)
def test_armies_that_cannot_be_drafted(changes: dict[str, Any], forbidden_by: str) -> None:
    assert refused({**PLAIN, **changes}) == forbidden_by


@pytest.mark.parametrize(
    "armies", [[], [PLAIN] * 9, [{**PLAIN, "size": 9}], [{**PLAIN, "levels": [LEVEL] * 4}]]
)
def test_drafts_of_the_wrong_form(armies: list[Any]) -> None:
    with pytest.raises(BadInput):
        refused(*armies)


@rule("WF-CMP-10")
@pytest.mark.parametrize("budget", [2, 3, 15, 16, 60, 200])
def test_the_default_draft_is_legal_whatever_the_budget(budget: int) -> None:
    draft = drafting.default(budget)
    assert drafting.check(draft, "p1", budget) is None
    assert 1 <= len(draft.armies) <= 8


@rule("WF-CMP-10", "WF-DEC-01", "WF-GEN-01")
@pytest.mark.parametrize("count", [2, 3])
def test_drafts_are_revealed_together_and_the_battle_follows(count: int) -> None:
    now = new_skirmish("s", corners(count))
    assert [one.id for one in now.decisions] == [f"draft:p{seat}" for seat in range(1, count + 1)]
    assert now.decisions[0].question["budget"] == 60
    now = skirmish.step(now.state, {"draft:p1": {"armies": [PLAIN]}})
    battle = now.state.battle
    assert battle is not None and [side.powers for side in battle.sides] == [
        [f"p{n}"] for n in range(1, count + 1)
    ]
    (mine,) = (one.card for one in battle.fighters if one.power == "p1")
    assert show(mine)["class"] == "Axes" and mine.loyal_to == "p1"
    while now.decisions:
        now = skirmish.step(now.state, {})
    assert now.state.phase == "ended"
    assert sorted(skirmish.ranking(now.state)) == [f"p{n}" for n in range(1, count + 1)]


@rule("WF-SET-06", "WF-GOAL-10")
def test_armies_and_ground_may_be_given() -> None:
    given = [
        Corner(id="p1", seat=1, armies=(army("a", (0, 0)),)),
        Corner(id="p2", seat=2, armies=(army("b", (0, 0), "p2"),)),
    ]
    fort = Hex(at=(0, 0), terrain="mountains", sites=(Site(id="f", kind="stronghold", owner="p2", wall=2),))
    now = new_skirmish("s", given, hex=fort)
    assert now.decisions[0].kind == "D-07" and now.state.battle is not None
    assert (now.state.battle.terrain, now.state.battle.defender) == ("mountains", 1)
    open_field = new_skirmish("s", given).state.battle
    assert open_field is not None and open_field.defender is None
    held = new_skirmish("s", given, defender="p1").state.battle
    assert held is not None and held.defender == 0
    with pytest.raises(ValueError, match="2 or 3"):
        new_skirmish("s", given[:1])


def played(seed: str) -> list[Skirmish]:
    luck = random.Random(seed)
    now = new_skirmish(seed, corners(luck.choice([2, 3])), options=Options(gm_seat=luck.random() < 0.2))
    states = [now.state]
    while now.decisions:
        answers: dict[str, Any] = {}
        for one in now.decisions:
            answers[one.id] = {"armies": [PLAIN]} if one.kind == "draft" else answer(luck, one)
            assert skirmish.check(now.state, one.id, answers[one.id]) is None, seed
        now = skirmish.step(now.state, answers)
        states.append(now.state)
    return states


@rule("WF-GEN-01", "WF-RNG-01")
def test_random_skirmishes_end_and_repeat() -> None:
    for index in range(10):
        seed = f"{SEED}/{index}"
        states = played(seed)
        texts = [encode(state) for state in states]
        assert texts == [encode(msgspec.json.decode(text, type=Skirmish)) for text in texts]
        assert states[-1].phase == "ended"
        if not index:
            assert [encode(state) for state in played(seed)] == texts


@rule("WF-DEC-02")
def test_wrong_answers_leave_a_skirmish_as_it_is() -> None:
    now = new_skirmish("s", corners())
    before = encode(now.state)
    with pytest.raises(Illegal):
        skirmish.step(
            now.state, {"draft:p1": {"armies": [{**PLAIN, "tier": 4, "levels": [LEVEL] * 3, "size": 8}] * 2}}
        )
    for name, given in (("draft:p9", {"armies": [PLAIN]}), ("D-07:x", {}), ("policies:p1", {}), ("gm", {})):
        with pytest.raises(BadInput):
            skirmish.step(now.state, {name: given})
    assert encode(now.state) == before


@rule("WF-INT-30", "WF-DEC-01")
def test_policies_are_filed_beside_a_window_of_the_battle() -> None:
    now = skirmish.step(new_skirmish("s", corners()).state, {})
    filed = {"armies": {"p1.1": {"stance": "hold"}}}
    assert skirmish.check(now.state, "policies:p2", filed) is not None
    after = skirmish.step(now.state, {"policies:p1": filed}).state.battle
    assert after is not None
    assert next(one for one in after.fighters if one.id == "p1.1").card.policy.stance == "hold"
