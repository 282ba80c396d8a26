"""The season loop: support, tidings, declaration, battles within it, and its end (sections 4, 5, 7)."""

from typing import Any

import pytest
from msgspec.structs import replace

from shared.warfare.army import Army, Unit
from shared.warfare.options import Options
from shared.warfare.policy import Policy
from shared.warfare.season import machine, sight, support
from shared.warfare.season.work import Work
from shared.warfare.spells import Asset
from shared.warfare.world import Champion
from tests.warfare.marks import rule
from tests.warfare.realm import IDLE, Realm, army, town, wounds

HOME = (0, 0)
CITY = {"kind": "city", "support": 0}


def hurt(*units: str) -> tuple[Unit, ...]:
    """As the worked examples write them: wounds, r for routed."""
    return tuple(Unit(int(one.rstrip("r")), 0, "routed" if "r" in one else "active") for one in units)


# Support


@rule("WF-PWR-02", "WF-PWR-05", "WF-PWR-07", "WF-SEAS-03")
def test_wv43_a_city_pays_for_what_it_cannot_support() -> None:
    towns = {(q, 0): town(f"t{q}", "p1", population=people) for q, people in enumerate((6, 5, 5, 4))}
    towns[(-1, 0)] = town("t9", "p1", population=3)
    armies = [
        army("a", HOME, units=12),
        army("b", HOME, units=8),
        army("hired", HOME, units=3, loyal_to=None),
    ]
    realm = Realm(armies, sites=towns, powers={"p1": {**CITY, "coin": 2, "loyalty": 5}}, hosted=True)
    assert support.limit(Work(realm.season), "p1") == 20
    realm.until("D-02")
    assert realm.decision("p1").question["excess"] == 3
    assert realm.refusal("p1", {"coin": 3}) == realm.refusal("p1", {"loyalty": 4}) == "WF-PWR-07"
    realm.answer()
    assert (realm.power("p1").coin, realm.power("p1").loyalty) == (0, 4)


@rule("WF-PWR-03", "WF-PWR-04", "WF-PWR-05", "WF-PWR-01")
def test_wv43_conspiracies_and_champions() -> None:
    influence = {f"{q},0": 3 if q == 0 else 1 for q in range(-3, 4)} | {"0,1": 1, "0,2": 1}
    body = army("body", HOME, units=1, personal=True)
    armies = [army("a", HOME, "p2", units=4), army("body", HOME, "p2", units=1, personal=True)]
    realm = Realm(
        armies,
        count=3,
        powers={
            "p1": {"kind": "conspiracy", "support": 0, "influence": influence},
            "p2": {"support": 4, "champion": Champion(at=HOME, personal=body.id)},
        },
    )
    work = Work(realm.season)
    assert support.limit(work, "p1") == 9
    assert (support.limit(work, "p2"), support.units(work, "p2"), support.excess(work, "p2")) == (4, 4, 0)


@rule("WF-PWR-08", "WF-INT-30")
def test_unpaid_units_desert_from_hired_and_green_armies_first() -> None:
    armies = [
        army("green", HOME, units=3),
        army("old", HOME, units=3, rank=3),
        army("hired", HOME, units=2, rank=4, loyal_to=None),
    ]
    realm = Realm(
        armies, powers={"p1": {"support": 2, "coin": 1, "fear": 1, "support_order": ("fear", "coin", "loyalty")}},
        hosted=True,
    ).until("D-03")  # fmt: skip
    assert "hired" not in realm and "old" in realm  # six due, two paid, four leave
    assert (len(realm["green"].units), len(realm["old"].units)) == (1, 3)
    assert realm.of("support")[0]["paid"] == {"coin": 1, "loyalty": 0, "fear": 1}
    assert realm.season.dispersed == []


@rule("WF-SEAS-01", "WF-DEC-03", "WF-SEAS-04", "WF-DEC-04")
def test_a_season_asks_only_those_with_a_choice() -> None:
    realm = Realm([], count=3, sites={(0, 0): town("t1", "p1"), (1, 0): town("t2", "p2")})
    assert realm.asked("D-01") == ["p3"]  # the only one with an army
    realm.answer()
    assert realm.asked("D-03") == ["p1", "p2", "p3"]
    realm.answer()
    assert realm.asked("D-05") == ["p3"]
    realm.answer()
    assert realm.season.season == 2
    assert [event["season"] for event in realm.of("season")] == [1, 2]


