"""The round: commands, their order, goals, cleanup and the end (sections 8, 9, 11, 12)."""

from typing import Any

import pytest

from shared.canonical import encode
from shared.warfare.battle import machine
from shared.warfare.battle.outcome import outcome
from shared.warfare.battle.sides import Party
from shared.warfare.errors import BadInput, Illegal
from shared.warfare.options import Options
from shared.warfare.spells import Asset, DoAttack, DoDamage, DoStatus, Special, Spell
from tests.warfare.duel import REST, STEP, Duel, facts, one
from tests.warfare.field import Field, units
from tests.warfare.marks import rule


@rule("WF-RND-10", "WF-RND-11", "WF-RND-12", "WF-GEN-06", "WF-DEC-05")
def test_sides_alternate_and_powers_of_a_side_take_turns() -> None:
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",)),
        Party(id="p3", seat=3, declares=True, against=("p2",)),
        Party(id="p2", seat=2),
    ]
    f = Field(
        {"a1": REST, "a2": REST},
        {"b1": {**REST, "units": 8}, "b2": REST, "b3": REST, "b4": REST},
        {"c1": REST},
        parties=parties,
    )
    f.until("D-11")
    f.answer(p1={"entries": [{"army": "a2", "command": "rest"}]})
    assert [found["army"] for found in f.of("command")] == ["a2", "b1", "c1", "b2", "a1", "b3", "b4"]


@rule("WF-DEC-06", "WF-DEC-07")
def test_one_entry_a_turn_comes_to_the_same_as_sheets() -> None:
    sheet = {"p1": [{"army": "a", "command": "slay"}, {"army": "b", "command": "hold", "goals": ["advance"]}]}
    by_sheet = Field({"a": REST, "b": REST}, {"c": REST, "d": REST, "e": REST})
    by_sheet.commands(**sheet)
    by_turn = Field({"a": REST, "b": REST}, {"c": REST, "d": REST, "e": REST}, options=STEP)
    by_turn.until("D-11")
    for entry in sheet["p1"]:
        while by_turn.asked("D-11") != ["p1"]:
            by_turn.answer()
        by_turn.answer(p1={"entries": [entry]})
    by_turn.until("D-14")
    assert [(e.kind, e.facts) for e in by_sheet.events] == [(e.kind, e.facts) for e in by_turn.events]


@rule("WF-CMD-02", "WF-CMD-03", "WF-CMD-04", "WF-STA-25", "WF-ANC-18")
def test_hold_charge_and_rest() -> None:
    f = Duel({"a": {}, "z": {}, "air": {"ancestry": "air"}}, {"b": {}, "c": {}, "d": {}, "e": {}})
    f.roll("presence", "a", [2, 1, 1, 1])
    events = f.give("a", "hold", goals=["initiative"])
    assert one(events, "presence") == {
        "army": "a", "goal": "initiative", "faces": [2, 1, 1, 1], "static": 1, "threshold": 3, "successes": 1,
    }  # fmt: skip
    f.put("z", armor=0, armor_max=2, statuses={"burning": 1})
    f.give("z", "rest")
    assert (f["z"].momentum, f["z"].armor) == (1, 0)
    f.put("air", momentum=1)
    events = f.give("air", "charge", targets=["b"], goals=["advance"])
    assert (one(events, "attack")["static"], one(events, "presence")["static"]) == (0, 0)
    assert f["air"].momentum == 1  # paid one, gained one for applying presence


@rule("WF-CMD-09", "WF-INT-26", "WF-GOAL-01")
def test_a_command_that_has_become_illegal_falls_back() -> None:
    f = Duel({"a": {}}, {"b": {"units": 6}, "c": {"units": 6}})
    f.put("b", statuses={"flying": 2})
    assert one(f.give("a", "slay", targets=["b", "c"]), "attack")["targets"] == ["c"]
    f = Duel({"a": {"policy": {"stance": "slay"}}}, {"b": {"units": 6}, "c": {"units": 6}})
    f.put("b", statuses={"flying": 2})
    f.put("c", statuses={"flying": 2})
    assert one(f.give("a", "slay", targets=["b"]), "command")["command"] == "hold"
    f = Duel({"a": {"policy": {"stance": "hold", "goal": "initiative"}}}, {"b": {"units": 6}})
    f.put("b", statuses={"flying": 2})
    assert one(f.give("a", "slay", targets=["b"]), "presence")["goal"] == "initiative"


