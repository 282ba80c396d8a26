"""The private servers of a test session, for every test folder that needs real ones.

The fixture `servers` starts them when the first test asks. A guard process outside the session ends them when
this process is gone, however it went: it waits for the end of a pipe that only this process holds open.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from deploy import servers as private_servers
from deploy.postgresql import PostgreSQL
from deploy.rabbitmq import RabbitMQ
from deploy.redis import Redis
from deploy.servers import Addresses
from deploy.stack import Stack

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Servers:
    """One running server of each kind; tests may stop, kill, pause and restart them."""

    postgresql: PostgreSQL
    rabbitmq: RabbitMQ
    redis: Redis
    addresses: Addresses


@contextmanager
def guarded_directory() -> Iterator[Path]:
    """A directory whose servers and stack are stopped and whose files are deleted when this process ends."""
    directory = Path(tempfile.mkdtemp(prefix="lastwaters-test-"))
    directory.chmod(0o755)  # PostgreSQL runs as another user when the tests run as root
    guard = subprocess.Popen(
        [sys.executable, __file__, str(directory)],
        stdin=subprocess.PIPE,
        start_new_session=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert guard.stdin is not None
    try:
        yield directory
    finally:
        guard.stdin.close()
        guard.wait(timeout=120)


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """PostgreSQL, RabbitMQ and Redis of this session, started once, safe against kills of the servers."""
    with guarded_directory() as directory:
        addresses = private_servers.start(directory, {}, fast=True)
        home = directory / "servers"
        yield Servers(
            PostgreSQL(home / "postgresql"), RabbitMQ(home / "rabbitmq"), Redis(home / "redis"), addresses
        )


@pytest.fixture
def database(servers: Servers) -> Iterator[str]:
    """Superuser address of an empty database of this test alone."""
    name = f"test_{uuid4().hex[:12]}"
    yield servers.postgresql.create_database(name)
    servers.postgresql.drop_database(name)


def guard(directory: Path) -> None:
    """Wait until the session that started us is gone, then leave nothing of it."""
    sys.stdin.read()
    Stack(directory).stop()
    private_servers.destroy(directory)
    shutil.rmtree(directory)


if __name__ == "__main__":
    guard(Path(sys.argv[1]))
