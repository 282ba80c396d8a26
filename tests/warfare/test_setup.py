"""Setup, deployment and initiative (section 7)."""

from typing import Any

import pytest

from shared.warfare.battle.opening import Near
from shared.warfare.battle.sides import Party, draw_sides
from shared.warfare.errors import Illegal
from shared.warfare.options import Options
from shared.warfare.world import Hex, Site
from tests.warfare.duel import Duel, facts, one
from tests.warfare.field import Field, army
from tests.warfare.marks import rule


def party(id: str, against: str = "", **more: Any) -> Party:
    named = tuple(against.split())
    return Party(id=id, seat=int(id[1:]), declares=bool(named), against=named, **more)


@rule("WF-SET-04", "WF-SET-05", "WF-SET-03")
@pytest.mark.parametrize(
    ("parties", "pacts", "sides"),
    [
        ([party("p1", "p2"), party("p2")], [], [["p1"], ["p2"]]),
        ([party("p1", "p2"), party("p2"), party("p3", "p2")], [], [["p1", "p3"], ["p2"]]),
        ([party("p1", "p2 p3"), party("p2"), party("p3")], [], [["p1"], ["p2", "p3"]]),
        ([party("p1", "p2 p3"), party("p2", "p3"), party("p3")], [], [["p1"], ["p2"], ["p3"]]),
        ([party("p1", "p2"), party("p2"), party("p4", joins="p2")], [], [["p1"], ["p2"]]),
        ([party("p1", "p2"), party("p2"), party("p4", joins="p2")], [("p2", "p4")], [["p1"], ["p2", "p4"]]),
        (
            [party("p1", "p2"), party("p2", accept=("p4",)), party("p4", joins="p2")],
            [],
            [["p1"], ["p2", "p4"]],
        ),
        (
            [party("p1", "p3"), party("p2", "p4"), party("p3"), party("p4", "p1")],
            [("p3", "p4")],
            [["p1", "p2"], ["p3", "p4"]],
        ),
    ],
)
def test_sides_follow_from_who_declared_against_whom(
    parties: list[Party], pacts: list[tuple[str, str]], sides: list[list[str]]
) -> None:
    assert draw_sides(parties, frozenset(frozenset(pact) for pact in pacts)) == sides


@rule("WF-SET-06", "WF-GM-03")
def test_the_defender_owns_the_largest_site_or_did_not_declare_or_lives_there() -> None:
    def defends(sites: tuple[Site, ...], parties: list[Party], **more: Any) -> int | None:
        from shared.warfare.battle.opening import Engagement, open_battle

        engagement = Engagement(
            seed="s",
            hex=Hex(at=(0, 0), sites=sites),
            parties=tuple(parties),
            here=(army("a", "p1"), army("b", "p2")),
            **more,
        )
        return open_battle(engagement).state.defender

    declared = [party("p1", "p2"), party("p2")]
    both = [party("p1", "p2"), party("p2", "p1")]
    outpost = Site(id="post", kind="outpost", owner="p2")
    town = Site(id="town", kind="town", owner="p1")
    assert defends((outpost, town), declared) == 0
    assert defends((outpost,), both) == 1
    assert defends((), declared) == 1
    assert defends((), both) is None
    assert defends((), both, garrisoned=("a",)) == 0


@rule("WF-SET-10", "WF-SET-11", "WF-SET-15", "WF-RND-02")
def test_lines_and_reserves_as_filed_and_a_side_never_stands_empty() -> None:
    f = Field(
        {"a1": {}, "a2": {}, "a3": {}},
        {"b1": {}, "b2": {}},
        answers={"p1": {"line": ["a3"], "reserve": ["a1"]}, "p2": {"reserve": ["b2", "b1"]}},
    )
    assert f.battle.sides[0].line == ["a3", "a2"]
    assert f.battle.sides[1].line == ["b2"]
    assert [name for name in ("a1", "b1") if f[name].stand == "reserve"] == ["a1", "b1"]
    f.until("D-09", 2)
    f.answer(p1={"deploy": []}, p2={"deploy": ["b1"]})
    assert f.battle.sides[1].line == ["b2", "b1"]
    assert f["a1"].stand == "reserve"


