"""`make up` and `make down` on real servers, with stand-ins for the services."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.local import main
from deploy.ports import free_port
from deploy.processes import Process
from deploy.stack import Stack
from deploy.supervisor import supervisor_of
from tests.servers import Servers

FAKE = f"{sys.executable} {Path(__file__).with_name('fake_lastwaters.py')}"
EVERYONE = {
    *("accounts", "lobby", "orders", "messaging", "resolution"),
    *("fog", "clock", "report", "bots", "gateway"),
}


@pytest.fixture
def stack(tmp_path: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    """A stack on the session's servers; `run_dir/..` is where the stand-ins are steered from."""
    environ = servers.addresses.environment() | {
        "FAKE_DIR": str(tmp_path),
        "LASTWATERS_PORT": str(free_port()),
        "LASTWATERS_OPS_PORT": str(free_port()),
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("deploy.stack.DRAIN_SECONDS", 3.0)
    stack = Stack(tmp_path / "run")
    yield stack
    stack.stop()


def up(stack: Stack, *counts: str) -> int:
    return main(["up", *counts, "--run-dir", str(stack.run_dir), "--command", FAKE])


def down(stack: Stack) -> int:
    handler = signal.getsignal(signal.SIGINT)
    try:
        return main(["down", "--run-dir", str(stack.run_dir)])
    finally:
        signal.signal(signal.SIGINT, handler)


def wait_for(condition: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def told(stack: Stack, name: str) -> dict[str, str]:
    """The settings a stand-in was given."""
    settings: dict[str, str] = json.loads((stack.run_dir.parent / f"{name}.json").read_text())
    return settings


def test_up_again_and_down(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    assert up(stack, "RESOLUTION=3") == 0
    pids = {program.name: stack.process(program.name).pid for program in stack.programs}
    assert set(pids) == EVERYONE | {"resolution-2", "resolution-3"}
    assert len({program.ops_port for program in stack.programs}) == len(pids)
    printed = capsys.readouterr().out
    assert f"http://127.0.0.1:{os.environ['LASTWATERS_PORT']}" in printed
    assert str(stack.run_dir / "logs") in printed

    assert up(stack, "RESOLUTION=2", "FOG=2") == 0
    printed = capsys.readouterr().out
    assert "resolution: 3 run, 2 asked for" in printed
    assert {program.name for program in stack.programs} == set(pids) | {"fog-2"}
    assert {name: stack.process(name).pid for name in pids} == pids

    processes = [stack.process(program.name) for program in stack.programs]
    assert down(stack) == 0
    assert not any(process.members() for process in [*processes, supervisor_of(stack.run_dir)])
    left = (stack.run_dir.parent / "left").read_text().split()
    assert left[-1] == "gateway"  # the last to leave, so that requests meet services that are still there
    assert len(left) == 13  # one signal each
    capsys.readouterr()
    assert down(stack) == 0
    assert capsys.readouterr().out == "nothing was running\n"


def test_each_service_gets_its_own_database_role_only(stack: Stack) -> None:
    assert up(stack) == 0
    for name in EVERYONE - {"gateway"}:
        urls = {key: url for key, url in told(stack, name).items() if key.endswith("DATABASE_URL")}
        assert list(urls) == [f"LASTWATERS_{name.upper()}_DATABASE_URL"]
        assert f"//lastwaters_{name}:" in next(iter(urls.values()))
    assert not any(key.endswith("DATABASE_URL") for key in told(stack, "gateway"))
    migrate = told(stack, "migrate")
    assert migrate["LASTWATERS_ADMIN_DATABASE_URL"] == os.environ["LASTWATERS_ADMIN_DATABASE_URL"]
    assert migrate["LASTWATERS_FOG_DATABASE_URL"] == told(stack, "fog")["LASTWATERS_FOG_DATABASE_URL"]
    for secret in ("plan.json", "passwords.json", "environment", "servers.json"):
        assert (stack.run_dir / secret).stat().st_mode & 0o777 == 0o600
    sourced = subprocess.run(
        ["sh", "-c", f". {stack.environment_file} && echo $LASTWATERS_FOG_DATABASE_URL"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert sourced.stdout.strip() == migrate["LASTWATERS_FOG_DATABASE_URL"]


def test_killed_service_is_started_again(stack: Stack) -> None:
    assert up(stack) == 0
    process = stack.process("lobby")
    first = process.pid
    process.kill()
    wait_for(lambda: process.pid not in (None, first))
    assert "lobby ended; starting again" in stack.log("supervisor").read_text()


def test_up_and_down_work_after_the_supervisor_was_killed(stack: Stack) -> None:
    assert up(stack) == 0
    clock = stack.process("clock").pid
    supervisor_of(stack.run_dir).send(signal.SIGKILL)
    wait_for(lambda: not supervisor_of(stack.run_dir).alive)
    assert up(stack) == 0
    assert stack.process("clock").pid == clock
    supervisor_of(stack.run_dir).send(signal.SIGKILL)
    processes = [stack.process(program.name) for program in stack.programs]
    assert down(stack) == 0
    assert not any(process.members() for process in processes)


def test_stubborn_service_is_killed_after_its_time(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    (stack.run_dir.parent / "report.stubborn").touch()
    assert up(stack) == 0
    process: Process = stack.process("report")
    assert down(stack) == 0
    assert "report did not leave within 3 s and was killed" in capsys.readouterr().out
    assert not process.alive
    assert stack.log("report").read_text().count("asked to leave") == 1


def test_service_that_cannot_start_undoes_the_start(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    (stack.run_dir.parent / "fog.broken").touch()
    assert up(stack) == 1
    problem = capsys.readouterr().err
    assert "fog ends while starting" in problem
    assert "broken on purpose" in problem
    assert list((stack.run_dir / "processes").glob("*")) == []
    assert not supervisor_of(stack.run_dir).alive


def test_failing_migration_starts_nothing(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    (stack.run_dir.parent / "migrate.broken").touch()
    assert up(stack) == 1
    assert "migrations failed" in (problem := capsys.readouterr().err)
    assert "no such column" in problem
    assert not (stack.run_dir / "processes").exists()


def test_taken_port_is_one_line(
    stack: Stack, servers: Servers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LASTWATERS_PORT", str(servers.redis.port))
    assert up(stack) == 1
    expected = f"port {servers.redis.port} on 127.0.0.1 is taken; choose another with LASTWATERS_PORT\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("word", ["GATEWAY=2", "KITCHEN=1", "FOG=0", "FOG=many", "FOG=-1", "FOG"])
def test_bad_counts_are_one_line(stack: Stack, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert up(stack, word) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not stack.run_dir.exists()


def test_interrupted_start_leaves_nothing(stack: Stack) -> None:
    (stack.run_dir.parent / "bots.broken").touch()  # so that it never becomes ready
    starting = subprocess.Popen(
        [sys.executable, "-m", "deploy.local", "up", "--run-dir", stack.run_dir, "--command", FAKE],
        stderr=subprocess.PIPE,
    )
    wait_for(lambda: stack.process("lobby").alive)
    processes = [stack.process(program.name) for program in stack.programs]
    starting.send_signal(signal.SIGINT)
    starting.communicate()
    assert starting.returncode in (1, 130)
    assert not any(process.members() for process in [*processes, supervisor_of(stack.run_dir)])


def test_two_starts_at_once_do_not_meet(stack: Stack) -> None:
    command = [sys.executable, "-m", "deploy.local", "up", "--run-dir", stack.run_dir, "--command", FAKE]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    problems = [process.communicate()[1] for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes in ([0, 0], [0, 1])  # the second either came too early or found everything running
    if codes == [0, 1]:
        assert "another `make up` or `make down` is at work" in "".join(problems)
    assert stack.process("gateway").alive
