"""Warfare through the interface that the platform knows: windows, early ticks, results, replays."""

import random
from typing import Any

import msgspec
import pytest

from shared import canonical
from shared.rulesets import Broken, Json
from shared.warfare.match import GAME_MASTER, MatchSettings
from tests.warfare.marks import rule
from tests.warfare.playing import (
    BATTLE,
    CAMPAIGN,
    GAME,
    SEED,
    broken,
    export,
    factions,
    opened,
    played,
    sealed,
)
from tests.warfare.test_illegal_answers import garbled

GIVEN: dict[str, Any] = {
    "format": "battle",
    "wall": 1,
    "defender": 2,
    "armies": {
        "1": [{"id": "a1", "ancestry": "orcs", "class": "archers", "units": 4, "keywords": ["stealthy"]}],
        "2": [{"id": "b1", "ancestry": "ghouls", "class": "pikes", "units": 4}],
    },
}


def decision(state: Json, faction: str) -> dict[str, Any]:
    (window,) = (window for window in GAME.windows(state) if window.viewer == faction)
    found: dict[str, Any] = msgspec.json.decode(window.question)
    return found


def answered(state: Json, faction: str, answer: Any = None, seq: int = 1) -> Json:
    return sealed(
        {"kind": "answer", "decision": decision(state, faction)["id"], "answer": answer}, faction, seq
    )


@rule("WF-GEN-01", "WF-END-02", "WF-RNG-03")
@pytest.mark.parametrize(
    ("settings", "seats"), [(BATTLE, 2), (BATTLE, 3), (BATTLE, 5), (GIVEN, 2), (CAMPAIGN, 3)]
)
def test_a_match_of_computer_players_goes_to_its_end_and_replays(
    settings: dict[str, Any], seats: int
) -> None:
    ticks = list(played(settings, seats))
    last = GAME.standing(ticks[-1].state)
    assert last.ended and last.result is not None
    result = msgspec.json.decode(last.result)
    assert sorted(result["ranking"]) == factions(seats)
    for tick in ticks[:-1]:
        assert GAME.answered(tick.state, by_faction(tick.orders)) == any(
            w.needed for w in GAME.windows(tick.state)
        )
        assert tick.resolved is not None and {r.reason for r in tick.resolved.results} <= {None}
    told = export(settings, ticks, seats)
    assert GAME.verify(canonical.encode(told)) == []
    told["ticks"][2]["snapshot"]["tick"] = 99
    (difference,) = GAME.verify(canonical.encode(told))
    assert difference.where == "ticks[2].snapshot"


def by_faction(orders: list[Json]) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {}
    for order in orders:
        found.setdefault(msgspec.json.decode(order)["faction"], []).append(order)
    return found


@rule("WF-DEC-01", "WF-CMP-10")
def test_a_draft_closes_as_soon_as_all_asked_have_answered() -> None:
    state = opened(BATTLE)
    windows = {window.viewer: window for window in GAME.windows(state)}
    assert set(windows) == {"f1", "f2"} and all(window.needed for window in windows.values())
    first = answered(state, "f1")
    assert not GAME.answered(state, {"f1": [first]})
    assert not GAME.answered(state, {"f1": [first], "f2": [sealed({"kind": "policies"}, "f2")]})
    assert GAME.answered(state, {"f1": [first], "f2": [answered(state, "f2")]})
    question = msgspec.json.decode(windows["f1"].question)["question"]
    assert question["budget"] == 60
    dear = {"ancestry": "orcs", "class": "giant", "size": 8, "bonus": {"line": 1}}
    legal = answered(state, "f1", {"armies": [dear] * 2})  # 2 x (8 x 2 + 8) = 48
    assert GAME.check(GAME.briefing(state, "f1"), [], legal) is None
    refused = GAME.check(GAME.briefing(state, "f1"), [], answered(state, "f1", {"armies": [dear] * 3}))
    assert refused is not None and refused.reason == "illegal" and "WF-CMP-10" in refused.message


@rule("WF-DEC-01", "WF-DEC-02")
def test_the_last_answer_counts_and_default_stands_for_none() -> None:
    state = GAME.resolve(opened(GIVEN), []).state
    first = answered(state, "f1", {"entries": [{"army": "a1", "command": "slay"}]})
    last = answered(state, "f1", {"entries": [{"army": "a1", "command": "rest"}]}, seq=2)
    assert GAME.check_all(GAME.briefing(state, "f1"), [first, last]) == [None, None]
    done = GAME.resolve(state, [first, last])
    assert [(result.order, result.status, result.reason) for result in done.results] == [
        ("f1-1", "failed", "replaced"),
        ("f1-2", "done", None),
    ]
    commands = {
        event["army"]: event["command"]
        for event in msgspec.json.decode(done.chronicle)["events"]
        if event["event"] == "command"
    }
    assert commands == {"a1": "rest", "b1": "slay"}


@rule("WF-DEC-01")
def test_windows_left_to_policies_are_waited_for_no_more() -> None:
    state = opened(GIVEN)
    every = ["D-07", "D-09", "D-10", "D-11", "D-12", "D-13", "D-14"]
    auto = {name: sealed({"kind": "auto", "windows": every}, name) for name in ("f1", "f2")}
    half = GAME.resolve(state, [auto["f1"]]).state
    needed = [window.viewer for window in GAME.windows(half) if window.needed]
    assert needed == ["f2"]
    assert GAME.standing(GAME.resolve(half, [auto["f2"]]).state).ended


