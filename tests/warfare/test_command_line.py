"""``lastwaters warfare``: cards field for field, battles from files, and bad input that says what would be legal."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.cli.main import run
from shared.warfare.content.commands import SIGNATURES
from tests.warfare.marks import rule
from tests.warfare.playing import export, played

Call = Callable[..., tuple[int, str, str]]

LEVY = (
    "army",
    "--id",
    "derop",
    "--ancestry",
    "Mountain Dwarves",
    "--size",
    "5",
    "--bonus",
    "morale",
    "--tier",
    "1",
)
HAMMERS = ("--class", "hammers", "--level", "attack,defense")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    def calls(*arguments: str, text: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        code = run(("warfare", *arguments))
        told = capsys.readouterr()
        return code, told.out, told.err

    return calls


def card(call: Call, *arguments: str, text: str = "") -> dict[str, Any]:
    code, out, err = call(*arguments, text=text)
    assert code == 0, err
    shown: dict[str, Any] = json.loads(out)["card"]
    return shown


DEROP = {
    "id": "derop", "name": "derop", "rank": 1, "tier": "Light", "class": "Levy", "ancestry": "Mountain Dwarves",
    "units": 5, "defense": 4, "attack": "d4", "morale": "d6", "presence": "d4", "armor": 1, "fee": 1, "mobility": 0,
    "element": "F", "resists": {"burn": 1}, "keywords": ["Mountaineer"], "experience": [],
}  # fmt: skip
SECOND = DEROP | {"rank": 2, "class": "Hammers", "defense": 5, "attack": "d6+1", "fee": 2}
THIRD = SECOND | {
    "rank": 3, "units": 4, "tier": "Heavy", "armor": 3, "fee": 3, "keywords": ["Valiant", "Mountaineer"],
}  # fmt: skip


@rule("WF-ACT-26", "WF-ANC-03", "WF-CARD-01", "WF-EQP-01", "WF-ACT-15", "WF-CARD-11")
def test_wv04_template_to_derop_levy(call: Call) -> None:
    assert card(call, *LEVY) == DEROP


@rule("WF-LVL-03", "WF-LVL-05", "WF-CLS-06")
def test_wv05_hammers_of_derop(call: Call) -> None:
    assert card(call, *LEVY, *HAMMERS, "--as-listed") == SECOND


@rule("WF-LVL-01", "WF-CARD-17", "WF-ACT-15", "WF-CARD-13")
@pytest.mark.parametrize(
    ("bonuses", "changed"),
    [
        ("defense,valiant", {"defense": 6}),
        ("presence,valiant", {"presence": "d6"}),
        ("defense,presence,valiant", {"defense": 6, "presence": "d6"}),
    ],
    ids=["WV-06", "WV-07", "all three"],
)
def test_wv06_wv07_stoneshatterers(call: Call, bonuses: str, changed: dict[str, Any]) -> None:
    _, hammers, _ = call(*LEVY, *HAMMERS, "--as-listed")
    went_on = ("army", "--from", "-", "--level", bonuses, "--slain", "1", "--tier", "3", "--as-listed")
    assert card(call, *went_on, text=hammers) == THIRD | changed


@rule("WF-LVL-06")
@pytest.mark.parametrize(
    "more", [HAMMERS, (*HAMMERS[:2], "--level", "attack,defense,valiant", "--slain", "1")]
)
def test_what_is_as_listed_is_refused_without_saying_so(call: Call, more: tuple[str, ...]) -> None:
    code, out, err = call(*LEVY, *more)
    assert (code, out) == (2, "")
    assert "derop" in err and "WF-LVL-06" in err and "legal" in err


@rule("WF-LVL-07", "WF-ACT-46")
def test_a_random_build_is_its_seed(call: Call) -> None:
    wish = ("army", "--random", "--ancestry", "orcs", "--size", "3", "--rank", "4", "--premium", "nightmare")
    first, again, other = (card(call, *wish, "--seed", seed) for seed in ("a", "a", "b"))
    assert first == again != other
    assert (first["rank"], first["fee"], "Nightmare" in first["keywords"]) == (4, 4, True)


@pytest.mark.parametrize(
    ("arguments", "rule_id", "legal"),
    [
        (("--ancestry", "hobbits", "--bonus", "morale"), "WF-CARD-01", "orcs"),
        (("--ancestry", "orcs", "--bonus", "luck"), "WF-CARD-01", "valiant"),
        (("--ancestry", "orcs"), "WF-ACT-26", "morale"),
        (("--ancestry", "orcs", "--bonus", "morale", "--size", "0"), "WF-CARD-01", "1 to 1000"),
        (("--ancestry", "orcs", "--bonus", "morale", "--size", "99999999999"), "WF-CARD-01", "1 to 1000"),
        (("--ancestry", "orcs", "--bonus", "slayer", "--class", "axes", "--level", "attack,defense,needler"), "WF-LVL-04", "valiant"),
        (("--ancestry", "orcs", "--bonus", "nightmare"), "WF-LVL-04", "valiant"),
        (("--ancestry", "orcs", "--bonus", "morale", "--titan", "dragon", "--tier", "2"), "WF-EQP-02", "no tier"),
        (("--ancestry", "orcs", "--bonus", "morale", "--level", "attack,defense,morale"), "WF-LVL-03", "pikes"),
        (("--ancestry", "orcs", "--bonus", "morale", "--tier", "7"), "WF-ACT-15", "4 Grand"),
        (("--ancestry", "orcs", "--bonus", "greybeards", "--signature", "song"), "WF-CMD-08", "steady"),
    ],
)  # fmt: skip
def test_an_army_that_cannot_be(call: Call, arguments: tuple[str, ...], rule_id: str, legal: str) -> None:
    code, out, err = call("army", "--id", "mob", *arguments)
    assert (code, out) == (2, "")
    assert "mob" in err and rule_id in err and legal in err.partition("legal: ")[2]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"ancestry": "hobbits"}, ("x", "WF-CARD-01", "orcs")),
        ({"class": "knights"}, ("x", "WF-CARD-01", "archers")),
        ({"keywords": ["bold"]}, ("x", "WF-CARD-01", "agile")),
        ({"keywords": ["needler", "slayer"]}, ("x", "WF-LVL-04", "one of them")),
        ({"class": "dragon", "titanic": True, "tier": 2}, ("x", "WF-EQP-02", "tier null")),
        ({"units": []}, ("x", "WF-CARD-01", "1 to 1000")),
        ({"units": [{"wounds": 2}]}, ("x", "WF-CARD-05", "0 to 1")),
        ({"id": "a b"}, ("--from.id",)),
        ({"policy": {"class": "knights"}}, ("x", "WF-INT-29", "archers")),
    ],
)
def test_a_stored_army_that_cannot_be(call: Call, changed: dict[str, Any], words: tuple[str, ...]) -> None:
    stored = {"id": "x", "ancestry": "orcs", "units": [{}], **changed}
    code, out, err = call("army", "--from", "-", text=json.dumps(stored))
    assert (code, out, err.count("\n")) == (2, "", 1)
    for word in words:
        assert word in err


def test_an_id_that_no_roll_could_name_is_refused(call: Call) -> None:
    code, out, err = call("army", "--ancestry", "orcs", "--bonus", "morale", "--id", "a b")
    assert (code, out) == (2, "") and "army.id" in err


def battle(**more: Any) -> dict[str, Any]:
    return {
        "seed": "s",
        "armies": {
            "red": [{"id": "r1", "ancestry": "orcs", "class": "archers", "units": 4, "attack": "d6"}],
            "blue": [{"id": "b1", "ancestry": "ghouls", "class": "pikes", "units": 3, "tier": "Medium"}],
        },
        **more,
    }


def test_a_battle_as_json_and_as_an_account(call: Call) -> None:
    text = json.dumps(battle(wall=1, powers={"red": {"player": "strong"}, "blue": {"player": "sound"}}))
    code, out, _ = call("battle", text=text)
    result = json.loads(out)
    assert code == 0
    assert result["sides"] == [["red"], ["blue"]] and result["defender"] == 1
    assert {army["id"] for army in result["armies"]} == {"r1", "b1"}
    assert call("battle", text=text)[1] == out
    _, pretty, _ = call("battle", "--pretty", text=text)
    for words in ("Battle b1@0,0: red against blue", "Round 1", "r1 of red", "Afterwards"):
        assert words in pretty
    assert "Round 8" not in pretty


@rule("WF-RNG-01")
def test_given_dice_are_used_and_must_fit(call: Call) -> None:
    given = {"r1|army:r1|attack|0": [6, 6, 6, 6]}
    _, out, _ = call("battle", "--events", text=json.dumps(battle(given=given)))
    attacks = [one for one in json.loads(out)["events"] if one["event"] == "attack" and one["army"] == "r1"]
    assert attacks[0]["faces"] == [6, 6, 6, 6]
    code, _, err = call("battle", text=json.dumps(battle(given={"r1|army:r1|attack|0": [6]})))
    assert code == 2 and "4 dice of 6 sides" in err


def armies(**changed: Any) -> dict[str, Any]:
    told = battle()
    told["armies"]["red"][0] |= changed
    return told


COMMANDS = "D-11:b1@0,0:r1:red"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (armies(**{"class": "knights"}), ("r1", "WF-CARD-01", "archers")),
        (armies(units=0), ("r1", "WF-CARD-01", "1 to 1000")),
        (armies(units=[0] * 1001), ("r1", "WF-CARD-01", "1 to 1000")),
        (armies(units=[0, 2]), ("r1", "WF-CARD-05", "0 to 1")),
        (armies(units=[-1]), ("armies.red[0].units[0].wounds",)),
        (armies(rank=0), ("armies.red[0].rank", ">= 1")),
        (armies(id="r 1"), ("armies.red[0].id",)),
        (armies(defense=10**9), ("armies.red[0].base.defense", "<= 1000")),
        (armies(experience=[0]), ("armies.red[0].experience[0]", ">= 1")),
        (battle(leaders=[{"id": "count", "power": "grey"}]), ("leaders.count.power", "red, blue")),
        ({"seed": "s", "armies": {"gm": [], "blue": []}}, ("armies.gm", "no name of a power")),
        ({"seed": "s", "armies": {"red#1": [], "blue": []}}, ("armies.red#1", "no name of a power")),
        (armies(keywords=["needler", "slayer"]), ("r1", "WF-LVL-04", "one of them")),
        (armies(keywords=["immunized", "wild-element"]), ("r1", "WF-LVL-04", "one of them")),
        (armies(**{"class": "dragon", "tier": 2}), ("r1", "WF-EQP-02", "tier null")),
        (armies(attack="d5"), ("armies.red[0].attack", "WF-DICE-12")),
        (armies(boots=2), ("armies.red[0]", "boots")),
        (battle(defender=4), ("WF-SET-06", "0 to 1")),
        (battle(wall=2, defender="none"), ("WF-SET-07", "a defender")),
        (battle(sides=[["red"], ["red"]]), ("sides", "each of red, blue once")),
        (battle(terrain="swamp"), ("battle.terrain", "swamp")),
        (battle(policies={"r1": {"keep": {"agility": 1}}}), ("r1", "WF-INT-41", "agile, ")),
        (armies(policy={"class": "knights"}), ("r1", "WF-INT-29", "archers")),
        (battle(policies={"r9": {}}), ("policies.r9", "no such army")),
        (battle(powers={"red": {"player": "genius"}}), ("powers.red.player", "strong")),
        (battle(powers={"red": {"goals": [{"goal": "feast"}]}}), ("feast", "WF-GOAL-16", "encircle")),
        (battle(powers={"red": {"line": ["b1"]}}), ("b1", "WF-SET-10", "r1")),
        (battle(answers={COMMANDS: {"entries": [{"army": "b1", "command": "rest"}]}}), ("b1", "WF-RND-12", "r1")),
        (battle(answers={COMMANDS: {"entries": [{"army": "r1", "command": "fly"}]}}), ("r1", "WF-CMD-06", "slay")),
        (battle(answers={COMMANDS: {"entries": [{"army": "r1", "command": "charge"}]}}), ("r1", "WF-CMD-03", "slay, hold, rest")),
        (battle(answers={COMMANDS: {"entries": [{"army": "r1", "command": "hold", "goals": ["moon"]}]}}), ("r1", "WF-GOAL-01", "advance")),
        (battle(answers={COMMANDS: {"entries": [{"army": "r1", "command": "slay", "targets": ["r1"]}]}}), ("r1", "WF-ATK-02", "b1")),
        (battle(answers={"D-99:": {}}), ("D-99", "never asked")),
    ],
)  # fmt: skip
def test_a_battle_that_cannot_be(call: Call, told: dict[str, Any], words: tuple[str, ...]) -> None:
    code, out, err = call("battle", text=json.dumps(told))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    for word in words:
        assert word in err


def test_odds_count_every_battle_and_say_how_sure_they_are(call: Call) -> None:
    code, out, _ = call("odds", "--battles", "20", "--level", "sound", text=json.dumps(battle()))
    shown = json.loads(out)
    shares = [*shown["sides"], shown["undecided"]]
    assert code == 0 and shown["battles"] == 20
    assert sum(share["wins"] for share in shares) == 20
    assert all(0 <= share["low"] <= share["share"] <= share["high"] <= 1000 for share in shares)
    assert call("odds", "--battles", "5", "--level", "genius", text=json.dumps(battle()))[0] == 2


def test_signatures_are_those_of_the_table(call: Call) -> None:
    wish = ("army", "--ancestry", "orcs", "--bonus", "greybeards")
    for signature in SIGNATURES:
        _, out, _ = call(*wish, "--signature", signature)
        assert json.loads(out)["card"]["signature"] == signature


FOUNDED = {
    "campaign": {"seed": "q", "powers": [{"id": "f1", "seat": 1, "name": "A"}, {"id": "f2", "seat": 2}]}
}


def _founded(*powers: str) -> dict[str, Any]:
    return {
        "campaign": {
            "seed": "q",
            "powers": [{"id": name, "seat": seat} for seat, name in enumerate(powers, 1)],
        }
    }


@rule("WF-SEAS-01", "WF-CMP-01")
def test_a_season_and_the_one_after_it(call: Call) -> None:
    text = json.dumps({**FOUNDED, "players": {"f1": "strong", "f2": "sound"}})
    code, out, err = call("season", text=text)
    assert code == 0, err
    first = json.loads(out)
    assert first["season"]["season"] == 2
    assert {event["event"] for event in first["events"]} >= {"season", "income", "order", "season-ended"}
    assert call("season", text=text)[1] == out
    _, second, _ = call("season", text=json.dumps({"season": first["season"]}))
    assert json.loads(second)["season"]["season"] == 3
    _, pretty, _ = call("season", "--pretty", text=text)
    assert pretty.startswith("Season 1\n") and "f1 A: " in pretty


@rule("WF-SEAS-04", "WF-ACT-01")
def test_a_season_with_given_orders(call: Call) -> None:
    order = {"action": "muster", "armies": ["f1.archers"], "to": [0, 0]}
    _, out, _ = call("season", text=json.dumps({**FOUNDED, "answers": {"D-03:s1:f1": {"orders": [order]}}}))
    told = [event for event in json.loads(out)["events"] if event["event"] == "order"]
    assert [(one["action"], one["power"]) for one in told] == [("muster", "f1")]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, ("input", "season or campaign")),
        ({"campaign": {"seed": "q", "powers": []}}, ("input.campaign.powers",)),
        (_founded("f1", "f1"), ("input.campaign.powers", "power f1", "twice")),
        (_founded("gm", "f2"), ("input.campaign.powers", "no name of a power")),
        (_founded("rogues", "f2"), ("input.campaign.powers", "rogues")),
        ({**FOUNDED, "players": {"f1": "genius"}}, ("players.f1", "strong")),
        ({**FOUNDED, "players": {"f9": "sound"}}, ("players.f9", "f1, f2")),
        ({**FOUNDED, "answers": {"D-99": {}}}, ("D-99", "never asked")),
        ({**FOUNDED, "answers": {"D-03:s1:f1": {"orders": [{"action": "muster", "armies": ["f2.archers"], "to": [0, 0]}]}}}, ("f2.archers", "WF-")),
        ({**FOUNDED, "answers": {"D-03:s1:f1": {"orders": [{"action": "dance"}]}}}, ("dance",)),
    ],
)  # fmt: skip
def test_a_season_that_cannot_be(call: Call, told: dict[str, Any], words: tuple[str, ...]) -> None:
    code, out, err = call("season", text=json.dumps(told))
    assert (code, out) == (2, "")
    for word in words:
        assert word in err


def test_a_season_that_points_nowhere_is_refused(call: Call) -> None:
    _, out, _ = call("season", text=json.dumps(FOUNDED))
    season = json.loads(out)["season"]
    season["armies"][0]["hex"] = [99, 99]
    code, _, err = call("season", text=json.dumps({"season": season}))
    assert code == 2 and "not on the map" in err


def test_an_export_of_a_match_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"format": "battle", "options": {"rounds": 1}}
    told = export(settings, list(played(settings)))
    file = tmp_path / "export.json"
    file.write_text(json.dumps(told))
    assert run(("verify", str(file))) == 0
    told["ticks"][1]["hash"] = "0" * 64
    file.write_text(json.dumps(told))
    assert run(("verify", str(file))) == 1
    assert "ticks[1].hash" in capsys.readouterr().err