@rule("WF-CMD-09", "WF-INT-26")
def test_a_command_whose_list_is_spent_stays_what_it_is_while_it_can() -> None:
    f = Duel({"a": {"policy": {"stance": "hold"}}}, {"b": {"units": 6}, "c": {"units": 6}})
    f.put("b", statuses={"flying": 2})
    assert one(f.give("a", "slay", targets=["b"]), "attack")["targets"] == ["c"]


@rule("WF-INT-26")
def test_without_a_target_the_easiest_then_the_smallest_is_attacked() -> None:
    f = Duel({"a": {}}, {"b": {"defense": 4}, "c": {"units": 5}, "d": {"units": 4}})
    assert one(f.give("a", "slay"), "attack")["targets"] == ["d"]


@rule("WF-RND-12", "WF-DEC-02", "WF-CMD-03", "WF-ATK-02", "WF-GOAL-01", "WF-CMD-06")
@pytest.mark.parametrize(
    ("entry", "broken"),
    [
        ({"army": "b", "command": "slay"}, "WF-RND-12"),
        ({"army": "nobody", "command": "slay"}, "WF-RND-12"),
        ({"army": "a", "command": "charge"}, "WF-CMD-03"),
        ({"army": "a", "command": "dance"}, "WF-CMD-06"),
        ({"army": "a", "command": "slay", "targets": ["z"]}, "WF-ATK-02"),
        ({"army": "a", "command": "hold", "goals": ["walls"]}, "WF-GOAL-01"),
        ({"army": "a", "command": "slay", "type": "burn"}, "WF-ATK-04"),
        ({"army": "a", "command": "slay", "asset": "charm"}, "WF-AST-07"),
        ({"army": "a", "command": "slay", "override": {"stance": "run"}}, "WF-DEC-05"),
        ({"army": "a", "command": "slay", "override": {"bond": "never"}}, ""),
    ],
)
def test_commands_that_cannot_be_filed_change_nothing(entry: dict[str, Any], broken: str) -> None:
    f = Field({"a": {}, "z": {}}, {"b": {}}).until("D-11")
    before = encode(f.battle)
    decision = next(one for one in f.now.decisions if one.power == "p1")
    refusal = machine.check(f.battle, decision.id, {"entries": [entry]})
    assert (refusal.rule if refusal else "") == broken
    if refusal:
        assert refusal.army == entry["army"] and refusal.legal
        with pytest.raises(Illegal, match=broken):
            machine.step(f.battle, {decision.id: {"entries": [entry]}})
    assert encode(f.battle) == before


def test_answers_of_no_form_or_to_no_question_are_bad_input() -> None:
    f = Field({"a": {}}, {"b": {}}).until("D-11")
    decision = f.now.decisions[0]
    for answers in (
        {"D-99:x": {}},
        {decision.id: {"entries": [{"army": 3}]}},
        {decision.id: {"nonsense": 1}},
    ):
        with pytest.raises(BadInput):
            machine.step(f.battle, answers)


@rule("WF-CMD-06", "WF-CMD-07", "WF-CMD-08")
def test_greybeards_lend_their_command_once_and_never_to_themselves() -> None:
    grey = {"keywords": ["greybeards"], "signature": "steady"}
    f = Duel({"grey": grey, "a": {}, "c": {}}, {"b": {}, "d": {}, "e": {}, "g": {}})
    armies = {one["army"]: one["commands"] for one in f.question("p1")["armies"]}
    assert "special:steady" not in armies["grey"] and "special:steady" in armies["a"]
    f.give("a", "special:steady")
    assert f["a"].statuses == {"emboldened": 2}
    assert not f["grey"].exhausted
    armies = (
        {one["army"]: one["commands"] for one in f.question("p1")["armies"]}
        if f.asked("D-11") == ["p1"]
        else {}
    )
    assert all("special:steady" not in commands for commands in armies.values())


