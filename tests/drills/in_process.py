"""All services and the gateway in this process and in one thread: real tables, calls and events by hand.

Nothing happens but when the drill says so: ``settle`` carries events about until none is left.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from flask.testing import FlaskClient

from gateway.app import create_app
from gateway.ports import GatewayPorts
from shared.contracts.base import Request
from shared.runtime import dispatch, topology
from shared.runtime.ids import SystemIds
from shared.runtime.settings import Settings
from shared.storage import outbox
from tests.services.harness import CountedIds, ManualClock, Running, build

Answer = TypeVar("Answer")

JOBS = (
    ("resolution", "open_matches"),
    ("orders", "mark_ready"),
    ("clock", "fire"),
    ("bots", "play_turns"),
)
MOST_ROUNDS = 200
SAME_IDS = ("accounts", "lobby")
"""Count their ids, so that two towns that open the same match give it the same names."""


class _Answers(Mapping[type[Request[Any]], Running[Any]]):
    """Every request is answered by its service."""

    def __init__(self, services: dict[str, Running[Any]]) -> None:
        self._services = services

    def __getitem__(self, request: type[Request[Any]]) -> Running[Any]:
        return self._services[request.service()]

    def __iter__(self) -> Iterator[type[Request[Any]]]:
        raise NotImplementedError("requests are looked up, not listed")

    def __len__(self) -> int:
        return len(self._services)


class Town:
    """``where``: a folder for the services' files."""

    def __init__(self, where: Path, settings: Settings) -> None:
        where.mkdir()
        self.clock = ManualClock()
        self.services: dict[str, Running[Any]] = {}
        self._told: dict[str, int] = {}
        for name in topology.NAMES:
            self.services[name] = build(
                topology.service_class(name),
                where,
                clock=self.clock,
                ids=CountedIds() if name in SAME_IDS else SystemIds(),
                answers=_Answers(self.services),
                settings=settings,
            )
        ports = GatewayPorts(
            call=self.call, clock=self.clock, ids=SystemIds(), settings=settings, sleep=self._sleep
        )
        self.app = create_app(ports)
        self.services["report"].fanout.publish = ports.hub.publish  # type: ignore[method-assign]

    def call(self, request: Request[Answer], timeout: float = 5.0) -> Answer:
        return self.services[request.receiver()].ask(request)

    def client(self) -> FlaskClient:
        return self.app.test_client()

    def pass_time(self, seconds: int) -> None:
        """Second by second, or the clock would see an outage."""
        for _ in range(seconds):
            self.clock.advance(1)
            self.settle()

    def settle(self) -> None:
        for _ in range(MOST_ROUNDS):
            for service, job in JOBS:
                self.services[service].run(job)
            if not self._carry():
                return
        raise AssertionError(f"not quiet after {MOST_ROUNDS} rounds")

    def _sleep(self, seconds: float) -> None:
        self.settle()

    def _carry(self) -> int:
        """Takes every new event to all that take it; how many."""
        carried = 0
        for name, running in self.services.items():
            with running.database.read() as tx:
                rows = tx.all(
                    sa.select(outbox.outbox.c.seq, outbox.outbox.c.event, outbox.outbox.c.envelope)
                    .where(outbox.outbox.c.seq > self._told.get(name, 0))
                    .order_by(outbox.outbox.c.seq)
                )
            for row in rows:
                self._told[name] = row.seq
                carried += 1
                for taker in self.services.values():
                    for take in topology.taking(type(taker.service)):
                        if take.event != row.event:
                            continue
                        if take.mark.inbox:
                            outcome = dispatch.deliver(taker.service, [row.envelope])
                            assert not outcome.errors, outcome.errors
                        else:
                            dispatch.hear(taker.service, take.method, [row.envelope])
        for running in self.services.values():
            carried += running.retry().handled
        return carried
