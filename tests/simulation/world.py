"""A deterministic simulation of the whole flow: services as plain objects, a broker that misbehaves, a clock of its own.

Everything random comes from one seed. Services run on SQLite in memory; their replicas share a database. Time is
a heap of things to do: while a service waits for an answer, or is stopped in mid-work, the others go on.

What goes wrong: messages are lost and come again, are doubled, delayed, reordered; calls lose their request or
their answer, or arrive twice; processes are killed at any time and at the named crash points, or stand still
past their lease; the broker and databases go away and come back.
"""

import heapq
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from services.clock.service import ClockService
from services.orders.service import OrdersService
from services.resolution.service import ResolutionService
from services.resolution.store import matches
from shared.contracts.base import Event, Request
from shared.runtime import crashpoints, dispatch, envelope, replies
from shared.runtime.broker import Lines, event_exchange
from shared.runtime.envelope import full_name
from shared.runtime.relay import Relay
from shared.runtime.service import Handling, Ports, Repeating, Service, Unavailable, entrypoints
from shared.runtime.settings import Settings
from shared.storage import outbox
from shared.storage.database import Database, Transaction

START = datetime(2026, 3, 28, 22, 0, tzinfo=UTC)
CORE: tuple[type[Service], ...] = (ClockService, OrdersService, ResolutionService)
PACES = {"fire": 2.0, "open_matches": 1.0, "mark_ready": 2.5, "play_turns": 2.0, "count_stalled": 600.0}
"""Seconds between rounds of a job: as coarse as the promises allow, to be quick."""
IDLE = {"open_matches": "SELECT 1 FROM matches WHERE tick = -1 AND NOT ended"}
"""What a job looks for first: where there is none its round is left out, which changes nothing but the time."""
SWEEP = 2.0
MOST_ATTEMPTS_SPENT = 3
"""Kills and stops leave a tick that was begun so often alone: one more would rightly stall it."""
STOPPABLE = (crashpoints.MESSAGE_GOT, crashpoints.CLAIMED, crashpoints.SEALED, crashpoints.MID_PHASES)


class Killed(BaseException):
    """The process is gone; nothing after this line ran."""


@dataclass(frozen=True)
class Faults:
    """How much goes wrong. Shares are of messages, calls or visits to a crash point."""

    message_again: float = 0.08
    message_lost: float = 0.08
    message_late: float = 0.02
    call_lost: float = 0.06
    call_twice: float = 0.05
    crash: float = 0.04
    stop: float = 0.03
    kills: int = 4
    outages: int = 2

    @classmethod
    def none(cls) -> "Faults":
        return cls(0, 0, 0, 0, 0, 0, 0, 0, 0)


@dataclass
class Store:
    """One service's database for all seeds: what is prepared and compiled once stays."""

    raw: sqlite3.Connection
    empty: sqlite3.Connection
    engine: sa.Engine

    def wipe(self) -> None:
        self.empty.backup(self.raw)

    def has(self, query: str) -> bool:
        return self.raw.execute(query).fetchone() is not None


_stores: dict[str, Store] = {}


def store_of(service: type[Service]) -> Store:
    name = service.name
    if name not in _stores:
        raw = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        engine = sa.create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
        sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        package = service.__module__.rsplit(".", 1)[0]
        import_module(f"{package}.store").metadata.create_all(engine)
        empty = sqlite3.connect(":memory:", check_same_thread=False)
        raw.backup(empty)
        _stores[name] = Store(raw, empty, engine)
    return _stores[name]


class SeededIds:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def new(self, prefix: str) -> str:
        return f"{prefix}-{self._chance.getrandbits(64):016x}"

    def secret(self, size: int) -> bytes:
        return self._chance.randbytes(size)


class NoFanout:
    def publish(self, match: str, account: str, latest: int) -> None:
        pass


