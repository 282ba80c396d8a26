"""Seasons as somebody wrote them down."""

from typing import Any

import pytest
from msgspec.structs import replace

from shared.warfare.errors import BadInput, Illegal
from shared.warfare.season import soundness
from shared.warfare.season.state import Dispersed, Record, Season, copy
from shared.warfare.world import Champion
from tests.warfare.marks import rule
from tests.warfare.realm import Realm, army, town

HOME = (0, 0)


def plain() -> Season:
    return copy(Realm([army("a", HOME)], sites={HOME: town("t", "p1")}).season)


def changed(name: str, value: Any) -> Season:
    season = plain()
    setattr(season, name, value(season))
    return season


@rule("WF-CARD-01", "WF-MAP-02", "WF-PWR-01")
@pytest.mark.parametrize(
    ("name", "value", "where"),
    [
        ("armies", lambda s: [*s.armies, s.armies[0]], "season.armies"),
        ("armies", lambda s: [replace(s.armies[0], hex=(9, 9))], "season.armies[a].hex"),
        ("armies", lambda s: [replace(s.armies[0], controller="p9")], "season.armies[a]"),
        ("powers", lambda s: [*s.powers, s.powers[0]], "season.powers"),
        ("powers", lambda s: [replace(s.powers[0], id="rogues")], "season.powers"),
        (
            "powers",
            lambda s: [replace(s.powers[0], champion=Champion(personal="x")), s.powers[1]],
            "season.powers[p1]",
        ),
        ("hexes", lambda s: [*s.hexes, s.hexes[0]], "season.hexes"),
        ("hexes", lambda s: [replace(one, sites=(town("t", "p7"),)) for one in s.hexes[:1]], "season.hexes"),
        ("pacts", lambda s: [("p1", "p9")], "season.pacts"),
    ],
)
def test_what_points_nowhere_is_named(name: str, value: Any, where: str) -> None:
    soundness.check(plain())
    with pytest.raises(BadInput) as caught:
        soundness.check(changed(name, value))
    assert caught.value.where == where


@rule("WF-LVL-04", "WF-INT-29")
def test_an_army_that_cannot_be_is_named_with_its_rule() -> None:
    both = replace(army("a", HOME), keywords=("needler", "slayer"))
    with pytest.raises(Illegal) as caught:
        soundness.check(changed("armies", lambda season: [both]))
    assert (caught.value.refusal.army, caught.value.refusal.rule) == ("a", "WF-LVL-04")
    odd = replace(both, keywords=(), policy=replace(both.policy, class_="dragon"))
    with pytest.raises(Illegal):
        soundness.check(changed("armies", lambda season: [odd]))


@rule("WF-ACT-27", "WF-ACT-20")
def test_recorded_and_dispersed_armies_are_held_to_the_same() -> None:
    odd = replace(army("z", HOME), ancestry="hobbits")
    record = Record(power="p1", army=replace(odd, units=()), size=2)
    gone = Dispersed(army=odd, hex=HOME, season=1, controller="p1", fought=("p1",))
    for name, kept in (("records", record), ("dispersed", gone)):
        with pytest.raises(Illegal) as caught:
            soundness.check(changed(name, lambda season, kept=kept: [kept]))
        assert (caught.value.refusal.army, caught.value.refusal.rule) == ("z", "WF-CARD-01")
    soundness.check(
        changed("records", lambda season: [replace(record, army=replace(record.army, ancestry="orcs"))])
    )
