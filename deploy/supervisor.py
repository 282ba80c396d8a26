"""Keeps the processes of a stack running: what ends is started again, later each time it ends soon.

    python -m deploy.supervisor RUN_DIR

A service leaves by itself when the broker goes away under a reply it owes; that is expected, and this is the
hand that starts it again. On SIGTERM the supervisor leaves and its processes stay: ending them in order is
the work of whoever stops the stack, and must also work when the supervisor was killed.

It also keeps the logs below the run directory within bounds. Nothing starts the supervisor again, so a full
disk must not end it.
"""

import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from deploy.plan import Plan, Program, without_addresses
from deploy.processes import RECORD_VARIABLE, Process

LOOK_SECONDS = 0.2
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
STEADY_SECONDS = 60.0
LOGS_SECONDS = 10.0
LOGS = ("logs/*.log", "servers/*/*.log")
LOG_BYTES = 50_000_000

# A full disk can keep the record of a process empty, and nobody could end what runs unrecorded.
IF_RECORDED = ("/bin/sh", "-c", f'[ -s "${RECORD_VARIABLE}" ] && exec "$@"', "sh")


def plan_file(run_dir: Path) -> Path:
    return run_dir / "plan.json"


def log_file(run_dir: Path, name: str) -> Path:
    return run_dir / "logs" / f"{name}.log"


def process_of(run_dir: Path, name: str) -> Process:
    """The process of a program of the plan, running or not."""
    return Process((run_dir / "processes" / name).absolute())


def supervisor_of(run_dir: Path) -> Process:
    return Process((run_dir / "supervisor").absolute())


@dataclass
class Backoff:
    """How often in a row a program ended soon after its start, and when it may start again."""

    failures: int = 0
    started: float = 0.0
    next_start: float | None = None

    def ended(self, now: float) -> float:
        """Note an end; the seconds to wait before the next start."""
        self.failures = 0 if now - self.started > STEADY_SECONDS else self.failures + 1
        wait = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(self.failures, 16))
        self.next_start = now + wait
        return wait

    def start(self, now: float) -> None:
        self.started = now
        self.next_start = None


class Supervisor:
    """Looks at every program of the plan a few times a second."""

    def __init__(self, run_dir: Path) -> None:
        self.run_dir = run_dir
        self._backoffs: dict[str, Backoff] = {}
        self._plan: Plan | None = None
        self._plan_age = 0
        self._logs_due = 0.0

    def look(self, now: float) -> None:
        """Start what is new or due, note what has ended. `now` is any clock that never goes back."""
        if now >= self._logs_due:
            self._logs_due = now + LOGS_SECONDS
            self._bound_logs()
        for program in self._programs():
            try:
                self._look_at(program, now)
            except OSError as error:
                backoff = self._backoffs.setdefault(program.name, Backoff(started=now))
                say(f"{program.name} not started ({error}); trying again in {backoff.ended(now):g} s")

    def _look_at(self, program: Program, now: float) -> None:
        backoff = self._backoffs.get(program.name)
        if backoff is not None and backoff.next_start is not None and now < backoff.next_start:
            return
        if process_of(self.run_dir, program.name).alive:
            # One that was there before this supervisor is taken over as it is.
            self._backoffs.setdefault(program.name, Backoff(started=now)).next_start = None
            return
        if backoff is None:
            backoff = self._backoffs[program.name] = Backoff()
        elif backoff.next_start is None:
            say(f"{program.name} ended; starting again in {backoff.ended(now):g} s")
            return
        backoff.start(now)
        self._start(program)

    def _programs(self) -> list[Program]:
        """The plan as it stands now: it grows when `make up` is asked for more workers."""
        path = plan_file(self.run_dir)
        # While it cannot be read the last one holds.
        with suppress(OSError):
            age = path.stat().st_mtime_ns if path.exists() else 0
            if age != self._plan_age:
                self._plan, self._plan_age = Plan.load(path), age
        return self._plan.programs if self._plan else []

    def _bound_logs(self) -> None:
        with suppress(OSError):
            for log in [log for pattern in LOGS for log in self.run_dir.glob(pattern)]:
                with suppress(OSError):
                    bound_log(log)

    def _start(self, program: Program) -> None:
        assert self._plan is not None
        process = Process.spawn(
            [*IF_RECORDED, *self._plan.command, "serve", program.service],
            record=process_of(self.run_dir, program.name).record,
            log=log_file(self.run_dir, program.name),
            env=without_addresses(os.environ) | program.settings,
        )
        say(f"{program.name} started, process {process.pid}")


def bound_log(log: Path) -> None:
    """Move the end of a log that has outgrown its bound to `NAME.log.1` and empty it.

    Its writers need not know: they have it open for appending. A line written between the two may be lost.
    """
    size = log.stat().st_size
    if size <= LOG_BYTES:
        return
    # Emptied whatever becomes of the copy: it is a full disk that has no room for one.
    with suppress(OSError), log.open("rb") as full, log.with_name(f"{log.name}.1").open("wb") as kept:
        full.seek(size - LOG_BYTES)
        shutil.copyfileobj(full, kept)
    os.truncate(log, 0)


def say(line: str) -> None:
    """Log the line, unless there is no room for it."""
    with suppress(OSError):
        print(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {line}", flush=True)


def main(run_dir: Path) -> None:
    """Supervise until SIGTERM."""
    leaving = Event()
    # Only noted: a start under way is finished and recorded first.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: leaving.set())
    supervisor = Supervisor(run_dir)
    while not leaving.wait(LOOK_SECONDS):
        supervisor.look(time.monotonic())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
