"""Offers of terms (WF-RND-16 to RND-20)."""

from typing import Any

from shared.warfare import views
from shared.warfare.battle.outcome import outcome
from shared.warfare.battle.sides import Party
from tests.warfare.duel import Duel
from tests.warfare.marks import rule


def besieged(b: dict[str, Any], *, coin: int = 0, **armies: dict[str, Any]) -> Duel:
    """p1, with escalation 2, about to offer to p2."""
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",)),
        Party(id="p2", seat=2, coin=coin),
    ]
    f = Duel({"a": {"rank": 3}}, {"b": b, **armies}, parties=parties)
    f.battle.sides[0].escalation = 2
    return f


def offer(f: Duel, **terms: Any) -> Duel:
    f.until("D-12")
    f.answer(p1={"to": 1, "terms": terms})
    return f


@rule("WF-RND-15", "WF-RND-16", "WF-RND-18", "WF-RND-17", "WF-GOAL-06")
def test_who_accepts_leaves_pays_and_yields() -> None:
    f = offer(besieged({}, coin=3, c={}), coin=2, truce=2, **{"yield": ["b"]})
    assert f.battle.sides[0].escalation == 1
    assert f.asked("D-13") == ["p2"]
    f.answer(p2={"accept": True})
    ended = outcome(f.battle)
    assert (ended.winner, ended.coin) == (0, {"p1": 2, "p2": -2})
    assert [(truce.a, truce.b, truce.seasons) for truce in ended.truces] == [("p1", "p2", 2)]
    fates = {fate.id: fate for fate in ended.fates}
    assert (fates["b"].end, fates["b"].army.controller, fates["b"].army.loyal_to) == (
        "surrendered",
        "p1",
        None,
    )
    assert (fates["c"].end, fates["c"].army.controller) == ("surrendered", "p2")


@rule("WF-RND-18", "WF-RND-17")
def test_terms_that_cannot_be_paid_are_not_asked_and_bad_ones_refused() -> None:
    f = offer(besieged({}, coin=1, c={}), coin=2)
    assert not f.asked("D-13") and f.battle.phase != "ended"
    f = besieged({}, c={})
    f.until("D-12")
    assert f.check("p1", {"to": 0}) == "WF-RND-16"
    assert f.check("p1", {"to": 1, "terms": {"yield": ["a"]}}) == "WF-RND-17"
    # Coin that is set aside is no longer there.
    f = besieged({}, coin=5, c={})
    f.until("D-12")
    next(power for power in f.battle.powers if power.id == "p2").set_aside = 4
    f.answer(p1={"to": 1, "terms": {"coin": 2}})
    assert f.asked("D-14") == ["p1", "p2"]


@rule("WF-RND-19", "WF-RND-20")
def test_imperilled_mortals_may_accept_for_themselves() -> None:
    for faces, stand in (([1, 2, 2], "left"), ([1, 3, 2], "line")):
        f = besieged({"units": 6}, c={"units": 6})
        for index in range(3):
            f["b"].units[index].state = "routed"
        f.roll("morale.surrender", "b", faces)
        offer(f)
        f.answer(p2={"accept": False})
        assert (f["b"].stand, f["c"].stand) == (stand, "line")
        assert [found["army"] for found in f.of("morale")] == ["b"]
    f = besieged({"ancestry": "zombies", "units": 2}, c={"units": 6})
    f["b"].units[0].state = "routed"
    offer(f).answer()
    assert not f.of("morale")


@rule("WF-INT-25")
def test_policies_offer_and_answer() -> None:
    f = Duel(
        {"a": {"units": 9, "policy": {"offer": "if_enemy_imperilled"}}},
        {"b": {"units": 2, "policy": {"surrender": "if_imperilled"}}},
    )
    f.battle.sides[0].escalation = 1
    f.until("D-12").answer()
    assert f.of("offer")[0]["to"] == 1
    f.answer()
    assert (f["b"].withdrew, f.battle.winner) == ("surrender", 0)


@rule("WF-VIS-06", "WF-RND-17")
def test_a_third_side_does_not_learn_what_was_yielded() -> None:
    f = Duel({"a": {}}, {"b": {}}, {"c": {}})
    f.battle.sides[0].escalation = 1
    f.until("D-12")
    f.answer(p1={"to": f["b"].side, "terms": {"yield": "all"}})
    f.answer(p2={"accept": True})
    assert f["b"].yielded_to == "p1"
    told = {power: [event.kind for event in views.told(f.events, power)] for power in ("p1", "p2", "p3")}
    assert [power for power, kinds in told.items() if "yielded" in kinds] == ["p1", "p2"]
    assert all("left" in kinds for kinds in told.values())
    assert all("yielded_to" not in facts for facts in f.of("left"))
    for power, known in (("p1", "p1"), ("p2", "p1"), ("p3", None)):
        shown = views.veil(f.battle, power).fighters
        assert next(one for one in shown if one.id == "b").yielded_to == known
