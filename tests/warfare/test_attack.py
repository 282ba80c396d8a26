"""The steps of an attack (sections 2.1 and 10)."""

import pytest

from tests.warfare.duel import Duel, facts, one
from tests.warfare.field import units
from tests.warfare.marks import rule


def duel(attacker: dict, target: dict, **more: object) -> Duel:  # type: ignore[type-arg]
    return Duel({"a": attacker}, {"t": target, "spare": {}}, **more)


@rule("WF-DICE-01", "WF-DICE-03", "WF-DICE-04", "WF-DICE-07", "WF-ATK-09", "WF-CMD-01")
def test_each_face_and_static_that_meets_the_defense_is_a_success() -> None:
    f = duel({"attack": "d8-2"}, {"defense": 4}).roll("attack", "a", [8, 5, 4, 1])
    attack = one(f.give("a", "slay", targets=["t"]), "attack")
    assert (attack["static"], attack["thresholds"], attack["successes"]) == (-1, [4], [2])


@rule("WF-DICE-02", "WF-STA-04", "WF-STA-10", "WF-STA-11", "WF-STA-07")
@pytest.mark.parametrize(
    ("statuses", "dice"),
    [({"weakened": 1}, 3), ({"frozen": 9}, 0), ({"hastened": 2}, 6), ({"strengthened": 3, "frozen": 1}, 6)],
)
def test_the_pool_is_the_active_units_and_what_statuses_add(statuses: dict[str, int], dice: int) -> None:
    f = duel({}, {})
    f.put("a", statuses=statuses)
    assert len(one(f.give("a", "slay", targets=["t"]), "attack")["faces"]) == dice


@rule("WF-DICE-05", "WF-KEY-03", "WF-INT-18", "WF-ATK-10")
def test_needler_halves_the_shown_defense_and_then_the_successes() -> None:
    f = duel({"keywords": ["Needler"]}, {"defense": 7})
    f.put("t", statuses={"vulnerable": 1})
    f.roll("attack", "a", [4, 3, 2, 1])  # +1 of Slay against (7 - 2) / 2
    attack = one(f.give("a", "slay", targets=["t"]), "attack")
    assert (attack["needler"], attack["thresholds"], attack["successes"]) == (True, [2], [2])
    f = duel({"keywords": ["Needler"]}, {"defense": 1})
    attack = one(f.roll("attack", "a", [4, 3, 2, 1]).give("a", "slay", targets=["t"], needler=True), "attack")
    assert attack["thresholds"] == [1]


@rule("WF-KEY-08", "WF-INT-19", "WF-ATK-11", "WF-ATK-16", "WF-ATK-18")
def test_slayer_wounds_in_pairs_after_resistance_armor_and_dodge_took_points_in_order() -> None:
    f = duel({"keywords": ["Slayer"], "attack": "d8"}, {"defense": 3, "keywords": ["Agile"], "units": 4})
    f.put("t", armor=1, momentum=1)
    f.roll("attack", "a", [8, 7, 5, 1]).roll("morale.bloodied", "t", [4, 4])
    attack = one(f.give("a", "slay", targets=["t"], slayer=True), "attack")
    assert (attack["thresholds"], attack["successes"]) == ([6], [3])
    # The first pair goes to armor and dodge; each other pair slays a fresh unit.
    assert (units(f["t"]), f["t"].armor, f["t"].momentum) == ("x,x,0,0", 0, 0)


@rule("WF-ATK-01", "WF-ATK-02", "WF-STA-13", "WF-CLS-02")
def test_melee_cannot_reach_what_flies_but_ranged_and_airborne_can() -> None:
    for attacker, statuses, mode, valid in (
        ({}, {}, "melee", ["spare"]),
        ({}, {"flying": 1}, "airborne", ["spare", "t"]),
        ({"class": "archers"}, {}, "ranged", ["spare", "t"]),
    ):
        f = duel(attacker, {})
        f.put("t", statuses={"flying": 2})
        f.put("a", statuses=dict(statuses))
        while f.asked("D-11") != ["p1"]:
            f.answer()
        asked = f.question("p1")["armies"][0]
        assert (asked["mode"], asked["targets"]) == (mode, valid)