class World:
    """Time, the broker, and every process."""

    def __init__(self, seed: int, faults: Faults, services: tuple[type[Service], ...] = CORE) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.faults = faults
        self.moment = START
        self.heap: list[tuple[datetime, int, Callable[[], None]]] = []
        self.count = 0
        self.nodes: list[Node] = []
        self.running: list[Node] = []
        self.broker_up = True
        self.calm = False
        self.downs: list[tuple[str, datetime, datetime]] = []
        self.log: list[str] = []
        self.stores = {service.name: store_of(service) for service in services}
        for store in self.stores.values():
            store.wipe()
        self.subscribers: dict[str, list[tuple[str, str, Handling]]] = {}
        for service in services:
            for method, mark in entrypoints(service).items():
                if isinstance(mark, Handling):
                    self.subscribers.setdefault(full_name(mark.event), []).append(
                        (service.name, method, mark)
                    )
            for number in range(1, 1 + self._replicas(service)):
                self.nodes.append(Node(self, service, number))

    def _replicas(self, service: type[Service]) -> int:
        return 3 if service is ResolutionService else self.chance.choice((1, 2))

    # Time

    def now(self) -> datetime:
        return self.moment

    def later(self, seconds: float, work: Callable[[], None]) -> None:
        self.at(self.moment + timedelta(seconds=seconds), work)

    def at(self, moment: datetime, work: Callable[[], None]) -> None:
        self.count += 1
        heapq.heappush(self.heap, (moment, self.count, work))

    def run_until(self, moment: datetime, done: Callable[[], bool] = lambda: False) -> None:
        """Whoever calls this stands still meanwhile."""
        while self.heap and self.heap[0][0] <= moment and not done():
            due, _, work = heapq.heappop(self.heap)
            self.moment = max(self.moment, due)
            work()
        if not done():
            self.moment = max(self.moment, moment)

    def happens(self, share: float) -> bool:
        return not self.calm and self.chance.random() < share

    def note(self, words: str) -> None:
        self.log.append(f"{(self.moment - START).total_seconds():9.3f} {words}")

    # The broker

    def tell(self, event: Event) -> None:
        """An event from outside of the simulated services."""
        sealed = envelope.seal(event, id=f"told-{self.chance.getrandbits(64):x}", at=self.moment)
        self.publish(full_name(type(event)), envelope.encode_batch([envelope.encode(sealed)]))

    def publish(self, event: str, body: str) -> None:
        for subscriber in self.subscribers.get(event, ()):
            self._send(subscriber, body)

    def _send(self, to: tuple[str, str, Handling], body: str, after: float | None = None) -> None:
        delay = self.chance.expovariate(1 / 0.02) if after is None else after
        if self.happens(self.faults.message_late):
            delay += self.chance.uniform(0, 8)
        self.later(delay, lambda: self._arrive(to, body))

    def _arrive(self, to: tuple[str, str, Handling], body: str) -> None:
        service, method, mark = to
        node = self.pick(service)
        if not self.broker_up or node is None:
            self._send(to, body, after=0.5)
            return
        if self.happens(self.faults.message_lost):
            # An event with an inbox is only acknowledged when it is kept; the other kind may be lost for good.
            if mark.inbox or self.chance.random() < 0.5:
                self._send(to, body, after=self.chance.uniform(0.5, 4))
            return
        taken = node.take(method, mark, body)
        if not taken or self.happens(self.faults.message_again):
            self._send(to, body, after=self.chance.uniform(0.1, 3))

    def pick(self, service: str) -> "Node | None":
        free = [node for node in self.nodes if node.name == service and node.free]
        return self.chance.choice(free) if free else None

    def ask(self, request: Request[Any]) -> Any:
        """A call from outside, such as a gateway's. Raises ``Refusal`` or ``Unavailable``."""
        return self._ask(request)

    def _ask(self, request: Request[Any]) -> Any:
        service = request.receiver()
        node = self.pick(service)
        if not self.broker_up or node is None or self.happens(self.faults.call_lost / 2):
            raise Unavailable(service, "no answer")
        body = node.answer(request)
        if self.happens(self.faults.call_twice) and (again := self.pick(service)) is not None:
            second = again.answer(request)
            body = second if body is None or self.chance.random() < 0.5 else body
        if body is None or self.happens(self.faults.call_lost / 2):
            raise Unavailable(service, "no answer")
        return replies.read(request, body)

    # Faults

    def plan_faults(self, seconds: float) -> None:
        """Kills and outages, all begun within ``seconds``; after that everything is well again."""
        for _ in range(self.chance.randint(0, self.faults.kills)):
            self.later(self.chance.uniform(0, seconds), self._kill_somebody)
        for _ in range(self.chance.randint(0, self.faults.outages)):
            begin = self.chance.uniform(0, seconds)
            kind = self.chance.choice(("broker", "database", "service"))
            lasts = self.chance.choice((2.0, 10.0, 30.0, 130.0)) * self.chance.uniform(0.8, 1.2)
            self.later(begin, lambda kind=kind, lasts=lasts: self._outage(kind, lasts))  # type: ignore[misc]
        self.later(seconds, self._calm)

    def _calm(self) -> None:
        self.calm = True

    def _kill_somebody(self) -> None:
        up = [node for node in self.nodes if node.up]
        if up:
            self.chance.choice(up).kill(self.chance.choice((0.5, 3.0, 12.0)))

    def _outage(self, kind: str, lasts: float) -> None:
        if kind == "broker":
            self.note(f"broker away for {lasts:.1f}")
            self.broker_up = False
            self.later(lasts, self._broker_back)
            return
        name = self.chance.choice(sorted(self.stores))
        if kind == "database":
            self.note(f"database of {name} away for {lasts:.1f}")
            for node in self.nodes:
                if node.name == name:
                    node.database_until = self.moment + timedelta(seconds=lasts)
            self.downs.append((name, self.moment, self.moment + timedelta(seconds=lasts)))
            return
        for node in self.nodes:
            if node.name == name:
                node.kill(lasts)

    def _broker_back(self) -> None:
        self.broker_up = True
        self.note("broker back")

    def reach(self, point: str) -> None:
        """What ``crashpoints.reach`` does here, for the process at work."""
        if not self.running or self.calm:
            return
        node = self.running[-1]
        bearable = self._bears_a_fault(node, point)
        if self.chance.random() < self.faults.crash and bearable:
            self.note(f"{node} killed at {point}")
            node.kill(self.chance.choice((0.5, 3.0)))
            raise Killed
        if point in STOPPABLE and self.chance.random() < self.faults.stop and bearable:
            seconds = self.chance.choice((1.0, 25.0, 40.0))
            self.note(f"{node} stands still at {point} for {seconds}")
            node.stand_still(seconds)

    def _bears_a_fault(self, node: "Node", point: str) -> bool:
        """Whether no tick would be stalled for one attempt more."""
        if node.name != ResolutionService.name:
            return True
        # What is about to be committed counts no attempt any more, though a kill would leave them counted.
        if point != crashpoints.BEFORE_COMMIT:
            node.attempts = node.store.raw.execute(f"SELECT max(attempts) FROM {matches.name}").fetchone()[0]
        return (node.attempts or 0) < MOST_ATTEMPTS_SPENT


