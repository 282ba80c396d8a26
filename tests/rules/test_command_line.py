"""Bad input of every kind: exit 2, one line that says what and where, nothing on standard output (contract.md)."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.cli.main import run
from tests.rules.playout import playout

EXACT = {
    "tick": 1,
    "owner": None,
    "garrison": {},
    "buildings": [],
    "yields": {"water": 1, "scrap": 1, "grain": 1},
}


def snapshot() -> dict[str, Any]:
    from shared.lastwaters.world import encode

    decoded: dict[str, Any] = json.loads(encode(list(playout(4, 3, 6))[-1].outcome.snapshot))
    return decoded


def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str | bytes, *arguments: str
) -> tuple[int, str, str]:
    raw = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    code = run(arguments)
    told = capsys.readouterr()
    return code, told.out, told.err


def broken(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    state = snapshot()
    part: Any = state
    for step in path[:-1]:
        part = part[step]
    if value is None and path[-1] not in ("owner",):
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return state


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("ruleset",), "chess", "snapshot.ruleset"),
        (("rules_version",), 2, "snapshot.rules_version"),
        (("seed",), "xyz", "snapshot.seed"),
        (("seed",), "5eed\n", "snapshot.seed"),
        (("tick",), -1, "snapshot.tick"),
        (("tick",), True, "snapshot.tick"),
        (("tick",), 6.0, "snapshot.tick"),
        (("settings", "tick_cap"), 51, "snapshot.settings.tick_cap"),
        (("settings", "speed"), 1, "snapshot.settings"),
        (("colour",), "red", "snapshot"),
        (("truces",), None, "snapshot"),
        (("factions",), [], "snapshot.factions"),
        (("factions", 0, "seat"), 2, "snapshot.factions[0].seat"),
        (("factions", 1, "id"), "f1", "snapshot.factions[1].id"),
        (("factions", 1, "id"), "neutral", "snapshot.factions[1].id"),
        (("factions", 0, "techs"), ["flight"], "snapshot.factions[0].techs[0]"),
        (("factions", 0, "techs"), ["deep-roots", "deep-roots"], "snapshot.factions[0].techs"),
        (
            ("factions", 0, "research"),
            {"tech": "flight", "progress": 0},
            "snapshot.factions[0].research.tech",
        ),
        (("factions", 0, "stock", "water"), -1, "snapshot.factions[0].stock.water"),
        (("factions", 0, "eliminated_tick"), 99, "snapshot.factions[0].eliminated_tick"),
        (("holds", 1, "id"), "h00", "snapshot.holds[1]"),
        (("holds", 0, "owner"), "f9", "snapshot.holds[0].owner"),
        (("holds", 0, "buildings"), ["tower"], "snapshot.holds[0].buildings[0]"),
        (("holds", 0, "buildings"), ["watch", "palisade"], "snapshot.holds[0].buildings[1]"),
        (("holds", 0, "garrison"), {"f1": {}}, "snapshot.holds[0].garrison.f1"),
        (("holds", 0, "garrison"), {"f1": {"militia": 0}}, "snapshot.holds[0].garrison"),
        (("holds", 0, "garrison"), {"f9": {"militia": 1}}, "snapshot.holds[0].garrison"),
        (("holds", 0, "garrison"), {"f1": {"ghost": 1}}, "snapshot.holds[0].garrison.f1"),
        (("holds", 0, "x"), 1.5, "snapshot.holds[0].x"),
        (("routes", 0), ["h02", "h01"], "snapshot.routes[0]"),
        (("routes", 0), ["h01", "h99"], "snapshot.routes[0]"),
        (("routes", 1), ["h01", "h01"], "snapshot.routes[1]"),
        (("pacts",), [{"members": ["f2", "f1"], "formed_tick": 1}], "snapshot.pacts[0].members"),
        (("pacts",), [{"members": ["f1", "f2"], "formed_tick": 99}], "snapshot.pacts[0].formed_tick"),
        (("truces",), [{"members": ["f1", "f2"], "last_tick": 6}], "snapshot.truces[0].last_tick"),
        (("proposals",), [{"from": "f1", "to": "f1", "tick": 1}], "snapshot.proposals[0]"),
        (("result",), {"winner": "f9", "by": "time-cap", "tick": 6}, "snapshot.result.winner"),
        (("result",), {"winner": "f1", "by": "time-cap", "tick": 6}, "snapshot.result"),
    ],
)
def test_a_snapshot_that_is_not_sound(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: Any, value: Any, where: str
) -> None:
    request = json.dumps({"snapshot": broken(path, value), "orders": []})
    code, out, err = call(capsys, monkeypatch, request, "resolve")
    assert (code, out) == (2, "")
    assert err.startswith(f"lastwaters: {where}") and err.count("\n") == 1


ORDER = {"id": "a", "seq": 1, "faction": "f1", "kind": "research", "tech": "deep-roots"}


@pytest.mark.parametrize(
    ("orders", "where"),
    [
        ({}, "orders"),
        ([7], "orders[0]"),
        ([{**ORDER, "id": 7}], "orders[0].id"),
        ([{**ORDER, "faction": None}], "orders[0].faction"),
        ([{**ORDER, "seq": True}], "orders[0].seq"),
        ([{**ORDER, "seq": 1.0}], "orders[0].seq"),
        ([{**ORDER, "seq": "1"}], "orders[0].seq"),
        ([ORDER, {**ORDER, "seq": 2}], "orders[1].id"),
        ([ORDER, {**ORDER, "id": "b"}], "orders[1].seq"),
    ],
)
def test_orders_that_cannot_even_fail(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, orders: Any, where: str
) -> None:
    code, out, err = call(
        capsys, monkeypatch, json.dumps({"snapshot": snapshot(), "orders": orders}), "resolve"
    )
    assert (code, out) == (2, "")
    assert err.startswith(f"lastwaters: {where}: ") and err.count("\n") == 1


def test_results_stand_by_seq_then_seat_and_unknown_factions_last(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def order(id_: str, seq: int, faction: str) -> dict[str, Any]:
        return {"id": id_, "seq": seq, "faction": faction, "kind": "propose", "to": "f9"}

    orders = [
        order("z", 1, "f8"),
        order("d", 2, "f1"),
        order("c", 1, "f3"),
        order("b", 1, "f2"),
        order("y", 9, "f7"),
    ]
    orders.append({"id": "m", "seq": 0, "faction": "f2"})
    code, out, _ = call(
        capsys, monkeypatch, json.dumps({"snapshot": snapshot(), "orders": orders}), "resolve"
    )
    assert code == 0
    results = json.loads(out)["results"]
    assert [result["order"] for result in results] == ["m", "b", "c", "d", "y", "z"]
    assert [result["reason"] for result in results] == ["malformed"] + ["unknown-faction"] * 5


@pytest.mark.parametrize(
    "text", ["", "{", "[]", b"\xff", '{"snapshot": "\\ud800", "orders": []}', "[" * 100_000, "NaN"]
)
@pytest.mark.parametrize(
    "command", [["resolve"], ["validate"], ["view", "--faction", "f1"], ["verify", "-"], ["show"]]
)
def test_no_request_at_all(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str | bytes, command: list[str]
) -> None:
    code, out, err = call(capsys, monkeypatch, text, *command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["resolve", "/no/such/file"],
        ["generate", "--seed", "5eed"],
        ["generate", "--seed", "xyz", "--seats", "4"],
        ["generate", "--seed", "5eed", "--seats", "51"],
        ["generate", "--seed", "5eed", "--seats", "4", "--holds-per-seat", "3"],
        ["generate", "--seed", "5eed", "--seats", "4", "--tick-cap", "0"],
        ["resolve", "--pretty", "--jsonl"],
        ["view"],
    ],
)
def test_wrong_arguments(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    code, out, err = call(capsys, monkeypatch, "", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_one_input_a_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    good = json.dumps({"snapshot": snapshot(), "orders": [ORDER]})
    code, out, _ = call(capsys, monkeypatch, f"{good}\n[]\n{good}\n", "resolve", "--jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert lines[0] == lines[2] and lines[0]["snapshot"]["tick"] == 7
    assert lines[1] == {"error": "input: an object is needed"}


def test_a_line_is_answered_before_the_next_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answered: list[int] = []

    class Lines:
        buffer: Iterator[bytes]

    def asked() -> Iterator[bytes]:
        for line in (b"[]\n", b"{}\n", b"\n"):
            yield line
            answered.append(capsys.readouterr().out.count("\n"))

    source = Lines()
    source.buffer = asked()
    monkeypatch.setattr(sys, "stdin", source)
    assert run(["resolve", "--jsonl"]) == 0
    assert answered == [1, 1, 1]


def test_validate_leaves_orders_of_others_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = {**snapshot(), "tick": 6}
    order = {"id": "a", "seq": 9, "faction": "f1", "kind": "propose", "to": "f2"}
    others: list[Any] = [
        {"faction": "f2"},
        {"faction": "zz", "seq": True},
        {**order, "faction": "f3", "id": 5},
    ]
    request = json.dumps({"snapshot": state, "orders": others, "order": order})
    assert call(capsys, monkeypatch, request, "validate") == (0, '{"ok":true}\n', "")
    own = json.dumps({"snapshot": state, "orders": [{**order, "seq": "1"}], "order": order})
    code, out, err = call(capsys, monkeypatch, own, "validate")
    assert (code, out) == (2, "") and "orders[0].seq" in err


def test_validate_refuses_with_exit_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = snapshot()
    for order, reason in (
        ({**ORDER, "tech": "flight"}, "unknown-tech"),
        ({**ORDER, "faction": "f9"}, "unknown-faction"),
        ({**ORDER, "extra": 1}, "malformed"),
        ([], "malformed"),
    ):
        request = json.dumps({"snapshot": state, "orders": [], "order": order})
        code, out, err = call(capsys, monkeypatch, request, "validate")
        assert (code, err, json.loads(out)["reason"]) == (1, "", reason)
        assert json.loads(out)["message"] and json.loads(out)["ok"] is False


def test_view_is_first_sight_without_memory_and_memory_with(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = snapshot()
    _, out, _ = call(capsys, monkeypatch, json.dumps({"snapshot": state}), "view", "--faction", "f1")
    assert "exact" in {row["sight"] for row in json.loads(out)["holds"]}
    request = json.dumps({"snapshot": state, "memory": {}})
    _, out, _ = call(capsys, monkeypatch, request, "view", "--faction", "f1")
    assert {row["sight"] for row in json.loads(out)["holds"]} == {"unknown"}
    code, out, err = call(capsys, monkeypatch, json.dumps({"snapshot": state}), "view", "--faction", "f9")
    assert (code, out, err) == (2, "", "lastwaters: faction: nothing is called 'f9'\n")


def test_text_and_picture_for_people(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import xml.etree.ElementTree as ET

    state = snapshot()
    state["holds"][0]["name"] = '<Gate & "Well">'
    file = tmp_path / "state.json"
    file.write_text(json.dumps({"snapshot": state, "orders": [ORDER]}))
    code, out, _ = call(capsys, monkeypatch, "", "resolve", "--pretty", str(file))
    assert code == 0 and out.startswith("Tick 7 of 50") and "failed: unaffordable" in out
    code, out, _ = call(capsys, monkeypatch, "", "show", str(file))
    drawing = ET.fromstring(out)
    space = "{http://www.w3.org/2000/svg}"
    assert code == 0 and len(drawing.findall(f"{space}g/{space}line")) == len(state["routes"])
    names = {(text.text or "").split(" · ")[-1] for text in drawing.iter(f"{space}text")}
    assert {hold["name"] for hold in state["holds"]} <= names


@pytest.mark.parametrize("seats", [2, 6, 50])
def test_a_picture_is_legible_at_any_size(seats: int) -> None:
    import xml.etree.ElementTree as ET
    from itertools import combinations

    from shared.lastwaters.mapgen import generate
    from shared.lastwaters.picture import MIN_GAP, RADIUS, svg

    text = svg(generate("5eed", seats, 8, 50))
    assert "hsl(" not in text  # some readers of SVG paint it black
    drawing = ET.fromstring(text)
    circles = [
        (int(circle.attrib["cx"]), int(circle.attrib["cy"]))
        for circle in drawing.iter("{http://www.w3.org/2000/svg}circle")
        if circle.attrib["r"] == str(RADIUS)
    ]
    assert len(circles) == seats * 8
    closest = min((a - c) ** 2 + (b - d) ** 2 for (a, b), (c, d) in combinations(circles, 2))
    assert closest >= (MIN_GAP - 3) ** 2


def test_a_picture_of_odd_names_is_xml() -> None:
    import xml.etree.ElementTree as ET

    from shared.lastwaters.picture import svg
    from shared.lastwaters.world import read_snapshot

    state = snapshot()
    state["holds"][0]["name"] = "\x00 < \x1b & ]]>"
    state["holds"][1]["x"], state["holds"][1]["y"] = state["holds"][0]["x"], state["holds"][0]["y"]
    ET.fromstring(svg(read_snapshot(state)))


MEMORY_AT_FAULT = [
    ({"f9": {}}, "memory"),
    ({"f1": {"nowhere": {}}}, "memory.f1"),
    ({"f1": {"h00": {"band": {"tick": 1, "owner": None, "band": "swarm"}}}}, "memory.f1.h00.band.band"),
    ({"f1": {"h00": {"band": {"tick": 1, "owner": "f9", "band": "company"}}}}, "memory.f1.h00.band.owner"),
    ({"f1": {"h00": {"band": {"tick": 99, "owner": None, "band": "company"}}}}, "memory.f1.h00.band.tick"),
    ({"f1": {"h00": {"exact": {**EXACT, "buildings": ["castle"]}}}}, "memory.f1.h00.exact.buildings[0]"),
    (
        {"f1": {"h00": {"exact": {**EXACT, "garrison": {"f9": {"militia": 1}}}}}},
        "memory.f1.h00.exact.garrison",
    ),
    ({"f1": {"h00": {"exact": {**EXACT, "tick": 99}}}}, "memory.f1.h00.exact.tick"),
]


@pytest.mark.parametrize(("memory", "where"), MEMORY_AT_FAULT)
def test_memory_of_what_is_not_there(
    memory: dict[str, Any],
    where: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = snapshot()
    named = json.dumps(memory).replace("h00", state["holds"][0]["id"])
    text = f'{{"snapshot":{json.dumps(state)},"orders":[],"memory":{named}}}'
    for arguments in (("resolve",), ("view", "--faction", "f1")):
        code, out, err = call(capsys, monkeypatch, text, *arguments)
        assert (code, out) == (2, "")
        assert err.startswith(f"lastwaters: {where.replace('h00', state['holds'][0]['id'])}: "), err


def test_names_cannot_act_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = snapshot()
    state["factions"][0]["name"] = "Ash\n\x1b[31m Road"
    code, out, _ = call(
        capsys, monkeypatch, json.dumps({"snapshot": state, "orders": []}), "resolve", "--pretty"
    )
    assert code == 0
    assert "Ash  [31m Road" in out and "\x1b" not in out


def shell(line: str, **environment: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        env={**os.environ, "LASTWATERS": str(Path(sys.executable).with_name("lastwaters")), **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (
            '"$LASTWATERS" generate --seed ab --seats 2 > /dev/full',
            2,
            b"standard output: No space left on device",
        ),
        ('"$LASTWATERS" generate --seed ab --seats 2 >&-', 2, b"standard output is closed"),
        ('"$LASTWATERS" resolve <&-', 2, b"input: standard input is closed"),
        ('"$LASTWATERS" generate --seed ab --seats 50 --holds-per-seat 40 | true', 141, b""),
    ],
)
def test_an_answer_that_cannot_be_given(line: str, code: int, told: bytes) -> None:
    done = shell(line)
    assert done.returncode == code
    assert done.stderr == (b"lastwaters: " + told + b"\n" if told else b"")


def test_text_is_utf_8_whatever_the_locale() -> None:
    make = '"$LASTWATERS" generate --seed ab --seats 2'
    picture = shell(f'{make} | "$LASTWATERS" show', PYTHONIOENCODING="ascii")
    assert (picture.returncode, picture.stderr) == (0, b"")
    assert "·" in picture.stdout.decode()
