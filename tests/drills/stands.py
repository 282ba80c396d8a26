"""Single processes beside the shared stack: a gateway of its own settings, and the embedded stack."""

import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from deploy.ports import LOOPBACK, free_port
from deploy.processes import Process
from deploy.servers import AMQP, REDIS
from tests.drills import program
from tests.drills.yard import PATIENCE, Yard, environment, until
from tests.servers import guarded_directory


@contextmanager
def gateway(yard: Yard, **settings: str) -> Iterator[str]:
    """One more gateway of the stack, with counts of its own in Redis; its address."""
    addresses = {AMQP: yard.servers.addresses.amqp_url, REDIS: counted_apart(yard)}
    with alone(["serve", "gateway"], yard.hooks, addresses, settings) as url:
        yield url


def counted_apart(yard: Yard) -> str:
    """Another database of the same Redis: fan-out crosses them, counts do not."""
    return urlsplit(yard.servers.addresses.redis_url)._replace(path="/1").geturl()


@contextmanager
def embedded(directory: Path, **settings: str) -> Iterator[str]:
    """The embedded stack; its address."""
    hooks = directory / "hooks"
    for name in program.HOOKS:
        (hooks / name).mkdir(parents=True)
    given = {"data_dir": str(directory / "data"), **settings}
    with alone([program.EMBEDDED], hooks, {}, given) as url:
        yield url


@contextmanager
def alone(
    command: list[str], hooks: Path, addresses: dict[str, str], settings: dict[str, str]
) -> Iterator[str]:
    port, ops_port = free_port(), free_port()
    with guarded_directory() as directory:
        process = Process.spawn(
            [sys.executable, program.__file__, *command],
            record=directory / "processes" / "alone",
            log=directory / "log",
            env=environment(hooks, addresses, **{"port": str(port), "ops_port": str(ops_port), **settings}),
        )
        try:
            until(
                f"{command[-1]} is ready", lambda: answers(ops_port, process, directory / "log"), 2 * PATIENCE
            )
            yield f"http://{LOOPBACK}:{port}"
        finally:
            process.end(patience=30)


def answers(port: int, process: Process, log: Path) -> bool:
    assert process.alive, log.read_text()[-2_000:]
    try:
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}/readyz", timeout=5):
            return True
    except OSError:
        return False
