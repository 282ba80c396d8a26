"""Orders of a season (section 6)."""

import pytest

from shared.warfare.card import show, values
from shared.warfare.season.campaign import build
from shared.warfare.season.marching import march_cost, route
from shared.warfare.season.work import Work
from shared.warfare.spells import Asset
from tests.warfare.marks import rule
from tests.warfare.realm import Realm, army, fled, record, town, wounds

HOME = (0, 0)
RATING = "6 5 4 4 3 2 1 1"


def dice(text: str) -> list[int]:
    return [int(face) for face in text.split()]


# Marching


@rule("WF-MAP-01", "WF-MAP-02", "WF-MAP-03", "WF-MAP-04", "WF-MAP-05")
def test_march_costs_follow_the_ground() -> None:
    hexes = {
        (1, 0): {"terrain": "forest"},
        (2, 0): {"terrain": "mountains", "road": True},
        (0, 1): {"terrain": "water"},
        (-1, 0): {"rough": True},
        (-1, 1): {"terrain": "desert", "rough": False},
    }
    armies = [
        army("foot", HOME),
        army("guerilla", HOME, keywords=["guerilla"]),
        army("nomad", HOME, keywords=["nomad"]),
        army("sailors", HOME, keywords=["naval"]),
    ]
    realm = Realm(armies, hexes=hexes)
    work = Work(realm.season)

    def cost(name: str, to: tuple[int, int]) -> int | None:
        return march_cost(work, realm[name], to)

    assert (cost("foot", (1, 0)), cost("guerilla", (1, 0))) == (2, 1)
    assert cost("foot", (2, 0)) == 2  # over plains beside the forest, the road itself is free
    assert cost("foot", (-1, 0)) == cost("nomad", (-1, 0)) == 2
    assert cost("foot", (-1, 1)) == 1
    assert cost("foot", (0, 1)) is None
    assert cost("sailors", (0, 1)) == 0
    assert route(work, realm["foot"], (2, 0)) == ((1, 0), (2, 0))  # as cheap as round it, and shorter
    assert route(work, realm["guerilla"], (2, 0)) == ((1, 0), (2, 0))
    assert route(work, realm["foot"], (0, 1)) is None
    assert len(route(work, realm["foot"], (3, 0)) or ()) == 3


@rule("WF-ACT-01", "WF-ACT-02", "WF-ACT-04", "WF-CARD-15")
def test_wv48_muster_adds_up_what_each_army_lacks() -> None:
    hexes = {(2, 0): {"terrain": "forest"}}
    rest = {
        at: {"terrain": "mountains"} for at in ((0, 1), (1, -1), (2, -1), (1, 1), (0, -1), (3, -1), (-1, 1))
    }
    armies = [
        army("a", HOME, mobility=2, garrison="far"),
        army("b", HOME, mobility=2, keywords=["guerilla"]),
    ]
    realm = Realm(armies, hexes={**rest, **hexes}, sites={(2, 0): town("goal", "p1")}).until("D-03")
    marches = {one["army"]: one["muster"]["2,0"] for one in realm.decision("p1").question["armies"]}
    assert marches == {"a": 1, "b": 0}
    realm.orders(p1=[{"action": "muster", "armies": ["a", "b"], "to": [2, 0], "garrison": "goal"}])
    assert realm.of("order")[0]["difficulty"] == 1 + 2 * 2


@rule("WF-ACT-02", "WF-MAP-04", "WF-SEAS-07")
def test_roads_carry_everybody_and_armies_pass_each_other() -> None:
    hexes = {(1, 0): {"road": True, "terrain": "mountains"}, HOME: {"road": True}}
    armies = [army("a", HOME, mobility=0), army("b", (1, 0), "p2", mobility=0)]
    realm = Realm(armies, hexes=hexes)
    realm.orders(
        p1=[{"action": "muster", "armies": ["a"], "to": [1, 0]}],
        p2=[{"action": "muster", "armies": ["b"], "to": [0, 0]}],
    )
    assert (realm["a"].hex, realm["b"].hex) == ((1, 0), HOME)
    assert all(one["faces"] == [] for one in realm.of("order"))  # Difficulty 0 is not rolled