# Declaration and joining


def meeting(*more: Army, **rest: Any) -> Realm:
    """An army of p1 and one of p2 in the middle."""
    return Realm([army("a", HOME), army("b", HOME, "p2"), *more], **rest).until("D-05")


def against(*powers: str, at: tuple[int, int] = HOME, **rest: Any) -> dict[str, Any]:
    return {"declarations": [{"hex": at, "against": powers, **rest}]}


@rule("WF-SET-01", "WF-SEAS-08", "WF-SEAS-09", "WF-GEN-04")
def test_one_declaration_is_enough_and_friends_cannot_be_named() -> None:
    realm = meeting(count=3, pacts=[("p1", "p3")])
    assert realm.refusal("p1", against("p3")) == "WF-SET-01"
    assert realm.refusal("p1", against("p2", at=(1, 0))) == "WF-SET-02"
    realm.answer(p1=against("p2"))
    realm.until("D-07")
    assert [battle.id for battle in realm.season.battles] == ["b1@0,0"]
    assert sorted(realm.asked("D-07")) == ["p1", "p2"]


@rule("WF-SET-02", "WF-VIS-02", "WF-KEY-17")
def test_a_hidden_army_is_found_by_naming_its_power_and_empty_ground_is_not() -> None:
    stealthy = army("s", HOME, "p2", keywords=["stealthy"])
    found = Realm([army("a", HOME), stealthy]).until("D-05")
    seen = found.decision("p1").question["hexes"][0]["armies"]
    assert [one["army"] for one in seen] == ["a"]
    found.answer(p1=against("p2"))
    found.until("D-07")

    empty = Realm([army("a", HOME)]).until("D-05")
    empty.answer(p1=against("p2"))
    assert empty.of("no-enemy-found") == [{"hex": HOME}]
    assert empty.season.season == 2  # nothing came of it


@rule("WF-SET-03", "WF-SET-04", "WF-DEC-04")
def test_joiners_need_a_pact_or_leave_and_bring_what_they_choose() -> None:
    realm = meeting(army("c", HOME, "p3"), army("near", (1, 0), "p3", mobility=2), count=4)
    realm.answer(p1=against("p2", accept=["p3"]))
    assert sorted(realm.asked("D-06")) == ["p1", "p2", "p3"]  # two to let others in, one to join
    asked = realm.decision("p3").question
    assert asked["side_of"] == ["p1", "p2"] and asked["declarers"] == ["p1"]
    assert realm.refusal("p3", {"side_of": "p4"}) == "WF-SET-04"
    assert realm.refusal("p1", {"side_of": "p2"}) == "WF-SET-04"
    realm.answer(p3={"side_of": "p1"})
    sides = [side.powers for side in realm.season.battles[0].sides]
    assert sides == [["p1", "p3"], ["p2"]]
    stands = {one.id: one.stand for one in realm.season.battles[0].fighters}
    assert stands == {"a": "here", "b": "here", "c": "here", "near": "near"}

    alone = meeting(army("c", HOME, "p3"), count=3)
    alone.answer(p1=against("p2"))
    alone.answer(p3={"side_of": "p1"})  # nobody lets it in
    assert [side.powers for side in alone.season.battles[0].sides] == [["p1"], ["p2"]]


@rule("WF-SET-12", "WF-SEAS-09")
def test_a_reinforcement_commits_to_one_battle_only() -> None:
    armies = [
        army("a", HOME), army("b", HOME, "p2"),
        army("c", (0, 2)), army("d", (0, 2), "p2"),
        army("r", (0, 1), mobility=2), army("slow", (3, 0), mobility=1),
    ]  # fmt: skip
    realm = Realm(armies).until("D-05")
    realm.answer(p1={"declarations": [{"hex": at, "against": ["p2"]} for at in (HOME, (0, 2))]})
    realm.until("D-07")
    ids = [one.id for one in realm.now.decisions if one.power == "p1"]
    for name in ids:
        question = next(one for one in realm.now.decisions if one.id == name).question
        assert [one["army"] for one in question["reinforcements"]] == ["r"]
    answer = {"line": [], "reinforce": ["r"]}
    realm.now = machine.step(realm.season, dict.fromkeys(ids, answer))
    stands = {
        battle.id: next(one.stand for one in battle.fighters if one.id == "r")
        for battle in realm.season.battles
    }
    assert stands == {"b1@0,0": "delayed", "b1@0,2": "out"}


