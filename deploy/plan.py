"""Which processes the local stack consists of, and what each is told."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlsplit

from deploy.ports import LOOPBACK, free_port
from deploy.private import write_private
from deploy.servers import ADMIN_DATABASE, DATABASE, Addresses

SERVICES = ("accounts", "lobby", "orders", "messaging", "resolution", "fog", "clock", "report", "bots")
GATEWAY = "gateway"

HOST = "LASTWATERS_HOST"
PORT = "LASTWATERS_PORT"
OPS_HOST = "LASTWATERS_OPS_HOST"
OPS_PORT = "LASTWATERS_OPS_PORT"


@dataclass(frozen=True)
class Program:
    """One process: `lastwaters serve SERVICE` with settings of its own."""

    name: str
    service: str
    ops_port: int
    settings: dict[str, str]

    @property
    def ops_url(self) -> str:
        """Where a client on this machine finds its health and measures."""
        return f"http://{reachable(self.settings[OPS_HOST])}:{self.ops_port}"


@dataclass(frozen=True)
class Plan:
    """All processes of a stack. Written with its passwords to a file only the owner can read."""

    command: list[str]
    programs: list[Program]

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """The plan of a stack that was started and not stopped; None without one."""
        try:
            fields: dict[str, Any] = json.loads(path.read_text())
        except FileNotFoundError:
            return None
        programs = [Program(**program) for program in fields.pop("programs")]
        return cls(programs=programs, **fields)

    def save(self, path: Path) -> None:
        write_private(path, json.dumps(asdict(self), indent=2) + "\n")

    def count(self, service: str) -> int:
        return sum(program.service == service for program in self.programs)

    def grown(self, counts: Mapping[str, int], gateway: "GatewayAddress", settings: "Settings") -> Self:
        """The plan with as many processes of each service as asked for; never fewer than it has."""
        programs = list(self.programs)
        for service in (*SERVICES, GATEWAY):
            for number in range(self.count(service) + 1, counts.get(service, 1) + 1):
                ops_port = gateway.ops_port if service == GATEWAY else free_port()
                programs.append(
                    Program(
                        name=service if number == 1 else f"{service}-{number}",
                        service=service,
                        ops_port=ops_port,
                        settings=settings.of(service) | gateway.settings() | {OPS_PORT: str(ops_port)},
                    )
                )
        return replace(self, programs=programs)

    @property
    def gateway(self) -> "GatewayAddress | None":
        """Where the gateway of this plan listens."""
        for program in self.programs:
            if program.service == GATEWAY:
                return GatewayAddress.of(program.settings)
        return None


@dataclass(frozen=True)
class GatewayAddress:
    """The addresses of the stack that are not chosen freely."""

    host: str
    port: int
    ops_host: str
    ops_port: int

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """As the environment says; ValueError when a port is no number."""
        return cls(
            host=environ.get(HOST) or LOOPBACK,
            port=int(environ.get(PORT) or 8000),
            ops_host=environ.get(OPS_HOST) or LOOPBACK,
            ops_port=int(environ.get(OPS_PORT) or 8001),
        )

    def settings(self) -> dict[str, str]:
        return {
            HOST: self.host,
            PORT: str(self.port),
            OPS_HOST: self.ops_host,
            OPS_PORT: str(self.ops_port),
        }

    @property
    def url(self) -> str:
        return f"http://{reachable(self.host)}:{self.port}"


def reachable(host: str) -> str:
    """Where a client on this machine finds a program that listens on `host`."""
    return LOOPBACK if host in ("0.0.0.0", "::") else host


@dataclass(frozen=True)
class Settings:
    """The addresses each service is given: the servers, and the database under its own role alone."""

    addresses: Addresses
    database_urls: dict[str, str]

    @classmethod
    def make(cls, addresses: Addresses, environ: Mapping[str, str], password_file: Path) -> Self:
        """One role a service, its password made once and kept in `password_file`.

        A service whose `LASTWATERS_<SERVICE>_DATABASE_URL` the environment names keeps that.
        """
        passwords = json.loads(password_file.read_text()) if password_file.exists() else {}
        for service in SERVICES:
            passwords.setdefault(service, secrets.token_hex(16))
        write_private(password_file, json.dumps(passwords, indent=2) + "\n")
        urls = {
            service: environ.get(database_variable(service))
            or with_role(addresses.database_url, f"lastwaters_{service}", passwords[service])
            for service in SERVICES
        }
        return cls(addresses, urls)

    def of(self, service: str) -> dict[str, str]:
        """Settings of one service. The gateway gets no database."""
        settings = self.addresses.environment()
        del settings[DATABASE], settings[ADMIN_DATABASE]
        if service in self.database_urls:
            settings[database_variable(service)] = self.database_urls[service]
        return settings

    def for_operators(self) -> dict[str, str]:
        """Settings of `lastwaters migrate` and `lastwaters ops`: every address."""
        databases = {database_variable(service): url for service, url in self.database_urls.items()}
        return self.addresses.environment() | databases


def database_variable(service: str) -> str:
    return f"LASTWATERS_{service.upper()}_DATABASE_URL"


def without_addresses(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without database addresses, so that no process learns another's password."""
    return {
        name: value
        for name, value in environ.items()
        if not (name.startswith("LASTWATERS_") and name.endswith("DATABASE_URL"))
    }


def with_role(url: str, role: str, password: str) -> str:
    """The same database under another role."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{quote(role)}:{quote(password)}@{host}").geturl()