@rule("WF-ACT-03", "WF-AST-03", "WF-ACT-01")
def test_a_failed_muster_moves_nobody_and_islands_are_refused() -> None:
    water = {(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)}
    realm = Realm(
        [army("a", HOME), army("b", (2, 0)), army("c", (2, -1))],
        hexes={at: {"terrain": "water"} for at in water},
        dice={"r0|power:p1|challenge.muster:0|0": [1] * 8},
    ).until("D-03")
    assert realm.refused("p1", action="muster", armies=["a"], to=[2, 0]) == "WF-ACT-03"
    assert realm.refused("p1", action="muster", armies=["b"], to=[2, 0]) == "WF-ACT-01"
    assert realm.refused("p1", action="muster", armies=["b", "b"], to=[3, 0]) == "WF-ACT-01"
    assert realm.refused("p1", action="muster", armies=["b"], to=[9, 9]) == "WF-ACT-01"
    realm.orders(p1=[{"action": "muster", "armies": ["b", "c"], "to": [-2, 0]}])
    assert realm.told("p1") == [("muster", "failed")]
    assert (realm["b"].hex, realm["c"].hex) == ((2, 0), (2, -1))


@rule("WF-ACT-04", "WF-ACT-05", "WF-SEAS-12", "WF-CARD-16")
def test_a_new_garrison_is_taken_at_the_end_unless_others_hold_it() -> None:
    sites = {HOME: town("old", "p1"), (1, 0): town("new", "p1"), (0, 1): town("foe", "p2")}
    realm = Realm(
        [army("a", HOME, garrison="old"), army("b", HOME, garrison="old")],
        sites=sites,
        dice={"r0|power:p1|challenge.muster:0|0": [6] * 8},
    ).until("D-03")
    foe = {"action": "muster", "armies": ["a"], "to": [0, 1], "garrison": "foe"}
    assert realm.refused("p1", **foe) == "WF-ACT-05"
    assert realm.refused("p1", **{**foe, "garrison": "nowhere"}) == "WF-ACT-04"
    realm.orders(
        p1=[
            {"action": "muster", "armies": ["a"], "to": [1, 0], "garrison": "new"},
            {"action": "muster", "armies": ["b"], "to": [1, 0]},
        ]
    )
    assert (realm["a"].garrison, realm["a"].hex, realm["b"].hex) == ("old", (1, 0), (1, 0))
    realm.end_season()
    assert (realm["a"].garrison, realm["a"].hex) == ("new", (1, 0))
    assert (realm["b"].garrison, realm["b"].hex) == ("old", HOME)


# Train and Forge


def derop(**rest: object) -> dict[str, object]:
    """The levy of WV-04."""
    return {
        "ancestry": "mountain-dwarves", "class": "levy", "tier": 1, "units": 5, "morale": "d6", **rest,
    }  # fmt: skip


def training(**rest: object) -> Realm:
    realm = Realm(
        [army("derop", HOME, **derop(experience=[2]))],
        powers={"p1": {"coin": 3}},
        dice={
            "r0|power:p1|challenge.train:0|0": dice(f"{RATING} 4 2"),
            "r0|army:derop|levelup|0": dice("2 2 4 6 1"),
        },
        **rest,  # type: ignore[arg-type]
    )
    realm.orders(p1=[{"action": "train", "army": "derop", "experience": [2]}])
    return realm


@rule("WF-ACT-10", "WF-ACT-11", "WF-LVL-02", "WF-LVL-08", "WF-AST-08", "WF-SEAS-05")
def test_wv45_train() -> None:
    realm = training()
    told = realm.of("order")[0]
    assert (told["difficulty"], told["successes"], told["excess"]) == (3, 5, 2)
    assert realm.asked("D-04") == ["p1"]
    assert realm.decision("p1").question["dice"] == [2, 2, 4, 6, 1]
    assert realm.refusal("p1", {"picks": [0, 0, 1], "class": "hammers"}) == "WF-LVL-02"
    assert realm.refusal("p1", {"picks": [0, 1, 2]}) == "WF-LVL-03"
    realm.answer(p1={"picks": [0, 1, 2], "class": "hammers"})
    shown = show(realm["derop"])
    assert {key: shown[key] for key in ("rank", "fee", "attack", "defense", "class")} == {
        "rank": 2, "fee": 2, "attack": "d8+1", "defense": 5, "class": "Hammers",
    }  # fmt: skip
    assert realm["derop"].experience == ()