@rule("WF-SET-12", "WF-SET-04", "WF-SEAS-09")
def test_a_joiner_in_one_battle_reinforces_no_other() -> None:
    armies = [
        army("a", HOME), army("b", HOME, "p2"),
        army("c", (0, 1)), army("d", (0, 1), "p2"),
        army("joiner", (0, 1), "p3", mobility=2),
    ]  # fmt: skip
    realm = Realm(armies, count=4, pacts=[("p1", "p3")]).until("D-05")
    realm.answer(p1={"declarations": [{"hex": at, "against": ["p2"]} for at in (HOME, (0, 1))]})
    joins = {one.id: {"side_of": "p1"} for one in realm.now.decisions if one.power == "p3"}
    assert len(joins) == 2
    realm.now = machine.step(realm.season, joins)
    places = [
        (battle.id, one.stand)
        for battle in realm.season.battles
        for one in battle.fighters
        if one.id == "joiner"
    ]
    assert places == [("b1@0,1", "here")]


@rule("WF-RND-18", "WF-AST-05")
def test_battles_share_one_purse() -> None:
    armies = [army("a", HOME), army("b", HOME, "p2"), army("c", (0, 2)), army("d", (0, 2), "p2")]
    realm = Realm(armies, powers={"p2": {"coin": 3}}, hosted=True).until("D-05")
    realm.answer(p1={"declarations": [{"hex": at, "against": ["p2"]} for at in (HOME, (0, 2))]})
    realm.until("D-11")
    for battle in realm.season.battles:
        for side in battle.sides:
            if "p1" in side.powers:
                side.escalation = 2
    realm.until("D-12")
    terms = {"terms": {"coin": 2}}
    offers = {}
    for one in realm.now.decisions:
        if one.power == "p1":
            offers[one.id] = {"to": one.question["to"][0]["side"], **terms}
    assert len(offers) == 2
    realm.now = machine.step(realm.season, offers)
    replies = {one.id: {"accept": True} for one in realm.now.decisions if one.kind == "D-13"}
    assert len(replies) == 2
    realm.now = machine.step(realm.season, replies)
    realm.events += realm.now.events
    assert [one["battle"] for one in realm.of("accepted")] == ["b1@0,0"]
    realm.end_season()
    assert (realm.power("p1").coin, realm.power("p2").coin) == (2, 1)


@rule("WF-SEAS-09", "WF-VIS-05")
def test_battles_run_side_by_side_and_are_their_own_peoples() -> None:
    armies = [
        army("a", HOME), army("b", HOME, "p2"),
        army("c", (0, 2), "p3"), army("d", (0, 2), "p4"),
    ]  # fmt: skip
    realm = Realm(armies, count=4).until("D-05")
    realm.answer(p1=against("p2"), p3=against("p4", at=(0, 2)))
    realm.until("D-11")
    assert {one.battle for one in realm.now.decisions} == {"b1@0,0", "b1@0,2"}
    for event in realm.events:
        if event.facts.get("battle") == "b1@0,0" and event.kind != "battle-summary":
            assert set(event.to or ()) <= {"p1", "p2"}


# What battles leave


