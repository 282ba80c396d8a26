"""What a power may not know never reaches its questions, the reasons of refusals or other sides' events."""

import random

from msgspec.structs import replace

from shared.warfare.battle import machine, setup
from shared.warfare.battle.opening import open_battle
from shared.warfare.battle.state import Battle, copy
from shared.warfare.battle.work import Work
from shared.warfare.policy import Policy
from shared.warfare.spells import Asset
from tests.warfare.answerer import answer, random_engagement
from tests.warfare.chance import SEED
from tests.warfare.marks import rule


def disguised(battle: Battle, viewer: str) -> Battle:
    """The same battle to ``viewer``: everything that is secret to it is different."""
    other = copy(battle)
    work = Work(other)
    hidden = [
        fighter
        for fighter in other.fighters
        if fighter.power != viewer
        and fighter.stand in ("here", "near", "reserve", "delayed")
        and setup.hidden(work, fighter)
    ]
    for fighter in other.fighters:
        if fighter.power != viewer:
            card = replace(
                fighter.card,
                policy=Policy(stance="rest"),
                experience=(9,),
                loyal_to=None,
                garrison="elsewhere",
            )
            fighter.card = card
    for fighter in hidden:
        fighter.card = replace(fighter.card, name="somebody", rank=9)
        if fighter.stand == "here":
            other.fighters.remove(fighter)
    for power in other.powers:
        if power.id != viewer:
            power.assets = [Asset(id="unknown")]
            power.committed = [Asset(id="sealed", bonus=7)]
            power.use = {}
            power.specials = []
            power.proposals = []
    return other


@rule("WF-VIS-02", "WF-VIS-04", "WF-SET-17")
def test_questions_hang_on_nothing_secret() -> None:
    compared = 0
    for index in range(60):
        luck = random.Random(f"{SEED}/{index}")
        now = open_battle(random_engagement(luck))
        while now.decisions:
            for decision in now.decisions:
                if decision.power in ("gm", "rogues"):
                    continue
                shown = machine.decisions(disguised(now.state, decision.power))
                same = [one for one in shown if one.id == decision.id]
                assert same and same[0].question == decision.question, (SEED, index, decision.id)
                compared += 1
            now = machine.step(now.state, {one.id: answer(luck, one) for one in now.decisions})
    assert compared > 500


@rule("WF-VIS-06")
def test_terms_are_seen_by_the_two_sides_only() -> None:
    from tests.warfare.duel import Duel

    f = Duel({"a": {}}, {"b": {}, "c": {}}, {"d": {}, "e": {}})
    f.battle.sides[0].escalation = 1
    f.until("D-12")
    f.answer(p1={"to": f["b"].side, "terms": {"coin": 0, "truce": 1}})
    f.answer(p2={"accept": False})
    for kind in ("offer", "declined"):
        assert [event.to for event in f.events if event.kind == kind] == [("p1", "p2")]
