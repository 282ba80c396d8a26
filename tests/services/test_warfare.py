"""A battle of Warfare through the services: every tick fires early, because all who are asked have answered."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.clock.service import ClockService
from services.fog.service import FogService
from services.orders.service import OrdersService
from services.report.service import ReportService
from services.resolution.service import ResolutionService
from shared import canonical, proof
from shared.contracts.base import Event, Refusal
from shared.contracts.clock import DeadlineSet, TicksDue
from shared.contracts.fog import GetView, TickFogged
from shared.contracts.lobby import MatchStarted, Seat
from shared.contracts.orders import EveryoneAnswered, FileOrder, GetDesk, GetOutages, SealTicks
from shared.contracts.report import GetReport
from shared.contracts.resolution import TickOutcome, TickResolved
from shared.rulesets import ruleset
from tests.services import harness
from tests.services.harness import START, ManualClock

GAME = ruleset("warfare")
DAY = 24 * 3600
SETTINGS: dict[str, Any] = {
    "format": "battle",
    "terrain": "forest",
    "wall": 1,
    "defender": 2,
    "armies": {
        "1": [
            {"id": "bows", "ancestry": "orcs", "class": "archers", "units": 5, "rank": 2, "attack": "d6"},
            {"id": "shadows", "ancestry": "gnolls", "class": "rogues", "units": 3, "keywords": ["stealthy"]},
        ],
        "2": [{"id": "walls", "ancestry": "drakes", "class": "infantry", "units": 4, "tier": "Medium"}],
    },
}


class Stack:
    """The services a match runs through, with the events between them passed on by the test."""

    def __init__(self, where: Path) -> None:
        self.clock_hand = clock = ManualClock()
        self.orders = harness.build(OrdersService, where, clock=clock)
        self.resolution = harness.build(
            ResolutionService, where, clock=clock, answers={SealTicks: self.orders}
        )
        self.clock = harness.build(ClockService, where, clock=clock, answers={GetOutages: self.orders})
        self.fog = harness.build(FogService, where, clock=clock)
        self.report = harness.build(ReportService, where, clock=clock)
        self.told: list[Event] = []

    def start(self, seats: int) -> None:
        started = MatchStarted(
            match="m1",
            name="A battle",
            ruleset="warfare",
            settings=msgspec.Raw(GAME.settings(canonical.encode(SETTINGS))),
            seed="c4" * 32,
            practice=False,
            cadence_seconds=DAY,
            started_at=START,
            seats=tuple(
                Seat(
                    seat=n, faction=f"f{n}", faction_name=f"Name {n}", account=f"account-{n}", handle=f"h{n}"
                )
                for n in range(1, seats + 1)
            ),
        )
        for service in (self.orders, self.resolution, self.clock, self.fog, self.report):
            assert service.deliver(started).handled == 1
        self.resolution.run("open_matches")

    def pass_on(self) -> None:
        """Every event to those who handle it, until none is new."""
        routes: list[tuple[Any, type[Event], tuple[Any, ...]]] = [
            (self.resolution, TickOutcome, (self.orders, self.fog)),
            (self.resolution, TickResolved, (self.clock,)),
            (self.clock, DeadlineSet, (self.orders, self.report)),
            (self.fog, TickFogged, (self.report,)),
            (self.orders, EveryoneAnswered, (self.clock,)),
        ]
        for source, kind, targets in routes:
            for event in source.emitted_of(kind):
                if event not in self.told:
                    self.told.append(event)
                    for target in targets:
                        assert target.deliver(event).handled == 1, (target.service.name, event)

    def fire(self) -> None:
        """What the clock announces is resolved."""
        self.clock.run("fire")
        for event in self.clock.emitted_of(TicksDue):
            if event not in self.told:
                self.told.append(event)
                self.resolution.hear(event)

    def latest(self) -> TickOutcome:
        return self.resolution.emitted_of(TickOutcome)[-1]

    def file(self, seat: int, tick: int, order: Any) -> None:
        self.orders.ask(
            FileOrder(
                account=f"account-{seat}", match="m1", tick=tick, order=msgspec.Raw(canonical.encode(order))
            )
        )

    def desk(self, seat: int) -> Any:
        return self.orders.ask(GetDesk(account=f"account-{seat}", match="m1"))

    def view(self, seat: int) -> bytes:
        return bytes(self.fog.ask(GetView(account=f"account-{seat}", match="m1")).view)


def test_a_battle_from_its_start_to_its_end(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    stack.start(seats=2)
    stack.pass_on()
    assert stack.latest().tick == 0 and stack.resolution.emitted_of(TickResolved)[0].windows_close_early
    # A Stealthy army is nobody's business until it is deployed.
    assert b"shadows" in stack.view(1) and b"shadows" not in stack.view(2)
    assert b"shadows" not in bytes(stack.desk(2).briefing)
    while not stack.latest().ended:
        tick = stack.latest().tick + 1
        for seat in (1, 2):
            desk = stack.desk(seat)
            for decision in msgspec.json.decode(desk.options)["decisions"]:
                stack.file(seat, tick, {"kind": "answer", "decision": decision["id"], "answer": None})
        stack.pass_on()
        stack.clock_hand.advance(2)
        stack.fire()
        stack.pass_on()
        assert stack.latest().tick == tick, f"tick {tick} did not fire early"
        assert {result.status for result in stack.latest().results.values()} <= {"done"}
    last = stack.latest()
    assert last.ran_at - START < timedelta(seconds=DAY)
    result = msgspec.json.decode(bytes(last.result or b"null"))
    assert sorted(result["ranking"]) == ["f1", "f2"]
    told = msgspec.json.decode(
        bytes(stack.report.ask(GetReport(account="account-1", match="m1", tick=1)).report)
    )
    assert told["events"]
    assert b"everything" in stack.view(2)
    assert last.state_hash == chain(stack)


def chain(stack: Stack) -> str:
    """The hash of the last state, made anew from what the ticks held (P-05)."""
    previous = ""
    for outcome in stack.resolution.emitted_of(TickOutcome):
        digests = [outcome.digests[name] for name in sorted(outcome.digests)]
        previous = proof.state_hash(bytes(outcome.state).decode(), previous, digests, GAME.version)
    return previous


def test_an_illegal_command_is_refused_with_its_rule_and_nothing_is_filed(tmp_path: Path) -> None:
    stack = Stack(tmp_path)
    stack.start(seats=2)
    stack.pass_on()
    (decision,) = msgspec.json.decode(stack.desk(1).options)["decisions"]
    for wrong, code, words in (
        ({"line": ["walls"]}, "illegal", "WF-SET-10"),
        ({"goals": [{"goal": "feast"}]}, "illegal", "WF-GOAL-16"),
        ({"line": "bows"}, "malformed", "answer"),
    ):
        with pytest.raises(Refusal) as caught:
            stack.file(1, 1, {"kind": "answer", "decision": decision["id"], "answer": wrong})
        assert caught.value.code == code and words in caught.value.detail
    with pytest.raises(Refusal) as caught:
        stack.file(2, 1, {"kind": "answer", "decision": decision["id"], "answer": None})
    assert caught.value.code == "not-open"
    assert not stack.orders.emitted_of(EveryoneAnswered)
