"""The servers a process needs, waited for at its start and named when they are missing."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import sqlalchemy as sa
from sqlalchemy.engine import make_url

from shared.runtime import fanout
from shared.runtime.broker import Line
from shared.runtime.settings import PREFIX, Settings
from shared.storage import migrations
from shared.storage.engine import create_engine

PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)


class MissingServer(Exception):
    """One line that says which server is missing and where it was looked for."""


class NotMigrated(Exception):
    """The service's tables are older than its code."""


@dataclass(frozen=True)
class Server:
    """``reach`` raises when the server is not there."""

    title: str
    setting: str
    url: str
    reach: Callable[[], None]

    def problem(self) -> str | None:
        try:
            self.reach()
        except NotMigrated as error:
            return str(error)
        except Exception as error:  # noqa: BLE001 - each client library has its own kinds
            where = make_url(self.url)
            words = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
            return f"{self.title} not reachable at {where.host}:{where.port} ({self.setting}): {words[0]}"
        return None


def wait_for(servers: Sequence[Server], seconds: float, given_up: Callable[[], bool] = lambda: False) -> None:
    """Returns when all are there, or when ``given_up()``. Raises ``MissingServer`` after ``seconds``."""
    deadline = time.monotonic() + seconds
    pauses = chain(PAUSES, repeat(PAUSES[-1]))
    while not given_up():
        problems = [problem for server in servers if (problem := server.problem())]
        if not problems:
            return
        left = deadline - time.monotonic()
        if left <= 0:
            raise MissingServer("; ".join(problems))
        time.sleep(min(next(pauses), left))


def needed(settings: Settings, services: Sequence[str]) -> list[Server]:
    """Broker, each service's database, and Redis for report. Raises ``MissingServer`` for a URL that is not set."""
    unset = []
    servers = []
    if settings.amqp_url is None:
        unset.append(f"{PREFIX}AMQP_URL")
    else:
        servers.append(broker(settings.amqp_url))
    for service in services:
        url = settings.service_database_url(service)
        if url is None:
            unset.append(f"{PREFIX}{service.upper()}_DATABASE_URL or {PREFIX}DATABASE_URL")
        else:
            servers.append(database(settings, service, url))
    if "report" in services:
        if settings.redis_url is None:
            unset.append(f"{PREFIX}REDIS_URL")
        else:
            servers.append(redis_server(settings.redis_url))
    if unset:
        raise MissingServer(f"not set: {', '.join(dict.fromkeys(unset))}; `lastwaters settings` explains")
    return servers


def broker(url: str) -> Server:
    return Server("RabbitMQ", f"{PREFIX}AMQP_URL", url, lambda: Line(url).close())


def redis_server(url: str) -> Server:
    def reach() -> None:
        with fanout.connect(url) as client:
            client.ping()

    return Server("Redis", f"{PREFIX}REDIS_URL", url, reach)


def database(settings: Settings, service: str, url: str) -> Server:
    def reach() -> None:
        engine = create_engine(url, service, pool_size=1)
        try:
            with engine.connect() as connection:
                _check_revision(connection, service)
        finally:
            engine.dispose()

    own = getattr(settings, f"{service}_database_url", None) is not None
    setting = f"{PREFIX}{service.upper()}_DATABASE_URL" if own else f"{PREFIX}DATABASE_URL"
    return Server(f"PostgreSQL ({service})", setting, url, reach)


def _check_revision(connection: sa.Connection, service: str) -> None:
    """A newer revision than the code knows is fine: during an update, tables come first."""
    found = migrations.current(connection)
    if found is None or found in migrations.older_than_head(service):
        raise NotMigrated(f"tables of {service} are at revision {found}: run `lastwaters migrate`")
