"""The real stack of the drills: three resolution workers, everything else once, every server behind a TCP proxy.

One stack serves all drills of a session, each with matches of its own; a drill leaves it whole and running.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
import sqlalchemy as sa

from deploy.plan import Program
from deploy.ports import LOOPBACK, free_port
from deploy.private import PrivateServer
from deploy.processes import Process
from deploy.servers import ADMIN_DATABASE, AMQP, DATABASE, REDIS
from deploy.stack import Stack, unready
from deploy.supervisor import supervisor_of
from shared import rulesets
from shared.contracts.lobby import AddBots, CloseMatch, CreateMatch, JoinMatch
from shared.runtime.rpc_client import RpcClient
from shared.storage.engine import create_engine
from tests.drills import program
from tests.servers import ROOT, Servers, guarded_directory
from tests.services import tiny_ruleset
from tests.tcp_proxy import TcpProxy

WORKERS = 3
PATIENCE = 60.0
"""Seconds within which everything goes on after a fault (reliability P6)."""
CALL_SECONDS = 30.0
LEAVE_SECONDS = 30.0
"""A drain of 20 seconds and what it takes to end the process."""

SETTINGS = {
    "trial_cadences": "1,2,3,5",
    "trial_seeds": "1",
    "password_memory_kib": "8",
    "password_rounds": "1",
    "limits_factor": "100000",
    "drain": "20",
    "log_level": "warning",
}
ENDLESS = b'{"early":false,"rounds":1000}'
"""Settings of a match of Lone Numbers that is still on when a drill ends."""


@dataclass
class Yard:
    """The stack, with hands to hurt it."""

    stack: Stack
    servers: Servers
    proxies: Mapping[str, TcpProxy]
    hooks: Path
    database_url: str
    call: RpcClient
    opened: list[str] = field(default_factory=list)
    _engines: dict[str, sa.Engine] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The gateway's address."""
        assert self.stack.plan is not None and self.stack.plan.gateway is not None
        return self.stack.plan.gateway.url

    @property
    def programs(self) -> list[Program]:
        return self.stack.programs

    def names(self, service: str) -> list[str]:
        return [one.name for one in self.programs if one.service == service]

    def process(self, name: str) -> Process:
        return self.stack.process(name)

    def server(self, name: str) -> PrivateServer:
        found: PrivateServer = getattr(self.servers, name)
        return found

    def engine(self, service: str) -> sa.Engine:
        """The tables of a service, past the proxy."""
        if service not in self._engines:
            self._engines[service] = create_engine(self.database_url, service)
        return self._engines[service]

    def arm(self, point: str, service: str = "resolution") -> None:
        (self.hooks / "fired" / f"{service}.{point}").unlink(missing_ok=True)
        (self.hooks / "armed" / f"{service}.{point}").touch()

    def fired(self, point: str, service: str = "resolution") -> bool:
        return (self.hooks / "fired" / f"{service}.{point}").exists()

    @contextmanager
    def standing_at(self, point: str, service: str = "resolution") -> Iterator[None]:
        """During the block a process stands at the point, in the middle of a tick."""
        name = f"{service}.{point}"
        (self.hooks / "held" / name).touch()
        waiting = self.hooks / "waiting" / name
        until(f"somebody comes to {point}", waiting.exists)
        try:
            yield
        finally:
            waiting.unlink()

    def break_match(self, match: str) -> None:
        (self.hooks / "broken" / match).touch()

    def mend_match(self, match: str) -> None:
        (self.hooks / "broken" / match).unlink()

    def restart(self, name: str, number: signal.Signals) -> None:
        """Ends a process by the signal; returns when the supervisor's next one is ready."""
        process = self.process(name)
        before = process.identity
        assert before is not None and process.send(number), f"{name} does not run"
        until(f"{name} leaves", lambda: not before.alive, LEAVE_SECONDS)
        until(f"{name} runs again", lambda: process.alive and process.identity != before, 2 * PATIENCE)
        self.wait_until_ready(name)

    @contextmanager
    def away(self, service: str) -> Iterator[None]:
        """No process of the service runs during the block, as if its machines were gone."""
        supervisor = supervisor_of(self.stack.run_dir)
        supervisor.send(signal.SIGSTOP)
        try:
            for name in self.names(service):
                self.process(name).kill()
            yield
        finally:
            supervisor.send(signal.SIGCONT)
        self.wait_until_ready(*self.names(service))

    def wait_until_ready(self, *names: str) -> None:
        """Those named, or all."""
        for one in self.programs:
            if not names or one.name in names:
                until(f"{one.name} is ready", lambda one=one: unready(one) is None, 2 * PATIENCE)

    def open(
        self,
        people: Sequence[str],
        *,
        cadence: int = 2,
        ruleset: str = tiny_ruleset.NAME,
        settings: bytes = ENDLESS,
        bots: int = 0,
    ) -> str:
        """A match of accounts and computer players, which starts as the last of them takes a seat."""
        first, *others = people
        opened = self.call(
            CreateMatch(
                account=first,
                handle=first,
                name=f"Drill of {first}",
                seats=len(people) + bots,
                cadence_seconds=cadence,
                ruleset=ruleset,
                visibility="public",
                settings=msgspec.Raw(settings),
            ),
            timeout=CALL_SECONDS,
        )
        for person in others:
            self.call(JoinMatch(account=person, handle=person, match=opened.id), timeout=CALL_SECONDS)
        if bots:
            level = rulesets.ruleset(ruleset).levels[0]
            adding = AddBots(account=first, match=opened.id, count=bots, level=level)
            self.call(adding, timeout=CALL_SECONDS)
        self.opened.append(opened.id)
        return opened.id

    def close_matches(self) -> None:
        """Those opened so far, so that the next drill has the stack for itself."""
        while self.opened:
            self.call(CloseMatch(match=self.opened.pop()), timeout=CALL_SECONDS)

    def close(self) -> None:
        self.call.close()
        for engine in self._engines.values():
            engine.dispose()


