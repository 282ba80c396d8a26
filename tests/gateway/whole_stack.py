"""Every service behind a gateway in one thread: real tables, calls and events at once, a clock that the test moves."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from gateway.app import create_app
from gateway.ports import GatewayPorts
from shared.contracts.accounts import SessionsEnded
from shared.contracts.base import Request
from shared.runtime import dispatch, envelope, replies, topology
from shared.runtime.ids import SystemIds
from shared.runtime.service import Handling, Repeating, entrypoints
from shared.runtime.settings import Settings
from shared.storage import outbox
from tests.gateway.conftest import Client
from tests.services import harness
from tests.services.harness import ManualClock, Running

JOBS = re.compile("fire|open_matches|mark_ready|play_turns")
ROUNDS = 200


class Answers:
    """Lets every service call every other, as ``harness.build`` wants it."""

    def __init__(self, stack: "Stack") -> None:
        self._stack = stack

    def get(self, kind: type[Request[Any]]) -> Any:
        return self._stack.services[kind.service()]

    def __bool__(self) -> bool:
        return True


class Stack:
    """``client(name)`` is signed in as a new account of that name."""

    def __init__(self, where: Path, **settings: Any) -> None:
        self.clock = ManualClock()
        self.settings = Settings(password_memory_kib=8, password_rounds=1, limits_factor=10_000, **settings)
        self.services: dict[str, Running[Any]] = {}
        self._published: dict[str, int] = {}
        for kind in topology.all_services():
            self.services[kind.name] = harness.build(
                kind,
                where,
                clock=self.clock,
                answers=Answers(self),  # type: ignore[arg-type]
                settings=self.settings,
                ids=SystemIds(),
            )
            self._published[kind.name] = 0
        self.ports = GatewayPorts(
            call=self.call,
            clock=self.clock,
            ids=SystemIds(),
            settings=self.settings,
            sleep=lambda _seconds: self.settle(),
        )
        self.app = create_app(self.ports)

    def call(self, request: Request[Any], timeout: float = 5.0) -> Any:
        service = self.services[request.receiver()].service
        body = dispatch.answer(service, request.method(), replies.encode_request(request))
        answer = replies.read(request, body)
        self.pump()
        return answer

    def pump(self) -> None:
        """Delivers events until there are none."""
        while texts := [text for name in self.services for text in self._new(name)]:
            for text in texts:
                self._deliver(text)
            grown = self.services["report"].fanout.published
            self.ports.hub.publish(grown)
            grown.clear()

    def settle(self) -> None:
        """Jobs and events until nothing happens any more."""
        for _ in range(ROUNDS):
            before = dict(self._published)
            for running in self.services.values():
                for method, mark in entrypoints(type(running.service)).items():
                    if isinstance(mark, Repeating) and JOBS.fullmatch(method):
                        running.run(method)
                running.retry()
            self.pump()
            if before == self._published:
                return
        raise AssertionError("the stack never comes to rest")

    def advance(self, by: timedelta) -> None:
        """Time passes second by second as far as the orders service can tell, so that nothing is an outage."""
        end = self.clock.moment + by
        while self.clock.moment < end:
            self.clock.moment = min(end, self.clock.moment + timedelta(seconds=1))
            self.services["orders"].run("mark_ready")
        self.settle()

    def client(self, name: str) -> Client:
        anyone = Client(self.app.test_client(), {})
        account = {"handle": name, "password": f"password of {name}"}
        made = anyone.post("/v1/accounts", json=account)
        assert made.status_code in (201, 409), made.data
        return Client(self.app.test_client(), {"Authorization": f"Bearer {self.sign_in(name)}"})

    def sign_in(self, name: str) -> str:
        account = {"handle": name, "password": f"password of {name}"}
        token: str = self.app.test_client().post("/v1/sessions", json=account).json["token"]
        return token

    def _new(self, name: str) -> list[str]:
        table = outbox.outbox
        with self.services[name].database.read() as tx:
            after = table.c.seq > self._published[name]
            rows = tx.all(sa.select(table.c.seq, table.c.envelope).where(after).order_by(table.c.seq))
        if rows:
            self._published[name] = rows[-1].seq
        return [row.envelope for row in rows]

    def _deliver(self, text: str) -> None:
        name = envelope.decode(text).event
        for running in self.services.values():
            for method, mark in entrypoints(type(running.service)).items():
                if isinstance(mark, Handling) and envelope.full_name(mark.event) == name:
                    if mark.inbox:
                        outcome = running.deliver_texts(text)
                        assert not outcome.failed, outcome
                    else:
                        dispatch.hear(running.service, method, [text])
        if name == envelope.full_name(SessionsEnded):
            ended = envelope.open_as(SessionsEnded, envelope.decode(text))
            self.ports.hub.sessions_ended(ended.token_digests)
