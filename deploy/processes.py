"""Processes that outlive the command which started them, and that are never mistaken for others.

A process is known by its record file: the boot, process id and start time, written by the process itself
before it becomes the program. So no moment exists in which it runs unrecorded, and a record whose process id
now belongs to something else matches nothing.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
BOOT_ID = PROC / "sys/kernel/random/boot_id"
POLL_SECONDS = 0.02

# Every descendant inherits this variable, so it is found even when its parent is gone.
RECORD_VARIABLE = "DEPLOY_PROCESS_RECORD"

# Standard input is the record file, opened by the parent: the child may be another user who cannot reach it.
_RECORD_AND_EXEC = """
read -r boot < /proc/sys/kernel/random/boot_id
read -r stat < /proc/$$/stat
printf '%s\\n%s\\n' "$boot" "$stat" >&0
exec "$@" < /dev/null
"""

# Children of this very process have to be reaped by it; all others by whoever is their parent.
_children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True)
class _Stat:
    """What is needed of /proc/PID/stat; `started` is in clock ticks since boot."""

    pid: int
    state: str
    parent: int
    started: int

    @classmethod
    def parse(cls, line: str) -> "_Stat":
        pid = int(line.split(" ", 1)[0])
        # The program name stands in parentheses and may itself hold spaces and parentheses.
        fields = line[line.rindex(")") + 2 :].split()
        return cls(pid=pid, state=fields[0], parent=int(fields[1]), started=int(fields[19]))


def _stat(pid: int) -> _Stat | None:
    try:
        return _Stat.parse((PROC / str(pid) / "stat").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return None


def _all_stats() -> Iterator[_Stat]:
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (stat := _stat(int(entry.name))) is not None:
            yield stat


@dataclass(frozen=True)
class Identity:
    """One process for ever: its id together with its start time."""

    pid: int
    started: int

    @property
    def alive(self) -> bool:
        child = _children.get(self.pid)
        if child is not None and child.poll() is not None:
            del _children[self.pid]
        stat = _stat(self.pid)
        return stat is not None and stat.started == self.started and stat.state not in "ZX"

    def send(self, number: signal.Signals) -> bool:
        """Send the signal; False when this process is gone, whatever now has its id."""
        try:
            descriptor = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return False
        try:
            # The descriptor pins the process, so between this check and the signal nothing can change.
            if not self.alive:
                return False
            signal.pidfd_send_signal(descriptor, number)
        except ProcessLookupError:
            return False
        finally:
            os.close(descriptor)
        return True


@dataclass(frozen=True)
class Process:
    """A program started by `spawn`, in this run or an earlier one, with everything it started in turn."""

    record: Path

    @classmethod
    def spawn(
        cls,
        command: Sequence[str | Path],
        *,
        record: Path,
        log: Path,
        env: Mapping[str, str],
        cwd: Path | None = None,
        user: str | None = None,
    ) -> "Process":
        """Start the command in a session of its own, output appended to `log`, known by `record`.

        `user` is the name of the user to run as (only root may name one). Raises RuntimeError when the
        recorded process still runs.
        """
        process = cls(record.absolute())
        if process.alive:
            raise RuntimeError(f"already running: {process.record}")
        record.parent.mkdir(parents=True, exist_ok=True)
        log.parent.mkdir(parents=True, exist_ok=True)
        with record.open("wb") as recording, log.open("ab") as output:
            child = subprocess.Popen(
                ["/bin/sh", "-c", _RECORD_AND_EXEC, "sh", *map(str, command)],
                stdin=recording,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env={**env, RECORD_VARIABLE: str(process.record)},
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        _children[child.pid] = child
        while process.identity is None and child.poll() is None:
            time.sleep(POLL_SECONDS / 10)
        return process

    @property
    def identity(self) -> Identity | None:
        """Who was started, dead or alive; None when nothing was, or before the last boot."""
        try:
            boot, line = self.record.read_text().splitlines()
        except (FileNotFoundError, ValueError):
            return None
        if boot != BOOT_ID.read_text().strip():
            return None
        stat = _Stat.parse(line)
        return Identity(stat.pid, stat.started)

    @property
    def pid(self) -> int | None:
        return identity.pid if (identity := self.identity) is not None and identity.alive else None

    @property
    def alive(self) -> bool:
        return (identity := self.identity) is not None and identity.alive

    def send(self, number: signal.Signals) -> bool:
        """Signal the program itself, not what it started; False when it is gone."""
        return (identity := self.identity) is not None and identity.send(number)

    def members(self) -> list[Identity]:
        """The living processes of this program: itself, its descendants, and orphans it left behind."""
        root = self.identity
        if root is None:
            return []
        stats = {stat.pid: stat for stat in _all_stats() if stat.state not in "ZX"}
        ours = {root.pid} if root.alive else set()
        mark = f"{RECORD_VARIABLE}={self.record}".encode()
        for stat in stats.values():
            if stat.started < root.started or stat.pid in ours:
                continue
            with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                if mark in (PROC / str(stat.pid) / "environ").read_bytes().split(b"\0"):
                    ours.add(stat.pid)
        # PostgreSQL's workers overwrite their environment, but they are children of the postmaster.
        grown = True
        while grown:
            children = {stat.pid for stat in stats.values() if stat.parent in ours} - ours
            ours |= children
            grown = bool(children)
        return [Identity(pid, stats[pid].started) for pid in sorted(ours) if pid in stats]

    def send_all(self, number: signal.Signals) -> None:
        """Signal every member."""
        for member in self.members():
            member.send(number)

    def kill(self) -> None:
        """SIGKILL for every member; returns when they are gone. Harmless when nothing runs.

        Raises TimeoutError when the kernel does not let one go (a process stuck in a device).
        """
        # More than one round: a member may have started another between the look and the signal.
        for _ in range(5):
            members = self.members()
            if not members:
                return
            for member in members:
                member.send(signal.SIGKILL)
            wait_until_gone(members, 5)
        raise TimeoutError(f"still there after SIGKILL: {self.members()}")

    def end(self, number: signal.Signals = signal.SIGTERM, patience: float = 10) -> bool:
        """One signal to the program, up to `patience` seconds for it to leave, SIGKILL for what is left.

        True when it left by itself. Idempotent.
        """
        return not end_all([self], number, patience)


def end_all(
    processes: Sequence[Process], number: signal.Signals = signal.SIGTERM, patience: float = 10
) -> list[Process]:
    """End several at the same time, each with one signal; those that had to be killed in the end."""
    members = {process: process.members() for process in processes}
    for process, living in members.items():
        for member in living:
            member.send(signal.SIGCONT)  # a paused program could not act on the signal
        process.send(number)
    deadline = time.monotonic() + patience
    stubborn = [
        process
        for process, living in members.items()
        if not wait_until_gone(living, deadline - time.monotonic())
    ]
    for process in processes:
        process.kill()
        process.record.unlink(missing_ok=True)
    return stubborn


def wait_until_gone(members: Sequence[Identity], patience: float) -> bool:
    """Wait up to `patience` seconds; True when none of the processes is left."""
    deadline = time.monotonic() + patience
    while any(member.alive for member in members):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def last_lines(log: Path, count: int = 8) -> str:
    """The end of a log file, for an error message; empty when there is none."""
    try:
        text = log.read_text(errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-count:])