class Node:
    """One process: one replica of one service. It does one thing at a time."""

    def __init__(self, world: World, service: type[Service], number: int) -> None:
        self.world = world
        self.kind = service
        self.name = service.name
        self.number = number
        self.store = world.stores[self.name]
        self.up = False
        self.busy = False
        self.life = 0
        self.database_until = START
        self.down_since = START
        self.attempts: int | None = 0
        self._start()

    def __str__(self) -> str:
        return f"{self.name}-{self.number}"

    @property
    def free(self) -> bool:
        return self.up and not self.busy

    @property
    def database_up(self) -> bool:
        return self.world.moment >= self.database_until

    def _start(self) -> None:
        world = self.world
        self.life += 1
        self.up, self.busy = True, False
        ids = SeededIds(world.chance)
        database = SimulatedDatabase(self, outbox.OutboxEmitter(ids))
        ports = Ports(
            database=database,
            call=self._call,
            clock=world,
            ids=ids,
            offload=lambda work, *args: work(*args),
            fanout=NoFanout(),
            settings=Settings(),
        )
        self.service = self.kind(ports)
        self.service.started()
        lines = cast(Lines[Any], SimulatedLines(world))
        self.relay = Relay(self.name, database, lines, frozenset(), lambda _: None)
        database.on_emit = lambda: self._plan(0.001, self._relay)
        for method, mark in entrypoints(self.kind).items():
            if isinstance(mark, Repeating):
                job = getattr(self.service, method)
                self._repeat(PACES.get(method, mark.seconds), self._job(job, IDLE.get(method)))
        self._repeat(SWEEP, self._relay)
        self._repeat(SWEEP, self._retry)

    def kill(self, seconds: float) -> None:
        """Gone at once, started again after ``seconds``."""
        if not self.up:
            return
        self.world.note(f"{self} killed for {seconds:.1f}")
        self.up = False
        self.life += 1
        self.world.downs.append(
            (str(self), self.world.moment, self.world.moment + timedelta(seconds=seconds))
        )
        self.world.later(seconds, self._start)

    def stand_still(self, seconds: float) -> None:
        """The others go on. Raises ``Killed`` if this process was killed meanwhile."""
        life = self.life
        running, self.world.running = self.world.running, []
        try:
            self.world.run_until(self.world.moment + timedelta(seconds=seconds))
        finally:
            self.world.running = running
        if self.life != life:
            raise Killed

    def _job(self, job: Callable[[], object], looks_for: str | None) -> Callable[[], object]:
        def round() -> None:
            if looks_for is None or self.store.has(looks_for):
                self.work(job)

        return round

    def _repeat(self, seconds: float, work: Callable[[], object]) -> None:
        def again() -> None:
            work()
            self._plan(seconds, again, always=True)

        self._plan(self.world.chance.uniform(0, seconds), again, always=True)

    def _plan(self, seconds: float, work: Callable[[], None], *, always: bool = False) -> None:
        """``work`` of this life only."""
        life = self.life

        def planned() -> None:
            if self.life != life:
                return
            if always or self.free:
                work()

        self.world.later(seconds, planned)

    def _relay(self) -> None:
        if self.store.has("SELECT 1 FROM outbox WHERE published_at IS NULL"):
            self.work(self.relay.publish_all)

    def _retry(self) -> None:
        if self.store.has("SELECT 1 FROM inbox WHERE next_at IS NOT NULL"):
            self.work(lambda: dispatch.retry_due(self.service))

    def work(self, work: Callable[[], Any]) -> tuple[bool, Any]:
        """Whether the work was done to its end, and what it gave. A broken broker or database fails it."""
        if not self.free:
            return False, None
        life = self.life
        self.busy = True
        self.world.running.append(self)
        try:
            return True, work()
        except Killed:
            return False, None
        except (OperationalError, ConnectionError, Unavailable):
            return False, None
        finally:
            self.world.running.pop()
            if self.life == life:
                self.busy = False

    def take(self, method: str, mark: Handling, body: str) -> bool:
        envelopes = envelope.split_batch(body)
        if mark.inbox:
            return self.work(lambda: dispatch.deliver(self.service, envelopes))[0]
        return self.work(lambda: dispatch.hear(self.service, method, envelopes))[0]

    def answer(self, request: Request[Any]) -> str | None:
        """None if no answer came."""
        body = replies.encode_request(request)
        done, reply = self.work(lambda: dispatch.answer(self.service, request.method(), body))
        return cast(str, reply) if done else None

    def _call(self, request: Request[Any], timeout: float = 5.0) -> Any:
        self.stand_still(self.world.chance.expovariate(1 / 0.005))
        try:
            return self.world._ask(request)
        except Unavailable:
            self.stand_still(timeout)
            raise


