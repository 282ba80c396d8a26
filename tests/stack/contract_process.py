"""Runs the scenarios of the contract suite: both services and their callers in this process.

``python -m tests.stack.contract_process URL FOLDER [SCENARIO...]``; prints what each found as a line of JSON. The
URL ``embedded`` means the broker inside the process.
"""

from shared.runtime import patched  # noqa: F401, I001 - before anything that may wait

import json
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import eventlet
import structlog

from shared.contracts.base import Refusal
from shared.runtime import envelope, logs, memory_transport, nameko_host, topology
from shared.runtime.broker import DEAD_LETTER_QUEUE, Line, Lines, Unroutable
from shared.runtime.event_ear import EventEar
from shared.runtime.fanout import NoFanout
from shared.runtime.hosting import Host, SystemClock
from shared.runtime.ids import SystemIds
from shared.runtime.rpc_client import RpcClient
from shared.runtime.service import Ports, Service, Unavailable
from shared.runtime.settings import Settings
from shared.storage import inbox, outbox
from shared.storage.parking import count, unpark
from shared.storage.database import Database
from shared.storage.engine import create_engine, file_url
from tests.stack import contract_services
from tests.stack.contract_services import Far, Near
from tests.stack.contracts.far import Echo, GetHeard, Heard
from tests.stack.contracts.near import Ask, Deadlock, Tell, Told

WORKERS = 3
SCENARIO_SECONDS = 40


