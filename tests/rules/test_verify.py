"""An export is replayed, and one changed digit anywhere is found and placed."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from shared.cli.main import run
from shared.lastwaters.errors import BadInput
from shared.lastwaters.verify import verify
from shared.lastwaters.world import decode, encode
from tests.rules.exports import export


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return export(seed=3, seats=3, tick_cap=6)


def test_a_whole_match_holds(whole: dict[str, Any]) -> None:
    assert verify(whole) == []
    del (bare := copy.deepcopy(whole))["checksums"]
    assert verify(bare) == []


def test_a_match_that_ends_early_holds() -> None:
    played = next(made for made in (export(seed, 2, 50) for seed in range(20)) if len(made["ticks"]) < 51)
    assert played["result"]["by"] == "elimination"
    assert verify(played) == []


def test_one_changed_digit_anywhere_is_found(whole: dict[str, Any]) -> None:
    text = encode(whole).decode()
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    seed = random.randrange(10**9)
    print("seed", seed)
    for place in random.Random(seed).sample(digits, 250):
        changed = text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :]
        try:
            found = verify(decode(changed, Any, ""))
        except BadInput as problem:
            assert "not JSON" in problem.what  # a leading zero
            continue
        assert found and all(each.where for each in found), text[place - 60 : place + 20]


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("match", "name"), "Match 18", "match"),
        (("match", "factions", 1), "Faction 7", "match"),
        (("ticks", 2, "deadline"), "2031-05-03T12:00:00Z", "ticks[2]"),
        (("ticks", 2, "ran_at"), "soon", "ticks[2].ran_at"),
        (("ticks", 0, "snapshot", "holds", 3, "x"), 1, "ticks[0].snapshot.holds[3].x"),
        (
            ("ticks", 4, "snapshot", "factions", 0, "stock", "water"),
            1,
            "ticks[4].snapshot.factions[0].stock.water",
        ),
        (("ticks", 3, "orders", 0, "seq"), 99, "ticks[3].orders"),
        (("ticks", 3, "nonces", "f2"), "0" * 64, "ticks[3].digests.f2"),
        (("ticks", 5, "hash"), "0" * 64, "ticks[5].hash"),
        (("ticks", 6, "results", 0, "status"), "lost", "ticks[6].results[0].status"),
        (("commitment",), "0" * 64, "commitment"),
        (("result", "winner"), "f9", "result.winner"),
        (("format",), True, "format"),
        (("rules_version",), 2, "rules_version"),
    ],
)
def test_it_says_where(whole: dict[str, Any], path: tuple[Any, ...], value: object, where: str) -> None:
    changed = copy.deepcopy(whole)
    *way, last = path
    part: Any = changed
    for step in way:
        part = part[step]
    assert part[last] != value or value is True
    part[last] = value
    assert where in [found.where for found in verify(changed)]


def test_orders_cannot_be_left_out_or_put_in(whole: dict[str, Any]) -> None:
    for number in range(1, 4):
        changed = copy.deepcopy(whole)
        gone = changed["ticks"][number]["orders"].pop()
        assert f"ticks[{number}].digests.{gone['faction']}" in [found.where for found in verify(changed)]


def test_the_command_says_where(
    whole: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.json"
    file.write_text(json.dumps(whole))
    assert run(["verify", str(file)]) == 0
    last = whole["ticks"][-1]
    reached = {"ticks": last["tick"], "hash": last["hash"], "result": whole["result"]}
    assert json.loads(capsys.readouterr().out) == {"ok": True, "differences": [], **reached}
    whole_changed = copy.deepcopy(whole)
    whole_changed["ticks"][2]["snapshot"]["tick"] = 9
    file.write_text(json.dumps(whole_changed))
    assert run(["verify", str(file)]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["differences"][0]["where"] == "ticks[2].snapshot.tick"
    assert told.err.startswith("lastwaters: ticks[2].snapshot.tick: ")