@rule("WF-ACT-12")
def test_wv45_a_discarded_train_gives_experience_back() -> None:
    realm = training()
    before = realm["derop"]
    realm.answer(p1={"discard": True})
    after = realm["derop"]
    assert (after.rank, after.base, after.class_) == (before.rank, before.base, "levy")
    assert after.experience == (2,)


@rule("WF-INT-29", "WF-DEC-01")
def test_the_policy_picks_where_nobody_answers() -> None:
    realm = training()
    realm.answer(beside={"policies:p1": {"armies": {"derop": {"levelup": [1, 6, 2], "class": "pikes"}}}})
    card = realm["derop"]
    assert card.class_ == "pikes" and card.rank == 2
    assert card.log[-1].bonuses[0].line == 1 and card.log[-1].bonuses[1].line == 6


@rule("WF-ACT-15", "WF-AST-04", "WF-AST-05", "WF-AST-10")
def test_wv46_forge_with_iron_and_unique_metal() -> None:
    iron = Asset(id="iron", kind="assured", domains=("craft",), uses=1)
    metal = Asset(id="metal", kind="critical", domains=("craft",), uses=2)
    armies = [army("a", HOME, units=5), army("harpies", HOME, ancestry="harpies", units=5)]
    power = {"p1": {"assets": (iron, metal)}}
    plain = dice("6 4 4 3 2 2 1 1")

    realm = Realm(armies, powers=power, dice={"r0|power:p1|challenge.forge:0|0": plain})
    realm.orders(p1=[{"action": "forge", "army": "a", "tier": 3, "assets": ["iron"]}])
    told = realm.of("order")[0]
    assert (told["difficulty"], told["successes"], told["status"]) == (4, 4, "done")
    assert realm["a"].tier == 3
    assert [asset.id for asset in realm.power("p1").assets] == ["metal"]  # one use, gone

    realm = Realm(armies, powers=power, dice={"r0|power:p1|challenge.forge:0|0": plain})
    realm.orders(p1=[{"action": "forge", "army": "harpies", "tier": 3, "assets": ["iron"]}])
    assert realm.of("order")[0]["difficulty"] == 6 and realm["harpies"].tier == 0
    assert [asset.id for asset in realm.power("p1").assets] == ["metal"]  # used up all the same

    realm = Realm(armies, powers=power, dice={"r0|power:p1|challenge.forge:0|0": [*plain, 6]})
    realm.orders(p1=[{"action": "forge", "army": "harpies", "tier": 3, "assets": ["iron", "metal"]}])
    assert realm.of("order")[0]["successes"] == 6 and values(realm["harpies"]).armor_max == 3
    assert [asset.uses for asset in realm.power("p1").assets] == [1]


@rule("WF-ACT-16", "WF-AST-05", "WF-SEAS-04", "WF-ACT-10")
def test_what_may_not_be_filed_together() -> None:
    stone = Asset(id="stone", domains=("craft",))
    realm = Realm(
        [army("a", HOME), army("b", HOME), army("dragon", HOME, **{"class": "dragon"})],
        powers={"p1": {"assets": (stone,)}},
    ).until("D-03")
    forge = {"action": "forge", "army": "a", "tier": 1}
    train = {"action": "train", "army": "a"}
    assert realm.refused("p1", action="forge", army="dragon", tier=1) == "WF-EQP-02"
    assert realm.refused("p1", **{**forge, "assets": ["iron"]}) == "WF-AST-05"
    assert realm.refusal("p1", {"orders": [forge, {**forge, "tier": 2}]}) == "WF-ACT-16"
    assert realm.refusal("p1", {"orders": [train, train]}) == "WF-ACT-10"
    for foreign in ("idle", "nobody"):
        assert realm.refused("p1", action="train", army=foreign) == "WF-ACT-10"
        assert realm.refused("p1", action="forge", army=foreign, tier=1) == "WF-ACT-15"
    twice = [{**forge, "assets": ["stone"]}, {**forge, "army": "b", "assets": ["stone"]}]
    assert realm.refusal("p1", {"orders": twice}) == "WF-AST-05"
    many = [{"action": "muster", "armies": ["a"], "to": [1, 0]}, train, forge, {**forge, "army": "b"}]
    assert realm.refusal("p1", {"orders": many}) == "WF-SEAS-04"


