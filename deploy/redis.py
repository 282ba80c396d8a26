"""A private Redis that keeps nothing on disk: it holds limits, fan-out and cached views only."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from redis import Redis as Client
from redis.backoff import NoBackoff
from redis.retry import Retry

from deploy.ports import LOOPBACK
from deploy.private import PrivateServer, ServerError, write_private


def binary() -> Path | None:
    """The `redis-server` program."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


def reach(url: str) -> None:
    """Connect and ping; raises what the client library raises."""
    client = Client.from_url(url, socket_timeout=5, retry=Retry(NoBackoff(), 0))
    try:
        client.ping()
    finally:
        client.close()


class Redis(PrivateServer):
    """One Redis with a password; empty after every start."""

    name: ClassVar[str] = "redis"
    title: ClassVar[str] = "Redis"

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@{LOOPBACK}:{self.port}/0"

    def _create(self, fast: bool) -> None:
        # In a file, since command lines are open to every user of the machine.
        configuration = {
            "bind": LOOPBACK,
            "port": self.port,
            "dir": f'"{self.directory}"',
            "requirepass": self.password,
            "save": '""',
            "appendonly": "no",
        }
        lines = [f"{key} {value}" for key, value in configuration.items()]
        write_private(self.directory / "redis.conf", "\n".join(lines) + "\n")

    def _command(self) -> Sequence[str | Path]:
        program = binary()
        if program is None:
            raise ServerError(f"{self.title} is not installed: no `redis-server` on PATH")
        return [program, self.directory / "redis.conf"]

    def _probe(self) -> None:
        reach(self.url)
