"""A private RabbitMQ node with its own epmd, cookie and ports."""

import os
import secrets
import shutil
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import amqp
from kombu.utils.url import parse_url as kombu_parse

from deploy.ports import LOOPBACK, free_port
from deploy.private import PrivateServer, ServerError, write_private
from deploy.processes import POLL_SECONDS, Process, last_lines

# The wrapper in /usr/sbin switches to the user rabbitmq and to fixed directories; this is the program itself.
SERVER_PROGRAMS = ("/usr/lib/rabbitmq/bin/rabbitmq-server", "/usr/local/lib/rabbitmq/bin/rabbitmq-server")
EPMD_PATTERNS = ("/usr/lib/erlang/bin/epmd", "/usr/lib/erlang/erts-*/bin/epmd")
USER = "lastwaters"
EPMD_SECONDS = 10


def server_program() -> Path | None:
    """The `rabbitmq-server` script that takes its paths from the environment."""
    return next((path for path in map(Path, SERVER_PROGRAMS) if path.exists()), None)


def epmd_program() -> Path | None:
    """The port mapper daemon of Erlang."""
    found = shutil.which("epmd")
    if found:
        return Path(found)
    candidates = [path for pattern in EPMD_PATTERNS for path in Path("/").glob(pattern.lstrip("/"))]
    return candidates[0] if candidates else None


def reach(url: str) -> None:
    """Connect and open a channel; raises what the client library raises."""
    parts = kombu_parse(url)
    with amqp.Connection(
        host=f"{parts['hostname'] or LOOPBACK}:{parts['port'] or 5672}",
        userid=parts["userid"] or "guest",
        password=parts["password"] or "guest",
        virtual_host=parts["virtual_host"] or "/",
        ssl=url.startswith("amqps:"),
        connect_timeout=5,
        read_timeout=5,
        write_timeout=5,
    ) as connection:
        connection.channel().close()


class RabbitMQ(PrivateServer):
    """One node with one user and the virtual host `/`."""

    name: ClassVar[str] = "rabbitmq"
    title: ClassVar[str] = "RabbitMQ"
    start_seconds: ClassVar[float] = 120

    @property
    def url(self) -> str:
        return f"amqp://{USER}:{self.password}@{LOOPBACK}:{self.port}//"

    def stop(self) -> None:
        super().stop()
        # Last, because a node cannot leave in order without it. It is a process of our own; ending every
        # epmd by name would take down the nodes of others.
        self._epmd.end()

    @property
    def _epmd(self) -> Process:
        return Process(self.directory / "epmd")

    def _create(self, fast: bool) -> None:
        self._settings["epmd_port"] = free_port()
        self._settings["distribution_port"] = free_port()
        configuration = {
            "listeners.tcp.1": f"{LOOPBACK}:{self.port}",
            "distribution.listener.interface": LOOPBACK,
            "default_user": USER,
            "default_pass": self.password,
        }
        lines = [f"{key} = {value}" for key, value in configuration.items()]
        write_private(self.directory / "rabbitmq.conf", "\n".join(lines) + "\n")
        # Found through HOME. As an argument it would be open to every user of the machine.
        write_private(self.directory / ".erlang.cookie", secrets.token_hex(16))
        (self.directory / "enabled_plugins").write_text("[].\n")

    def _environment(self) -> dict[str, str]:
        return super()._environment() | {
            "HOME": str(self.directory),
            "ERL_EPMD_PORT": str(self._settings["epmd_port"]),
            "ERL_EPMD_ADDRESS": LOOPBACK,
            "RABBITMQ_NODENAME": "lastwaters@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": LOOPBACK,
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self._settings["distribution_port"]),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_CONFIG_FILE": str(self.directory / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.directory / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(self.directory / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self.directory),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_PID_FILE": str(self.directory / "beam.pid"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 2:2",
        }

    def _command(self) -> Sequence[str | Path]:
        program = server_program()
        if program is None:
            raise ServerError(f"{self.title} is not installed: no {SERVER_PROGRAMS[0]}")
        return [program]

    def _launch(self) -> None:
        self._start_epmd()
        super()._launch()

    def _start_epmd(self) -> None:
        """Without one of our own the node would start a daemon that stays behind for ever."""
        if self._epmd.alive:
            return
        program = epmd_program()
        if program is None:
            raise ServerError(f"{self.title} needs `epmd`, which is not installed")
        port = self._settings["epmd_port"]
        log = self.directory / "epmd.log"
        process = Process.spawn(
            [program, "-port", str(port)],
            record=self._epmd.record,
            log=log,
            env=self._environment(),
            cwd=self.directory,
        )
        deadline = time.monotonic() + EPMD_SECONDS
        while process.alive and time.monotonic() < deadline:
            try:
                socket.create_connection((LOOPBACK, port), timeout=1).close()
            except OSError:
                time.sleep(POLL_SECONDS)
            else:
                return
        process.end()
        raise ServerError(f"{self.title}: epmd on {LOOPBACK}:{port} did not come up; {last_lines(log)}")

    def _probe(self) -> None:
        reach(self.url)