@rule("WF-VIS-04", "WF-DEC-08", "WF-VIS-06", "WF-GM-01")
def test_a_game_master_rules_and_sees_all() -> None:
    state = opened({**GIVEN, "options": {"gm_seat": True}})
    state = GAME.resolve(state, []).state
    window = decision(state, GAME_MASTER)
    assert window["decision"] == "D-08"
    assert [window.needed for window in GAME.windows(state)] == [False]
    ruling = answered(state, GAME_MASTER, {"terrain": "mountains", "defender": "none"})
    assert GAME.check(GAME.briefing(state, GAME_MASTER), [], ruling) is None
    assert broken(GAME.check(GAME.briefing(state, "f1"), [], answered(state, GAME_MASTER))) == "not-open"
    forged = canonical.encode({**msgspec.json.decode(ruling), "faction": "f1"})
    assert GAME.resolve(state, [forged]).results[0].reason == "not-open"
    done = GAME.resolve(state, [ruling])
    views = GAME.look(done.state, done.record, None).views
    assert b'"terrain":"mountains"' in views["f1"]
    assert b'"everything"' in views[GAME_MASTER] and b'"everything"' not in views["f1"]
    assert SEED.encode() not in views[GAME_MASTER] + GAME.briefing(done.state, GAME_MASTER)


@pytest.mark.parametrize(
    "given",
    [
        b"[]", b"{", b'{"kind":"answer"}', b'{"kind":"dance"}', b'{"kind":"answer","decision":"D-99:x"}',
        b'{"kind":"answer","decision":"D-11:x","answer":{"entries":[{"army":1}]}}',
        b'{"kind":"answer","decision":"D-11:x","answer":{"entries":[{"army":"a","command":"slay","override":{"keep":1.5}}]}}',
        b'{"kind":"auto","windows":["D-99"]}', b'{"kind":"policies","armies":{"a":{"stance":"fly"}}}',
    ],
)  # fmt: skip
def test_what_is_no_order(given: bytes) -> None:
    found = GAME.order(given, id="o", seq=1, faction="f1")
    assert isinstance(found, Broken) and found.reason == "malformed" and found.message


def test_answers_of_others_and_after_the_end_are_refused() -> None:
    state = opened(GIVEN)
    own = GAME.briefing(state, "f1")
    assert broken(GAME.check(own, [], answered(state, "f2"))) == "not-open"
    assert (
        broken(GAME.check(own, [], sealed({"kind": "answer", "decision": "D-11:b1@0,0:r1:f1"}, "f1")))
        == "not-open"
    )
    foreign = sealed({"kind": "policies", "armies": {"b1": {"stance": "hold"}}}, "f1")
    refused = GAME.check(own, [], foreign)
    assert refused is not None and refused.reason == "illegal" and "b1" in refused.message
    done = list(played(GIVEN))[-1].state
    assert broken(GAME.check(GAME.briefing(done, "f1"), [], foreign)) == "ended"
    assert GAME.windows(done) == ()
    with pytest.raises(ValueError, match="ended"):
        GAME.resolve(done, [])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"format": "feast"}, "settings.format"),
        ({"format": "battle", "wall": 2}, "settings.defender"),
        ({"format": "battle", "armies": {"1": [{"id": "x", "ancestry": "orcs", "class": "knights"}]}}, "WF-CARD-01"),
        ({"format": "battle", "armies": {"nine": []}}, "settings.armies.nine"),
        ({"format": "battle", "armies": {"1": []}}, "settings.armies.1"),
        ({"options": {"rounds": 9}}, "settings.options.rounds"),
        ({"speed": 1}, "settings"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GAME.settings(canonical.encode(given))


def test_settings_are_complete_and_the_same_again() -> None:
    full = GAME.settings(b"{}")
    shown = msgspec.json.decode(full)
    assert set(shown) == set(MatchSettings.__struct_fields__)
    assert shown["options"]["draft_budget"] == 60 and shown["options"]["rounds"] == 7
    assert GAME.settings(full) == full


def test_tables_and_ground_are_public() -> None:
    tables = msgspec.json.decode(GAME.tables())
    assert len(tables["classes"]) == 19 and len(tables["keywords"]) == 38 and len(tables["ancestries"]) == 23
    assert tables["decisions"]["D-11"]["answer"] and tables["policy"]
    state = opened(CAMPAIGN, 3)
    assert len(msgspec.json.decode(GAME.graph(state))["hexes"]) > 30
    public = GAME.public(state)
    assert b"owner" not in GAME.graph(state) and b"coin" not in public
    assert all(allowance.hour for allowance in GAME.allowances(state).values())
    assert GAME.pages()["rules"].startswith("# Warfare")


@pytest.mark.parametrize("settings", [BATTLE, {**CAMPAIGN, "options": {"seasons": 2, "gm_seat": True}}])
def test_whatever_is_filed_a_tick_resolves(settings: dict[str, Any]) -> None:
    """Also orders that no filing check would let through, as if the state had changed since."""
    seed = random.randrange(10**9)
    luck = random.Random(seed)
    for tick in played(settings, 3):
        if tick.resolved is None:
            break
        briefing = GAME.briefing(tick.state, "f1")
        wild: list[Json] = list(tick.orders)
        names = ["f1", "f2", "f1.1", "gm", "policies:f2", "town-1-1"]
        for number, order in enumerate(tick.orders):
            body = {k: v for k, v in msgspec.json.decode(order).items() if k not in ("id", "seq", "faction")}
            given = msgspec.json.encode(garbled(luck, body, names))
            found = GAME.order(
                given, id=f"w{number}", seq=100 + number, faction=luck.choice(["f1", "f2", GAME_MASTER])
            )
            if isinstance(found, bytes):
                GAME.check(briefing, tick.orders, found)
                wild.append(found)
        done = GAME.resolve(tick.state, wild)
        assert len(done.results) == len(wild), seed
        GAME.look(done.state, done.record, tick.looked.memory)
