"""A seated game master (section 23) and what is left of the keywords and policies of a battle."""

from typing import Any

import pytest

from shared.warfare.battle import machine
from shared.warfare.battle.sides import Party
from shared.warfare.card import profile_of
from shared.warfare.errors import Illegal
from shared.warfare.options import Options
from shared.warfare.reading import read_army
from shared.warfare.spells import Asset
from shared.warfare.views import veil
from tests.warfare.duel import REST, Duel, one
from tests.warfare.field import Field, army
from tests.warfare.marks import rule

GM = Options(gm_seat=True)


def ordered(f: Field, **orders: Any) -> None:
    f.now = machine.step(f.battle, {"gm": orders})


@rule("WF-GM-05", "WF-GM-06", "WF-SET-17")
def test_a_game_master_may_give_spells_commands_and_meaning_to_assets() -> None:
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",), assets=(Asset(id="lute", battle=False),)),
        Party(id="p2", seat=2),
    ]
    f = Field({"a": REST}, {"b": REST}, parties=parties, options=GM, answers={"p1": {"assets": ["lute"]}})
    assert f.question("gm")["assets"]["p1"] == ["lute"]
    bolt = {"id": "bolt", "element": "F", "rank": 1, "effects": [{"do": "damage", "n": 1}]}
    ordered(
        f, spells={"p1": [bolt]}, specials={"p1": [{"id": "roar", "effects": [{"do": "escalation", "n": 1}]}]}
    )
    assert f.asked("D-10") == ["p1"]
    f.until("D-11")
    assert "special:roar" in f.question("p1")["armies"][0]["commands"]
    for orders in (
        {"spells": {"p9": []}},
        {"specials": {"p1": [{"id": "x", "effects": [{"do": "status", "name": "odd", "x": 1}]}]}},
    ):
        with pytest.raises(Illegal, match="WF-GM-06"):
            ordered(f, **orders)
    plain = Field({"a": REST}, {"b": REST}, parties=parties)
    assert not plain.battle.powers[0].assets


@rule("WF-GM-09", "WF-RND-17", "WF-RND-20")
def test_a_game_master_rules_who_is_imperilled_and_frees_terms() -> None:
    f = Duel({"a": {}}, {"b": {"policy": {"surrender": "if_imperilled"}}}, options=GM)
    f.battle.sides[0].escalation = 1
    f.until("D-12")
    ids = {decision.power: decision.id for decision in f.now.decisions}
    offer = {"to": 1, "terms": {"withdraw": False, "truce": 1}}
    f.now = machine.step(f.battle, {"gm": {"imperilled": {"b": True}}, ids["p1"]: offer})
    f.answer()
    assert f["b"].stand == "line"
    assert [truce.seasons for truce in f.battle.truces] == [1]


@rule("WF-GM-08", "WF-PWR-11", "WF-DEC-03", "WF-SET-03")
def test_rogues_are_never_asked_unless_by_a_game_master() -> None:
    parties = [Party(id="p1", seat=1, declares=True, against=("rogues",)), Party(id="rogues", seat=99)]
    wild = army("wild", "nobody")
    from msgspec.structs import replace

    from shared.warfare.battle.opening import Engagement, open_battle
    from shared.warfare.world import Hex

    here = (army("a", "p1", **REST), replace(wild, controller=None))
    engagement = Engagement(seed="s", hex=Hex(at=(0, 0)), parties=tuple(parties), here=here)
    now = open_battle(engagement)
    while now.decisions:
        assert {decision.power for decision in now.decisions} == {"p1"}
        now = machine.step(now.state, {})
    now = open_battle(replace(engagement, options=GM))
    assert {decision.power for decision in now.decisions} == {"p1", "gm"}
    orders = {"policies": {"wild": {"stance": "rest"}}}
    now = machine.step(now.state, {"gm": orders})
    assert (
        next(fighter for fighter in now.state.fighters if fighter.id == "wild").card.policy.stance == "rest"
    )
    with pytest.raises(Illegal, match="WF-GM-08"):
        machine.step(now.state, {"gm": {"policies": {"a": {"stance": "rest"}}}})


