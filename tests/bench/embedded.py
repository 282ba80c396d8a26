"""The embedded stack: what it keeps in memory."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from deploy.ports import free_port
from deploy.stack import LASTWATERS
from tests.bench.figure import Figure

SEATS, CADENCE_SECONDS = 8, 2
PATIENCE_SECONDS = 1_200.0
ENDED = "The match has ended"


def memory() -> Iterator[Figure]:
    """Resident memory of `make play` after a match of eight, played to its end."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LASTWATERS_")}
    with TemporaryDirectory() as directory:
        environ["LASTWATERS_DATA_DIR"] = directory
        for name in ("PORT", "OPS_PORT"):
            environ[f"LASTWATERS_{name}"] = str(free_port())
        play = subprocess.Popen(
            [LASTWATERS, "play", "--seats", str(SEATS), "--cadence", str(CADENCE_SECONDS)],
            env=environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        watchdog = threading.Timer(PATIENCE_SECONDS, play.kill)
        watchdog.start()
        try:
            ticks = ticks_until_the_end(play)
            resident = resident_mebibytes(play.pid)
        finally:
            watchdog.cancel()
            play.send_signal(signal.SIGINT)
            play.communicate(timeout=60)
    yield Figure("embedded.memory", resident, 250.0, "lower", {"seats": SEATS, "ticks": ticks})


def ticks_until_the_end(play: subprocess.Popen[str]) -> int:
    """How many ticks the match had. RuntimeError when the process leaves before its end."""
    assert play.stdout is not None
    ticks = -1
    for line in play.stdout:
        print(f"bench: {line}", end="", file=sys.stderr)
        ticks += line.startswith("tick ")
        if line.startswith(ENDED):
            return ticks
    raise RuntimeError("`lastwaters play` left, or was ended, before the match had")


def resident_mebibytes(pid: int) -> float:
    (line,) = [
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS:")
    ]
    return int(line.split()[1]) / 1024