@contextmanager
def started(servers: Servers) -> Iterator[Yard]:
    """The stack in a database of its own; nothing of it is left at the end."""
    database = f"drills_{uuid4().hex[:12]}"
    database_url = servers.postgresql.create_database(database)
    with ExitStack() as ending:
        ending.callback(servers.postgresql.drop_database, database)
        directory = ending.enter_context(guarded_directory())
        hooks = directory / "hooks"
        for name in program.HOOKS:
            (hooks / name).mkdir(parents=True)
        proxies = {
            name: ending.enter_context(TcpProxy(getattr(servers, name).port))
            for name in ("postgresql", "rabbitmq", "redis")
        }
        amqp_url = through(proxies["rabbitmq"], servers.addresses.amqp_url)
        stack = Stack(directory, say=lambda line: print(f"drills: {line}", file=sys.stderr))
        ending.callback(stack.stop)
        stack.start(
            {"resolution": WORKERS},
            environment(
                hooks,
                {
                    AMQP: amqp_url,
                    DATABASE: through(proxies["postgresql"], database_url),
                    ADMIN_DATABASE: through(proxies["postgresql"], database_url),
                    REDIS: through(proxies["redis"], servers.addresses.redis_url),
                },
            ),
            [sys.executable, program.__file__],
        )
        call = RpcClient(servers.addresses.amqp_url, size=8)
        yard = Yard(stack, servers, proxies, hooks, database_url, call)
        ending.callback(yard.close)
        yield yard


def environment(hooks: Path, addresses: Mapping[str, str], **settings: str) -> dict[str, str]:
    """What a drilled stack is told; nothing of what this process was told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LASTWATERS_")}
    given = {"port": str(free_port()), "ops_port": str(free_port()), **SETTINGS, **settings}
    return {
        **kept,
        **{f"LASTWATERS_{name.upper()}": value for name, value in given.items()},
        **addresses,
        "PYTHONPATH": str(ROOT),
        program.DIRECTORY_VARIABLE: str(hooks),
    }


def through(proxy: TcpProxy, url: str) -> str:
    """The same server by way of the proxy."""
    parts = urlsplit(url)
    login = parts.netloc.rpartition("@")[0]
    return parts._replace(netloc=f"{login}@{LOOPBACK}:{proxy.port}").geturl()


def until(what: str, true: Callable[[], bool], seconds: float = PATIENCE, pause: float = 0.1) -> float:
    """How long it took. AssertionError when it takes longer than ``seconds``."""
    began = time.monotonic()
    while not true():
        waited = time.monotonic() - began
        assert waited < seconds, f"not after {seconds:g} s: {what}"
        time.sleep(pause)
    return time.monotonic() - began