@rule("WF-END-03", "WF-END-06", "WF-SET-14", "WF-ACT-20")
def test_a_destroyed_army_with_runaways_is_dispersed() -> None:
    realm = meeting(
        army("b2", HOME, "p2"),
        battle_dice={"b1@0,0": {"r1|army:a|attack|0": [4, 4, 1, 1], "r1|army:b|morale.bloodied|0": [1, 1]}},
    )
    realm.answer(p1=against("p2"))
    realm.until("D-11")
    battle = realm.season.battles[0]
    for fighter in battle.fighters:
        if fighter.id == "b":
            for unit in fighter.units[:3]:
                unit.state = "routed"
            fighter.units[3].wounds = 1
    realm.now = machine.step(
        realm.season,
        {realm.decision("p1").id: {"entries": [{"army": "a", "command": "slay", "targets": ["b"]}]}},
    )
    fighter = next(one for one in realm.season.battles[0].fighters if one.id == "b")
    assert fighter.stand == "lost"
    realm.end_season()
    assert "b" not in realm
    (gone,) = realm.season.dispersed
    assert (gone.army.id, len(gone.army.units), gone.hex, gone.controller) == ("b", 3, HOME, "p2")
    assert gone.fought == ("p1", "p2")


@rule("WF-CARD-16", "WF-SEAS-12", "WF-RND-26", "WF-CMP-04")
def test_who_left_the_field_does_not_hold_the_ground_and_goes_home() -> None:
    sites = {HOME: town("t", "p2"), (2, 0): town("base", "p1"), (-2, 0): town("own", "p2")}
    realm = Realm(
        [army("a", HOME, garrison="base"), army("b", HOME, "p2", garrison="own")], sites=sites
    ).until("D-05")
    realm.answer(p1=against("p2"))
    realm.until("D-14")
    realm.answer(p1={"retreat": ["a"]}, p2={})
    realm.end_season()
    assert (realm["a"].hex, realm["b"].hex) == ((2, 0), (-2, 0))
    assert realm.site("t").owner == "p2"


# Season's end


@rule("WF-SEAS-10", "WF-KEY-37", "WF-INT-22", "WF-CARD-04")
def test_wv42_routed_units_return_and_then_wounds_heal() -> None:
    def ended(units: tuple[Unit, ...], **written: Any) -> list[int]:
        policy = written.pop("policy", {})
        realm = Realm([army("x", HOME, units=[u.wounds for u in units], **written)])
        realm.until("D-05")
        realm.season.armies = [
            replace(one, units=units) if one.id == "x" else one for one in realm.season.armies
        ]
        realm.answer(beside={"policies:p1": {"armies": {"x": policy}}})
        return wounds(realm["x"])

    units = hurt("1", "1", "1", "0", "1r")
    assert ended(units) == [0, 0, 1, 0, 1]
    assert ended(units, keywords=["ageless"]) == [0, 1, 1, 0, 1]
    assert ended(hurt("2", "1", "0", "0"), **{"class": "giant"}) == [0, 1, 0, 0]
    assert ended(hurt("2", "1", "0", "0"), policy={"heal": "least_wounded"}, **{"class": "giant"}) == [
        1,
        0,
        0,
        0,
    ]
    assert ended(units, policy={"scars": 3}) == [0, 1, 1, 0, 1]
    assert ended(hurt("2", "1"), keywords=["juggernaut"], **{"class": "giant"}) == [0, 1]


@rule("WF-INT-22", "WF-DEC-02")
def test_the_owner_places_healing_where_it_asked_to() -> None:
    realm = Realm([army("x", HOME, units=[1, 1, 0, 1], policy=Policy(heal="ask"))]).until("D-15")
    assert realm.decision("p1").question == {"armies": [{"army": "x", "heals": 2, "wounds": [1, 1, 0, 1]}]}
    assert realm.refusal("p1", {"armies": {"x": [0, 1, 3]}}) == "WF-SEAS-10"
    assert realm.refusal("p1", {"armies": {"x": [2]}}) == "WF-SEAS-10"
    assert realm.refusal("p1", {"armies": {"idle": [0]}}) == "WF-SEAS-10"
    realm.answer(p1={"armies": {"x": [3, 1]}})
    assert wounds(realm["x"]) == [1, 0, 0, 0]


def marched(*armies: Army, coin: int = 5, **rest: Any) -> Realm:
    """All armies of p1 have mustered next door; at D-16 or past it."""
    realm = Realm(
        armies, powers={"p1": {"coin": coin, "fear": 2, **rest.pop("power", {})}}, hosted=True, **rest
    )
    realm.orders(p1=[{"action": "muster", "armies": [one.id for one in armies], "to": [1, 0]}])
    return realm