@rule("WF-CMD-06", "WF-CMD-07", "WF-AST-07")
def test_special_commands_cost_momentum_and_are_used_up() -> None:
    volley = Special(
        id="volley",
        cost=1,
        effects=(DoAttack(static=2, mode="ranged", type="void"), DoStatus(name="pinned", x=2)),
    )
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",), specials=(volley,)),
        Party(id="p2", seat=2),
    ]
    f = Duel({"a": {}, "c": {}}, {"b": {}, "d": {}, "e": {}}, parties=parties)
    f.put("a", momentum=1)
    f.put("b", statuses={"flying": 1})
    f.put("c", momentum=1)
    attack = one(f.give("a", "special:volley", targets=["b"]), "attack")
    assert (attack["mode"], attack["type"], attack["static"]) == ("ranged", "void", 2)
    assert (f["b"].statuses.get("pinned"), f["a"].momentum) == (2, 0)
    while f.asked("D-11") == ["p2"]:
        f.answer()
    assert f.check("p1", {"entries": [{"army": "c", "command": "special:volley"}]}) == "WF-CMD-06"


@rule("WF-AST-07", "WF-CMD-10", "WF-SET-17", "WF-INT-28")
def test_secret_assets_work_once_on_one_check() -> None:
    assets = (
        Asset(id="drum", bonus=2),
        Asset(id="oath", kind="assured", bonus=1),
        Asset(id="blade", kind="critical", bonus=2),
    )
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",), assets=assets),
        Party(id="p2", seat=2),
    ]
    answers = {"p1": {"assets": ["drum", "oath", "blade"], "use": {"oath": "first_presence"}}}
    f = Duel(
        {"a": {}, "c": {}, "g": {}}, {"b": {}, "d": {}, "e": {}, "h": {}}, parties=parties, answers=answers
    )
    f.roll("attack", "a", [2, 1, 1, 1, 4, 1])
    attack = one(f.give("a", "slay", targets=["b"], asset="blade"), "attack")
    assert attack["successes"] == [3]  # 2 + 1, and the 4 of the blade counts twice
    f.roll("presence", "c", [1, 1, 1, 1])
    events = f.give("c", "hold", goals=["initiative"])
    assert (one(events, "presence")["successes"], one(events, "asset")["asset"]) == (1, "oath")
    assert (
        len(one(f.give("g", "slay", targets=["b"]), "attack")["faces"]) == 4
    )  # the drum waits for a command
    f.until("D-14")
    assert outcome_of(f).assets_used == {"p1": ("blade", "oath")}


def outcome_of(f: Field) -> Any:
    """What the battle leaves when everybody goes home now."""
    while f.now.decisions:
        f.answer()
    return outcome(f.battle)


@rule("WF-RND-05", "WF-RND-06", "WF-RND-07", "WF-RND-08", "WF-RND-09", "WF-ANC-01")
def test_spells_are_cast_once_a_round_and_are_no_attacks() -> None:
    bolt = Spell(id="bolt", element="F", rank=1, effects=(DoDamage(n=3, type="burn"),))
    scroll = Asset(
        id="scroll", spell=Spell(id="rain", element="W", rank=2, effects=(DoStatus(name="pinned", x=1),))
    )
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",), spells=(bolt,), assets=(scroll,)),
        Party(id="p2", seat=2),
    ]
    f = Field(
        {"a": {**REST, "ancestry": "triumph elves"}},
        {
            "b": {**REST, "keywords": ["agile", "vanguard"]},
            "ash": {**REST, "ancestry": "ashborn", "units": 4},
        },
        parties=parties,
        answers={"p1": {"assets": ["scroll"]}},
    )
    assert f.asked("D-10") == ["p1"]
    assert [spell["spell"] for spell in f.question("p1")["spells"]] == ["bolt", "asset:scroll"]
    f.answer(p1={"spell": "bolt", "targets": ["b"]})
    assert (units(f["b"]), f["b"].bloodied, f["b"].attacked) == ("1,1,1,0", 1, 0)
    assert not f.of("morale")
    assert (f["a"].momentum, f["ash"].momentum) == (1, 1)
    f.until("D-10", 2)
    f.answer(p1={"spell": "asset:scroll", "targets": ["ash"]})
    assert f["ash"].momentum == 0
    f.until("D-10", 3)
    assert [spell["spell"] for spell in f.question("p1")["spells"]] == ["bolt"]
    assert machine.check(f.battle, f.now.decisions[0].id, {"spell": "bolt", "targets": ["x"]}) is not None


