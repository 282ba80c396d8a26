"""The worked vectors of the rulebook (WV-..): every step must leave exactly what was worked out by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.warfare.marks import rule
from tests.warfare.worked import Worked

VECTORS = [
    json.loads(file.read_text()) for file in sorted((Path(__file__).parent / "vectors").glob("*.json"))
]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{vector['vector']}: {case['title']}", marks=rule(*vector["rules"]))
        for vector in VECTORS
        for case in vector["cases"]
    ],
)
def test_a_worked_battle(case: dict[str, Any]) -> None:
    worked = Worked(case)
    for number, step in enumerate(case["steps"]):
        worked.do(step)
        found = worked.look(step)
        assert found == {what: step[what] for what in found}, f"step {number}"
        for wanted in step.get("events", ()):
            told = [{"kind": event.kind, **event.facts} for event in worked.fresh]
            assert worked.happened(wanted), f"step {number}: {wanted} is not among {told}"
        for kind in step.get("never", ()):
            assert not worked.field.of(kind), f"step {number}"
    for name, faces in case.get("dice", {}).items():
        assert faces in worked.faces(), f"{name} was never rolled"