class Stack:
    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.lines: Lines[Line] = Lines(Line, url, 20)
        self.call = RpcClient(url, 60)
        self.near = self._host(Near, folder)
        self.far = self._host(Far, folder)
        self.runner = nameko_host.runner([self.near, self.far], url, WORKERS)

    def _host(self, kind: type[Service], folder: Path) -> Host:
        clock, ids = SystemClock(), SystemIds()
        engine = create_engine(file_url(folder / f"{kind.name}.sqlite"), kind.name)
        contract_services.metadata.create_all(engine)
        ports = Ports(
            database=Database(engine, clock.now, outbox.OutboxEmitter(ids)),
            call=self.call,
            clock=clock,
            ids=ids,
            offload=nameko_host.offload,
            fanout=NoFanout(),
            settings=Settings(),
        )
        return Host(kind(ports), self.lines, [Near, Far])

    def heard(self) -> Heard:
        return self.call(GetHeard())

    def wait_heard(self, wanted: Callable[[Heard], bool], seconds: float = 15.0) -> Heard:
        deadline = time.monotonic() + seconds
        while not wanted(found := self.heard()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    def publish(self, *texts: str) -> None:
        with self.lines.line(5.0) as line:
            line.publish(
                envelope.encode_batch(texts), exchange="near.events", routing_key="told", mandatory=True
            )


@contextmanager
def running(url: str, folder: Path) -> Iterator[Stack]:
    folder.mkdir()
    stack = Stack(url, folder)
    stack.runner.start()
    try:
        yield stack
    finally:
        stack.near.drain()
        stack.far.drain()
        memory_transport.stopping()
        with eventlet.Timeout(10):
            stack.runner.stop()
        stack.call.close()
        stack.lines.close()


def at_once(work: Callable[[int], Any], count: int) -> list[Any]:
    pool = eventlet.GreenPool(count)
    return list(pool.imap(work, range(count)))


def failure(work: Callable[[], Any]) -> dict[str, Any]:
    start = time.monotonic()
    try:
        work()
    except (Refusal, Unavailable) as error:
        extra = dict(error.extra) if isinstance(error, Refusal) else {}
        return {
            "kind": type(error).__name__,
            "words": str(error),
            "extra": extra,
            "seconds": time.monotonic() - start,
        }
    return {"kind": "none"}


def sealed(match: str, number: int, id: str) -> str:
    return envelope.encode(envelope.seal(Told(match=match, number=number), id=id, at=datetime.now(UTC)))


def chained(stack: Stack) -> Any:
    """Fifty callers at three workers a service, each call calling on."""
    return {"answers": at_once(lambda n: stack.call(Ask(text=str(n)), timeout=20).text, 50)}


def unknown(stack: Stack) -> Any:
    class Nobody(Echo):
        @classmethod
        def service(cls) -> str:
            return "nobody"

    found = [failure(lambda: stack.call(Nobody(text="x"))) for _ in range(3)]
    return {"failures": found, "after": stack.call(Ask(text="still")).text}


def timeout(stack: Stack) -> Any:
    found = [failure(lambda: stack.call(Echo(text="x", seconds=0.8), timeout=0.3)) for _ in range(2)]
    eventlet.sleep(1.0)
    return {"failures": found, "after": [stack.call(Echo(text=str(n))).text for n in range(5)]}


def deadlock(stack: Stack) -> Any:
    """As many calls to itself as there are workers: they end at their deadlines, and the service goes on."""
    found = at_once(lambda _: failure(lambda: stack.call(Deadlock(), timeout=4.0)), WORKERS)
    return {"failures": found, "after": stack.call(Ask(text="alive"), timeout=10).text}


def refusal(stack: Stack) -> Any:
    return {
        "refused": failure(lambda: stack.call(Echo(text="refuse"))),
        "broken": failure(lambda: stack.call(Echo(text="break"))),
        "malformed": failure(lambda: stack.call(_Foreign(text="x"))),
    }


class _Foreign(Echo):
    """Asks for a method that is there, with a field that is not."""

    more: int = 1

    @classmethod
    def service(cls) -> str:
        return "far"

    @classmethod
    def method(cls) -> str:
        return "echo"


def pool(stack: Stack) -> Any:
    """One hundred events to two services' handlers and two ears, with far fewer messages."""
    ears: list[list[int]] = [[], []]
    listening = [EventEar(stack.url, Told, lambda event, ear=ear: ear.append(event.number)) for ear in ears]
    for ear in listening:
        assert ear.start(5.0)
    with structlog.contextvars.bound_contextvars(correlation="c-1"):
        stack.call(Tell(count=100))
    found = stack.wait_heard(lambda heard: len(heard.counts) == 100)
    deadline = time.monotonic() + 5
    near: Any = stack.near.service
    while (near.told < 100 or min(map(len, ears)) < 100) and time.monotonic() < deadline:
        time.sleep(0.02)
    for ear in listening:
        ear.stop()
    return {
        "handled": sorted(found.counts.values()),
        "heard": near.told,
        "ears": [len(ear) for ear in ears],
        "in_order": all(ear == sorted(ear) for ear in ears),
        "correlations": list(found.correlations),
    }


def redelivery(stack: Stack) -> Any:
    """One event three times, in one message and in others; two at once."""
    text = sealed("m", 1, "e1")
    stack.publish(text, text)
    at_once(lambda _: stack.publish(text, sealed("m", 2, "e2")), 4)
    stack.wait_heard(lambda heard: len(heard.counts) == 2)
    eventlet.sleep(0.5)
    return stack.heard().counts


def parking(stack: Stack) -> Any:
    """A failing event is tried again with pauses, parked in the end, and harms no neighbour."""
    stack.publish(sealed("m", 1, "e1"), sealed("broken", 2, "e2"), sealed("m", 3, "e3"))
    database = stack.far.service.database
    deadline = time.monotonic() + 15
    parked = 0
    while not parked and time.monotonic() < deadline:
        time.sleep(0.05)
        with database.read() as tx:
            parked = count(tx)
    before = stack.heard().counts
    far: Any = stack.far.service
    far.mended = True
    with database.begin() as tx:
        unpark(tx, tx.now())
    return {
        "parked": parked,
        "before": before,
        "after": stack.wait_heard(lambda h: len(h.counts) == 3).counts,
    }


def garbage(stack: Stack) -> Any:
    """What no service of ours sends: parked or given to the dead letters, and nothing changes."""
    with stack.lines.line(5.0) as line:
        for body in ({"an": "object"}, "nonsense", "[1,2]", "x\x00\ud800"[:2], "9" * 1_000_000):
            line.publish(body, exchange="near.events", routing_key="told")
        if not line.in_memory:
            message = line.channel.prepare_message(
                b"\x80pickle", content_type="application/x-python-serialize"
            )
            line.channel.basic_publish(message, exchange="near.events", routing_key="told")
    stack.publish(sealed("m", 1, "good"))
    counts = stack.wait_heard(lambda heard: bool(heard.counts)).counts
    deadline = time.monotonic() + 5
    parked = 0
    while parked < 5 and time.monotonic() < deadline:
        time.sleep(0.05)
        with stack.far.service.database.read() as tx:
            parked = count(tx)
    dead = None
    with stack.lines.line(5.0) as line:
        if not line.in_memory:
            dead = DEAD_LETTER_QUEUE(line.channel).queue_declare(passive=True).message_count
            DEAD_LETTER_QUEUE(line.channel).purge()
    return {"counts": counts, "parked": parked, "dead": dead}


def repeating(stack: Stack) -> Any:
    eventlet.sleep(1.0)
    near: Any = stack.near.service
    return {"rounds": near.rounds, "reachable": stack.near.reachable()}


def mandatory(stack: Stack) -> Any:
    """A message without a queue comes back."""
    found = "taken"
    try:
        with stack.lines.line(5.0) as line:
            line.publish("x", exchange="near.events", routing_key="nothing", mandatory=True)
    except Unroutable:
        found = "returned"
    with stack.lines.line(5.0) as line:
        line.publish("x", exchange="near.events", routing_key="nothing")
    return {"found": found, "after": stack.call(Ask(text="alive")).text}


def lost_queue(stack: Stack) -> Any:
    """A broker that has lost a queue: it is made again, and the events wait in the outbox for it."""
    with stack.lines.line(5.0) as line:
        for take in topology.taking(Near) + topology.taking(Far):
            take.queue(line.channel).unbind_from(take.queue.exchange, routing_key="told")
    stack.call(Tell(count=2, text="m"))
    return stack.wait_heard(lambda heard: len(heard.counts) == 2).counts


def drain(stack: Stack) -> Any:
    """A call at hand when the stop comes is still answered, and what it emitted is published or kept."""
    answer = eventlet.spawn(lambda: stack.call(Echo(text="late", seconds=0.6)).text)
    eventlet.sleep(0.2)
    stack.far.drain()
    start = time.monotonic()
    stopping = eventlet.spawn(stack.runner.stop)
    memory_transport.stopping()
    said = answer.wait()
    with suppress(Exception):
        stopping.wait()
    return {"said": said, "seconds": time.monotonic() - start}


inbox.BACK_OFF = tuple(timedelta(seconds=0.1) for _ in range(3))

SCENARIOS = {
    work.__name__: work
    for work in (
        chained, unknown, timeout, deadlock, refusal, pool, redelivery, parking, garbage, repeating, mandatory, lost_queue, drain
    )
}  # fmt: skip


def main() -> None:
    url, folder = sys.argv[1:3]
    logs.configure("warning")
    for scenario in sys.argv[3:] or SCENARIOS:
        if url == "embedded":
            memory_transport.register()
            memory_transport.forget()
        try:
            with (
                eventlet.Timeout(SCENARIO_SECONDS),
                running(memory_transport.URL if url == "embedded" else url, Path(folder) / scenario) as stack,
            ):
                found = SCENARIOS[scenario](stack)
        except (Exception, eventlet.Timeout):  # noqa: BLE001 - one scenario's failure is not the next one's
            found = {"failure": traceback.format_exc()}
        print(json.dumps({"scenario": scenario, "found": found}), flush=True)


if __name__ == "__main__":
    main()