@rule("WF-AST-06", "WF-KEY-21", "WF-AST-01")
@pytest.mark.parametrize(
    ("keyword", "order", "helps"),
    [
        ("stablemasters", {"action": "muster", "armies": ["helper"], "to": [3, 0]}, True),
        ("greybeards", {"action": "train", "army": "a"}, True),
        ("engineers", {"action": "forge", "army": "a", "tier": 1}, False),
        ("scouts", {"action": "train", "army": "a"}, False),
    ],
)
def test_professions_assist_in_their_domain(keyword: str, order: dict[str, object], helps: bool) -> None:
    realm = Realm([army("a", HOME), army("helper", HOME, keywords=[keyword])]).until("D-03")
    refused = realm.refused("p1", **order, assets=["profession:helper"])
    assert refused == ("" if helps else "WF-AST-05")
    if helps:
        realm.answer(p1={"orders": [{**order, "assets": ["profession:helper"]}]})
        assert len(realm.of("order")[0]["faces"]) == 9
        assert realm.season.assets_used == ["p1/profession:helper"]


# Gather


@rule("WF-ACT-20", "WF-ACT-21", "WF-ACT-22", "WF-AST-09", "WF-SEAS-06")
def test_wv47_gather_cowards() -> None:
    lost = army("q", HOME, garrison="keep", rank=2)
    runaway = fled(lost, season=1, at=(1, 0), fought=("p1", "p2"))
    sites = {HOME: town("keep", "p1"), (2, 0): town("other", "p2")}
    order = [{"action": "gather", "army": "q"}]
    own = dice("6 5 4 3 2 2 1 1 4 4 1")
    stranger = dice("6 5 4 3 2 2 1 1")

    def realm(**rolls: list[int]) -> Realm:
        found = {f"r0|power:{power}|challenge.gather:0|0": faces for power, faces in rolls.items()}
        return Realm([army("x", (3, 0), "p2")], sites=sites, season=2, dispersed=[runaway], dice=found)

    former = realm(p1=own)
    former.orders(p1=order)
    back = former["q"]
    assert (len(back.units), back.controller, back.loyal_to) == (4, "p1", "p1")
    assert (back.garrison, back.hex) == ("keep", HOME)
    assert not former.season.dispersed and former.season.created == ["q"]

    alone = realm(p2=stranger)
    alone.orders(p2=order)
    back = alone["q"]
    assert (len(back.units), back.controller, back.loyal_to) == (3, "p2", None)
    assert (back.garrison, back.hex) == ("other", (2, 0))

    both = realm(p1=own, p2=stranger)
    both.orders(p1=order, p2=order)
    assert both["q"].controller == "p1"
    assert both.told("p2") == [("gather", "failed")]


@rule("WF-ACT-21", "WF-ACT-35")
def test_a_gathered_levy_holds_what_is_left_of_its_town() -> None:
    """Its two stacks were orphaned when it ran, and one has fallen since."""
    lost = army("q", HOME, units=4, levied=True, levied_size=8, origin_town="keep", depop_held=2)
    sites = {HOME: town("keep", "p1", depopulated=1)}
    realm = Realm(
        [], sites=sites, season=2, dispersed=[fled(lost, season=1)],
        dice={"r0|power:p1|challenge.gather:0|0": [6] * 11},
    )  # fmt: skip
    realm.orders(p1=[{"action": "gather", "army": "q"}])
    assert (realm["q"].depop_held, realm.site("keep").depopulated) == (1, 1)


@rule("WF-ACT-20", "WF-SEAS-02")
def test_only_last_seasons_dispersed_and_only_by_those_who_know() -> None:
    lost = army("q", HOME)
    known = Realm([], season=2, dispersed=[fled(lost, season=1)], count=3, sites=SITES).until("D-03")
    assert known.decision("p1").question["gather"] == [{"army": "q", "fled": 4, "own": True}]
    assert known.refused("p2", action="gather", army="q") == "WF-ACT-20"
    late = Realm([], season=3, dispersed=[fled(lost, season=1)], sites=SITES)
    assert late.season.dispersed == []


SITES = {HOME: town("t1", "p1"), (2, 0): town("t2", "p2"), (-2, 0): town("t3", "p3")}


# Levy and disband


LEVY = {"action": "levy", "town": "t1", "size": 5, "ancestry": "orcs", "bonus": {"line": 3}}


