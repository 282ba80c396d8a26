"""The campaign that stands by itself: map, income, claims, influence, pacts, the end (section 27)."""

from collections import Counter
from typing import Any

import pytest

from shared.canonical import encode
from shared.warfare.card import values
from shared.warfare.options import Options
from shared.warfare.season import claims, machine
from shared.warfare.season.campaign import FEWEST, MOST, Seat, lay_down, new_campaign
from shared.warfare.season.ground import connected, even, ring
from shared.warfare.season.state import Proposed, Season
from shared.warfare.world import Champion, distance
from tests.warfare.marks import rule
from tests.warfare.realm import IDLE, Realm, army, town

HOME = (0, 0)
MIXED = ("city", "conspiracy", "champion", "city")


def seats(*kinds: str) -> list[Seat]:
    return [Seat(id=f"p{seat}", seat=seat, kind=kind) for seat, kind in enumerate(kinds, 1)]  # type: ignore[arg-type]


# The map


@rule("WF-CMP-01", "WF-MAP-02")
@pytest.mark.parametrize("count", range(FEWEST, MOST + 1))
def test_every_map_is_whole_and_fair(count: int) -> None:
    for seed in range(4):
        season = lay_down(f"map-{seed}", seats(*["city"] * count))
        radius = 3 + count // 2
        assert len(season.hexes) == 3 * radius * (radius + 1) + 1
        land = {one.at for one in season.hexes if one.terrain != "water"}
        assert connected(land)
        terrain = Counter(one.terrain for one in season.hexes)
        shares = {"plains": 40, "forest": 20, "mountains": 12, "desert": 10, "coast": 12, "water": 6}
        for name, share in shares.items():
            assert abs(terrain[name] - len(season.hexes) * share / 100) <= len(shares)  # type: ignore[index]
        sites = [(site, one.at) for one in season.hexes for site in one.sites]
        assert len(sites) == 3 * count
        assert all(at in land and 4 <= site.population <= 9 for site, at in sites)
        homes = []
        for power in season.powers:
            own = [(site, at) for site, at in sites if site.owner == power.id]
            assert len(own) == 2
            home = next(one.hex for one in season.armies if one.controller == power.id)
            assert home is not None and home in [at for _, at in own]
            homes.append(home)
            others = [
                at for site, at in sites if site.owner is None and site.id.startswith(f"town-{power.seat}-")
            ]
            assert max(distance(home, at) for _, at in own) <= distance(home, others[0])
            roads = {one.at for one in season.hexes if one.road}
            assert all(at in roads for _, at in own)
        assert even(homes)


@rule("WF-CMP-01", "WF-ACT-45", "WF-PWR-01")
def test_what_each_kind_begins_with() -> None:
    season = lay_down("kinds", seats(*MIXED))
    city, conspiracy, champion, _ = season.powers
    assert all((one.coin, one.loyalty, one.fear) == (3, 2, 2) for one in season.powers)
    guards = [one for one in season.armies if one.controller == city.id]
    assert [(one.class_, one.rank, one.tier, len(one.units)) for one in guards] == [
        ("archers", 2, 2, 4),
        ("infantry", 2, 2, 4),
    ]
    assert all(one.loyal_to == city.id and one.garrison for one in guards)
    assert sorted(conspiracy.influence.values()) == [1, 1, 1]
    assert not [one for one in season.armies if one.controller == conspiracy.id]
    (body,) = (one for one in season.armies if one.controller == champion.id)
    assert body.personal and body.rank == 3 and champion.support == 6
    assert champion.champion is not None and champion.champion.at == body.hex
    rogues = [one for one in season.armies if one.controller is None]
    land = sum(one.terrain != "water" for one in season.hexes)
    assert len(rogues) == land // 12
    assert all(2 <= one.rank <= 4 and 3 <= len(one.units) <= 6 for one in rogues)
    assert all(values(one).fee >= one.rank for one in rogues)


