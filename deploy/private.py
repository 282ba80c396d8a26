"""What the private servers have in common: one directory, one port, start, stop, kill, pause, restart."""

import json
import os
import secrets
import shutil
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from deploy.ports import LOOPBACK, free_port, is_free
from deploy.processes import Process, last_lines

READY_POLL_SECONDS = 0.05


class ServerError(Exception):
    """A server could not be started; the message says which, why, and where its log is."""


class PrivateServer(ABC):
    """A server of our own on a loopback port, with its data, log and settings in one directory.

    `start` makes it or takes over one that already runs there. The port, the password and whatever else a
    restart must keep stand in `settings.json`, readable by the owner alone.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    start_seconds: ClassVar[float] = 60
    stop_seconds: ClassVar[float] = 30
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM

    def __init__(self, directory: Path) -> None:
        """Name the server of this directory, running or not. Use `start` to have it run."""
        self.directory = directory.absolute()
        self._settings: dict[str, Any] = {}
        if self._settings_file.exists():
            self._settings = json.loads(self._settings_file.read_text())

    @classmethod
    def start(cls, directory: Path, port: int | None = None, fast: bool = False) -> Self:
        """Start the server, keeping data, port and password of an earlier run in the same directory.

        `port` is for the first start; without it a free one is chosen. `fast` gives up safety against a
        crash of the machine, never against a crash of the server. Raises ServerError.
        """
        server = cls(directory)
        if not server.alive:
            server._prepare(port, fast)
            server._launch()
        return server

    @property
    def port(self) -> int:
        return int(self._settings["port"])

    @property
    def password(self) -> str:
        return str(self._settings["password"])

    @property
    @abstractmethod
    def url(self) -> str:
        """Address for clients, with the password."""

    @property
    def log(self) -> Path:
        return self.directory / f"{self.name}.log"

    @property
    def process(self) -> Process:
        return Process(self.directory / "process")

    @property
    def pid(self) -> int | None:
        return self.process.pid

    @property
    def alive(self) -> bool:
        return self.process.alive

    def stop(self) -> None:
        """End it in the orderly way, by force after a bounded wait. Harmless when it does not run."""
        self.process.end(self.stop_signal, self.stop_seconds)

    def kill(self) -> None:
        """SIGKILL, as a crash would be. Data, port and password stay for `restart`."""
        self.process.kill()

    def restart(self) -> None:
        """Start again on the same port and data, after an orderly stop when it still runs."""
        self.stop()
        self._launch()

    def pause(self) -> None:
        """SIGSTOP: connections stay open and nothing answers."""
        self.process.send_all(signal.SIGSTOP)

    def resume(self) -> None:
        """SIGCONT after `pause`."""
        self.process.send_all(signal.SIGCONT)

    def destroy(self) -> None:
        """Stop it and delete everything it has kept."""
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    @abstractmethod
    def _create(self, fast: bool) -> None:
        """Make what the first start needs, into `self._settings` and the directory."""

    @abstractmethod
    def _command(self) -> Sequence[str | Path]:
        """The program and its arguments."""

    @abstractmethod
    def _probe(self) -> None:
        """Connect and ask for something; any exception means not ready yet."""

    def _environment(self) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}

    def _working_directory(self) -> Path:
        return self.directory

    def _user(self) -> str | None:
        return None

    @property
    def _settings_file(self) -> Path:
        return self.directory / "settings.json"

    def _prepare(self, port: int | None, fast: bool) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        if self._settings:
            if port is not None and port != self.port:
                raise ServerError(f"{self.title} in {self.directory} has port {self.port}, not {port}")
            return
        self._settings = {"port": port or free_port(), "password": secrets.token_hex(16), "fast": fast}
        self._create(fast)
        write_private(self._settings_file, json.dumps(self._settings, indent=2))

    def _launch(self) -> None:
        if not is_free(self.port):
            raise ServerError(f"{self.title} cannot start: port {self.port} on {LOOPBACK} is taken")
        process = Process.spawn(
            self._command(),
            record=self.process.record,
            log=self.log,
            env=self._environment(),
            cwd=self._working_directory(),
            user=self._user(),
        )
        try:
            self._wait_until_ready(process)
        except BaseException:
            self.stop()
            raise

    def _wait_until_ready(self, process: Process) -> None:
        deadline = time.monotonic() + self.start_seconds
        while True:
            try:
                self._probe()
            except Exception as error:  # noqa: BLE001 - every client library has its own way to say "not yet"
                problem = error
            else:
                return
            if not process.alive:
                raise ServerError(self._failure("ended while starting"))
            if time.monotonic() > deadline:
                raise ServerError(self._failure(f"not ready after {self.start_seconds:.0f} s ({problem})"))
            time.sleep(READY_POLL_SECONDS)

    def _failure(self, what: str) -> str:
        return f"{self.title} on {LOOPBACK}:{self.port} {what}; end of {self.log}:\n{last_lines(self.log)}"


def write_private(path: Path, text: str) -> None:
    """Write the file whole or not at all, readable by its owner only."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    draft.replace(path)