@rule("WF-ACT-25", "WF-ACT-26", "WF-CARD-14")
def test_a_levy_is_the_template_with_its_ancestry_and_one_bonus() -> None:
    realm = Realm([], sites=SITES, dice={"r0|power:p1|challenge.levy:0|0": [6] * 8}).until("D-03")
    assert realm.refused("p1", **{**LEVY, "town": "t2"}) == "WF-ACT-25"
    assert realm.refused("p1", **{**LEVY, "size": 7}) == "WF-ACT-25"
    assert realm.refused("p1", **{**LEVY, "ancestry": "gnolls"}) == "WF-ACT-25"
    assert realm.refused("p1", **{**LEVY, "bonus": None}) == "WF-ACT-25"
    assert realm.refused("p1", **{**LEVY, "bonus": {"line": 6, "keyword": "frigid"}}) == "WF-LVL-04"
    realm.orders(p1=[LEVY])
    made = realm["p1.1.0"]
    shown = show(made)
    assert (shown["rank"], shown["fee"], shown["mobility"], shown["defense"]) == (1, 1, 1, 3)
    assert (shown["morale"], shown["attack"], shown["class"], shown["units"]) == ("d6", "d4", "Levy", 5)
    assert (made.garrison, made.hex, made.loyal_to, made.levied) == ("t1", HOME, "p1", True)
    assert (made.depop_held, realm.site("t1").depopulated) == (1, 1)


@rule("WF-SEAS-05", "WF-SEAS-06")
def test_orders_are_checked_again_as_they_resolve() -> None:
    """A town levied from twice fails the second time, and a new army cannot be ordered yet."""
    realm = Realm([], sites=SITES, dice={"r0|power:p1|challenge.levy:0|0": [6] * 8})
    realm.orders(p1=[LEVY, {**LEVY, "size": 1}])
    assert realm.told("p1") == [("levy", "done"), ("levy", "failed")]
    assert realm.of("order")[1]["rule"] == "WF-ACT-25"


@rule("WF-ACT-31", "WF-ACT-32", "WF-ACT-35", "WF-ACT-30")
def test_wv44_levy_disband_and_levy_again() -> None:
    sites = {HOME: town("t1", "p1", population=9, uprising=1), (2, 0): town("t2", "p2")}
    realm = Realm(
        [],
        sites=sites,
        powers={"p1": {"ratings": {"war": 12}}},
        dice={"r0|power:p1|challenge.levy:0|0": dice("6 6 5 5 5 4 4 4 4 4 3 2")},
    )
    realm.orders(p1=[{**LEVY, "size": 9}])
    assert realm.of("order")[0]["difficulty"] == 10 and realm.of("order")[0]["excess"] == 0
    assert realm.site("t1").depopulated == 2

    veterans = army("v", HOME, units=7, rank=2, levied=True, levied_size=9, origin_town="t1", depop_held=2)
    sites = {HOME: town("t1", "p1", population=9, uprising=1, depopulated=2), (2, 0): town("t2", "p2")}
    realm = Realm([veterans], sites=sites)
    realm.orders(p1=[{"action": "disband", "army": "v"}])
    assert "v" not in realm
    assert (realm.season.records[0].size, realm.site("t1").depopulated) == (7, 1)
    realm.end_season()
    assert realm.site("t1").depopulated == 0  # orphaned
    realm.season.given["r0|power:p1|challenge.levy:0|0"] = [6] * 8
    realm.until("D-03")
    again = {"action": "levy", "town": "t1", "size": 6, "record": "v"}
    assert realm.refused("p1", **{**again, "size": 8}) == "WF-ACT-27"
    realm.orders(p1=[again])
    assert realm.of("order")[-1]["difficulty"] == 6  # the uprising has gone down


@rule("WF-ACT-27", "WF-ACT-34")
def test_a_recorded_card_comes_back_once_with_all_it_has() -> None:
    card = army("v", HOME, rank=3, tier=2, experience=[2], levied=True, levied_size=9)
    realm = Realm(
        [], sites=SITES, records=[record(card, 7)], dice={"r0|power:p1|challenge.levy:0|0": [6] * 8}
    ).until("D-03")
    again = {"action": "levy", "town": "t1", "size": 6, "record": "v"}
    assert realm.refused("p1", **again, bonus={"line": 1}) == "WF-ACT-27"
    assert realm.refused("p2", **{**again, "town": "t2"}) == "WF-ACT-27"  # not its record
    realm.orders(p1=[again])
    made = realm["v"]
    assert (made.rank, made.tier, made.experience, len(made.units)) == (3, 2, (2,), 6)
    assert (made.levied_size, made.depop_held, realm.site("t1").depopulated) == (6, 1, 1)
    assert realm.season.records == []


