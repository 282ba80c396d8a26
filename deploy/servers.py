"""The three servers of the real stack: those the environment names, private ones for the rest.

python -m deploy.servers start|stop|status [--run-dir .run] [--fast]
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from deploy import postgresql, rabbitmq, redis
from deploy.postgresql import PostgreSQL
from deploy.private import PrivateServer, ServerError, write_private
from deploy.rabbitmq import RabbitMQ
from deploy.redis import Redis

PRIVATE: tuple[type[PrivateServer], ...] = (PostgreSQL, RabbitMQ, Redis)

AMQP = "LASTWATERS_AMQP_URL"
DATABASE = "LASTWATERS_DATABASE_URL"
ADMIN_DATABASE = "LASTWATERS_ADMIN_DATABASE_URL"
REDIS = "LASTWATERS_REDIS_URL"


@dataclass(frozen=True)
class Addresses:
    """Where the servers are; each a URL with user and password."""

    amqp_url: str
    database_url: str
    admin_database_url: str
    redis_url: str

    def environment(self) -> dict[str, str]:
        """The settings that name these servers."""
        return {
            AMQP: self.amqp_url,
            DATABASE: self.database_url,
            ADMIN_DATABASE: self.admin_database_url,
            REDIS: self.redis_url,
        }


def missing(environ: Mapping[str, str]) -> list[type[PrivateServer]]:
    """The servers that the environment does not name."""
    named = {
        PostgreSQL: environ.get(DATABASE) or environ.get(ADMIN_DATABASE),
        RabbitMQ: environ.get(AMQP),
        Redis: environ.get(REDIS),
    }
    return [server for server in PRIVATE if not named[server]]


def start(run_dir: Path, environ: Mapping[str, str], fast: bool = False) -> Addresses:
    """Reach the servers the environment names, start private ones under `run_dir` for the rest.

    All or none: on failure what was started here is stopped again. Raises ServerError.
    """
    _reach_given(environ)
    private = _start_private(run_dir, missing(environ), fast)
    database, broker, cache = (private.get(server.name) for server in PRIVATE)
    admin_url = environ.get(ADMIN_DATABASE) or environ.get(DATABASE, "")
    addresses = Addresses(
        amqp_url=broker.url if broker else environ[AMQP],
        database_url=database.url if database else environ.get(DATABASE) or admin_url,
        admin_database_url=database.admin_url if isinstance(database, PostgreSQL) else admin_url,
        redis_url=cache.url if cache else environ[REDIS],
    )
    _record(run_dir, private, addresses)
    return addresses


def stop(run_dir: Path) -> list[str]:
    """Stop the private servers under `run_dir`, exactly those; the titles of those that ran."""
    stopped = []
    for server in _known(run_dir):
        if server.alive:
            stopped.append(server.title)
        server.stop()
    _state_file(run_dir).unlink(missing_ok=True)
    return stopped


def destroy(run_dir: Path) -> None:
    """Stop the private servers under `run_dir` and delete their data."""
    for server in _known(run_dir):
        server.destroy()
    _state_file(run_dir).unlink(missing_ok=True)


def running(run_dir: Path) -> list[PrivateServer]:
    """The private servers under `run_dir` that run now."""
    return [server for server in _known(run_dir) if server.alive]


def _directory(run_dir: Path, server: type[PrivateServer]) -> Path:
    return run_dir / "servers" / server.name


def _state_file(run_dir: Path) -> Path:
    return run_dir / "servers.json"


def _known(run_dir: Path) -> list[PrivateServer]:
    return [server(_directory(run_dir, server)) for server in PRIVATE if _directory(run_dir, server).is_dir()]


def _reach_given(environ: Mapping[str, str]) -> None:
    probes: list[tuple[str, str, Callable[[str], None]]] = [
        ("RabbitMQ", AMQP, rabbitmq.reach),
        ("PostgreSQL", DATABASE, postgresql.reach),
        ("PostgreSQL", ADMIN_DATABASE, postgresql.reach),
        ("Redis", REDIS, redis.reach),
    ]
    problems = []
    for title, variable, reach in probes:
        url = environ.get(variable)
        if not url:
            continue
        try:
            reach(url)
        except Exception as error:  # noqa: BLE001 - every client library has its own kinds
            where = urlsplit(url)
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            problems.append(f"{title} not reachable at {where.hostname}:{where.port} ({variable}): {reason}")
    if problems:
        raise ServerError("\n".join(problems))


def _start_private(
    run_dir: Path, wanted: Sequence[type[PrivateServer]], fast: bool
) -> dict[str, PrivateServer]:
    if not wanted:
        return {}
    before = {server.name for server in running(run_dir)}
    ours = [server for server in wanted if server.name not in before]
    pool = ThreadPoolExecutor(len(wanted))
    tasks = [pool.submit(server.start, _directory(run_dir, server), None, fast) for server in wanted]
    try:
        return {server.name: task.result() for server, task in zip(wanted, tasks, strict=True)}
    except BaseException:
        # A start still under way notices that its process has ended and gives up; what it had not yet
        # launched at the first round is there for the second.
        for _ in range(2):
            for server in ours:
                server(_directory(run_dir, server)).stop()
            wait(tasks)
        raise
    finally:
        pool.shutdown()


def _record(run_dir: Path, private: Mapping[str, PrivateServer], addresses: Addresses) -> None:
    state = {
        "started": {
            name: {"pid": server.pid, "port": server.port, "directory": str(server.directory)}
            for name, server in private.items()
        },
        "addresses": asdict(addresses),
    }
    write_private(_state_file(run_dir), json.dumps(state, indent=2) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Start, stop or list private servers by hand."""
    parser = argparse.ArgumentParser(prog="python -m deploy.servers", description=main.__doc__)
    parser.add_argument("action", choices=["start", "stop", "status"])
    parser.add_argument("--run-dir", type=Path, default=Path(".run"))
    parser.add_argument("--fast", action="store_true", help="for tests: no safety against a machine crash")
    options = parser.parse_args(arguments)
    try:
        if options.action == "start":
            addresses = start(options.run_dir, {}, options.fast)
            for name, value in addresses.environment().items():
                print(f"export {name}={value}")
        elif options.action == "stop":
            print(f"stopped: {', '.join(stop(options.run_dir)) or 'nothing was running'}")
        else:
            for server in running(options.run_dir):
                print(f"{server.title}: process {server.pid}, port {server.port}, log {server.log}")
    except ServerError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