@rule("WF-KEY-31")
def test_mental_effects_do_nothing_to_alien_minds() -> None:
    dream = Spell(id="dream", element="D", rank=1, effects=(DoStatus(name="frozen", x=2),), tags=("mental",))
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",), spells=(dream,)),
        Party(id="p2", seat=2),
    ]
    f = Field({"a": REST}, {"b": REST, "ants": {**REST, "ancestry": "antinium"}}, parties=parties)
    f.answer(p1={"spell": "dream", "targets": ["b", "ants"]})
    assert (f["b"].statuses, f["ants"].statuses) == ({"frozen": 2}, {})


@rule("WF-RND-03", "WF-ANC-10", "WF-ANC-13", "WF-KEY-34", "WF-CLS-14", "WF-CLS-13")
def test_what_the_start_of_a_round_brings() -> None:
    f = Duel(
        {
            "orcs": {"units": [1, 0, 0]},
            "ants": {"ancestry": "antinium", "tags": ["centenium"]},
            "dragon": {"class": "dragon"},
            "angel": {"class": "angel"},
        },
        {"flap": {"ancestry": "harpies"}, "b": {}},
    )
    assert (f["orcs"].momentum, f["ants"].momentum) == (1, 1)
    flying = {name: f[name].statuses.get("flying", 0) for name in ("dragon", "angel", "flap")}
    assert flying == {"dragon": 1, "angel": 0, "flap": 1}
    f.until("D-11", 2)
    assert {name: f[name].statuses.get("flying", 0) for name in flying} == {
        "dragon": 0,
        "angel": 1,
        "flap": 0,
    }


@rule("WF-GOAL-02", "WF-GOAL-03", "WF-GOAL-04", "WF-GOAL-05", "WF-GOAL-09", "WF-RND-13")
def test_goals_go_to_the_most_successes_and_ties_to_nobody() -> None:
    f = Duel({"a": {}, "z": {}}, {"b": {}, "c": {}, "d": {}})
    f.roll("presence", "a", [4, 1, 1, 1]).give("a", "hold", goals=["initiative"])
    f.roll("presence", "b", [4, 4, 1, 1]).give("b", "hold", goals=["initiative"])
    f.roll("presence", "z", [1, 1, 1, 1]).give("z", "hold", goals=["advance"])  # 1 + 1 meets 2: four
    assert f.battle.order == [0, 1]
    f.until("D-12")
    assert (f.battle.order, [side.escalation for side in f.battle.sides]) == ([1, 0], [1, 0])
    assert all(not goal.presence for goal in f.battle.goals)
    f.until("D-11", 2)
    for id in ("b", "a"):
        f.roll("presence", id, [4, 1, 1, 1]).give(id, "hold", goals=["initiative"])
    f.until("D-12")
    assert f.battle.order == [1, 0]


