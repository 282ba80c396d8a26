"""Levies, levels, builds, equipment and the armies that cannot be (sections 3, 13, 14)."""

from typing import Any

import pytest
from msgspec.structs import replace

from shared.warfare import card
from shared.warfare.answers import LevelChoice
from shared.warfare.army import Attribute, Bonus, Unit
from shared.warfare.building import (
    check_army,
    controlled_build,
    forge,
    levy,
    random_build,
    template,
)
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.classes import CLASSES
from shared.warfare.dice import Rolls
from shared.warfare.effects import Gain, Grants, On, Raise, Row, Trait
from shared.warfare.errors import BadInput, Illegal
from shared.warfare.levelling import check_level, chosen, learnable, level_dice, level_up, policy_choice
from shared.warfare.options import Options
from shared.warfare.profile import profile
from shared.warfare.reading import read_army
from tests.warfare.marks import rule

PRESENCE, ATTACK, MORALE, DEFENSE, MOBILITY, KEYWORD = (Bonus(line) for line in range(1, 7))


def rolls(**given: list[int]) -> Rolls:
    return Rolls(
        "s", 1, "-", 0, {}, {f"r0|army:x|{name.replace('_', '.')}": faces for name, faces in given.items()}
    )


@rule("WF-CARD-01", "WF-ACT-26", "WF-LVL-01", "WF-CARD-17", "WF-EQP-01", "WF-CARD-06")
def test_a_levy_is_the_template_its_ancestry_and_a_bonus() -> None:
    made = levy("x", "mountain-dwarves", 5, MORALE, controller="p1")
    shown = card.values(made)
    assert (shown.attack, shown.presence, shown.morale) == (Attribute(), Attribute(), Attribute(6))
    assert (shown.defense, shown.armor_max, shown.fee, shown.mobility) == (4, 0, 1, 0)
    assert (made.keywords, made.loyal_to, len(made.units)) == (("mountaineer",), "p1", 5)
    assert [(step.kind, step.bonuses) for step in made.log] == [("template", (MORALE,))]
    assert card.values(forge(made, 1)).armor_max == 1


@rule("WF-LVL-03", "WF-LVL-05", "WF-LVL-06", "WF-CLS-01", "WF-CLS-06")
def test_a_level_raises_rank_and_fee_and_gives_a_levy_its_class() -> None:
    made = controlled_build(
        levy("x", "orcs", 4, ATTACK),
        [(ATTACK, DEFENSE, MOBILITY), (PRESENCE, MORALE, DEFENSE)],
        class_="hammers",
    )
    shown = card.values(made)
    assert (made.rank, shown.fee, made.class_) == (3, 3, "hammers")
    assert (shown.attack, shown.defense, shown.mobility) == (Attribute(8, 1), 5, 2)
    for levels, class_, broken in (
        ([(ATTACK, ATTACK, DEFENSE)], "hammers", "WF-LVL-06"),
        ([(ATTACK, DEFENSE)], "hammers", "WF-LVL-06"),
        ([(ATTACK, DEFENSE, MORALE)], None, "WF-LVL-03"),
        ([(ATTACK, DEFENSE, MORALE)], "dragon", "WF-LVL-03"),
    ):
        with pytest.raises(Illegal, match=broken):
            controlled_build(levy("x", "orcs", 4, ATTACK), levels, class_=class_)
    assert level_up(levy("x", "orcs", 4, ATTACK), (ATTACK,), class_="axes", as_listed=True).rank == 2


@rule("WF-LVL-02", "WF-ACT-11", "WF-LVL-08", "WF-ACT-12")
def test_each_die_is_used_once_unless_picks_are_free() -> None:
    army = levy("x", "orcs", 4, ATTACK)
    dice = level_dice(rolls(**{"levelup|0": [2, 2, 4, 6, 1]}), army, 2)

    def broken(**choice: Any) -> str:
        refusal = check_level(army, dice, LevelChoice(class_="axes", **choice), options)
        return refusal.rule if refusal else ""

    options = Options()
    assert broken(picks=(0, 1, 2)) == ""
    assert broken(picks=(2, 2, 0)) == "WF-LVL-02"
    assert broken(picks=(0, 1)) == "WF-LVL-02"
    assert broken(picks=(0, 1, 9)) == "WF-LVL-02"
    assert broken(picks=(0, 1, 3)) == "WF-LVL-04"
    assert broken(picks=(0, 1, 3), keywords=("valiant",)) == ""
    assert broken(discard=True) == ""
    options = Options(levelup_pick="free")
    assert broken(picks=(2, 2, 2)) == ""
    grown = level_up(army, chosen(dice, LevelChoice(picks=(0, 1, 2))), class_="axes")
    assert card.values(grown).attack == Attribute(10, 1)