@rule("WF-PWR-09", "WF-SEAS-11", "WF-KEY-38", "WF-CARD-14")
def test_fees_are_due_once_from_hired_armies_that_were_used() -> None:
    hired = army("hired", HOME, loyal_to=None, fee=2)
    servile = army("servile", HOME, loyal_to=None, fee=3, keywords=["servile"])
    realm = marched(hired, servile, army("loyal", HOME))
    realm.until("D-16")
    assert realm.decision("p1").question["fees"] == [
        {"army": "hired", "coin": 2, "fear": None},
        {"army": "servile", "coin": 3, "fear": 1},
    ]
    assert realm.refusal("p1", {"armies": {"hired": "fear"}}) == "WF-PWR-09"
    assert realm.refusal("p1", {"armies": {"loyal": "coin"}}) == "WF-PWR-09"
    realm.answer(p1={"armies": {"servile": "fear", "hired": "coin"}})
    assert (realm.power("p1").coin, realm.power("p1").fear) == (3, 1)
    assert realm["hired"].controller == "p1"


@rule("WF-PWR-10", "WF-ACT-40", "WF-INT-30")
@pytest.mark.parametrize(("face", "to"), [(2, "p2"), (3, "p1")])
def test_an_unpaid_army_may_go_to_the_best_standing_bid(face: int, to: str) -> None:
    hired = army("hired", HOME, loyal_to=None, fee=2)
    realm = Realm(
        [hired, army("near", (0, 1), "p2")],
        powers={"p2": {"coin": 4}},
        hosted=True,
        dice={"r0|army:hired|desert|0": [face]},
    )
    realm.orders(
        p1=[{"action": "muster", "armies": ["hired"], "to": [1, 0]}],
        p2=[{"action": "hire", "army": "hired", "coin": 3}],
    )
    realm.end_season()
    assert realm["hired"].controller == to
    assert realm.power("p2").coin == (1 if to == "p2" else 4)


@rule("WF-PWR-10", "WF-PWR-11")
def test_without_a_bid_it_goes_rogue_and_rogues_only_defend() -> None:
    realm = Realm(
        [army("hired", HOME, loyal_to=None), army("r", (2, 0), None)],
        dice={"r0|army:hired|desert|0": [1]},
        powers={"p1": {"coin": 0}},
        hosted=True,
    ).until("D-03")
    realm.answer(p1={"orders": [{"action": "muster", "armies": ["hired"], "to": [1, 0]}]})
    realm.until("D-05")
    assert sorted(realm.asked("D-05")) == ["p1", "p2"]
    realm.end_season()
    assert realm["hired"].controller is None and realm["r"].hex == (2, 0)


@rule("WF-SEAS-13", "WF-SEAS-02")
def test_counters_of_a_season_are_reset() -> None:
    realm = Realm([army("a", HOME), army("b", HOME, "p2")])
    realm.orders(p1=[{"action": "muster", "armies": ["a"], "to": [1, 0]}])
    assert realm.season.moved == ["a"]
    realm.end_season()
    season = realm.season
    assert season.season == 2
    assert (season.moved, season.fought, season.created, season.bids, season.assets_used) == ([],) * 5


# Sight


@rule("WF-VIS-01", "WF-VIS-02", "WF-CMP-02", "WF-KEY-33", "WF-VIS-07")
def test_what_is_seen_from_where_and_of_whom() -> None:
    armies = [
        army("a", HOME, keywords=["incorruptible"]),
        army("near", (1, 0), "p2", name="Hammers", keywords=["scouts"]),
        army("veiled", (1, 0), "p2", keywords=["stealthy"]),
        army("far", (3, 0), "p2"),
    ]
    influence = {"p2": {"kind": "conspiracy", "influence": {"0,0": 2, "-2,0": 1}}}
    realm = Realm(armies, powers=influence, sites={(-1, 0): town("t", "p1")}, count=3, pacts=[("p1", "p3")])
    work = Work(realm.season)
    sees = sight.seen(work, "p1")
    assert (1, 0) in sees and (2, 0) not in sees and (-3, 0) in sees  # one from an army, two from a town
    assert IDLE in sees  # a partner's eyes
    assert [one.id for one in sight.shown(work, "p1")] == ["a", "idle", "near"]
    banner = sight.banner(realm["near"])
    assert set(banner) == {"army", "name", "power", "hex", "rank", "ancestry", "class", "tier", "units"}
    assert sight.influence_seen(work, "p1") == {"0,0": {"p2": 2}}
    assert sight.influence_seen(work, "p3") == {}
    assert "1,0" in sight.reading(realm.season, "p1") and "2,0" not in sight.reading(realm.season, "p1")
    assert IDLE not in sight.seen(work, "p2") and (-2, 0) in sight.seen(work, "p2")


