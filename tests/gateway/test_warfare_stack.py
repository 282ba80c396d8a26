"""A battle and a campaign of Warfare over HTTP, against computer players, from the lobby to the verified export."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.rulesets import ruleset
from tests.gateway.whole_stack import Stack
from tests.services import harness

MOST_TICKS = 120
MOST_SECONDS = 4
"""For a tick that all have answered; its deadline is an hour away."""
SECOND = timedelta(seconds=1)


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    yield Stack(tmp_path)
    harness.close_all()


def opened(stack: Stack, seats: int, settings: dict[str, Any]) -> tuple[Any, str]:
    ada = stack.client("ada")
    wanted = {
        "name": "Derop", "ruleset": "warfare", "seats": seats, "visibility": "public", "cadence_seconds": 3600,
        "settings": settings,
    }  # fmt: skip
    made = ada.post("/v1/matches", json=wanted)
    assert made.status_code == 201, made.data
    path = f"/v1/matches/{made.json['id']}"
    bots = ada.post(f"{path}/seats/bots", json={"count": seats - 1, "level": "sound"})
    assert bots.status_code == 201, bots.data
    stack.settle()
    assert ada.get(path).json["status"] == "running"
    return ada, path


@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        (2, {"format": "battle", "options": {"draft_budget": 30, "rounds": 3}}),
        (3, {"format": "campaign", "kinds": ["city", "champion", "conspiracy"], "options": {"seasons": 2}}),
    ],
    ids=["battle", "campaign"],
)
def test_a_match_is_played_to_its_end(stack: Stack, seats: int, settings: dict[str, Any]) -> None:
    ada, path = opened(stack, seats, settings)
    for _ in range(MOST_TICKS):
        match = ada.get(path).json
        if match["status"] == "ended":
            break
        tick = match["tick"] + 1
        options = ada.get(f"{path}/options").json
        for decision in options["decisions"]:
            order = {"kind": "answer", "decision": decision["id"], "answer": None}
            filed = ada.post(f"{path}/orders?tick={tick}", json=order)
            assert filed.status_code == 201, filed.data
        for _ in range(MOST_SECONDS):
            stack.advance(SECOND)
        assert ada.get(path).json["tick"] >= tick, "the tick did not fire early"
    assert match["status"] == "ended", match
    assert set(match["result"]) == {"winner", "ranking", "tick"}
    reports = [ada.get(f"{path}/reports/{tick}").json["report"] for tick in range(1, match["tick"] + 1)]
    assert any(report["events"] for report in reports[:-1])
    export = ada.get(f"{path}/export")
    assert ruleset("warfare").verify(export.data) == []


def test_an_illegal_answer_names_army_rule_and_what_would_be_legal(stack: Stack) -> None:
    armies = {
        str(seat): [{"id": name, "ancestry": "orcs", "class": "archers", "units": 3}]
        for seat, name in ((1, "bows"), (2, "arrows"))
    }
    ada, path = opened(stack, 2, {"format": "battle", "armies": armies})
    (decision,) = ada.get(f"{path}/options").json["decisions"]
    order = {"kind": "answer", "decision": decision["id"], "answer": {"line": ["arrows"]}}
    refused = ada.post(f"{path}/orders?tick=1", json=order)
    assert refused.status_code == 422 and refused.json["code"] == "illegal"
    for word in ("arrows", "WF-SET-10", "legal: bows"):
        assert word in refused.json["detail"]
    wrong = {"format": "battle", "armies": {"1": [{"id": "x", "ancestry": "orcs", "class": "knights"}]}}
    made = ada.post(
        "/v1/matches",
        json={
            "name": "x",
            "ruleset": "warfare",
            "seats": 2,
            "visibility": "public",
            "cadence_seconds": 3600,
            "settings": wrong,
        },
    )
    assert made.status_code == 400 and "WF-CARD-01" in str(made.json)
