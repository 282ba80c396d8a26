"""Classes and ancestries in the rounds of a battle (sections 15, 17, 19)."""

import pytest

from tests.warfare.duel import Duel, facts, one
from tests.warfare.field import units
from tests.warfare.marks import rule


@rule("WF-CLS-03", "WF-INT-10", "WF-STA-20", "WF-STA-21", "WF-ATK-03")
def test_brawlers_bond_an_enemy_to_a_goal_and_to_themselves() -> None:
    f = Duel(
        {"brawl": {"class": "brawlers"}, "z": {}, "y": {}},
        {"e": {"units": 6}, "g": {"units": 5}, "c": {}, "d": {}},
    )
    f.put("brawl", momentum=1)
    while f.asked("D-11") != ["p1"]:
        f.answer()
    f.answer(p1={"entries": [{"army": "z", "command": "rest"}]})
    f.roll("presence", "e", [1] * 6).give("e", "hold", goals=["advance"])
    f.give("brawl", "hold", goals=["advance"])
    assert (f["e"].statuses, f["brawl"].momentum) == ({"weakened": 2}, 0)
    assert [(bond.army, bond.goal) for bond in f["e"].bonds] == [("brawl", "advance")]
    f.until("D-11", 2)
    assert f["e"].statuses == {"weakened": 1}
    while f.asked("D-11") != ["p2"]:
        f.answer()
    bound = next(found for found in f.question("p2")["armies"] if found["army"] == "e")
    assert (bound["targets"], bound["goals"]) == (["brawl"], ["advance"])
    attack = one(f.give("e", "slay", targets=["z"]), "attack")
    assert (attack["targets"], len(attack["faces"])) == (["brawl"], 5)
    f.until("D-11", 3)
    assert (f["e"].statuses, f["e"].bonds) == ({}, [])


@rule("WF-CLS-03", "WF-STA-21")
def test_strength_that_cancels_weakness_leaves_no_bond() -> None:
    f = Duel({"brawl": {"class": "brawlers"}}, {"e": {}, "c": {}})
    f.put("brawl", momentum=1)
    f.put("e", statuses={"strengthened": 2})
    f.battle.goals[1].presence = [_record("e")]
    f.give("brawl", "hold", goals=["advance"])
    assert (f["e"].statuses, f["e"].bonds, f["brawl"].momentum) == ({}, [], 0)


def _record(army: str):  # type: ignore[no-untyped-def]
    from shared.warfare.battle.state import Presence

    return Presence(army, 1, 0)


@rule("WF-CLS-07", "WF-INT-11", "WF-CMD-05")
@pytest.mark.parametrize(
    ("taunt", "wounds", "stacks"), [("always", 1, 3), ("if_unhurt", 1, 0), ("never", 0, 0)]
)
def test_infantry_taunts_after_its_command(taunt: str, wounds: int, stacks: int) -> None:
    f = Duel({"a": {"class": "infantry", "policy": {"taunt": taunt}}, "z": {}}, {"b": {}, "c": {}, "d": {}})
    f.put("a", wounds=[wounds])
    f.give("a", "rest")
    assert (f["a"].statuses.get("taunt", 0), f["a"].momentum) == (stacks, 0 if stacks else 1)


@rule("WF-CLS-09", "WF-CMD-05", "WF-STA-07")
def test_rogues_are_strengthened_before_their_command() -> None:
    f = Duel({"a": {"class": "rogues"}, "z": {}}, {"b": {}, "c": {}, "d": {}})
    assert len(one(f.give("a", "slay", targets=["b"]), "attack")["faces"]) == 5


@rule("WF-CLS-10", "WF-INT-12", "WF-STA-01")
@pytest.mark.parametrize(
    ("restore", "burning", "armor", "left"),
    [({}, 0, 3, 1), ({"restore": 1}, 0, 2, 2), ({"restore": False}, 0, 0, 3), ({}, 1, 0, 3)],
)
def test_shieldbearers_mend_before_their_command(
    restore: dict[str, int], burning: int, armor: int, left: int
) -> None:
    f = Duel({"a": {"class": "shieldbearers"}, "z": {}}, {"b": {}, "c": {}, "d": {}})
    f.put("a", momentum=3, armor_max=3, statuses={"burning": burning} if burning else {})
    f.give("a", "hold", **restore)
    assert (f["a"].armor, f["a"].momentum) == (armor, left)