@rule("WF-ACT-30", "WF-ACT-33", "WF-PWR-06")
def test_away_from_home_only_tidings_disbands_and_nothing_is_kept() -> None:
    away = army("v", (1, 0), levied=True, levied_size=4, origin_town="t1", depop_held=1)
    stay = army("hired", (1, 0), loyal_to=None)
    sites = {HOME: town("t1", "p1", depopulated=1), (2, 0): town("t2", "p2")}
    realm = Realm([away, stay], sites=sites)
    assert realm.refusal("p1", {"disband": ["hired"]}) == "WF-PWR-06"
    assert realm.refusal("p1", {"release": ["v"]}) == "WF-PWR-06"
    realm.answer(p1={"disband": ["v"], "release": ["hired"]})
    assert "v" not in realm and realm.season.records == []
    assert realm.site("t1").depopulated == 1
    assert (realm["hired"].controller, realm["hired"].hex) == (None, (1, 0))
    realm = Realm([away], sites=sites).until("D-03")
    assert realm.refused("p1", action="disband", army="v") == "WF-ACT-30"


@rule("WF-ACT-32", "WF-ACT-31")
def test_half_a_levy_is_not_mostly_intact() -> None:
    half = army("v", HOME, units=2, levied=True, levied_size=4, origin_town="t1", depop_held=1)
    realm = Realm([half], sites={HOME: town("t1", "p1", depopulated=1), (2, 0): town("t2", "p2")})
    realm.orders(p1=[{"action": "disband", "army": "v"}])
    assert realm.season.records == [] and realm.site("t1").depopulated == 1


@rule("WF-ACT-35")
def test_depopulated_stays_while_its_levy_lives() -> None:
    lives = army("v", HOME, levied=True, levied_size=8, origin_town="t1", depop_held=2, garrison="t1")
    sites = {HOME: town("t1", "p1", depopulated=3), (2, 0): town("t2", "p2")}
    realm = Realm([lives], sites=sites)
    for left in (2, 2):
        realm.end_season()
        assert realm.site("t1").depopulated == left


# Hire


@rule("WF-ACT-40", "WF-PWR-11")
def test_the_highest_bid_takes_a_rogue() -> None:
    armies = [
        army("rogue", (1, 0), None, fee=2),
        army("far", (-3, 0), None),
        army("a", HOME),
        army("b", (2, 0), "p2"),
    ]
    coins = {"p1": {"coin": 6}, "p2": {"coin": 6}}
    realm = Realm(armies, sites=SITES, powers=coins, hosted=True).until("D-03")
    assert realm.refused("p1", action="hire", army="far", coin=3) == "WF-ACT-40"
    assert realm.refused("p1", action="hire", army="rogue", coin=7) == "WF-ACT-40"
    realm.orders(
        p1=[{"action": "hire", "army": "rogue", "coin": 3}],
        p2=[{"action": "hire", "army": "rogue", "coin": 4}],
    )
    taken = realm["rogue"]
    assert (taken.controller, taken.loyal_to, taken.garrison, taken.hex) == ("p2", None, "t2", (2, 0))
    assert (realm.power("p1").coin, realm.power("p2").coin) == (6, 2)
    realm = Realm(armies, sites=SITES, powers=coins, hosted=True)
    tie = [{"action": "hire", "army": "rogue", "coin": 3}]
    realm.orders(p1=tie, p2=tie)
    assert realm["rogue"].controller == "p1"
    realm = Realm(armies, sites=SITES, powers=coins, hosted=True)
    realm.orders(p1=[{"action": "hire", "army": "rogue", "coin": 1}])
    assert realm.told("p1") == [("hire", "failed")] and realm["rogue"].controller is None


@rule("WF-ACT-45", "WF-LVL-06")
def test_a_city_begins_with_builds_anybody_could_make() -> None:
    card = build("g", "gnolls", 4, 2, "archers")
    assert (card.rank, card.class_, len(card.units)) == (2, "archers", 4)
    assert [bonus.line for bonus in card.log[-1].bonuses] == [4, 2, 3]
    assert wounds(card) == [0, 0, 0, 0]
