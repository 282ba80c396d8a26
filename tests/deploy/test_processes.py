"""A process is known by id and start time together."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.processes import Identity, Process

SLEEP = ["/bin/sleep", "600"]


def spawn(directory: Path, command: list[str] | None = None) -> Process:
    return Process.spawn(
        command or SLEEP, record=directory / "process", log=directory / "log", env=dict(os.environ)
    )


def test_reused_process_id_is_not_killed(tmp_path: Path) -> None:
    ours = spawn(tmp_path / "ours")
    boot, stat = ours.record.read_text().splitlines()
    ours.kill()
    stranger = subprocess.Popen(SLEEP)
    try:
        fields = stat.rpartition(")")[2].split()
        forged = f"{stranger.pid} (sleep) {' '.join(fields)}"
        ours.record.write_text(f"{boot}\n{forged}\n")
        assert not ours.alive
        assert not ours.send(signal.SIGKILL)
        ours.kill()
        ours.end(patience=1)
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_record_of_an_earlier_boot_matches_nothing(tmp_path: Path) -> None:
    process = spawn(tmp_path)
    boot, stat = process.record.read_text().splitlines()
    process.record.write_text(f"{'0' * len(boot)}\n{stat}\n")
    assert process.identity is None
    assert not process.send(signal.SIGKILL)
    process.record.write_text(f"{boot}\n{stat}\n")
    assert process.alive
    process.kill()


def test_kill_reaches_orphans_of_a_dead_program(tmp_path: Path) -> None:
    process = spawn(tmp_path, ["/bin/sh", "-c", "setsid sleep 600 & sleep 600"])
    deadline = time.monotonic() + 10
    while len(process.members()) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    everyone = process.members()
    assert len(everyone) == 3
    process.send(signal.SIGKILL)
    while process.alive:
        time.sleep(0.01)
    assert len(process.members()) == 2
    process.kill()
    assert not any(member.alive for member in everyone)


def test_end_sends_one_signal_and_forces_the_stubborn(tmp_path: Path) -> None:
    count = (
        "import signal, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: print('asked', flush=True))\n"
        "print('ready', flush=True)\n"
        "while True: time.sleep(0.05)\n"
    )
    process = spawn(tmp_path, [sys.executable, "-c", count])
    log = tmp_path / "log"
    while "ready" not in log.read_text():
        time.sleep(0.01)
    assert process.end(patience=0.5) is False
    assert log.read_text().count("asked") == 1
    assert not process.alive
    assert process.end() is True


def test_second_spawn_on_a_living_record_is_refused(tmp_path: Path) -> None:
    process = spawn(tmp_path)
    with pytest.raises(RuntimeError, match="already running"):
        spawn(tmp_path)
    process.kill()


def test_program_that_does_not_exist_is_dead_and_logged(tmp_path: Path) -> None:
    process = spawn(tmp_path, ["/no/such/program"])
    deadline = time.monotonic() + 10
    while process.alive and time.monotonic() < deadline:
        time.sleep(0.01)
    assert "/no/such/program" in (tmp_path / "log").read_text()


def test_identity_needs_the_start_time() -> None:
    assert not Identity(os.getpid(), 0).alive