@rule("WF-INT-27", "WF-RND-02")
def test_reserves_deploy_when_their_policy_says() -> None:
    f = Field(
        {"a": REST, "late": {"policy": {"deploy": {"from_round": 3}, "stance": "rest"}}, "soon": REST},
        {"b": REST},
        answers={"p1": {"line": ["a"], "reserve": ["late", "soon"]}},
    )
    f.until("D-11", 2)
    assert [f[name].stand for name in ("late", "soon")] == ["reserve", "line"]
    f.until("D-11", 3)
    assert f["late"].stand == "line"


@rule("WF-STA-03", "WF-STA-05", "WF-STA-09", "WF-STA-06", "WF-DICE-02")
def test_statuses_that_change_pools_and_defense() -> None:
    f = Duel({"a": {}, "z": {}}, {"t": {"defense": 4}, "c": {}, "d": {}})
    f.put("a", statuses={"pinned": 2})
    f.put("t", statuses={"vulnerable": 3, "emboldened": 1})
    assert len(one(f.give("a", "hold"), "presence")["faces"]) == 2
    f.roll("attack", "z", [1, 1, 1, 1]).roll("morale.bloodied", "t", [4] * 5)
    assert one(f.give("z", "slay", targets=["t"]), "attack")["thresholds"] == [2]


@rule("WF-KEY-33", "WF-KEY-37", "WF-ANC-12", "WF-ANC-30", "WF-ANC-31", "WF-EQP-03")
def test_rows_that_the_host_or_the_card_reads() -> None:
    def traits(**written: Any) -> dict[str, int]:
        return profile_of(read_army({"id": "x", "ancestry": "orcs", **written})).traits

    assert "guards-influence" in traits(keywords=["incorruptible"])
    assert "half-healing" in traits(keywords=["ageless"])
    assert not profile_of(read_army({"id": "x", "ancestry": "light"})).mortal
    assert not profile_of(read_army({"id": "x", "ancestry": "ghouls"})).mortal
    gnolls = read_army({"id": "x", "ancestry": "gnolls", "tier": "Medium"})
    from shared.warfare.card import values

    shown = values(gnolls)
    assert (gnolls.keywords, shown.mobility, shown.defense, shown.armor_max) == (("skirmisher",), 3, 2, 1)
    f = Duel({"ants": {"ancestry": "antinium"}, "c": {"tags": ["centenium"]}}, {"b": {}})
    assert f["ants"].momentum == 1
    f.until("D-11", 2)
    assert f["ants"].momentum == 3  # rested once, and again in the next Deployment phase


@rule("WF-GEN-04", "WF-GEN-05", "WF-GEN-07", "WF-CARD-12")
def test_gains_come_before_spends_and_friends_are_never_the_army_itself() -> None:
    f = Duel(
        {"a": {}, "z": {}},
        {
            "moles": {"ancestry": "earth", "class": "dervishes", "units": 2},
            "dwarf": {"ancestry": "mountain dwarves"},
            "d": {},
        },
    )
    f.put("moles", momentum=1)
    # The gain of being attacked makes two momentum, enough for the automatic guard.
    assert one(f.give("a", "slay", targets=["moles"]), "attack")["thresholds"] == [4]
    f.put("dwarf", armor=1, defense=1)
    f.roll("attack", "z", [1, 1, 1, 1]).roll("morale.bloodied", "dwarf", [4] * 4)
    f.give("z", "slay", targets=["dwarf"])
    assert f["dwarf"].momentum == 0


@rule("WF-DEC-08", "WF-VIS-03", "WF-SET-07")
def test_a_ruling_on_an_army_off_the_field_names_it_to_nobody() -> None:
    hidden = {"keywords": ["stealthy"]}
    f = Field(
        {"a": REST}, {"b": REST, "r": {}, "s": hidden}, options=GM, answers={"p2": {"reserve": ["r", "s"]}}
    )
    f.now = machine.step(
        f.battle,
        {
            f.now.decisions[0].id: {
                "effects": [{"army": "r", "status": "pinned"}, {"army": "b", "status": "taunt"}]
            }
        },
    )
    ordered(f, orders=[{"targets": ["s", "b"], "effects": [{"do": "status", "name": "pinned", "x": 2}]}])
    assert one(list(f.now.events), "gm-order")["targets"] == ["b"]
    assert not f["s"].statuses
    seen = {power: [effect.army for effect in veil(f.battle, power).effects] for power in ("p1", "p2")}
    assert seen == {"p1": ["b"], "p2": ["r", "b"]}