@rule("WF-CMP-01", "WF-RNG-01")
def test_a_campaign_is_a_function_of_seed_powers_and_settings() -> None:
    once = new_campaign("seed", seats(*MIXED), Options(seasons=3))
    assert encode(once.state) == encode(new_campaign("seed", seats(*MIXED), Options(seasons=3)).state)
    assert encode(once.state) != encode(new_campaign("other", seats(*MIXED), Options(seasons=3)).state)
    with pytest.raises(ValueError, match="2 to 8"):
        new_campaign("seed", seats("city"))


def test_a_ring_goes_round() -> None:
    around = ring(3)
    assert len(set(around)) == 18
    assert all(distance(a, b) == 1 for a, b in zip(around, around[1:] + around[:1], strict=True))


# Income


@rule("WF-CMP-03", "WF-SEAS-02")
def test_income_by_kind() -> None:
    sites = {HOME: town("a", "p1", population=6), (1, 0): town("b", "p1", population=5, uprising=1)}
    influence = {f"{q},0": 1 for q in range(-3, 4)}
    realm = Realm(
        [],
        sites=sites,
        count=3,
        powers={
            "p1": {"kind": "city"},
            "p2": {"kind": "conspiracy", "influence": influence},
            "p3": {"champion": Champion()},
        },
    )
    purse = [(one.coin, one.loyalty, one.fear) for one in realm.season.powers]
    assert purse == [(5, 1, 0), (2, 0, 2), (2, 1, 0)]


# Claims


@rule("WF-CMP-04", "WF-CMP-05")
@pytest.mark.parametrize(
    ("here", "pacts", "owner"),
    [
        ({"a": "p1"}, [], "p1"),
        ({"a": "p1", "b": "p2"}, [], "p2"),
        ({"a": "p1", "b": None}, [], "p2"),
        ({"a": "p1", "c": "p3"}, [], "p2"),
        ({"a": "p1", "c": "p3"}, [("p1", "p3")], "p3"),
        ({"a": "p1", "c": "p3"}, [("p1", "p3"), ("p2", "p3")], "p2"),
    ],
)
def test_who_stands_alone_takes_the_site(
    here: dict[str, Any], pacts: list[tuple[str, str]], owner: str
) -> None:
    armies = [army(name, HOME, power, units=5 if name == "c" else 4) for name, power in here.items()]
    sites = {HOME: town("t", "p2", uprising=1), (2, 0): town("u", "p2")}
    realm = Realm(armies, sites=sites, count=4, pacts=pacts).end_season()
    assert realm.site("t").owner == owner
    assert realm.site("t").uprising == (0 if owner == "p2" else 2)


@rule("WF-CMP-04", "WF-CARD-16", "WF-SEAS-12")
def test_an_army_whose_garrison_was_taken_is_fielded() -> None:
    sites = {HOME: town("t", "p2"), (2, 0): town("u", "p2")}
    away = army("b", HOME, "p2", garrison="t")
    realm = Realm([army("a", (1, 0)), away], sites=sites)
    realm.orders(
        p1=[{"action": "muster", "armies": ["a"], "to": [0, 0]}],
        p2=[{"action": "muster", "armies": ["b"], "to": [-1, 0]}],
    )
    realm.end_season()
    assert realm.site("t").owner == "p1"
    assert (realm["b"].garrison, realm["b"].hex) == ("t", (-1, 0))


# Influence


def conspiring(*armies: Any, dice: dict[str, list[int]] | None = None, **rest: Any) -> Realm:
    powers = {"p1": {"kind": "conspiracy", "support": 0, "influence": {"0,0": 2}}}
    return Realm(armies, powers=powers, dice=dice, **rest).until("D-03")


