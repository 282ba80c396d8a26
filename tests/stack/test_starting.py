"""How processes start and stop: what is missing is said in a line, two never share a port or data, one signal ends
them cleanly."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from deploy.ports import free_port

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "shared.cli"]
START_SECONDS = 90
STOP_SECONDS = 40


def environment(**settings: object) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LASTWATERS_")}
    return clean | {f"LASTWATERS_{name}": str(value) for name, value in settings.items()}


def run(*arguments: str, **settings: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )


@contextmanager
def playing(data: Path, port: int, ops_port: int) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [*COMMAND, "play", "--cadence", "3600", "--seats", "3"],
        cwd=ROOT,
        env=environment(DATA_DIR=data, PORT=port, OPS_PORT=ops_port, PASSWORD_MEMORY_KIB=8),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def read_until(process: "subprocess.Popen[str]", words: str) -> list[str]:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if words in line:
            return lines
    raise AssertionError("\n".join(lines))


def leave(process: "subprocess.Popen[str]", number: signal.Signals) -> float:
    start = time.monotonic()
    process.send_signal(number)
    assert process.wait(timeout=STOP_SECONDS) == 0
    return time.monotonic() - start


def test_missing_servers_are_named_in_one_line() -> None:
    nowhere = f"amqp://someone:secret@127.0.0.1:{free_port()}//"
    base = f"postgresql://someone:secret@127.0.0.1:{free_port()}/db"
    done = run("serve", "fog", AMQP_URL=nowhere, FOG_DATABASE_URL=base, START_WAIT=0.1)
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "RabbitMQ not reachable at 127.0.0.1" in line
    assert "LASTWATERS_AMQP_URL" in line
    assert "LASTWATERS_FOG_DATABASE_URL" in line
    assert "secret" not in line


def test_settings_that_are_not_set_or_wrong_are_named() -> None:
    done = run("serve", "report", "fog")
    assert done.returncode == 1
    assert all(name in done.stderr for name in ("AMQP_URL", "FOG_DATABASE_URL", "REDIS_URL"))
    done = run("settings", PORT="many", OPS_PORT=70_000)
    assert done.returncode == 2
    assert "LASTWATERS_PORT" in done.stderr
    assert "LASTWATERS_OPS_PORT" in done.stderr
    assert run("serve", "nobody", AMQP_URL="amqp://x").returncode == 2


def test_settings_are_printed_without_their_secrets() -> None:
    done = run("settings", AMQP_URL="amqp://me:hidden@host:1//", SIGNING_KEY="hidden", PORT=8123)
    assert "hidden" not in done.stdout
    assert "LASTWATERS_AMQP_URL = amqp://me:***@host:1//  [environment]" in done.stdout
    assert "LASTWATERS_PORT = 8123  [environment]" in done.stdout
    assert "LASTWATERS_HOST = 127.0.0.1  [default]" in done.stdout


def test_operators_are_told_that_nothing_runs(tmp_path: Path) -> None:
    done = run("ops", "matches", DATA_DIR=tmp_path)
    assert done.returncode == 1
    assert "LASTWATERS_DATA_DIR" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_play_opens_a_match_and_the_next_start_goes_on_with_it(tmp_path: Path) -> None:
    port, ops_port = free_port(), free_port()
    with playing(tmp_path, port, ops_port) as first:
        lines = read_until(first, "tick   0")
        text = "\n".join(lines)
        assert f"http://127.0.0.1:{port}/docs" in text
        match = re.search(r"Match (\S+) is open", text)
        handle = re.search(r"handle (\S+)   password (\S+)", text)
        assert match and handle
        assert f"http://127.0.0.1:{port}/#/sign-in/{handle[1]}/{handle[2]}" in lines[0].split()
        page = requests.get(f"http://127.0.0.1:{port}/", timeout=30)
        assert "/web/js/main.js" in page.text and page.headers["Content-Encoding"] == "gzip"
        shown = run("ops", "matches", DATA_DIR=tmp_path)
        assert match[1] in shown.stdout, shown
        assert requests.get(f"http://127.0.0.1:{ops_port}/readyz", timeout=10).json() == {
            "ready": True,
            "missing": {},
        }
        assert (
            "lastwaters_call_seconds" in requests.get(f"http://127.0.0.1:{ops_port}/metrics", timeout=10).text
        )
        assert requests.post(f"http://127.0.0.1:{ops_port}/operators/calls", timeout=10).status_code == 401

        again = run("play", DATA_DIR=tmp_path, PORT=free_port(), OPS_PORT=free_port())
        assert again.returncode == 1
        assert "already running" in again.stderr.splitlines()[-1]
        taken = run("play", DATA_DIR=tmp_path / "other", PORT=port, OPS_PORT=free_port())
        assert taken.returncode == 1
        assert f"127.0.0.1:{port}" in taken.stderr.splitlines()[-1]

        token = requests.post(
            f"http://127.0.0.1:{port}/v1/sessions",
            json={"handle": handle[1], "password": handle[2]},
            timeout=30,
        ).json()["token"]
        with requests.get(
            f"http://127.0.0.1:{port}/v1/matches/{match[1]}/stream",
            headers={"Authorization": f"Bearer {token}"},
            stream=True,
            timeout=30,
        ) as stream:
            assert stream.status_code == 200
            next(stream.iter_lines())
            leave(first, signal.SIGINT)
    assert (tmp_path / "embedded" / "play.json").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "embedded" / "operators.json").exists()

    with playing(tmp_path, port, ops_port) as second:
        assert f"Match {match[1]} goes on" in "\n".join(read_until(second, "tick   0"))
        leave(second, signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_waiting_for_servers_ends_the_process(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [*COMMAND, "serve", "fog"],
        cwd=ROOT,
        env=environment(
            AMQP_URL=f"amqp://x:y@127.0.0.1:{free_port()}//",
            DATABASE_URL=f"postgresql://x:y@127.0.0.1:{free_port()}/z",
            START_WAIT=300,
        ),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        # The handlers are set before the first look for the servers.
        status = Path(f"/proc/{process.pid}/status")
        deadline = time.monotonic() + START_SECONDS
        while not int(re.search(r"SigCgt:\s*(\w+)", status.read_text())[1], 16) & 1 << signal.SIGTERM - 1:  # type: ignore[index]
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(timeout=STOP_SECONDS) == 0
    finally:
        process.kill()
        process.wait()