# Policies and the game master


@rule("WF-DEC-01", "WF-INT-30", "WF-GEN-01")
def test_policies_stand_beside_any_window() -> None:
    realm = Realm([army("a", HOME)])
    filed = {
        "armies": {"a": {"retreat": {"active_at_most": 2}}},
        "support_order": ["fear", "coin", "loyalty"],
    }
    assert machine.check(realm.season, "policies:p1", filed) is None
    foreign = machine.check(realm.season, "policies:p2", {"armies": {"a": {}}})
    assert foreign is not None and foreign.army == "a"
    wrong = machine.check(realm.season, "policies:p1", {"armies": {"a": {"class": "dragon"}}})
    assert wrong is not None and wrong.rule == "WF-INT-29"
    realm.answer(beside={"policies:p1": filed})
    assert realm["a"].policy.retreat != "never"
    assert realm.power("p1").support_order == ("fear", "coin", "loyalty")


def mastered(*armies: Army, **rest: Any) -> Realm:
    return Realm(armies, options=Options(gm_seat=True), **rest)


@rule("WF-GM-08", "WF-GM-10", "WF-GM-11", "WF-GM-12", "WF-DEC-08", "WF-GM-06")
def test_a_game_master_rules_beside_the_windows() -> None:
    sites = {HOME: town("t", "p1")}
    realm = mastered(army("r", (2, 0), None), army("a", HOME), sites=sites)
    new = army("ogres", (3, 0), None)
    given = {
        "difficulties": [{"power": "p1", "action": "muster", "by": 3}],
        "sites": [{"site": "t", "depopulated": 2, "wall": 1}],
        "moves": {"r": [1, 0]},
        "mounts": {"a": {"mobility": 2}},
        "armies": [new],
    }
    assert machine.check(realm.season, "gm", given) is None
    assert machine.check(realm.season, "gm", {"moves": {"a": [1, 0]}}) is not None
    assert machine.check(realm.season, "gm", {"armies": [army("a", HOME, None)]}) is not None
    realm.answer(beside={"gm": given})
    assert (realm["r"].hex, realm.site("t").depopulated, realm.site("t").wall) == ((1, 0), 2, 1)
    assert realm["ogres"].controller is None
    realm.orders(p1=[{"action": "muster", "armies": ["a"], "to": [1, 0]}])
    assert realm.of("order")[0]["difficulty"] == 3
    assert realm.asked("D-05")[-1] == "gm"  # for the rogues


@rule("WF-GM-07", "WF-DEC-04")
def test_a_game_master_decides_on_deserters() -> None:
    realm = mastered(army("hired", HOME, loyal_to=None), hosted=True)
    realm.orders(p1=[{"action": "muster", "armies": ["hired"], "to": [1, 0]}])
    realm.until("D-17")
    assert realm.asked("D-17") == ["gm"]
    assert realm.refusal("gm", {"armies": {"idle": "stay"}}) == "WF-GM-07"
    realm.answer(gm={"armies": {"hired": "p2"}})
    assert (realm["hired"].controller, realm["hired"].loyal_to) == ("p2", None)


@rule("WF-GM-05", "WF-GM-09", "WF-DEC-08")
def test_a_game_master_is_heard_in_every_battle() -> None:
    realm = Realm([army("a", HOME), army("b", HOME, "p2")], options=Options(gm_seat=True)).until("D-05")
    realm.answer(p1=against("p2"))
    realm.until("D-08")
    realm.answer(gm={"terrain": "mountains"})
    assert realm.season.battles[0].terrain == "mountains"
    realm.until("D-11")
    status = {"do": "status", "name": "frozen", "x": 2}
    realm.answer(beside={"gm:b1@0,0": {"orders": [{"targets": ["a"], "effects": [status]}]}})
    assert realm.of("gm-order")