@rule("WF-CMP-06", "WF-AST-02", "WF-AST-03")
def test_whispers_spread_and_purges_end_influence() -> None:
    realm = conspiring(army("spy", (1, 0), "p2"), dice={"r0|power:p1|challenge.whisper:0|0": [4] * 8})
    assert realm.refused("p2", action="whisper", at=[0, 0]) == "WF-CMP-06"
    assert realm.refused("p1", action="whisper", at=[9, 9]) == "WF-CMP-06"
    assert realm.refused("p2", action="purge", at=[3, 0], power="p1") == "WF-CMP-06"  # not in sight
    assert realm.refused("p2", action="purge", at=[0, 0], power="p9") == "WF-CMP-06"
    realm.orders(
        p1=[{"action": "whisper", "at": [2, 0]}],
        p2=[
            {"action": "purge", "at": [0, 0], "power": "p1"},
            {"action": "purge", "at": [1, 0], "power": "p1"},
        ],
    )
    told = {(one["power"], one["index"]): one for one in realm.of("order")}
    assert told["p1", 0]["difficulty"] == 3 and told["p1", 0]["status"] == "done"
    assert told["p2", 0]["difficulty"] == 2
    assert told["p2", 1]["difficulty"] == 0 and not told["p2", 1]["purged"]
    influence = realm.power("p1").influence
    assert influence["2,0"] == 1
    assert influence.get("0,0") == (1 if told["p2", 0]["status"] == "done" else 2)


@rule("WF-KEY-33", "WF-CMP-06")
@pytest.mark.parametrize(
    ("keywords", "spreads"), [(["incorruptible"], False), (["incorruptible", "stealthy"], True)]
)
def test_nobody_whispers_where_the_incorruptible_are_seen(keywords: list[str], spreads: bool) -> None:
    guard = army("g", (1, 0), "p2", keywords=keywords)
    realm = conspiring(guard, dice={"r0|power:p1|challenge.whisper:0|0": [6] * 8})
    realm.orders(p1=[{"action": "whisper", "at": [1, 0]}])
    assert ("1,0" in realm.power("p1").influence) == spreads


# Pacts


def courting(*, count: int = 3, **rest: Any) -> Realm:
    sites = {(q, 0): town(f"t{q}", f"p{q + 1}") for q in range(count)}
    return Realm([], count=count, sites=sites, **rest).until("D-03")


@rule("WF-CMP-07", "WF-SEAS-05", "WF-SEAS-04")
def test_proposals_pacts_breaks_and_truces() -> None:
    realm = courting()
    propose = [{"action": "propose", "power": "p2"}]
    realm.orders(p1=[*propose, *propose], p2=[{"action": "accept", "power": "p1"}])
    assert realm.season.pacts == [("p1", "p2")]
    assert realm.told("p1") == [("propose", "done"), ("propose", "failed")]
    realm.end_season()
    realm.until("D-03")
    assert realm.refused("p1", **propose[0]) == "WF-CMP-07"
    assert realm.refused("p1", action="propose", power="p1") == "WF-CMP-07"
    assert realm.refused("p1", action="propose", power="p1", assets=["x"]) == "WF-CMP-07"
    realm.orders(p1=[{"action": "break", "power": "p2"}] * 2)
    assert realm.told("p1")[2:] == [("break", "done"), ("break", "failed")]
    assert realm.season.pacts == []
    (truce,) = realm.season.truces
    assert (truce.a, truce.b, truce.until) == ("p1", "p2", 3)  # broken in season 2
    realm.end_season()
    assert realm.season.season == 3 and realm.season.truces
    realm.end_season()
    assert realm.season.season == 4 and not realm.season.truces