@rule("WF-ATK-03", "WF-STA-12")
def test_taunt_binds_melee_only_and_never_the_second_target() -> None:
    f = duel({"class": "monster"}, {})
    f.put("spare", statuses={"taunt": 1})
    f.put("a", momentum=1)
    attack = one(f.give("a", "slay", targets=["t"], two=True, second=["t"]), "attack")
    assert attack["targets"] == ["spare", "t"]


@rule("WF-ATK-04", "WF-CLS-18", "WF-DICE-11", "WF-INT-21")
def test_two_targets_cost_momentum_and_share_one_roll() -> None:
    f = duel({"class": "monster"}, {"defense": 4})
    f.put("a", momentum=1)
    f.put("spare", defense=2)
    f.roll("attack", "a", [4, 3, 2, 1])
    attack = one(f.give("a", "slay", targets=["t"], two=True), "attack")
    assert (attack["static"], attack["thresholds"], attack["successes"]) == (0, [4, 2], [1, 3])
    assert f["a"].momentum == 0
    # Without momentum, or without a second valid target, the option is dropped.
    f = duel({"class": "monster"}, {})
    attack = one(f.give("a", "slay", targets=["t"], two=True), "attack")
    assert (attack["targets"], attack["static"]) == (["t"], 1)


@rule("WF-ATK-05", "WF-ANC-19", "WF-ANC-32", "WF-INT-40")
def test_momentum_gained_by_attacking_pays_for_the_attack() -> None:
    f = duel({"ancestry": "Fire", "class": "axes"}, {"defense": 4})
    f.put("t", armor=3)
    f.roll("morale.bloodied", "t", [4] * 4).roll("attack", "a", [4, 4, 4, 1])  # +1 class, +1 Slay
    f.give("a", "slay", targets=["t"])
    assert (f["a"].momentum, f["t"].armor, units(f["t"])) == (0, 0, "1,0,0,0")


@rule("WF-ATK-06", "WF-CLS-09", "WF-INT-01", "WF-KEY-10")
def test_a_redirected_attack_counts_for_the_new_target_only() -> None:
    policy = {"redirect": "always", "redirect_to": ["spare"]}
    f = Duel(
        {"a": {}, "idle": {}},
        {
            "t": {"class": "rogues", "policy": policy},
            "spare": {"ancestry": "Earth", "defense": 9},
            "third": {},
        },
    )
    f.put("t", momentum=1)
    events = f.give("a", "slay", targets=["t"])
    assert one(events, "redirected") == {"army": "t", "to": "spare"}
    assert one(events, "attack")["targets"] == ["spare"]
    assert (f["t"].attacked, f["spare"].attacked, f["t"].momentum, f["spare"].momentum) == (0, 1, 0, 1)


@rule("WF-INT-01")
def test_lethal_redirects_only_what_could_destroy_it() -> None:
    for strength, moved in ((4, 0), (8, 1)):
        f = Duel(
            {"a": {"units": strength}},
            {"t": {"class": "rogues", "policy": {"redirect": "lethal"}}, "spare": {"units": 4}},
        )
        f.put("t", momentum=1)
        assert len(facts(f.give("a", "slay", targets=["t"]), "redirected")) == moved


@rule("WF-CLS-13", "WF-INT-02")
def test_an_angel_takes_the_attack_upon_itself() -> None:
    angel = {"class": "angel", "defense": 5, "policy": {"intercept": ["t"]}}
    f = Duel({"a": {}, "idle": {}}, {"t": {}, "angel": angel, "third": {}})
    f.put("angel", momentum=1, statuses={"flying": 2})
    attack = one(f.give("a", "slay", targets=["t"]), "attack")
    assert (attack["targets"], attack["thresholds"], attack["mode"]) == (["angel"], [5], "melee")
    assert (f["angel"].statuses, f["angel"].momentum) == ({}, 0)


@rule("WF-ATK-07", "WF-CLS-04", "WF-INT-03", "WF-ATK-08")
def test_dervishes_buy_defense_for_the_round_once() -> None:
    f = Duel({"a": {}, "b": {}}, {"t": {"class": "dervishes", "defense": 3}, "spare": {}, "third": {}})
    f.put("t", momentum=3)
    assert one(f.give("a", "slay", targets=["t"]), "attack")["thresholds"] == [5]
    f.put("t", momentum=3)
    assert one(f.give("b", "slay", targets=["t"]), "attack")["thresholds"] == [5]
    assert f["t"].momentum == 3
    f = duel({}, {"class": "dervishes", "defense": 3})
    f.put("t", momentum=1)  # auto waits for two
    assert one(f.give("a", "slay", targets=["t"]), "attack")["thresholds"] == [3]


