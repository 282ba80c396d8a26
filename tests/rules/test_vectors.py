"""Every worked case of ``vectors/``, through the command line's own functions, and some through the real process.

An expectation names only what its case is about: ``agrees`` holds the matching rules of the vectors' authors.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from shared import proof
from shared.cli.rules import resolve_request, validate_request
from shared.lastwaters.orders import canonical, read_order
from shared.lastwaters.world import encode, read_snapshot

VECTORS = Path(__file__).parent / "vectors"
CASES = [
    json.loads(path.read_text()) for path in sorted(VECTORS.glob("*.json")) if path.stem != "proof-example"
]
PROOF = json.loads((VECTORS / "proof-example.json").read_text())

ABSENT = "__absent__"
WHOLE = {"garrison", "attack_losses", "defence_losses", "yields", "older", "units"}
ROW_KEYS = ("id", "order")


def disagreements(expected: Any, given: Any, where: str = "") -> list[str]:
    """Where ``given`` does not have what ``expected`` asks for."""
    if isinstance(expected, dict):
        if not isinstance(given, dict):
            return [f"{where}: {given!r} is no object"]
        if where.rpartition(".")[2] in WHOLE:
            return [] if expected == given else [f"{where}: {given!r}, not {expected!r}"]
        found = []
        for key, value in expected.items():
            at = f"{where}.{key}"
            if value == ABSENT:
                found += [] if given.get(key) is None else [f"{at}: {given[key]!r} should be absent"]
            elif key not in given:
                found.append(f"{at}: missing")
            else:
                found += disagreements(value, given[key], at)
        return found
    if isinstance(expected, list):
        return _rows(expected, given, where)
    same = type(expected) is type(given) and expected == given
    return [] if same else [f"{where}: {given!r}, not {expected!r}"]


def _rows(expected: list[Any], given: Any, where: str) -> list[str]:
    if not isinstance(given, list):
        return [f"{where}: {given!r} is no list"]
    key = next(
        (key for key in ROW_KEYS if expected and all(isinstance(e, dict) and key in e for e in expected)),
        None,
    )
    if key is None:
        if len(expected) != len(given):
            return [f"{where}: {len(given)} rows, not {len(expected)}: {given!r}"]
        pairs = [
            (str(place), one, other) for place, (one, other) in enumerate(zip(expected, given, strict=True))
        ]
        return [
            each for place, one, other in pairs for each in disagreements(one, other, f"{where}[{place}]")
        ]
    rows = {row[key]: row for row in given}
    found = []
    for row in expected:
        at = f"{where}[{row[key]}]"
        found += disagreements(row, rows[row[key]], at) if row[key] in rows else [f"{at}: missing"]
    return found


def in_process(command: str, request: dict[str, Any]) -> Any:
    functions = {"resolve": resolve_request, "validate": validate_request}
    return json.loads(encode(functions[command](json.dumps(request).encode())))


def by_process(command: str, request: dict[str, Any]) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "shared.cli", command],
        input=json.dumps(request).encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr and done.returncode in (0, 1), done.stderr
    assert done.stdout == encode(json.loads(done.stdout)) + b"\n", "not in canonical form"
    return json.loads(done.stdout)


def answer(case: dict[str, Any], run: Any) -> Any:
    if case.get("command") == "validate":
        return run("validate", {name: case[name] for name in ("snapshot", "orders", "order")})
    outcome = run("resolve", {name: case[name] for name in ("snapshot", "orders", "memory")})
    for orders in case.get("then", ()):
        request = {"snapshot": outcome["snapshot"], "orders": orders, "memory": outcome["memory"]}
        outcome = run("resolve", request)
    return outcome


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    assert disagreements(case["expect"], answer(case, in_process)) == [], case["why"]


@pytest.mark.parametrize(
    "name", ["f07-stale-exact-after-the-pact-ends", "t02-units-of-all-filed-moves", "t03-malformed"]
)
def test_case_through_the_process(name: str) -> None:
    case = next(case for case in CASES if case["name"] == name)
    assert disagreements(case["expect"], answer(case, by_process)) == [], case["why"]


def test_the_matching_finds_what_is_wrong() -> None:
    case = next(case for case in CASES if case["name"] == "c08-tie-by-seat")
    outcome = answer(case, in_process)
    outcome["battles"][0]["assaults"][0]["exchanges"][0]["attack_losses"]["f1"]["militia"] += 1
    assert len(disagreements(case["expect"], outcome)) == 1
    del outcome["battles"][0]
    assert disagreements(case["expect"], outcome)


def test_proof_of_a_tick() -> None:
    before, after = (read_snapshot(PROOF[name]) for name in ("snapshot_0", "snapshot_1"))
    assert encode(before).decode() == PROOF["canonical_0"]
    assert proof.state_hash(encode(before).decode(), "", (), 1) == PROOF["hash_0"]
    text = canonical(read_order(PROOF["order"], "order")).decode()
    assert text == PROOF["order_text"]
    assert proof.sha256(text) == PROOF["order_sha256"]
    digests = {
        faction: proof.digest(nonce, [text] if faction == "f1" else [])
        for faction, nonce in PROOF["nonces"].items()
    }
    assert digests == PROOF["digests"]
    chained = proof.state_hash(encode(after).decode(), PROOF["hash_0"], digests.values(), 1)
    assert chained == PROOF["hash_1"]
