"""P1: each tick of each match is resolved once, whoever is killed and however often it is announced."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from kombu import Connection, Consumer, Message, Producer, Queue

from shared.contracts.clock import DueTick, TicksDue
from shared.runtime import crashpoints, envelope
from shared.runtime.broker import event_exchange
from shared.runtime.topology import service_class, taking
from tests.drills.players import at_sea
from tests.drills.promises import check_kept, check_once, latest, wait_for_ticks
from tests.drills.sampling import amount, chance, sample
from tests.drills.yard import PATIENCE, Yard, until
from tests.servers import ROOT

MATCHES = amount(4, 50)
TICKS = amount(5, 40)
ROUNDS = amount(1, 20)
TIMES = 3


@pytest.mark.timeout(3600)
def test_every_announcement_three_times_to_three_workers(yard: Yard) -> None:
    luck = chance("p01", "thrice")
    with announced_thrice(yard) as copies, at_sea(yard, luck, matches=MATCHES) as (matches, ledger):
        wait_for_ticks(yard, matches, TICKS, 30.0 * TICKS)
    assert copies
    check_once(yard, matches)
    check_kept(yard, matches, ledger)


@pytest.mark.timeout(4 * 3600)
def test_a_worker_is_killed_at_every_named_point(yard: Yard) -> None:
    """Two at a time: a tick that three workers died of is rightly stalled (P7)."""
    luck = chance("p01", "killed")
    with announced_thrice(yard), at_sea(yard, luck, matches=MATCHES) as (matches, ledger):
        for _ in range(ROUNDS):
            points = sample("p01", crashpoints.POINTS, 2)
            luck.shuffle(points)
            for pair in pairs(points):
                for point in pair:
                    yard.arm(point)
                until(f"workers are killed at {pair}", lambda pair=pair: all(map(yard.fired, pair)))
                # What they had begun is resolved then, and its attempts are forgotten.
                wait_for_ticks(yard, matches, 1, 2 * PATIENCE)
    check_once(yard, matches)
    check_kept(yard, matches, ledger)


def test_ticks_that_nobody_waits_for_change_nothing(yard: Yard) -> None:
    """Announced before their time, after it, twice and in any order, ticks of no match among them."""
    luck = chance("p01", "order")
    with at_sea(yard, luck, matches=2) as (matches, ledger):
        wait_for_ticks(yard, matches, 2)
        now = datetime.now(UTC)
        wrong = [
            DueTick(match=match, tick=max(0, tick + step), deadline=now + timedelta(seconds=step))
            for match, tick in [*latest(yard, matches).items(), ("nothing", 3)]
            for step in (-2, -1, 0, 5, 50)
        ] * 2
        luck.shuffle(wrong)
        queue = due_queue()
        with Connection(yard.servers.addresses.amqp_url) as connection, connection.channel() as channel:
            for at in range(0, len(wrong), 4):
                event = TicksDue(ticks=tuple(wrong[at : at + 4]))
                sealed = envelope.seal(event, id=f"wrong-{luck.random()}", at=now)
                body = envelope.encode_batch([envelope.encode(sealed)])
                Producer(channel).publish(body, routing_key=queue, serializer="json")
        wait_for_ticks(yard, matches, 2)
    check_once(yard, matches)
    check_kept(yard, matches, ledger)


@pytest.mark.parametrize("times", [1, 3])
def test_the_environment_names_the_point_and_the_time(times: int) -> None:
    """``LASTWATERS_CRASH_AT`` kills the process by SIGKILL as it comes there, not before."""
    code = (
        "from shared.runtime import crashpoints as c\n"
        "for n in range(9): c.reach(c.CLAIMED); c.reach(c.SEALED); print(n, flush=True)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, crashpoints.VARIABLE: f"{crashpoints.SEALED}:{times}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    assert ended.stdout.split() == [str(number) for number in range(times - 1)]


@contextmanager
def announced_thrice(yard: Yard) -> Iterator[list[object]]:
    """Each message of due ticks comes twice more to the workers' queue during the block, the last time later than
    the next message."""
    copies: list[object] = []
    leaving = threading.Event()
    mirror = Queue("drill-mirror", event_exchange("clock"), TicksDue.event_name(), auto_delete=True)

    def copy() -> None:
        with Connection(yard.servers.addresses.amqp_url) as connection, connection.channel() as channel:
            producer = Producer(channel)
            held: list[object] = []

            def seen(body: object, message: Message) -> None:
                held.append(body)
                for again in [body, *held[:-1]]:
                    producer.publish(again, routing_key=due_queue(), serializer="json")
                del held[:-1]
                copies.append(body)
                message.ack()

            with Consumer(channel, [mirror(channel)], callbacks=[seen], accept=["json"]):
                listening.set()
                while not leaving.is_set():
                    try:
                        connection.drain_events(timeout=0.2)
                    except TimeoutError:
                        continue

    listening = threading.Event()
    thread = threading.Thread(target=copy)
    thread.start()
    assert listening.wait(30)
    try:
        yield copies
    finally:
        leaving.set()
        thread.join()


def pairs(points: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(points[at : at + 2]) for at in range(0, len(points), 2)]


def due_queue() -> str:
    (found,) = [take for take in taking(service_class("resolution")) if take.mark.event is TicksDue]
    name: str = found.queue.name
    return name
