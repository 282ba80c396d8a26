"""The supervisor goes on whatever a full disk refuses it, and keeps logs within bounds."""

import errno
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy import supervisor as supervisor_module
from deploy.plan import Plan, Program
from deploy.processes import RECORD_VARIABLE
from deploy.supervisor import (
    IF_RECORDED,
    LOGS_SECONDS,
    Supervisor,
    bound_log,
    log_file,
    plan_file,
    process_of,
)

NAMES = ("fog", "orders")


class FullDisk(io.StringIO):
    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def run_dir(tmp_path: Path) -> Iterator[Path]:
    programs = [Program(name=name, service=name, ops_port=1, settings={}) for name in NAMES]
    Plan(["/bin/sh", "-c", "echo hello; exec sleep 600"], programs).save(plan_file(tmp_path))
    yield tmp_path
    for name in NAMES:
        process_of(tmp_path, name).kill()


def alive(run_dir: Path) -> list[str]:
    return [name for name in NAMES if process_of(run_dir, name).alive]


def test_a_supervisor_that_can_log_nothing_starts_what_is_not_there(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supervisor = Supervisor(run_dir)
    monkeypatch.setattr(sys, "stdout", FullDisk())
    supervisor.look(0.0)
    assert alive(run_dir) == ["fog", "orders"]
    process_of(run_dir, "fog").kill()
    supervisor.look(100.0)
    supervisor.look(101.0)
    assert alive(run_dir) == ["fog", "orders"]


def test_a_program_that_cannot_be_started_keeps_no_other_from_it_and_is_tried_again(
    run_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log_file(run_dir, "fog").mkdir(parents=True)
    supervisor = Supervisor(run_dir)
    for moment in range(50):
        supervisor.look(moment * 0.2)
    assert alive(run_dir) == ["orders"]
    assert capsys.readouterr().out.count("fog not started") == 4  # after 1, 2, 4, 8 seconds
    log_file(run_dir, "fog").rmdir()
    supervisor.look(50.0)
    assert alive(run_dir) == ["fog", "orders"]
    supervisor.look(50.2)
    process_of(run_dir, "fog").kill()
    supervisor.look(50.4)
    assert "fog ended; starting again" in capsys.readouterr().out


def test_a_plan_that_cannot_be_read_leaves_the_last_one(run_dir: Path) -> None:
    supervisor = Supervisor(run_dir)
    supervisor.look(0.0)
    plan_file(run_dir).unlink()
    plan_file(run_dir).mkdir()
    process_of(run_dir, "fog").kill()
    supervisor.look(1.0)
    supervisor.look(10.0)
    assert alive(run_dir) == ["fog", "orders"]


def test_what_could_not_be_recorded_does_not_run(tmp_path: Path) -> None:
    record = tmp_path / "record"

    def printed() -> bytes:
        command = [*IF_RECORDED, "echo", "it", "runs"]
        return subprocess.run(
            command, env={RECORD_VARIABLE: str(record)}, stdout=subprocess.PIPE, check=False
        ).stdout

    record.touch()
    assert printed() == b""
    record.write_text("boot\nstat\n")
    assert printed() == b"it runs\n"


def test_a_log_that_outgrows_its_bound_is_kept_once_and_begun_anew(
    run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "LOG_BYTES", 100)
    server = run_dir / "servers" / "redis" / "redis.log"
    server.parent.mkdir(parents=True)
    server.write_bytes(b"x" * 101)
    supervisor = Supervisor(run_dir)
    supervisor.look(0.0)
    assert (server.stat().st_size, server.with_name("redis.log.1").stat().st_size) == (0, 100)

    log = log_file(run_dir, "fog")
    kept = log.with_name("fog.log.1")
    with log.open("ab", buffering=0) as writer:
        for text in (b"a", b"b"):
            writer.write(text * 1_000)
            supervisor.look(supervisor._logs_due)
            assert log.stat().st_size == 0
            assert kept.read_bytes() == text * 100
        writer.write(b"c" * 100)
    supervisor.look(supervisor._logs_due - LOGS_SECONDS / 2)
    supervisor.look(supervisor._logs_due)
    assert log.read_bytes() == b"c" * 100
    assert sorted(path.name for path in log.parent.iterdir()) == ["fog.log", "fog.log.1", "orders.log"]


def test_a_log_with_no_room_for_a_copy_is_emptied_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "LOG_BYTES", 100)
    log = tmp_path / "fog.log"
    log.write_bytes(b"x" * 101)
    log.with_name("fog.log.1").mkdir()
    bound_log(log)
    assert log.stat().st_size == 0