@rule("WF-CLS-11", "WF-INT-04")
def test_tortoise_pays_against_arrows_only() -> None:
    f = Duel(
        {"a": {"class": "archers"}, "b": {}}, {"t": {"class": "tortoise", "defense": 4}, "s": {}, "u": {}}
    )
    f.put("t", momentum=2)
    assert one(f.give("a", "slay", targets=["t"]), "attack")["thresholds"] == [7]
    assert one(f.give("b", "slay", targets=["t"]), "attack")["thresholds"] == [4]
    assert f["t"].momentum == 1


@rule("WF-ATK-12", "WF-CARD-10", "WF-CARD-11", "WF-KEY-05", "WF-KEY-12", "WF-CLS-06")
@pytest.mark.parametrize(
    ("ancestry", "keywords", "wounds"),
    [("Deep Dwarves", [], 2), ("Drakes", [], 3), ("Diverse", [], 2), ("Deep Dwarves", ["Immunized"], 0)],
)
def test_an_army_resists_damage_of_its_element(ancestry: str, keywords: list[str], wounds: int) -> None:
    f = duel({"class": "hammers"}, {"ancestry": ancestry, "keywords": keywords, "defense": 4, "units": 6})
    f.put("t", armor=2)
    f.put("a", momentum=1)
    f.roll("attack", "a", [4, 4, 4, 1]).roll("morale.bloodied", "t", [4] * 6)
    events = f.give("a", "slay", targets=["t"], hammers=True)
    assert one(events, "attack")["type"] == "crush"
    assert sum(found["wounds"] for found in facts(events, "wounded")) == wounds
    assert f["t"].armor == 2


@rule("WF-ATK-13", "WF-CARD-07", "WF-CARD-08", "WF-KEY-24")
def test_armor_takes_untyped_points_and_for_arcanists_all() -> None:
    for keywords, armor in ((["Arcanists"], 0), ([], 2)):
        f = duel({"class": "hammers"}, {"keywords": keywords, "ancestry": "drakes", "defense": 4})
        f.put("t", armor=2)
        f.put("a", momentum=1)
        f.roll("attack", "a", [4, 4, 1, 1]).roll("morale.bloodied", "t", [4] * 4)
        f.give("a", "slay", targets=["t"], hammers=True)
        assert f["t"].armor == armor


@rule("WF-ATK-14", "WF-ANC-02", "WF-ANC-03", "WF-ANC-04")
def test_broken_armor_gives_momentum_to_those_concerned() -> None:
    f = Duel(
        {"a": {"ancestry": "diverse", "attack": "d4"}, "idle": {}},
        {
            "t": {"ancestry": "deep dwarves", "defense": 3},
            "ally": {"ancestry": "mountain dwarves"},
            "third": {},
        },
    )
    f.put("t", armor=1)
    f.roll("attack", "a", [4, 1, 1, 1])
    f.give("a", "slay", targets=["t"])
    assert [f[name].momentum for name in ("a", "t", "ally")] == [1, 1, 1]


@rule("WF-ATK-15", "WF-KEY-01", "WF-INT-05")
@pytest.mark.parametrize(
    ("agile", "wounds", "left"), [("all", "1,0,0,0", 0), ("never", "1,1,1,0", 2), ("full", "1,1,1,0", 2)]
)
def test_agile_armies_dodge_for_momentum(agile: str, wounds: str, left: int) -> None:
    f = duel({}, {"keywords": ["agile"], "defense": 3, "policy": {"agile": agile}})
    f.put("t", momentum=2)
    f.roll("attack", "a", [4, 3, 2, 1]).roll("morale.bloodied", "t", [4] * 4)
    f.give("a", "slay", targets=["t"])
    assert (units(f["t"]), f["t"].momentum) == (wounds, left)


