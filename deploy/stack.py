"""The local stack: private or given servers, one process a service, the gateway, and their supervisor."""

import fcntl
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy import packages, servers
from deploy.plan import GATEWAY, OPS_PORT, PORT, GatewayAddress, Plan, Program, Settings
from deploy.ports import is_free
from deploy.private import write_private
from deploy.processes import Identity, Process, end_all, last_lines, wait_until_gone
from deploy.supervisor import log_file, plan_file, process_of, supervisor_of

ROOT = Path(__file__).resolve().parent.parent
LASTWATERS = Path(sys.executable).with_name("lastwaters")

DRAIN_SECONDS = 30.0
READY_SECONDS = 120.0
MIGRATE_SECONDS = 300.0
STARTS_BEFORE_GIVING_UP = 3


class StackError(Exception):
    """The stack could not be started; the message says what to do about it."""


class Stack:
    """The stack of one directory. `start` and `stop` may be called in any state."""

    def __init__(self, run_dir: Path, say: Callable[[str], None] = print) -> None:
        self.run_dir = run_dir.absolute()
        self._say = say

    @property
    def plan(self) -> Plan | None:
        """What was started and not stopped."""
        return Plan.load(plan_file(self.run_dir))

    @property
    def programs(self) -> list[Program]:
        return plan.programs if (plan := self.plan) else []

    def process(self, name: str) -> Process:
        """The process of a program by its name (`resolution-2`), for those who want to kill or pause it."""
        return process_of(self.run_dir, name)

    def log(self, name: str) -> Path:
        return log_file(self.run_dir, name)

    @property
    def environment_file(self) -> Path:
        """Shell lines that set every address, for operators' commands."""
        return self.run_dir / "environment"

    def start(
        self,
        counts: Mapping[str, int],
        environ: Mapping[str, str],
        command: Sequence[str | Path] = (LASTWATERS,),
        fast: bool = False,
    ) -> list[str]:
        """Start what does not run yet; the names of the processes that were started.

        `counts` says how many processes of a service are wanted (1 where it says nothing). A first start
        that fails, or is interrupted, is undone. Raises StackError, ServerError or PackagesMissing.
        """
        with self._alone():
            fresh = not self._something_runs()
            try:
                return self._start(counts, environ, [str(part) for part in command], fast, fresh)
            except BaseException:
                if fresh:
                    self._stop()
                raise

    def stop(self) -> list[str]:
        """End services, then the gateway, then the servers started here; the names of what ran."""
        with self._alone():
            return self._stop()

    def _start(
        self,
        counts: Mapping[str, int],
        environ: Mapping[str, str],
        command: list[str],
        fast: bool,
        fresh: bool,
    ) -> list[str]:
        try:
            gateway = GatewayAddress.of(environ)
        except ValueError as error:
            raise StackError(f"{PORT} and {OPS_PORT} are port numbers: {error}") from error
        plan = None if fresh else self.plan
        if plan is None or not self.process(GATEWAY).alive:
            check_port(gateway.host, gateway.port, PORT)
            check_port(gateway.ops_host, gateway.ops_port, OPS_PORT)
        settings = self._prepare(environ, command, fast)
        wanted = (plan or Plan(command, [])).grown(counts, gateway, settings)
        before = {program.name for program in wanted.programs if self.process(program.name).alive}
        wanted.save(plan_file(self.run_dir))
        if not supervisor_of(self.run_dir).alive:
            Process.spawn(
                [sys.executable, "-m", "deploy.supervisor", self.run_dir],
                record=supervisor_of(self.run_dir).record,
                log=self.log("supervisor"),
                env=environ,
                cwd=ROOT,
            )
        self._wait_until_ready(wanted)
        return [program.name for program in wanted.programs if program.name not in before]

    def _prepare(self, environ: Mapping[str, str], command: list[str], fast: bool) -> Settings:
        """Servers up, databases up to date."""
        self.run_dir.mkdir(parents=True, exist_ok=True)
        private = servers.missing(environ)
        packages.ensure([server.name for server in private])
        if new := [server.title for server in private if not server(self._home(server.name)).alive]:
            self._say(f"starting {', '.join(new)}")
        addresses = servers.start(self.run_dir, environ, fast)
        settings = Settings.make(addresses, environ, self.run_dir / "passwords.json")
        exports = [f"export {name}='{value}'\n" for name, value in settings.for_operators().items()]
        write_private(self.environment_file, "".join(exports))
        self._migrate([*command, "migrate"], {**environ, **settings.for_operators()})
        return settings

    def _home(self, server: str) -> Path:
        return self.run_dir / "servers" / server

    def _migrate(self, command: list[str], environment: Mapping[str, str]) -> None:
        log = self.log("migrate")
        log.parent.mkdir(exist_ok=True)
        with log.open("ab") as output:
            try:
                result = subprocess.run(
                    command,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    check=False,
                    timeout=MIGRATE_SECONDS,
                )
            except FileNotFoundError as error:
                raise StackError(f"{command[0]} is not there; `make setup` installs it") from error
            except subprocess.TimeoutExpired as error:
                raise StackError(f"migrations took over {MIGRATE_SECONDS:.0f} s; see {log}") from error
        if result.returncode != 0:
            raise StackError(f"migrations failed; end of {log}:\n{last_lines(log)}")

    def _wait_until_ready(self, plan: Plan) -> None:
        deadline = time.monotonic() + READY_SECONDS
        waiting = {program.name: program for program in plan.programs}
        lives: dict[str, set[Identity]] = {name: set() for name in waiting}
        while waiting:
            for name, program in list(waiting.items()):
                if identity := self.process(name).identity:
                    lives[name].add(identity)
                problem = unready(program)
                if problem is None:
                    del waiting[name]
                elif len(lives[name]) >= STARTS_BEFORE_GIVING_UP:
                    raise StackError(self._failure(name, "ends while starting"))
                elif time.monotonic() > deadline:
                    raise StackError(
                        self._failure(name, f"not ready after {READY_SECONDS:.0f} s ({problem})")
                    )
            time.sleep(0.1)

    def _failure(self, name: str, what: str) -> str:
        return f"{name} {what}; end of {self.log(name)}:\n{last_lines(self.log(name))}"

    def _stop(self) -> list[str]:
        supervisor = supervisor_of(self.run_dir)
        if identity := supervisor.identity:
            # Itself only: its children are the services, and they get their own signal below, once.
            supervisor.send(signal.SIGTERM)
            if not wait_until_gone([identity], 10):
                supervisor.send(signal.SIGKILL)
                wait_until_gone([identity], 10)
        records = sorted((self.run_dir / "processes").glob("*"))
        everything = [Process(record) for record in records]
        stopped = [process.record.name for process in everything if process.alive]
        gateway = [process for process in everything if process.record.name == GATEWAY]
        for group in ([process for process in everything if process not in gateway], gateway):
            for process in end_all(group, signal.SIGTERM, DRAIN_SECONDS):
                self._say(f"{process.record.name} did not leave within {DRAIN_SECONDS:.0f} s and was killed")
        supervisor.record.unlink(missing_ok=True)
        plan_file(self.run_dir).unlink(missing_ok=True)
        self.environment_file.unlink(missing_ok=True)
        return stopped + servers.stop(self.run_dir)

    def _something_runs(self) -> bool:
        return supervisor_of(self.run_dir).alive or any(
            self.process(program.name).alive for program in self.programs
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One start or stop at a time in this directory."""
        self.run_dir.mkdir(parents=True, exist_ok=True)
        with (self.run_dir / "local.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise StackError(f"another `make up` or `make down` is at work in {self.run_dir}") from error
            yield


def check_port(host: str, port: int, variable: str) -> None:
    if not is_free(port, host):
        raise StackError(f"port {port} on {host} is taken; choose another with {variable}")


def unready(program: Program) -> str | None:
    """What its /readyz says is missing; None when it is ready."""
    try:
        with urllib.request.urlopen(f"{program.ops_url}/readyz", timeout=5):
            return None
    except urllib.error.HTTPError as answer:
        with answer:
            return answer.read(1_000).decode(errors="replace").strip()
    except OSError as error:
        return str(error)


def default_run_dir(environ: Mapping[str, str] = os.environ) -> Path:
    return Path(environ.get("LASTWATERS_DATA_DIR") or ROOT / ".run")