@rule("WF-GOAL-07", "WF-GOAL-10", "WF-GOAL-11", "WF-GOAL-12", "WF-GOAL-13", "WF-KEY-06")
def test_walls_bar_the_advance_until_they_are_taken() -> None:
    f = Duel(
        {"a": {"keywords": ["siege"]}, "e": {"keywords": ["engineers"]}},
        {"b": {"keywords": ["wallkeepers"]}, "c": {}, "d": {}},
        wall=3,
    )
    walls = f.battle.goals[0]
    assert (walls.id, walls.thresholds, walls.rank) == ("walls", [4, 2], 3)
    f.roll("presence", "a", [3, 3, 1, 1]).give("a", "hold", goals=["walls"])
    assert f.battle.goals[0].thresholds == [3, 2]
    presence = one(f.give("e", "hold", goals=["walls"]), "presence")
    assert (presence["static"], presence["threshold"]) == (3, 3)
    f.until("D-11", 2)
    assert f.battle.goals[0].removed
    assert outcome_of(f).damage == {"walls": 1}
    f = Duel({"a": {}}, {"b": {}}, wall=1)
    f.give("a", "hold", goals=["advance"])
    f.until("D-11", 2)
    assert f.battle.sides[0].escalation == 0
    assert not f.battle.goals[0].removed


@rule("WF-GOAL-16", "WF-RND-26", "WF-STA-06")
def test_rewards_of_the_catalogue() -> None:
    goals = [{"goal": "encircle"}, {"goal": "disorder", "target": "b"}]
    f = Duel(
        {"a": {"units": 8}, "z": {"units": 8}}, {"b": {}, "c": {}, "d": {}}, answers={"p1": {"goals": goals}}
    )
    f.roll("presence", "a", [4] * 8).give("a", "hold", goals=["encircle:0"])
    f.roll("presence", "z", [4] * 8).give("z", "hold", goals=["disorder:b"])
    f.until("D-14")
    assert f["b"].statuses == {"scattered": 1}
    assert f.question("p2")["retreat"] == []
    assert f.check("p2", {"retreat": ["b"]}) == "WF-RND-26"
    f = Duel(
        {"a": {}},
        {"b": {"units": [1, 0, 0, {"state": "routed"}]}},
        answers={"p2": {"goals": [{"goal": "rally"}]}},
    )
    f.roll("presence", "b", [4, 4, 4]).give("b", "hold", goals=["rally"])
    f.until("D-14")
    assert f["b"].active == 4


@rule("WF-RND-25", "WF-STA-01", "WF-STA-02", "WF-STA-22", "WF-STA-24", "WF-KEY-09")
def test_cleanup_burns_frightens_and_ticks_in_that_order() -> None:
    f = Duel(
        {"a": {"keywords": ["valiant"]}, "fire": {"ancestry": "fire"}}, {"b": {}, "c": {}, "d": {}},
    )  # fmt: skip
    f.put("a", statuses={"burning": 3, "weakened": 1, "taunt": 2}, armor=2)
    f.put("fire", statuses={"burning": 2})
    f.put("b", statuses={"frightened": 3})
    f.roll("morale.frightened", "b", [3, 1, 1, 1])
    f.until("D-14")
    assert (units(f["a"]), f["a"].bloodied) == ("1,0,0,0", 1)
    assert f["a"].statuses == {"burning": 1, "taunt": 1}
    assert (units(f["fire"]), f["fire"].statuses) == ("0,0,0,0", {"burning": 1})
    assert (units(f["b"]), f["b"].statuses) == ("0r,0,0,0", {"frightened": 2})
    assert [found["purpose"] for found in f.of("morale")] == ["morale.frightened"]


@rule("WF-RND-26", "WF-RND-27", "WF-INT-23", "WF-INT-24", "WF-ANC-23", "WF-ANC-09")
def test_withdrawals() -> None:
    f = Duel(
        {"dark": {"ancestry": "dark"}},
        {
            "b": {},
            "h": {"ancestry": "harpies"},
            "brink": {"policy": {"shed": "on_brink"}},
            "run": {"policy": {"retreat": {"active_at_most": 4}}},
        },
    )
    f.until("D-14")
    assert f.check("p2", {"rout": [{"army": "b", "units": [0, 1, 2, 3]}]}) == "WF-RND-27"
    assert f.check("p2", {"rout": [{"army": "b", "units": [9]}]}) == "WF-RND-27"
    assert f.check("p2", {"retreat": ["dark"]}) == "WF-RND-26"
    f.answer(p2={"rout": [{"army": "h", "units": [0]}], "retreat": ["b"]})
    assert (f["b"].stand, f["b"].withdrew, f["h"].active) == ("left", "retreat", 3)
    # Both rested; the rout made dark gain, and kept the harpies from gaining.
    assert (f["dark"].momentum, f["h"].momentum) == (2, 1)
    f.until("D-14", 2)
    f.put("brink", wounds=[1, 1, 1, 1])
    f.answer()
    assert (units(f["brink"]), f["run"].stand) == ("1r,1r,1r,1", "left")


