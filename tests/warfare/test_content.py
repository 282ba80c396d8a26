"""What each row of content does to the card, and pairs of statuses: the rulebook's tables once more, as people read them."""

from typing import Any

import pytest
from _pytest.mark import ParameterSet

from shared.warfare import card
from shared.warfare.army import Attribute
from shared.warfare.content.statuses import STATUSES
from shared.warfare.reading import read_army
from tests.warfare.duel import Duel
from tests.warfare.field import Field
from tests.warfare.marks import rule

PLAIN = {"attack": 0, "presence": 0, "morale": 0, "defense": 3, "armor": 0, "mobility": 1, "fee": 1}
"""The levy template's numbers; statics of the three checks."""


def case(number: str, name: str, element: str, keywords: str = "", **numbers: int) -> ParameterSet:
    return pytest.param(name, element, keywords.split(), numbers, marks=rule(f"WF-ANC-{number}"), id=name)


@pytest.mark.parametrize(
    ("ancestry", "element", "keywords", "numbers"),
    [
        case("01", "ashborn", "F", "firespitting", defense=2),
        case("02", "deep-dwarves", "E", "engineers", defense=4, mobility=0),
        case("03", "mountain-dwarves", "F", "mountaineer", defense=4, mobility=0),
        case("04", "diverse", "Wild", "wild-element"),
        case("05", "triumph-elves", "A", "agile ageless"),
        case("06", "recluse-elves", "W", "guerilla ageless"),
        case("07", "horselords", "F", mobility=2, fee=2),
        case("08", "halflings", "E", "valiant", attack=-1),
        case("09", "harpies", "W", "flapping", attack=1, morale=-1),
        case("10", "orcs", "E"),
        case("11", "drakes", "F", "wallkeepers", presence=1, fee=2),
        case("12", "gnolls", "A", "skirmisher", mobility=3, defense=2, presence=-1),
        case("13", "antinium", "E", "alien-mind repulsive"),
        case("14", "skeletons", "D", attack=1, defense=4, morale=1),
        case("15", "zombies", "D", attack=-1, defense=4, capacity=3),
        case("16", "wraiths", "D", "fearful", mobility=2, defense=2),
        case("17", "ghouls", "D", "fearful repulsive", attack=2),
        case("18", "air", "A"),
        case("19", "fire", "F"),
        case("20", "earth", "E"),
        case("21", "water", "W"),
        case("22", "light", "L"),
        case("23", "dark", "D"),
    ],
)
def test_what_an_ancestry_puts_on_the_card(
    ancestry: str, element: str, keywords: list[str], numbers: dict[str, int]
) -> None:
    army = read_army({"id": "x", "ancestry": ancestry})
    shown, profile = card.values(army), card.profile_of(army)
    capacity = numbers.pop("capacity", 2) if "capacity" in numbers else 2
    expected = {**PLAIN, **numbers}
    assert {
        **{name: getattr(shown, name).static for name in ("attack", "presence", "morale")},
        "defense": shown.defense,
        "armor": shown.armor_max,
        "mobility": shown.mobility,
        "fee": shown.fee,
    } == expected
    assert (profile.element, list(army.keywords), profile.capacity) == (element, keywords, capacity)
    elemental = ancestry in ("air", "fire", "earth", "water", "light", "dark")
    undead = ancestry in ("skeletons", "zombies", "wraiths", "ghouls")
    assert profile.mortal is not (elemental or undead)
    assert (army.tier is None) is elemental


def row(id: str, kind: str, name: str, **numbers: Any) -> ParameterSet:
    return pytest.param(kind, name, numbers, marks=rule(f"WF-{id}"), id=name)


