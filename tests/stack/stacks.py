"""Both stacks as processes of their own, for tests from outside: an address for players, settings for operators."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import sqlalchemy as sa

from deploy.plan import database_variable
from deploy.ports import free_port
from deploy.stack import LASTWATERS, Stack
from shared.runtime.rpc_client import RpcClient
from shared.storage.engine import create_engine
from tests.servers import Servers, guarded_directory
from tests.stack.client import Client

ROOT = Path(__file__).parents[2]
CADENCES = (2, 4, 3600)
STOP_SECONDS = 30

FOR_TRIALS = {
    "LASTWATERS_TRIAL_CADENCES": ",".join(map(str, CADENCES)),
    "LASTWATERS_TRIAL_SEEDS": "1",
    "LASTWATERS_LIMITS_FACTOR": "10000",
    "LASTWATERS_PASSWORD_MEMORY_KIB": "8",
    "LASTWATERS_PASSWORD_ROUNDS": "1",
    "LASTWATERS_OPEN_LOBBIES": "100",
}


@dataclass(frozen=True)
class Running:
    """A stack that runs. ``environ``: with it, ``lastwaters ops`` finds the stack."""

    url: str
    environ: Mapping[str, str]
    stack: Stack | None = None
    pid: int | None = None
    """Of the one process of the embedded stack."""

    def visitor(self) -> Client:
        return Client(self.url)

    def player(self, name: str) -> Client:
        """A new account of that name and a few letters more, signed in."""
        return self.visitor().sign_up(f"{name}-{uuid4().hex[:6]}")

    def engine(self, service: str) -> sa.Engine:
        """The tables of a service of the real stack, under its own role."""
        assert self.stack is not None
        program = next(program for program in self.stack.programs if program.service == service)
        return create_engine(program.settings[database_variable(service)], service)

    def ops(self, *words: str, seconds: float = 30) -> "subprocess.CompletedProcess[str]":
        """What an operator's command said."""
        return lastwaters(self.environ, "ops", *words, seconds=seconds)


def lastwaters(
    environ: Mapping[str, str], *words: str, seconds: float = 60
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [LASTWATERS, *words],
        cwd=ROOT,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """This process's, without settings but those given. What is started may keep what it compiled: many processes
    of one test would else do so again and again."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("LASTWATERS_") and name != "PYTHONDONTWRITEBYTECODE"
    }
    return {**kept, **settings}


@contextmanager
def real_stack(servers: Servers, resolution: int = 3, **settings: str) -> Iterator[Running]:
    """One process a service over the session's servers, and an empty database; all is gone afterwards."""
    name = f"stack_{uuid4().hex[:12]}"
    admin = servers.postgresql.create_database(name)
    environ = environment(
        FOR_TRIALS
        | {
            "LASTWATERS_AMQP_URL": servers.addresses.amqp_url,
            "LASTWATERS_DATABASE_URL": admin,
            "LASTWATERS_ADMIN_DATABASE_URL": admin,
            "LASTWATERS_REDIS_URL": servers.addresses.redis_url,
            "LASTWATERS_PORT": str(free_port()),
            "LASTWATERS_OPS_PORT": str(free_port()),
        }
        | settings
    )
    with guarded_directory() as directory:
        stack = Stack(directory, say=lambda line: print(line, file=sys.stderr))
        try:
            stack.start({"resolution": resolution}, environ)
            plan = stack.plan
            assert plan is not None and plan.gateway is not None
            yield Running(plan.gateway.url, environ, stack)
        finally:
            stack.stop()
    servers.postgresql.drop_database(name)


def broker_call(running: Running) -> RpcClient:
    """Calls to the services of a real stack, as the gateway makes them."""
    return RpcClient(running.environ["LASTWATERS_AMQP_URL"], size=2)


@contextmanager
def embedded_stack(data_dir: Path, *arguments: str, **settings: str) -> Iterator[Running]:
    """The embedded stack in a process (``tests.stack.embedded_process``, which takes ``arguments``)."""
    environ = environment(
        FOR_TRIALS
        | {
            "LASTWATERS_DATA_DIR": str(data_dir),
            "LASTWATERS_PORT": str(free_port()),
            "LASTWATERS_OPS_PORT": str(free_port()),
        }
        | settings
    )
    command = [sys.executable, "-m", "tests.stack.embedded_process", *arguments]
    data_dir.mkdir(parents=True, exist_ok=True)
    with started(command, environ, data_dir / "stderr") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, (data_dir / "stderr").read_text()[-4000:]
        yield Running(json.loads(line)["address"], environ, pid=process.pid)


@contextmanager
def started(
    command: Sequence[str | Path], environ: Mapping[str, str], errors: Path
) -> Iterator["subprocess.Popen[str]"]:
    """A process of its own group that is asked to leave, and made to, at the end; it never outlives this one."""
    with errors.open("ab") as stderr:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *command],
            cwd=ROOT,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)
        assert process.stdout is not None
        process.stdout.close()