@rule("WF-END-01", "WF-END-02", "WF-END-03", "WF-END-04", "WF-END-05", "WF-END-06")
def test_a_battle_ends_when_one_side_is_left() -> None:
    f = Duel(
        {"a": {"units": 6}, "hurt": {}},
        {"b": {"units": [1, {"state": "routed"}], "defense": 3}, "gone": {}, "third": {}},
    )
    f.put("b", wounds=[1])
    f.roll("attack", "a", [4, 1, 1, 1, 1, 1])
    f.give("a", "slay", targets=["b"])
    f.until("D-14")
    f.answer(p2={"retreat": ["gone", "third"]})
    assert (f.battle.phase, f.battle.winner, f.now.decisions) == ("ended", 0, ())
    ended = outcome(f.battle)
    ends = {fate.id: (fate.end, fate.army.experience) for fate in ended.fates}
    assert ends == {
        "a": ("kept", (1,)),
        "b": ("dispersed", ()),
        "gone": ("retreated", (1,)),
        "hurt": ("kept", (1,)),
        "third": ("retreated", (1,)),
    }
    assert {fate.id: fate.routed for fate in ended.fates}["b"] == 1
    with pytest.raises(BadInput):
        machine.step(f.battle, {"D-11": {}})


@rule("WF-END-02", "WF-RND-01")
def test_after_the_last_round_nobody_has_won() -> None:
    f = Field({"a": REST}, {"b": REST}, options=Options(rounds=7))
    ended = outcome_of(f)
    assert (ended.rounds, ended.winner, ended.experience) == (7, None, 0)
    assert [fate.end for fate in ended.fates] == ["kept", "kept"]


@rule("WF-ANC-05", "WF-ANC-11", "WF-ANC-21", "WF-ANC-22", "WF-GOAL-08")
def test_gains_at_the_end_of_a_round() -> None:
    f = Duel(
        {"drakes": {"ancestry": "drakes"}, "light": {"ancestry": "light"}},
        {"water": {"ancestry": "water"}, "c": {}, "d": {}},
    )
    f.give("drakes", "hold", goals=["advance"])
    f.until("D-11", 2)
    # Everybody but the drakes has rested as well.
    assert {name: f[name].momentum for name in ("drakes", "light", "water", "c")} == {
        "drakes": 1,
        "light": 2,
        "water": 2,
        "c": 1,
    }


@rule("WF-DEC-08", "WF-GM-08")
def test_a_game_master_may_add_orders_in_any_window() -> None:
    f = Duel({"a": {}}, {"b": {}}, options=Options(gm_seat=True))
    order = {"effects": [{"do": "status", "name": "frozen", "x": 2}], "targets": ["b"]}
    f.now = machine.step(f.battle, {"gm": {"orders": [order, {"goal": "advance", "winner": 1}]}})
    assert f["b"].statuses == {"frozen": 2}
    f.until("D-12")
    assert f.battle.sides[1].escalation == 1
    with pytest.raises(Illegal, match="WF-DEC-08"):
        machine.step(f.battle, {"gm": {"orders": [{"targets": ["nobody"]}]}})
    plain = Duel({"a": {}}, {"b": {}})
    with pytest.raises(BadInput):
        machine.step(plain.battle, {"gm": {"orders": [order]}})
    assert not facts(plain.events, "gm-order")
