"""What greenlets of one process do to each other, measured in a process that eventlet has patched.

``python -m tests.stack.hub_process POSTGRESQL_URL FOLDER``; prints its figures as JSON.
"""

from shared.runtime import patched  # noqa: F401, I001 - before anything that may wait

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import eventlet
import sqlalchemy as sa

from shared.runtime import nameko_host
from shared.runtime.hosting import SystemClock
from shared.runtime.ids import SystemIds
from shared.storage import outbox
from shared.storage.database import Database
from shared.storage.engine import assert_wait_function, create_engine, file_url

SLEEPERS = 8
SLEEP = 0.5


@contextmanager
def beating() -> Iterator[list[float]]:
    """The pauses between beats that should come every 10 ms."""
    gaps: list[float] = []

    def beat() -> None:
        last = time.monotonic()
        while True:
            eventlet.sleep(0.01)
            now = time.monotonic()
            gaps.append(now - last)
            last = now

    beater = eventlet.spawn(beat)
    eventlet.sleep(0.05)
    gaps.clear()
    yield gaps
    beater.kill()


def together(work: Callable[[int], object], count: int) -> float:
    start = time.monotonic()
    list(eventlet.GreenPool(count).imap(work, range(count)))
    return time.monotonic() - start


def sleeping_queries(url: str) -> float:
    engine = create_engine(url, "public")
    assert_wait_function()

    def query(_number: int) -> None:
        with engine.connect() as connection:
            connection.execute(sa.select(sa.func.pg_sleep(SLEEP)))

    return together(query, SLEEPERS)


def sqlite_writers(folder: Path) -> dict[str, float]:
    """Ten writers that each hold their transaction for a while: the others wait where the hub goes on."""
    engine = create_engine(file_url(folder / "hub.sqlite"), "hub")
    clock = SystemClock()
    database = Database(engine, clock.now, outbox.OutboxEmitter(SystemIds()))
    with database.begin() as tx:
        tx.execute(sa.text("CREATE TABLE t (n INTEGER)"))

    def write(number: int) -> None:
        with database.begin() as tx:
            tx.execute(sa.text("INSERT INTO t VALUES (:n)"), {"n": number})
            eventlet.sleep(0.05)

    with beating() as gaps:
        took = together(write, 10)
    with database.read() as tx:
        rows = tx.scalar(sa.text("SELECT count(*) FROM t"))
    return {"rows": rows, "seconds": took, "beats": len(gaps)}


def offloaded() -> dict[str, float]:
    """Six pieces of work that block their thread: two at a time, while the hub goes on."""
    real_sleep = eventlet.patcher.original("time").sleep
    with beating() as gaps:
        took = together(lambda _: nameko_host.offload(real_sleep, 0.2), 6)
    return {"seconds": took, "beats": len(gaps)}


def main() -> None:
    url, folder = sys.argv[1:]
    found = {
        "sleeping": sleeping_queries(url),
        "sqlite": sqlite_writers(Path(folder)),
        "offloaded": offloaded(),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