@rule("WF-CMP-07")
def test_a_break_without_a_pact_withdraws_and_the_cap_is_three() -> None:
    realm = courting()
    realm.orders(
        p1=[{"action": "propose", "power": "p2"}],
        p2=[{"action": "break", "power": "p1"}, {"action": "accept", "power": "p1"}],
        p3=[{"action": "break", "power": "p1"}],
    )
    assert realm.told("p2") == [("break", "done"), ("accept", "failed")]
    assert realm.told("p3") == [("break", "failed")]
    assert not realm.season.proposals and not realm.season.pacts

    pacts = [("p1", "p2"), ("p1", "p3"), ("p1", "p4")]
    full = courting(count=5, pacts=pacts, proposals=[Proposed("p5", "p1")])
    full.orders(
        p1=[{"action": "accept", "power": "p5"}, {"action": "break", "power": "p2"}],
        p5=[{"action": "propose", "power": "p2"}],
    )
    assert full.told("p1") == [("accept", "failed"), ("break", "done")]
    assert full.season.proposals == [Proposed("p5", "p1"), Proposed("p5", "p2")]


@rule("WF-CMP-07", "WF-SET-01", "WF-GEN-04")
def test_nobody_declares_against_partners_or_under_a_truce() -> None:
    armies = [army("a", HOME), army("b", HOME, "p2"), army("c", HOME, "p3")]
    realm = Realm(armies, count=3, pacts=[("p1", "p2"), ("p1", "p3")])
    realm.orders(p1=[{"action": "break", "power": "p2"}])
    assert realm.decision("p1").question["against"] == ["rogues"]
    assert realm.decision("p2").question["against"] == ["p3", "rogues"]


# The end


@rule("WF-CMP-09", "WF-SEAS-13")
def test_a_campaign_ends_after_its_seasons_and_ranks_everybody() -> None:
    sites = {HOME: town("a", "p1", population=5), (2, 0): town("b", "p2", population=8)}
    realm = Realm([army("x", HOME)], sites=sites, count=3, options=Options(seasons=2))
    realm.end_season()
    assert not realm.season.standing
    realm.end_season()
    assert realm.season.phase == "ended" and realm.now.decisions == ()
    assert realm.season.standing == ["p2", "p1", "p3"]
    assert claims.score(realm.season, "p1")[:2] == (5, 4)


@rule("WF-CMP-09")
def test_who_has_nothing_is_out_and_the_last_one_left_wins() -> None:
    sites = {HOME: town("a", "p1")}
    realm = Realm(
        [army("x", HOME)], sites=sites, count=3, pacts=[("p1", "p2")], proposals=[Proposed("p2", "p3")]
    ).end_season()
    assert realm.season.out == ["p2"]
    assert realm.season.pacts == [] and realm.season.proposals == []
    realm.until("D-03")
    assert realm.asked("D-03") == ["p1", "p3"]
    realm.season.armies = [one for one in realm.season.armies if one.id != "idle"]
    realm.end_season()
    assert realm.season.phase == "ended" and realm.season.standing == ["p1", "p3", "p2"]


@rule("WF-GEN-01", "WF-CMP-08")
def test_a_hosted_season_leaves_the_rest_to_its_host() -> None:
    sites = {IDLE: town("t", "p1")}
    realm = Realm([], sites=sites, hosted=True).end_season()
    assert realm.season.phase == "ended" and realm.season.season == 1
    assert realm.site("t").owner == "p1" and realm.power("p1").coin == 0
    assert realm.season.standing == []


@rule("WF-CMP-08", "WF-GM-06")
def test_only_a_game_master_enters_assets_and_spells() -> None:
    fresh = lay_down("s", seats(*MIXED))
    assert not any(one.assets or one.spells or one.specials for one in fresh.powers)
    now = new_campaign("s", seats(*MIXED), Options(gm_seat=True))
    spark = {"id": "spark", "element": "F", "rank": 1, "effects": [{"do": "damage", "n": 1, "type": "burn"}]}
    given = {"grants": [{"power": "p1", "spells": [spark], "assets": [{"id": "iron", "domains": ["craft"]}]}]}
    after: Season = machine.step(now.state, {"gm": given}).state
    held = next(one for one in after.powers if one.id == "p1")
    assert [one.id for one in held.spells] == ["spark"] and [one.id for one in held.assets] == ["iron"]
    twice = machine.check(after, "gm", given)
    assert twice is not None and twice.rule == "WF-CMP-08"