@rule("WF-SET-12", "WF-SET-13", "WF-SET-14", "WF-STA-23", "WF-KEY-09")
def test_reinforcements_arrive_in_the_round_after_their_distance() -> None:
    near = (Near(army("n", "p1", keywords=["valiant"]), 2), Near(army("m", "p1"), 1))
    f = Field({"a": {}}, {"b": {}}, near=near, answers={"p1": {"reinforce": ["n"]}})
    assert (f["n"].stand, f["m"].stand) == ("delayed", "out")
    f.until("D-14", 1)
    assert f["n"].delayed == 1
    f.until("D-09", 3)
    assert f.question("p1") == {"round": 3, "deploy": ["n"]}
    f.answer()
    assert (f["n"].stand, f["n"].reinforces, f["n"].deployed_with) == ("line", True, 4)


@rule("WF-SET-18")
@pytest.mark.parametrize(
    ("a", "b", "first"),
    [
        ({"a": {}, "c": {}}, {"b": {}}, 1),
        ({"a": {"units": 3}}, {"b": {"units": 4}}, 0),
        ({"a": {}}, {"b": {}}, 1),  # the defender
    ],
)
def test_the_smaller_side_begins(a: dict[str, Any], b: dict[str, Any], first: int) -> None:
    assert Field(a, b).battle.order[0] == first


@rule("WF-SET-19", "WF-KEY-07", "WF-KEY-25", "WF-KEY-17", "WF-ANC-06", "WF-ANC-07")
def test_what_armies_deploy_with() -> None:
    f = Field(
        {
            "cooks": {"keywords": ["cooks"]},
            "elves": {"ancestry": "recluse elves"},
            "horse": {"ancestry": "horselords", "units": 1, "keywords": ["skirmisher"]},
            "skirmish": {"keywords": ["skirmisher", "stealthy"], "tier": "Heavy"},
        },
        {"b": {}, "bones": {"ancestry": "skeletons", "keywords": ["skirmisher"]}},
    )
    shown = {name: f[name].momentum for name in ("cooks", "elves", "horse", "skirmish", "bones")}
    assert shown == {"cooks": 0, "elves": 1, "horse": 1, "skirmish": 3, "bones": 0}
    assert (f["skirmish"].statuses, f["skirmish"].armor) == ({"strengthened": 1}, 3)


@rule("WF-KEY-25")
def test_two_armies_of_cooks_feed_no_more_than_one() -> None:
    f = Field({"c1": {"keywords": ["cooks"]}, "c2": {"keywords": ["cooks"]}, "x": {}}, {"b": {}})
    assert [f[name].momentum for name in ("c1", "c2", "x")] == [1, 1, 1]


@rule("WF-KEY-36", "WF-DICE-09", "WF-CARD-09")
def test_mortals_test_once_beside_repulsive_armies() -> None:
    f = Duel(
        {
            "ghouls": {"ancestry": "ghouls"},
            "hive": {"ancestry": "antinium"},
            "men": {},
            "late": {},
            "dead": {"ancestry": "zombies"},
        },
        {"b": {}},
        dice={
            "r1|army:men|morale.repulsive|0": [2, 1, 1, 1],
            "r2|army:late|morale.repulsive|0": [2, 2, 1, 1],
        },
        answers={"p1": {"line": ["ghouls", "hive", "men", "dead"], "reserve": ["late"]}},
    )
    assert [found["army"] for found in f.of("morale")] == ["men"]
    assert f["men"].active == 3
    f.until("D-11", 2)
    assert [found["army"] for found in f.of("morale") if found["purpose"] == "morale.repulsive"] == [
        "men",
        "late",
    ]
    assert f["late"].active == 4