@rule("WF-LVL-04", "WF-KEY-03", "WF-KEY-05")
def test_keywords_that_may_be_learned() -> None:
    army = template("x", "diverse", 4)
    may = learnable(army)
    assert {"needler", "slayer", "guerilla", "cooks", "servile"} <= set(may)
    assert not {"immunized", "wild-element", "nightmare"} & set(may)
    army = level_up(army, (Bonus(6, "needler"),), class_="axes", as_listed=True)
    with pytest.raises(Illegal, match="WF-LVL-04") as refused:
        level_up(army, (Bonus(6, "slayer"),), as_listed=True)
    assert refused.value.refusal.army == "x" and "valiant" in refused.value.refusal.legal
    full = replace(army, keywords=(*army.keywords, *[name for name in learnable(army) if name != "slayer"]))
    assert card.values(level_up(full, (KEYWORD,), as_listed=True)).mobility == card.values(full).mobility + 1


@rule("WF-INT-29")
def test_the_level_up_policy_takes_dice_in_its_order() -> None:
    army = levy("x", "orcs", 4, ATTACK)
    choice = policy_choice(army, [5, 6, 1, 4, 2])
    assert (choice.picks, choice.class_, choice.discard) == ((3, 4, 2), "infantry", False)
    army = read_army({"id": "x", "ancestry": "orcs", "policy": {"levelup": [6], "keywords": ["cooks"]}})
    choice = policy_choice(army, [6, 6, 1])
    assert (choice.picks, choice.keywords) == ((0, 1, 2), ("cooks", "agile"))


@rule("WF-LVL-07", "WF-RNG-04", "WF-CARD-17")
def test_random_builds_take_the_first_three_different_results() -> None:
    given = {f"build_bonus|{n}": [face] for n, face in enumerate([3, 4, 4, 1, 6])}
    made = random_build(rolls(**given, **{"build_class|0": [5], "build_keyword|0": [9]}), "x", "orcs", 3, 2)
    assert (made.rank, made.class_, made.keywords) == (2, "hammers", ("valiant",))
    shown = card.values(made)
    assert (shown.morale, shown.defense, shown.presence) == (Attribute(6), 4, Attribute(6))
    titan = random_build(rolls(**{"build_class|0": [2]}), "x", "orcs", 3, 1, titanic=True)
    assert (titan.class_, titan.tier, card.values(titan).armor_max) == ("dragon", None, 3)


@rule("WF-ACT-46", "WF-GEN-09", "WF-KEY-35", "WF-KEY-23", "WF-KEY-38")
def test_premium_armies_start_with_d6_and_statics_are_added_once() -> None:
    made = template("x", "orcs", 2, premium="nightmare")
    assert card.values(made).attack == Attribute(6)
    shown = card.values(
        read_army({"id": "x", "ancestry": "orcs", "keywords": ["Mercenary", "Scouts", "Servile"]})
    )
    assert (shown.fee, shown.mobility, shown.presence, shown.morale) == (
        3,
        4,
        Attribute(4, -1),
        Attribute(4, -1),
    )


@rule("WF-EQP-02", "WF-EQP-03", "WF-ACT-16", "WF-ACT-15", "WF-EQP-04")
def test_who_can_be_forged() -> None:
    for army in (
        template("x", "fire", 2),
        template("x", "orcs", 2, titan="dragon"),
        template("x", "orcs", 2, titan="monster"),
    ):
        with pytest.raises(Illegal, match="WF-EQP-02"):
            forge(army, 1)
    bones = forge(template("x", "skeletons", 2), 3)
    assert (bones.tier, card.values(bones).armor_max) == (3, 3)
    with pytest.raises(Illegal, match="WF-ACT-15"):
        forge(bones, 3)
    assert card.values(forge(template("x", "gnolls", 2), 1)).armor_max == 0