@pytest.mark.parametrize(
    ("kind", "name", "numbers"),
    [
        row("CLS-01", "class", "levy"),
        row("CLS-02", "class", "archers"),
        row("CLS-03", "class", "brawlers", presence=1),
        row("CLS-04", "class", "dervishes"),
        row("CLS-05", "class", "axes", attack=1),
        row("CLS-06", "class", "hammers", attack=1),
        row("CLS-07", "class", "infantry", defense=4),
        row("CLS-08", "class", "pikes", presence=1),
        row("CLS-09", "class", "rogues", attack=1),
        row("CLS-10", "class", "shieldbearers", morale=1),
        row("CLS-11", "class", "tortoise", morale=1),
        row("CLS-12", "class", "supports", morale=1),
        row("CLS-13", "class", "angel"),
        row("CLS-14", "class", "dragon", armor=3, tier=None),
        row("CLS-15", "class", "demon"),
        row("CLS-16", "class", "devil"),
        row("CLS-17", "class", "giant", capacity=3),
        row("CLS-18", "class", "monster", armor=3, capacity=3, tier=None),
        row("CLS-19", "class", "war-balloon"),
        row("KEY-22", "keywords", "scoundrels", fee=2),
        row("KEY-23", "keywords", "scouts", mobility=2, presence=-1),
        row("KEY-35", "keywords", "mercenary", fee=3, mobility=3),
        row("KEY-38", "keywords", "servile", morale=-1, trait="fee-in-fear"),
        row("KEY-13", "keywords", "guerilla", trait="marches-forest"),
        row("KEY-14", "keywords", "mountaineer", trait="marches-mountains"),
        row("KEY-15", "keywords", "naval", trait="sails"),
        row("KEY-16", "keywords", "nomad", trait="marches-desert"),
        row("KEY-17", "keywords", "stealthy", trait="hidden"),
    ],
)
def test_what_a_class_or_keyword_puts_on_the_card(kind: str, name: str, numbers: dict[str, Any]) -> None:
    army = read_army({"id": "x", "ancestry": "orcs", kind: [name] if kind == "keywords" else name})
    shown, profile = card.values(army), card.profile_of(army)
    expected = {**PLAIN, "capacity": 2, "tier": 0, **numbers}
    trait = expected.pop("trait", None)
    assert {
        **{check: getattr(shown, check).static for check in ("attack", "presence", "morale")},
        "defense": shown.defense,
        "armor": shown.armor_max,
        "mobility": shown.mobility,
        "fee": shown.fee,
        "capacity": profile.capacity,
        "tier": army.tier,
    } == expected
    assert trait is None or profile.traits[trait]
    assert shown.attack.die == Attribute().die


PAIRS = {
    "weakened": ("strengthened", "04"),
    "pinned": ("mobile", "05"),
    "scattered": ("emboldened", "06"),
    "strengthened": ("weakened", "07"),
    "mobile": ("pinned", "08"),
    "emboldened": ("scattered", "09"),
    "frozen": ("hastened", "10"),
    "hastened": ("frozen", "11"),
}


@pytest.mark.parametrize(
    ("name", "opposite"),
    [pytest.param(name, other, marks=rule(f"WF-STA-{id}"), id=name) for name, (other, id) in PAIRS.items()],
)
def test_opposites_cancel_one_for_one(name: str, opposite: str) -> None:
    from shared.warfare.battle import statuses
    from shared.warfare.battle.work import Work

    f = Field({"a": {}}, {"b": {}})
    work = Work(f.battle)
    f.battle.fighters[0].statuses = {opposite: 2}
    statuses.give(work, f.battle.fighters[0], name, 1)
    assert f.battle.fighters[0].statuses == {opposite: 1}
    statuses.give(work, f.battle.fighters[0], name, 3)
    assert f.battle.fighters[0].statuses == {name: 2}
    statuses.give(work, f.battle.fighters[0], name, 1)
    assert f.battle.fighters[0].statuses == {name: 3}


@rule("WF-STA-06", "WF-STA-09", "WF-STA-10", "WF-STA-11")
@pytest.mark.parametrize(
    ("status", "dice"), [("scattered", 2), ("emboldened", 6), ("frozen", 2), ("hastened", 6)]
)
def test_statuses_of_morale_change_its_pool(status: str, dice: int) -> None:
    f = Duel({"a": {"rank": 1}, "z": {}}, {"t": {"defense": 2}, "c": {}, "d": {}})
    f.put("t", statuses={status: 2})
    f.roll("attack", "a", [2, 1, 1, 1])
    f.give("a", "slay", targets=["t"])
    assert len(f.of("morale")[0]["faces"]) == dice


@rule("WF-STA-01", "WF-STA-25")
@pytest.mark.parametrize("status", [name for name in STATUSES if name != "burning"])
def test_only_the_burning_cannot_mend(status: str) -> None:
    for name, armor in ((status, 2), ("burning", 0)):
        f = Duel({"a": {}, "z": {}}, {"b": {}, "c": {}, "d": {}})
        f.put("a", armor_max=2, statuses={name: 1})
        f.give("a", "rest")
        assert f["a"].armor == armor


