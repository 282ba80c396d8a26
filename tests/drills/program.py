"""The ``lastwaters`` command as drills run it: beside Last Waters the tests' ruleset is installed, matches can be
broken and crash points armed while the process runs, each by a file below ``DRILL_DIR``.

- ``broken/MATCH``: every tick of the match raises while the file is there.
- ``armed/SERVICE.POINT``: the first process of the service that reaches the point takes the file to ``fired`` and
  kills itself as ``LASTWATERS_CRASH_AT`` would have it.
- ``held/SERVICE.POINT``: the first process to reach the point takes the file to ``waiting`` and stands there until
  that file is gone.

The clocks of the processes themselves are wrong on purpose, by ``SKEW``: no promise may depend on them (P3).
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DIRECTORY_VARIABLE = "DRILL_DIR"
EMBEDDED = "embedded"
HOOKS = ("armed", "fired", "held", "waiting", "broken")
SKEW = {"gateway": 30.0, "orders": -30.0, "resolution": 30.0, "clock": -30.0}
"""Seconds, by service."""
LONGEST_HOLD = 20.0


class BrokenMatches:
    """Stands for ``tiny_ruleset.broken_matches``."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __contains__(self, match: str) -> bool:
        return (self._directory / match).exists()


def on_reach(hooks: Path, service: str) -> Callable[[str], None]:
    from shared.runtime import crashpoints

    def reach(point: str) -> None:
        name = f"{service}.{point}"
        if taken(hooks / "armed" / name, hooks / "fired" / name):
            crashpoints.from_environment(point)(point)
        waiting = hooks / "waiting" / name
        if taken(hooks / "held" / name, waiting):
            until = time.monotonic() + LONGEST_HOLD
            while waiting.exists() and time.monotonic() < until:
                time.sleep(0.02)

    return reach


def taken(file: Path, to: Path) -> bool:
    """Whether this process was the one to find the file."""
    try:
        file.rename(to)
    except FileNotFoundError:
        return False
    return True


def install(directory: Path, service: str) -> None:
    from shared import rulesets
    from shared.runtime import crashpoints
    from tests.services import tiny_ruleset

    rulesets.INSTALLED[tiny_ruleset.NAME] = "tests.services.tiny_ruleset:RULESET"
    broken: Any = BrokenMatches(directory / "broken")
    tiny_ruleset.broken_matches = broken
    crashpoints.on_reach = on_reach(directory, service)


def set_wrong(seconds: float) -> None:
    """The process's own idea of the time of day, wherever the product asks for it."""
    from shared.runtime import hosting

    def now(_: object) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=seconds)

    hosting.SystemClock.now = now  # type: ignore[method-assign]


def main() -> None:
    directory = Path(os.environ[DIRECTORY_VARIABLE])
    command, *rest = sys.argv[1:]
    service = rest[0] if command == "serve" else command
    if service != "gateway":
        from shared.runtime import patched  # noqa: F401 - before anything that may wait
    install(directory, service)
    if service in SKEW:
        set_wrong(SKEW[service])
    if command == EMBEDDED:
        serve_embedded()
        return
    from shared.cli.main import main as lastwaters

    lastwaters()


def serve_embedded() -> None:
    from shared.runtime.embedded import Embedded
    from shared.runtime.process import StopSignal
    from shared.runtime.settings import read_settings

    stop = StopSignal()
    embedded = Embedded(read_settings())
    try:
        embedded.serve(stop, started=lambda: print(embedded.address, flush=True))
    finally:
        embedded.close()


if __name__ == "__main__":
    main()