@rule("WF-DICE-10", "WF-CLS-15", "WF-CLS-16", "WF-RND-02")
def test_terror_routs_each_mortal_unit_without_a_success() -> None:
    f = Field(
        {"demon": {"class": "demon"}, "devil": {"class": "devil"}},
        {"b": {"units": 5}, "bones": {"ancestry": "skeletons"}},
        dice={
            "r1|army:b|morale.terror:demon|0": [1, 3, 2, 1, 4],
            "r1|army:b|morale.terror:devil|0": [2, 2, 1],
        },
    )
    assert f["b"].active == 2
    assert {found["army"] for found in f.of("morale")} == {"b"}


@rule("WF-SET-11", "WF-RND-02")
def test_a_line_emptied_by_terror_is_filled_before_the_phase_ends() -> None:
    f = Field(
        {"demon": {"class": "demon"}},
        {"b": {"units": 2}, "c": {"units": 3, "keywords": ["skirmisher"]}, "d": {}},
        dice={
            "r1|army:b|morale.terror:demon|0": [1, 1],
        },
        answers={"p2": {"line": ["b"], "reserve": ["c", "d"]}},
    )
    assert [f[name].stand for name in ("b", "c", "d")] == ["lost", "line", "reserve"]
    assert (f["c"].momentum, f["c"].deployed_with) == (2, 3)
    assert {found["army"] for found in f.of("morale")} == {"b"}  # the demon does not deploy again


@rule("WF-SET-08", "WF-SET-09", "WF-GOAL-16", "WF-VIS-04")
def test_captains_propose_goals_and_identical_ones_merge() -> None:
    f = Field(
        {"a": {}},
        {"b": {}},
        wall=0,
        answers={
            "p1": {"goals": [{"goal": "rally"}, {"goal": "disorder", "target": "b"}]},
            "p2": {"goals": [{"goal": "rally"}, {"goal": "encircle"}]},
        },
    )
    assert [goal.id for goal in f.battle.goals] == [
        "initiative",
        "advance",
        "encircle:1",
        "rally",
        "disorder:b",
    ] or {goal.id for goal in f.battle.goals} == {
        "initiative",
        "advance",
        "rally",
        "disorder:b",
        "encircle:1",
    }
    encircle = next(goal for goal in f.battle.goals if goal.template == "encircle")
    assert encircle.thresholds == [2, 4]


@rule("WF-SET-03", "WF-SET-09", "WF-SET-12", "WF-SET-17", "WF-GOAL-16", "WF-DEC-02")
@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        ({"line": ["b"]}, "WF-SET-10"),
        ({"line": ["a", "a"]}, "WF-SET-10"),
        ({"reinforce": ["a"]}, "WF-SET-12"),
        ({"assets": ["charm"]}, "WF-SET-17"),
        ({"champion": True}, "WF-SET-16"),
        ({"goals": [{"goal": "plunder"}]}, "WF-GOAL-16"),
        ({"goals": [{"goal": "disorder", "target": "hidden"}]}, "WF-GOAL-16"),
        ({"goals": [{"goal": "disorder", "target": "b"}]}, ""),
    ],
)
def test_setups_that_cannot_stand(answer: dict[str, Any], broken: str) -> None:
    from shared.warfare.battle import machine
    from shared.warfare.battle.opening import Engagement, open_battle

    now = open_battle(
        Engagement(
            seed="s",
            hex=Hex(at=(0, 0)),
            parties=(party("p1", "p2"), party("p2")),
            here=(army("a", "p1"), army("b", "p2"), army("hidden", "p2", keywords=["stealthy"])),
        )
    )
    mine = next(decision for decision in now.decisions if decision.power == "p1")
    assert [shown["army"] for shown in mine.question["armies"]] == ["a", "b"]
    refusal = machine.check(now.state, mine.id, answer)
    assert (refusal.rule if refusal else "") == broken


