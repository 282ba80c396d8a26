"""What a power is asked, told and refused never depends on what it may not know (section 22)."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from shared.warfare.army import Army
from shared.warfare.errors import BadInput
from shared.warfare.season import machine, sight
from shared.warfare.season.state import Season, copy
from tests.warfare.marks import rule
from tests.warfare.realm import Realm, army, fled, record, town

HOME = (0, 0)
FAR = (3, -3)


def realm() -> Realm:
    """p1 sees the middle; p2 has everything it has elsewhere or hidden."""
    armies = [
        army("a", HOME, mobility=2),
        army("seen", (1, 0), "p2"),
        army("hidden", (1, 0), "p2", keywords=["stealthy"]),
        army("away", FAR, "p2"),
        army("wild", (3, 0), None),
    ]
    sites = {HOME: town("home", "p1"), (-2, 0): town("gate", "p2"), FAR: town("keep", "p2")}
    return Realm(
        armies,
        sites=sites,
        count=3,
        season=2,
        powers={"p2": {"coin": 5, "influence": {"0,0": 1, "2,0": 1}}},
        records=[record(army("old", HOME, "p2"), 3, "p2")],
        dispersed=[fled(army("ran", FAR, "p2"), season=1, fought=("p2", "p3"))],
    )


def _armies(season: Season, **by_name: Any) -> Season:
    season.armies = [by_name.get(one.id, lambda same: same)(one) for one in season.armies]
    season.armies = [one for one in season.armies if one is not None]
    return season


def _gone(_: Army) -> None:
    return None


def _secrets(season: Season) -> list[Season]:
    """The same season but for one thing p1 does not know."""
    found = [copy(season) for _ in range(8)]
    _armies(found[0], hidden=_gone)
    _armies(found[1], hidden=lambda one: replace(one, keywords=("siege", *one.keywords), rank=4))
    _armies(found[2], away=lambda one: replace(one, hex=(2, -3)))
    _armies(
        found[3], seen=lambda one: replace(one, experience=(3,), base=replace(one.base, fee=9, defense=8))
    )
    found[4].powers[1] = replace(found[4].powers[1], coin=0, fear=7, influence={"1,1": 4})
    found[5].records = []
    found[6].dispersed = []
    _armies(found[7], wild=_gone, away=_gone)
    return found


TRIED: tuple[dict[str, Any], ...] = (
    {"action": "hire", "army": "hidden", "coin": 0},
    {"action": "hire", "army": "seen", "coin": 0},
    {"action": "hire", "army": "wild", "coin": 0},
    {"action": "hire", "army": "away", "coin": 0},
    {"action": "gather", "army": "ran"},
    {"action": "levy", "town": "home", "size": 1, "record": "old"},
    {"action": "muster", "armies": ["a"], "to": [1, 0]},
    {"action": "muster", "armies": ["hidden"], "to": [0, 1]},
    {"action": "muster", "armies": ["a"], "to": list(FAR), "garrison": "keep"},
    {"action": "purge", "at": [0, 0], "power": "p2"},
    {"action": "purge", "at": [2, 0], "power": "p2"},
    {"action": "propose", "power": "p2"},
)


def _facing(season: Season, power: str) -> list[Any]:
    """All that reaches a power at a window: its questions, and what it is told of every answer it might file."""
    found: list[Any] = []
    for decision in machine.decisions(season):
        if decision.power != power:
            continue
        found.append(msgspec.to_builtins(decision))
        if decision.kind == "D-03":
            found += [machine.check(season, decision.id, {"orders": [order]}) for order in TRIED]
        if decision.kind == "D-05":
            for name in ("p2", "p3", "rogues"):
                for at in (HOME, (1, 0), FAR):
                    filed = {"declarations": [{"hex": at, "against": [name]}]}
                    found.append(machine.check(season, decision.id, filed))
    return found


@rule("WF-VIS-01", "WF-VIS-02", "WF-VIS-06", "WF-DEC-04")
@pytest.mark.parametrize("window", ["D-01", "D-03", "D-05"])
def test_questions_and_refusals_are_the_same_whatever_is_hidden(window: str) -> None:
    season = realm().until(window).season
    plain = _facing(season, "p1")
    assert plain
    for number, other in enumerate(_secrets(season)):
        assert _facing(other, "p1") == plain, number
        assert sight.reading(other, "p1") == sight.reading(season, "p1"), number


@rule("WF-VIS-05", "WF-VIS-03")
def test_challenges_levels_and_money_are_told_to_their_power_alone() -> None:
    now = realm()
    now.orders(
        p1=[{"action": "train", "army": "a"}, {"action": "muster", "armies": ["a"], "to": [0, 1]}],
        p2=[
            {"action": "forge", "army": "away", "tier": 2},
            {"action": "muster", "armies": ["hidden"], "to": [0, 0]},
        ],
    )
    now.end_season()
    private = {"order", "level", "income", "support", "fee", "healed", "disbanded", "released"}
    told = [event for event in now.events if event.kind in private]
    assert told
    for event in told:
        assert event.to is not None and len(event.to) == 1
    for event in now.events:
        if event.kind == "marched" and event.facts["army"] == "hidden":
            assert event.to == ("p2",)


@rule("WF-DEC-01", "WF-VIS-04")
def test_nobody_answers_for_another() -> None:
    season = realm().until("D-03").season
    assert machine.check(season, "policies:p1", {"armies": {"seen": {}}}) is not None
    with pytest.raises(BadInput):
        machine.check(season, "gm", {})  # no game master sits here
    with pytest.raises(BadInput):
        machine.check(season, "policies:p9", {})
