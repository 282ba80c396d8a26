"""Each goal's thresholds and rewards, each signature command, as the rulebook prints them (sections 9, 11)."""

from typing import Any

import pytest

from shared.warfare.world import Hex, Site
from tests.warfare.duel import Duel, facts
from tests.warfare.marks import rule

CAPTAINS = {"p1": {"goals": [{"goal": "plunder"}, {"goal": "disorder", "target": "b"}]}}


def stormed(**more: Any) -> Duel:
    """p1 attacks p2, who owns an open outpost; p1 has proposed to plunder it and to disorder b."""
    return Duel({"a": {"units": 6}}, {"b": {"units": 6}}, answers=CAPTAINS, **more)


@pytest.fixture
def outpost(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.warfare import field

    def with_outpost(**given: Any) -> Hex:
        return Hex(**{**given, "sites": (Site(id="post", kind="outpost", owner="p2"),)})

    monkeypatch.setattr(field, "Hex", with_outpost)


@rule("WF-GOAL-05", "WF-GOAL-16", "WF-GOAL-07")
@pytest.mark.parametrize(
    ("goal", "thresholds"),
    [("initiative", [3, 3]), ("advance", [2, 2]), ("plunder:0", [3, 3]), ("disorder:b", [3, 2])],
)
def test_thresholds(goal: str, thresholds: list[int], outpost: None) -> None:
    f = stormed()
    assert {one.id: one.thresholds for one in f.battle.goals}[goal] == thresholds


@rule("WF-GOAL-05", "WF-GOAL-06", "WF-GOAL-09")
@pytest.mark.parametrize("winner", ["a", "b"])
def test_either_role_takes_the_base_rewards(winner: str) -> None:
    for goal in ("initiative", "advance"):
        sides: dict[str, dict[str, Any]] = {"a": {"a": {"units": 6}}, "b": {"b": {"units": 6}}}
        sides[winner]["idle"] = {}  # the larger side does not begin
        f = Duel(sides["a"], sides["b"])
        side = f[winner].side
        assert f.battle.order[0] != side
        f.roll("presence", winner, [4] * 6).give(winner, "hold", goals=[goal])
        f.until("D-14")
        assert (f.battle.order[0] == side, f.battle.sides[side].escalation) == (
            goal == "initiative",
            int(goal == "advance"),
        )


@rule("WF-GOAL-16")
def test_plunder_pays_the_proposers_captain_only(outpost: None) -> None:
    for winner, gained in (("a", 1), ("b", 0)):
        f = stormed()
        f.roll("presence", winner, [4] * 6).give(winner, "hold", goals=["plunder:0"])
        f.until("D-14")
        assert [power.gained for power in f.battle.powers] == [gained, 0]


@rule("WF-CMD-08")
@pytest.mark.parametrize(
    ("signature", "event", "static", "left"),
    [("onslaught", "attack", 2, 0), ("stand-fast", "presence", 2, 0), ("steady", "presence", 0, 1)],
)
def test_signature_commands(signature: str, event: str, static: int, left: int) -> None:
    f = Duel(
        {"grey": {"keywords": ["greybeards"], "signature": signature}, "a": {}}, {"b": {}, "c": {}, "d": {}}
    )
    f.put("a", momentum=1)
    events = f.give("a", f"special:{signature}")
    assert [found["static"] for found in facts(events, event)] == [static]
    assert f["a"].momentum == left


@rule("WF-CMD-08", "WF-CMD-04")
def test_second_wind_is_a_deep_rest() -> None:
    f = Duel(
        {"grey": {"keywords": ["greybeards"], "signature": "second-wind"}, "a": {}},
        {"b": {}, "c": {}, "d": {}},
    )
    f.put("a", armor_max=2)
    f.give("a", "special:second-wind")
    assert (f["a"].momentum, f["a"].armor) == (3, 2)