@rule("WF-CLS-12", "WF-INT-14", "WF-CARD-12", "WF-ANC-14", "WF-GEN-03")
def test_supports_pass_what_fits() -> None:
    passing = [["bones", 1], ["ally", 2], ["z", 1], ["enemy", 1]]
    f = Duel(
        {
            "s": {"class": "supports", "policy": {"pass": passing}},
            "ally": {"units": 3},
            "bones": {"ancestry": "skeletons"},
            "z": {},
        },
        {"enemy": {}, "b": {}, "c": {}, "d": {}, "e": {}},
    )
    f.put("s", momentum=3)
    f.put("ally", momentum=2)
    f.give("s", "hold")
    assert [f[name].momentum for name in ("s", "ally", "bones", "z", "enemy")] == [1, 3, 0, 1, 0]


@rule("WF-CLS-14", "WF-INT-07", "WF-EQP-02")
def test_a_dragon_takes_off_after_an_attack() -> None:
    f = Duel({"a": {"class": "archers"}, "z": {}}, {"d": {"class": "dragon", "units": 6}, "c": {}, "e": {}})
    assert (f["d"].armor, f["d"].statuses) == (3, {"flying": 1})
    f.put("d", momentum=2)
    f.give("a", "slay", targets=["d"])
    assert (f["d"].statuses["flying"], f["d"].momentum) == (3, 1)


@rule("WF-CLS-15", "WF-CLS-16", "WF-INT-08", "WF-INT-09", "WF-ATK-19", "WF-GEN-07")
def test_titans_feed_on_the_slain() -> None:
    f = Duel(
        {"a": {"keywords": ["bloodlust"]}, "demon": {"class": "demon"}, "devil": {"class": "devil"}},
        {
            "t": {"ancestry": "zombies", "defense": 3, "units": 5},
            "c": {"ancestry": "zombies"},
            "d": {},
            "e": {},
        },
    )
    f.put("t", wounds=[2, 2])
    f.put("demon", momentum=3)
    f.put("devil", momentum=3)
    f.roll("attack", "a", [2, 2, 1, 1]).roll("morale.bloodied", "t", [4])
    f.give("a", "slay", targets=["t"])
    assert units(f["t"]) == "x,x,0,0,0"
    # The demon pays once (auto: not while flying), the devil once an attack.
    assert (f["demon"].statuses, f["demon"].momentum) == ({"flying": 2, "strengthened": 2, "mobile": 2}, 2)
    assert (f["devil"].statuses, f["devil"].momentum) == ({"flying": 2}, 2)
    assert f["t"].statuses == {"frozen": 2}


@rule("WF-CLS-17", "WF-INT-21", "WF-DICE-08", "WF-DICE-11", "WF-STA-08", "WF-KEY-32")
def test_a_giant_counts_one_roll_for_two_goals() -> None:
    f = Duel(
        {"a": {"class": "giant", "units": 3, "keywords": ["juggernaut"]}, "z": {}},
        {"b": {}, "c": {}, "d": {}},
    )
    f.put("a", momentum=1, statuses={"mobile": 1, "pinned": 2})
    f.roll("presence", "a", [4, 2, 1, 1])  # 3 + 2 + 1 - 2
    found = facts(f.give("a", "hold", goals=["initiative"], second_goal="advance"), "presence")
    assert [(one["goal"], one["threshold"], one["successes"]) for one in found] == [
        ("initiative", 3, 2),
        ("advance", 2, 4),
    ]
    assert f["a"].momentum == 0