@rule("WF-CARD-01", "WF-KEY-03", "WF-EQP-02", "WF-CMD-08", "WF-ACT-46")
@pytest.mark.parametrize(
    ("written", "broken"),
    [
        ({"class": "wizards"}, "WF-CARD-01"),
        ({"ancestry": "martians"}, "WF-CARD-01"),
        ({"keywords": ["flammable"]}, "WF-CARD-01"),
        ({"units": 0}, "WF-CARD-01"),
        ({"units": [{"state": "slain"}]}, "WF-CARD-01"),
        ({"keywords": ["Needler", "Slayer"]}, "WF-LVL-04"),
        ({"ancestry": "diverse", "keywords": ["Immunized"]}, "WF-LVL-04"),
        ({"class": "Dragon", "tier": "Heavy"}, "WF-EQP-02"),
        ({"keywords": ["Greybeards"], "signature": "dance"}, "WF-CMD-08"),
        ({"signature": "steady"}, "WF-CMD-08"),
    ],
)
def test_armies_that_cannot_be(written: dict[str, Any], broken: str) -> None:
    with pytest.raises(Illegal, match=broken) as refused:
        read_army({"id": "x", "ancestry": "orcs", **written})
    assert refused.value.refusal.army == "x" and refused.value.refusal.legal


@rule("WF-DICE-12", "WF-GEN-02")
@pytest.mark.parametrize("attack", ["d5", "d2", "6", "d6+", "d6 + 1"])
def test_dice_that_are_none(attack: str) -> None:
    with pytest.raises(BadInput, match=r"army\.attack"):
        read_army({"id": "x", "ancestry": "orcs", "attack": attack})
    with pytest.raises(BadInput, match=r"army"):
        read_army({"id": "x", "ancestry": "orcs", "attacks": "d6"})


def test_printed_numbers_come_back_as_printed() -> None:
    printed = {
        "id": "x", "ancestry": "Mountain Dwarves", "class": "Hammers", "rank": 3, "tier": "Heavy", "units": 4,
        "attack": "d6+1", "morale": "d6", "presence": "d6", "defense": 5, "armor": 3, "fee": 3, "mobility": 0,
        "keywords": ["Mountaineer", "Valiant"],
    }  # fmt: skip
    shown = card.show(read_army(printed))
    for name in (
        "rank",
        "tier",
        "units",
        "attack",
        "morale",
        "presence",
        "defense",
        "armor",
        "fee",
        "mobility",
    ):
        assert shown[name] == printed[name], name
    assert (shown["element"], shown["resists"]) == ("F", {"burn": 1})
    assert shown["keywords"] == ["Valiant", "Mountaineer"]


@rule("WF-CARD-03", "WF-CARD-04", "WF-KEY-32")
def test_size_counts_active_units_and_a_juggernaut_as_more() -> None:
    army = read_army(
        {"id": "x", "ancestry": "orcs", "units": [0, {"state": "routed"}], "keywords": ["juggernaut"]}
    )
    assert card.size(army) == 3
    assert card.size(replace(army, units=(Unit(state="routed"),))) == 0


def test_a_new_ancestry_takes_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.warfare.duel import Duel

    row = Row(
        "WF-ANC-99",
        "Mole Folk",
        (
            On("attacked", "subject", (Gain(2),), ("by-mortals",)),
            Grants("engineers"),
            Raise("defense", 2),
            Trait("capacity", 3),
        ),
        "mortal",
        "E",
    )
    monkeypatch.setitem(ANCESTRIES, "mole-folk", row)
    profile.cache_clear()
    f = Duel({"a": {}, "z": {}}, {"moles": {"ancestry": "Mole Folk"}, "c": {}, "d": {}})
    f.give("a", "slay", targets=["moles"])
    assert (f["moles"].momentum, f["moles"].defense, f["moles"].card.keywords) == (2, 5, ("engineers",))
    profile.cache_clear()
    assert "levy" in CLASSES and check_army(template("x", "orcs", 1)) is None