@rule("WF-SET-16", "WF-GOAL-15")
def test_a_champion_goes_where_its_body_goes_and_dies_with_it() -> None:
    body = army("body", HOME, "p1", personal=True)
    power = {"p1": {"champion": Champion(name="Ivar", at=HOME, personal="body")}}
    realm = Realm([body, army("b", (1, 0), "p2")], powers=power)
    realm.orders(p1=[{"action": "muster", "armies": ["body"], "to": [1, 0]}])
    champion = realm.power("p1").champion
    assert champion is not None and champion.at == (1, 0)
    realm.answer(p2=against("p1", at=(1, 0)))
    realm.until("D-11")
    for fighter in realm.season.battles[0].fighters:
        if fighter.id == "body":
            for unit in fighter.units[1:]:
                unit.state, unit.wounds = "slain", 2
            fighter.units[0].wounds = 1
            fighter.defense = 1
    while realm.season.season == 1 and realm.now.decisions:
        realm.answer()
    champion = realm.power("p1").champion
    assert "body" not in realm
    assert champion is not None and not champion.alive and champion.at is None
    assert realm.of("champion-slain")


@rule("WF-SEAS-10", "WF-CARD-03")
def test_the_routed_are_back_before_wounds_are_counted() -> None:
    realm = Realm([army("x", HOME, units=[1, 1, 1, 1])]).until("D-05")
    units = hurt("1", "1", "1r", "1r")
    realm.season.armies = [replace(one, units=units) if one.id == "x" else one for one in realm.season.armies]
    realm.answer()
    assert wounds(realm["x"]) == [0, 0, 1, 1]  # half of four, not of two
    assert all(unit.state == "active" for unit in realm["x"].units)


@rule("WF-SET-12", "WF-SEAS-09", "WF-DEC-03")
def test_armies_in_a_battle_of_their_own_reinforce_no_other() -> None:
    armies = [
        army("a", HOME), army("b", HOME, "p2"),
        army("c", (0, 1), "p3", mobility=3), army("d", (0, 1), "p4", mobility=3),
    ]  # fmt: skip
    realm = Realm(armies, count=5).until("D-05")
    realm.answer(p1=against("p2"), p3=against("p4", at=(0, 1)))
    asked = {one.id: one.question["side_of"] for one in realm.now.decisions if one.kind == "D-06"}
    assert not any(asked.values())  # participants may only let others in; those others are bound


@rule("WF-SET-06", "WF-CARD-16")
def test_who_lives_in_the_hex_defends_it_when_both_declare() -> None:
    realm = Realm([army("a", (1, 0)), army("b", HOME, "p2")])
    realm.orders(p1=[{"action": "muster", "armies": ["a"], "to": [0, 0]}])
    realm.answer(p1=against("p2"), p2=against("p1"))
    realm.until("D-07")
    (battle,) = realm.season.battles
    assert battle.defender is not None and battle.sides[battle.defender].powers == ["p2"]


@rule("WF-GOAL-11", "WF-AST-05", "WF-AST-07")
def test_siege_marks_the_wall_and_spent_assets_are_gone() -> None:
    banner = Asset(id="banner", bonus=2, uses=1)
    realm = Realm(
        [army("a", HOME, keywords=["siege"]), army("b", HOME, "p2")],
        sites={HOME: town("t", "p2", wall=2)},
        powers={"p1": {"assets": (banner,)}},
    ).until("D-05")
    realm.answer(p1=against("p2"))
    realm.until("D-07")
    realm.answer(p1={"line": ["a"], "assets": ["banner"]})
    realm.until("D-11")
    realm.answer(p1={"entries": [{"army": "a", "command": "hold", "goals": ["walls"], "asset": "banner"}]})
    realm.end_season()
    assert realm.site("t").wall_damage >= 1
    assert realm.power("p1").assets == ()