@rule("WF-CLS-19", "WF-INT-13", "WF-ATK-01")
def test_a_war_balloon_rises_and_shoots() -> None:
    f = Duel({"a": {"class": "war balloon"}, "z": {}}, {"b": {}, "c": {}, "d": {}})
    f.put("a", momentum=1)
    f.put("b", statuses={"flying": 1})
    assert one(f.give("a", "slay", targets=["b"]), "attack")["mode"] == "ranged"
    assert f["a"].statuses == {"flying": 4}


@rule("WF-ANC-08", "WF-ANC-16", "WF-ANC-20", "WF-ANC-15", "WF-ANC-17", "WF-CARD-04")
@pytest.mark.parametrize(
    ("attacker", "target", "gained"),
    [
        ({"units": 5}, {"ancestry": "halflings"}, 1),
        ({"units": 4}, {"ancestry": "halflings"}, 0),
        ({"units": 3, "keywords": ["juggernaut"]}, {"ancestry": "halflings"}, 1),
        ({}, {"ancestry": "wraiths"}, 1),
        ({"ancestry": "skeletons"}, {"ancestry": "wraiths"}, 0),
        ({"ancestry": "skeletons"}, {"ancestry": "earth"}, 1),
        ({"ancestry": "skeletons", "attack": "d8"}, {"ancestry": "zombies", "defense": 1}, 1),
    ],
)
def test_gains_of_the_attacked(attacker: dict, target: dict, gained: int) -> None:  # type: ignore[type-arg]
    f = Duel({"a": attacker, "z": {}}, {"t": target, "c": {}, "d": {}})
    f.give("a", "slay", targets=["t"])
    assert f["t"].momentum == gained


@rule("WF-ANC-17", "WF-ANC-20", "WF-ANC-16")
def test_once_a_round_and_gains_of_the_attacker() -> None:
    f = Duel(
        {"a": {"ancestry": "ghouls"}, "b": {"ancestry": "skeletons"}, "c": {"ancestry": "wraiths"}},
        {"t": {"ancestry": "earth", "defense": 1}, "d": {}, "e": {}, "g": {}},
    )
    f.give("a", "slay", targets=["t"])
    f.give("b", "slay", targets=["t"])
    assert (f["a"].momentum, f["t"].momentum) == (1, 1 if f["t"].active else 0)
    assert f["b"].momentum == 0


@rule("WF-KEY-13", "WF-KEY-14", "WF-KEY-15", "WF-KEY-16")
@pytest.mark.parametrize(
    ("keyword", "terrain"),
    [("guerilla", "forest"), ("mountaineer", "mountains"), ("naval", "coast"), ("nomad", "plains")],
)
def test_terrain_keywords_help_at_home(keyword: str, terrain: str) -> None:
    for ground, bonus in ((terrain, 1), ("desert", 0)):
        f = Duel(
            {"a": {"keywords": [keyword]}, "z": {}},
            {"b": {"keywords": [keyword]}, "c": {}, "d": {}},
            terrain=ground,
        )
        attack = one(f.give("a", "slay", targets=["b"]), "attack")
        assert (attack["static"], attack["thresholds"]) == (1 + bonus, [3 + bonus])


@rule("WF-KEY-22")
def test_scoundrels_are_paid_for_each_unit_they_slay() -> None:
    f = Duel({"a": {"keywords": ["scoundrels"]}, "z": {}}, {"t": {"defense": 2}, "c": {}, "d": {}})
    f.put("t", wounds=[1, 1, 1, 1])
    f.roll("attack", "a", [4, 4, 1, 1])
    f.give("a", "slay", targets=["t"])
    slain = units(f["t"]).count("x")
    assert slain and next(power for power in f.battle.powers if power.id == "p1").gained == slain


@rule("WF-KEY-11")
def test_wallkeepers_stand_firm_behind_their_wall() -> None:
    f = Duel(
        {"a": {"rank": 4}, "z": {}},
        {"t": {"keywords": ["wallkeepers"], "defense": 3}, "c": {}, "d": {}},
        wall=2,
    )
    f.roll("attack", "a", [3, 1, 1, 1]).roll("morale.bloodied", "t", [2, 2, 1, 1])
    assert one(f.give("a", "slay", targets=["t"]), "morale")["successes"] == 2
