"""``lastwaters ops follow`` while services are away."""

from typing import Any

import pytest
from typer.testing import CliRunner

from shared.cli import ops
from shared.contracts.base import Request
from shared.contracts.clock import CalendarRows
from shared.contracts.lobby import MatchRow, MatchRows
from shared.runtime.service import Unavailable


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