@rule("WF-ANC-05", "WF-RND-07")
@pytest.mark.parametrize(("rank", "gained"), [(1, 1), (2, 0)])
def test_triumph_elves_gain_by_a_spell_of_the_rounds_rank(rank: int, gained: int) -> None:
    from shared.warfare.battle.sides import Party
    from shared.warfare.spells import DoEscalation, Spell

    spell = Spell(id="song", element="A", rank=rank, effects=(DoEscalation(n=1),))
    parties = [
        Party(id="p1", seat=1, declares=True, against=("p2",), spells=(spell,)),
        Party(id="p2", seat=2),
    ]
    elves = {"ancestry": "triumph elves"}
    f = Field({"a": elves}, {"b": elves}, parties=parties)
    f.answer(p1={"spell": "song"})
    assert (f["a"].momentum, f["b"].momentum) == (gained, 0)


@rule("WF-ANC-06", "WF-ANC-07", "WF-SET-19")
def test_starting_momentum_of_elves_and_riders() -> None:
    f = Field({"elves": {"ancestry": "recluse elves"}, "z": {}}, {"ride": {"ancestry": "horselords"}})
    assert (f["elves"].momentum, f["ride"].momentum) == (2, 1)


@rule("WF-ANC-09")
def test_harpies_gain_by_a_round_unhurt() -> None:
    f = Duel(
        {"a": {}, "z": {}},
        {"h": {"ancestry": "harpies"}, "g": {"ancestry": "harpies", "defense": 2}, "c": {}},
    )
    f.roll("attack", "a", [2, 1, 1, 1]).roll("morale.bloodied", "g", [4] * 4)
    f.put("g", statuses={})
    f.give("a", "slay", targets=["g"])
    f.until("D-11", 2)
    assert (f["h"].momentum, f["g"].momentum) == (2, 1)  # both rested


@rule("WF-KEY-36")
def test_mortals_on_the_field_test_when_a_repulsive_army_deploys() -> None:
    f = Duel(
        {"men": {}, "late": {"ancestry": "ghouls"}},
        {"b": {}},
        answers={"p1": {"line": ["men"], "reserve": ["late"]}},
    )
    assert not f.of("morale")
    f.until("D-11", 2)
    assert [found["army"] for found in f.of("morale")] == ["men"]


@rule("WF-ANC-23", "WF-RND-27")
def test_the_dark_gains_once_a_round_by_enemies_that_run() -> None:
    f = Duel({"dark": {"ancestry": "dark"}}, {"b": {}, "c": {}})
    f.until("D-14")
    f.answer(p2={"rout": [{"army": "b", "units": [0, 1]}, {"army": "c", "units": [0]}]})
    assert f["dark"].momentum == 2  # rested once


@rule("WF-KEY-19", "WF-GOAL-13")
def test_engineers_are_better_at_walls_only() -> None:
    f = Duel(
        {"e": {"keywords": ["engineers"]}, "z": {"keywords": ["engineers"]}},
        {"b": {}, "c": {}, "d": {}},
        wall=1,
    )
    f.give("e", "hold", goals=["walls"])
    f.give("z", "hold", goals=["advance"])
    assert [found["static"] for found in f.of("presence")] == [3, 1]


@rule("WF-KEY-28", "WF-KEY-27")
@pytest.mark.parametrize(
    ("keyword", "round_", "type_"), [("frigid", 2, "freeze"), ("firespitting", 2, "untyped")]
)
def test_breath_depends_on_the_round(keyword: str, round_: int, type_: str) -> None:
    f = Duel({"a": {"keywords": [keyword]}, "z": {}}, {"t": {"ancestry": "air"}, "c": {}, "d": {}})
    f.until("D-11", round_)
    f.put("t", armor=2)
    f.give("a", "slay", targets=["t"])
    assert f.of("attack")[0]["type"] == type_


@rule("WF-CLS-12", "WF-INT-14")
@pytest.mark.parametrize(("when", "reaches"), [("before", 1), ("after", 2)])
def test_supports_pass_before_or_after_their_command(when: str, reaches: int) -> None:
    policy = {"pass": [["ally", 2]], "pass_when": when}
    f = Duel({"s": {"class": "supports", "policy": policy}, "ally": {}}, {"b": {}, "c": {}, "d": {}})
    f.put("s", momentum=1)
    f.give("s", "rest")
    assert (f["ally"].momentum, f["s"].momentum) == (reaches, 2 - reaches)