@rule("WF-SET-03", "WF-SET-10")
def test_a_stealthy_army_may_stay_out_unseen() -> None:
    f = Field({"a": {}, "s": {"keywords": ["stealthy"]}}, {"b": {}}, answers={"p1": {"line": ["a"]}})
    assert f["s"].stand == "out"
    assert Field({"a": {}, "s": {"keywords": ["stealthy"]}}, {"b": {}})["s"].stand == "line"


@rule("WF-SET-16", "WF-GOAL-14", "WF-GOAL-15", "WF-END-03")
def test_an_involved_champion_can_be_hunted() -> None:
    parties = [party("p1", "p2"), party("p2", champion=True, personal="b")]
    answers = {"p1": {"goals": [{"goal": "assassinate", "target": "p2"}]}}
    f = Duel({"a": {}}, {"b": {"personal": True}, "guard": {}}, parties=parties, answers=answers)
    goal = next(goal for goal in f.battle.goals if goal.template == "assassinate")
    assert goal.thresholds == [4, 2]
    f.roll("presence", "a", [4, 3, 1, 1])
    f.give("a", "hold", goals=[goal.id])
    f.until("D-14")
    from shared.warfare.battle import machine
    from shared.warfare.battle.outcome import outcome

    assert f["b"].stand == "lost"
    f.answer(p1={"retreat": ["a"]})
    ended = outcome(f.battle)
    assert ended.champions_slain == ("p2",)
    assert {fate.id: fate.end for fate in ended.fates}["b"] == "destroyed"
    assert machine.decisions(f.battle) == ()


@rule("WF-SET-02", "WF-SET-05", "WF-CARD-01")
def test_a_battle_needs_two_sides_with_armies() -> None:
    with pytest.raises(Illegal, match="WF-SET-02"):
        Field({"a": {}}, {})
    with pytest.raises(Illegal, match="WF-SET-05"):
        Field({"a": {}}, {}, parties=[party("p1", "p2")])
    with pytest.raises(Illegal, match="WF-CARD-01"):
        Field({"a": {}}, {"a": {}})


@rule("WF-SET-07", "WF-GM-01", "WF-GM-02", "WF-GM-04", "WF-MAP-06")
def test_a_game_master_rules_terrain_goals_and_effects_before_the_reveal() -> None:
    f = Field({"a": {"keywords": ["guerilla"]}}, {"b": {}}, options=Options(gm_seat=True))
    assert f.asked("D-08") == ["gm"]
    bridge = {"id": "bridge", "thresholds": [2, 3], "rewards": [[["escalation", 2]], []], "tags": ["siege"]}
    f.answer(
        gm={
            "terrain": "forest",
            "defender": 0,
            "goals": [bridge],
            "effects": [{"number": "attack", "by": 2, "side": 0}, {"army": "b", "status": "frozen", "x": 2}],
        }
    )
    assert (f.battle.terrain, f.battle.sunlight, f.battle.defender) == ("forest", False, 0)
    assert f["b"].statuses == {"frozen": 2}
    assert [goal.id for goal in f.battle.goals] == ["initiative", "advance", "bridge"]
    f.until("D-11")
    f.answer(p1={"entries": [{"army": "a", "command": "slay"}]})
    attack = next(found for found in f.of("attack") if found["army"] == "a")
    assert attack["static"] == 1 + 1 + 2  # Slay, forest, the ruling


@rule("WF-SET-01", "WF-GEN-08", "WF-CARD-02")
def test_wounds_come_along_and_everything_else_starts_from_nothing() -> None:
    f = Field({"a": {"units": [1, 0, {"state": "routed"}]}}, {"b": {}})
    assert (f["a"].bloodied, f["a"].active, f["a"].momentum) == (0, 2, 1)
    assert facts(f.events, "deployed")[0]["army"] in ("a", "b")
    assert one(f.opened.events, "battle")["terrain"] == "plains"