@rule("WF-INT-05", "WF-INT-41")
def test_dodging_only_what_would_slay_and_what_is_kept() -> None:
    f = duel({}, {"keywords": ["agile"], "defense": 3, "policy": {"agile": "slain"}, "units": 2})
    f.put("t", momentum=2)
    f.roll("attack", "a", [4, 3, 3, 1]).roll("morale.bloodied", "t", [4, 4])
    f.give("a", "slay", targets=["t"])
    assert (units(f["t"]), f["t"].momentum) == ("1,1", 1)
    f = duel({}, {"keywords": ["agile"], "defense": 3, "policy": {"keep": {"agile": 1}}})
    f.put("t", momentum=2)
    f.roll("attack", "a", [4, 3, 3, 1]).roll("morale.bloodied", "t", [4] * 4)
    f.give("a", "slay", targets=["t"])
    assert f["t"].momentum == 1


@rule("WF-ATK-17", "WF-KEY-30", "WF-ATK-26")
def test_nightmares_rout_instead_of_wounding() -> None:
    f = duel({"keywords": ["nightmare"]}, {"defense": 3})
    f.put("t", wounds=[0, 1, 0, 0])
    f.roll("attack", "a", [3, 3, 1, 1])
    f.give("a", "slay", targets=["t"])
    assert (units(f["t"]), f["t"].bloodied) == ("0r,1r,0,0", 0)


@rule("WF-INT-05", "WF-ATK-17")
@pytest.mark.parametrize(("agile", "after", "left"), [("slain", "1r,1r", 2), ("all", "1,1", 0)])
def test_points_that_rout_would_slay_nobody(agile: str, after: str, left: int) -> None:
    f = duel(
        {"keywords": ["nightmare"]},
        {"keywords": ["agile"], "defense": 3, "policy": {"agile": agile}, "units": 2},
    )
    f.put("t", wounds=[1, 1], momentum=2)
    f.roll("attack", "a", [3, 3, 1, 1])
    events = f.give("a", "slay", targets=["t"])
    assert (units(f["t"]), 2 - sum(found["points"] for found in facts(events, "dodged"))) == (after, left)


@rule("WF-INT-16", "WF-ATK-26")
@pytest.mark.parametrize(("routs", "after"), [("most_wounded", "1r,1,0,0"), ("least_wounded", "1,1,0r,0")])
def test_who_runs_is_the_defenders_policy(routs: str, after: str) -> None:
    f = duel({"rank": 4}, {"defense": 3, "policy": {"routs": routs}})
    f.put("t", wounds=[0, 1, 0, 0])
    f.roll("attack", "a", [3, 1, 1, 1]).roll("morale.bloodied", "t", [4, 1, 1, 1])
    f.give("a", "slay", targets=["t"])
    assert units(f["t"]) == after


@rule("WF-ATK-19", "WF-CARD-05", "WF-ATK-25", "WF-INT-15")
@pytest.mark.parametrize(("wounds", "after"), [("spread", "1,1,1,0"), ("sacrifice", "x,1,0,0")])
def test_units_die_of_their_second_wound(wounds: str, after: str) -> None:
    f = duel({}, {"defense": 3, "policy": {"wounds": wounds}})
    f.roll("attack", "a", [3, 3, 3, 1]).roll("morale.bloodied", "t", [4] * (4 - after.count("x")))
    f.give("a", "slay", targets=["t"])
    assert units(f["t"]) == after


@rule("WF-KEY-02", "WF-INT-17")
def test_bloodlust_lets_the_attacker_choose() -> None:
    f = duel({"keywords": ["bloodlust"]}, {"defense": 3})
    f.put("t", wounds=[0, 0, 1, 0])
    f.roll("attack", "a", [3, 1, 1, 1]).roll("morale.bloodied", "t", [4] * 3)
    f.give("a", "slay", targets=["t"])
    assert units(f["t"]) == "0,0,x,0"


@rule("WF-ATK-20", "WF-ATK-21", "WF-DICE-09", "WF-CARD-13")
def test_bloodied_rises_by_new_wounds_and_forces_one_test_of_the_attackers_rank() -> None:
    f = Duel({"a": {"rank": 3}, "b": {}}, {"t": {"defense": 3}, "spare": {}, "third": {}})
    f.put("t", wounds=[0, 0, 0, 1])  # an old wound
    f.roll("attack", "a", [3, 3, 1, 1]).roll("morale.bloodied", "t", [3, 1, 1, 1])
    events = f.give("a", "slay", targets=["t"])
    assert (one(events, "morale")["threshold"], f["t"].bloodied) == (3, 1)
    assert units(f["t"]) == "1r,1,0,1"
    events = f.roll("attack", "b", [3, 1, 1, 1]).give("b", "slay", targets=["t"])
    assert not facts(events, "morale")  # a third unit's first wound raises nothing