class SimulatedDatabase(Database):
    """Goes away with the node's ``database_until``."""

    def __init__(self, node: Node, emit: Any) -> None:
        super().__init__(node.store.engine, node.world.now, emit)
        self._node = node

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        self._reachable()
        with super().begin() as tx:
            yield tx

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        self._reachable()
        with super().read() as tx:
            yield tx

    def _reachable(self) -> None:
        if not self._node.database_up:
            raise OperationalError("away", None, ConnectionError("away"))


@dataclass
class SimulatedLines:
    world: World
    sources: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def line(self, timeout: float) -> Iterator["SimulatedLines"]:
        yield self

    def publish(self, body: str, *, exchange: str, routing_key: str, mandatory: bool = False) -> None:
        if not self.world.broker_up:
            raise ConnectionError("broker away")
        source = exchange.removesuffix(".events")
        assert event_exchange(source).name == exchange
        self.world.publish(f"{source}.{routing_key}", body)


@contextmanager
def simulated(seed: int, faults: Faults, services: tuple[type[Service], ...] = CORE) -> Iterator[World]:
    """A world whose processes reach its crash points."""
    world = World(seed, faults, services)
    before, crashpoints.on_reach = crashpoints.on_reach, world.reach
    try:
        yield world
    finally:
        crashpoints.on_reach = before
