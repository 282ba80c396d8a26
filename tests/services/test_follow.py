"""``lastwaters ops follow`` and ``parked`` while services are away."""

from typing import Any

import pytest
from typer.testing import CliRunner

from shared.cli import ops
from shared.contracts.base import Request
from shared.contracts.clock import CalendarRows
from shared.contracts.lobby import MatchRow, MatchRows
from shared.contracts.parking import ParkedEvent, ParkedEvents
from shared.runtime.service import Unavailable
from tests.services.harness import START


def test_following_goes_on_while_a_service_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    row = MatchRow(
        id="m1", name="A", ruleset="last-waters", status="running", seats=2, tick=3, next_deadline=None
    )
    rounds = iter(range(3))

    def caller() -> Any:
        def call(request: Request[Any], timeout: float) -> Any:
            if request.service() == "resolution":
                raise Unavailable("resolution", "no answer")
            return MatchRows(items=(row,)) if request.service() == "lobby" else CalendarRows(items=())

        return call

    def pause(_: float) -> None:
        if next(rounds) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(ops, "operators_caller", caller)
    monkeypatch.setattr(ops.time, "sleep", pause)
    result = CliRunner().invoke(ops.ops, ["follow"])
    assert result.exit_code == 0
    lines = [line.split("  ", 1)[1] for line in result.output.splitlines()]
    assert lines == ["m1  running, tick 3", "resolution  resolution: no answer"]


def test_what_is_parked_is_listed_though_a_service_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    event = ParkedEvent(
        id="e1",
        event="resolution.tick_outcome",
        match="m1",
        received_at=START,
        parked_at=START,
        attempts=9,
        error="ValueError: broken\nbadly",
    )

    def caller() -> Any:
        def call(request: Request[Any], timeout: float) -> Any:
            if request.receiver() == "orders":
                raise Unavailable("orders", "no answer")
            items = (event,) if request.receiver() == "fog" else ()
            return ParkedEvents(items=items, count=3 * len(items))

        return call

    monkeypatch.setattr(ops, "operators_caller", caller)
    result = CliRunner().invoke(ops.ops, ["parked"])
    assert result.output.splitlines() == [
        f"fog  e1  resolution.tick_outcome of m1  {ops.moment(START)}  9 attempts  ValueError: broken badly",
        "fog  and 2 more",
    ]
    assert "orders: no answer" in str(result.exception)