@rule("WF-KEY-04", "WF-KEY-31")
def test_the_fearful_put_everybody_at_stake_except_alien_minds() -> None:
    f = duel({"keywords": ["fearful"], "rank": 4}, {"defense": 3})
    f.roll("attack", "a", [3, 1, 1, 1]).roll("morale.bloodied", "t", [4, 1, 1, 1])
    f.give("a", "slay", targets=["t"])
    assert units(f["t"]) == "1r,0r,0r,0"
    f = duel({"keywords": ["fearful"]}, {"ancestry": "antinium", "defense": 3})
    assert not facts(f.roll("attack", "a", [3, 1, 1, 1]).give("a", "slay", targets=["t"]), "morale")
    assert units(f["t"]) == "1,0,0,0"


@rule("WF-ATK-22", "WF-ATK-23", "WF-CARD-03")
def test_a_destroyed_army_answers_nothing() -> None:
    f = duel({}, {"class": "pikes", "units": 1, "defense": 3})
    f.put("t", momentum=1, wounds=[1])
    events = f.roll("attack", "a", [3, 3, 3, 3]).give("a", "slay", targets=["t"])
    assert one(events, "destroyed")["army"] == "t"
    assert len(facts(events, "attack")) == 1
    assert f["t"].stand == "lost"


@rule("WF-ATK-24", "WF-CLS-08", "WF-INT-06", "WF-GOAL-06")
def test_pikes_answer_an_airborne_attack_and_never_each_other() -> None:
    f = duel({"class": "pikes", "defense": 9}, {"class": "pikes", "defense": 9})
    f.put("a", momentum=1, statuses={"flying": 1})
    f.put("t", momentum=1)
    f.battle.sides[1].escalation = 2
    attacks = facts(f.give("a", "slay", targets=["t"]), "attack")
    assert [(found["army"], found["mode"], found["counter"]) for found in attacks] == [
        ("a", "airborne", False),
        ("t", "melee", True),
    ]
    assert attacks[1]["static"] == 2  # escalation, no bonus of a command
    assert (f["a"].momentum, f["t"].momentum) == (1, 0)


@rule("WF-KEY-10")
def test_vanguard_grows_with_each_attack_of_the_round() -> None:
    f = Duel(
        {"a": {}, "b": {}, "c": {}},
        {"t": {"keywords": ["vanguard"], "defense": 7}, "s": {}, "u": {}, "v": {}},
    )
    shown = [one(f.give(name, "slay", targets=["t"]), "attack")["thresholds"][0] for name in "abc"]
    assert shown == [7, 8, 9]
    f.until("D-11", 2)
    assert f["t"].attacked == 0


@rule("WF-INT-20", "WF-KEY-26", "WF-KEY-27", "WF-KEY-28", "WF-KEY-29")
def test_damage_types_are_those_the_army_can_deal_now() -> None:
    for keywords, command, listed, shown in (
        (["firespitting"], "slay", None, "burn"),
        (["frigid"], "slay", None, "untyped"),  # round 1 is odd
        (["stampeding"], "charge", None, "crush"),
        (["stampeding"], "slay", None, "untyped"),
        (["stormblooded"], "slay", None, "untyped"),
        (["stormblooded"], "slay", "shock", "shock"),
        (["firespitting"], "slay", "untyped", "untyped"),
    ):
        f = duel({"keywords": keywords}, {"ancestry": "air"})
        f.put("t", armor=1)
        f.put("a", momentum=1, wounds=[1, 0, 0, 0])
        events = f.give("a", command, targets=["t"], **({"type": listed} if listed else {}))
        attack = one(events, "attack")
        assert attack["type"] == shown
        assert len(attack["faces"]) == (1 if shown == "shock" else 4)


@rule("WF-ATK-04", "WF-CLS-05", "WF-ATK-13")
def test_axes_remove_two_armor_a_point() -> None:
    f = duel({"class": "axes"}, {"defense": 4})
    f.put("a", momentum=1)
    f.put("t", armor=3)
    f.roll("attack", "a", [2, 2, 1, 1])
    f.give("a", "slay", targets=["t"])
    assert (f["t"].armor, units(f["t"])) == (0, "0,0,0,0")
