"""Runs the checks and tests part by part and says how long each took.

    python tests/run.py            all parts, those that may in two lanes
    python tests/run.py rules      one or some of them

PYTEST_ADDOPTS is passed on to every part. The last line counts what passed and failed; the exit status is 0
only when every part ran at least one test and none failed.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent

CHECK = "check"
INTERRUPTED = 130
# In the order of their speed, so that what is broken shows early.
PARTS = ("rules", "warfare", "services", "gateway", "deploy", "stack", "simulation", "web", "drills")
# The Debian packages that parts need, by their names in deploy/packages.py.
SERVERS = ("postgresql", "rabbitmq", "redis")
NEEDED = {
    "services": SERVERS,
    "web": ("chromium", "fonts"),
    "deploy": SERVERS,
    "stack": SERVERS,
    "drills": SERVERS,
}
# Beside each other where all parts run, as long as none looks at how long anything takes: the first lane tells as it
# goes, the second, which gives way to it, when the first is through.
LANES = (
    ((CHECK, "rules", "warfare"), ("services", "gateway")),
    (("deploy", "stack"), ("simulation",)),
)
# Not tests: measures, run by `make bench`.
NO_PARTS = frozenset({"bench"})


@dataclass(frozen=True)
class Outcome:
    """How one part went."""

    part: str
    seconds: float
    status: int
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    @property
    def problem(self) -> str:
        """Why this part is not green; empty when it is."""
        if self.status == INTERRUPTED:
            return "interrupted"
        if self.failed:
            return "failed"
        if self.part != CHECK and not self.passed:
            return "ran no test"
        return f"ended with status {self.status}" if self.status else ""


def run(command: Sequence[str | Path]) -> int:
    """The exit status of a command that is given the time to clean up after Ctrl-C."""
    return wait(subprocess.Popen(command, cwd=ROOT))


def wait(child: "subprocess.Popen[bytes]") -> int:
    """Its exit status; INTERRUPTED if a signal came for it or for us."""
    stopped: list[int] = []

    def stop(number: int, _: object) -> None:
        stopped.append(number)
        # The terminal sends Ctrl-C to the child as well; any other signal is passed on as one.
        if number != signal.SIGINT:
            child.send_signal(signal.SIGINT)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        status = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return INTERRUPTED if stopped else status


def run_check() -> Outcome:
    started = time.monotonic()
    status = run(["make", "--no-print-directory", CHECK])
    return Outcome(CHECK, time.monotonic() - started, status, failed=int(status not in (0, INTERRUPTED)))


def run_part(part: str) -> Outcome:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="lastwaters-results-") as directory:
        results = Path(directory) / "results.xml"
        status = run([sys.executable, "-m", "pytest", TESTS / part, f"--junitxml={results}"])
        counts = read_counts(results) if results.exists() else {}
    return Outcome(part, time.monotonic() - started, status, **counts)


def read_counts(results: Path) -> dict[str, int]:
    """Passed, failed and skipped from a JUnit file; an error of a fixture counts as a failure."""
    suites = ElementTree.parse(results).getroot().iter("testsuite")
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for suite in suites:
        tests, failures, errors, skipped = (
            int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")
        )
        counts["failed"] += failures + errors
        counts["skipped"] += skipped
        counts["passed"] += max(0, tests - failures - errors - skipped)
    return counts


def forgotten_folders() -> list[str]:
    """Folders with tests that no part runs."""
    folders = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py")}
    return sorted(folders - set(PARTS) - NO_PARTS)


def report(outcomes: Sequence[Outcome], seconds: float) -> str:
    """The table of minutes and the line of counts; ``seconds`` in all."""
    lines = ["", f"{'part':<10} {'minutes':>7} {'passed':>7} {'failed':>7} {'skipped':>7}"]
    for outcome in outcomes:
        counts = f"{outcome.passed:>7} {outcome.failed:>7} {outcome.skipped:>7}"
        lines.append(f"{outcome.part:<10} {outcome.seconds / 60:>7.1f} {counts}  {outcome.problem}".rstrip())
    lines.append(f"{'all':<10} {seconds / 60:>7.1f}")
    passed, failed, skipped = (
        sum(getattr(outcome, name) for outcome in outcomes) for name in ("passed", "failed", "skipped")
    )
    lines.append(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return "\n".join(lines)


def run_parts(parts: Sequence[str]) -> list[Outcome]:
    """One after another, until one is interrupted."""
    outcomes: list[Outcome] = []
    for part in parts:
        print(f"\n== {part}", flush=True)
        outcomes.append(run_check() if part == CHECK else run_part(part))
        if outcomes[-1].status == INTERRUPTED:
            break
    return outcomes


def run_lanes(first: Sequence[str], second: Sequence[str]) -> list[Outcome]:
    """Two rows of parts at once; the second in a run of its own, whose words are kept until the first is through."""
    with tempfile.TemporaryDirectory(prefix="lastwaters-lane-") as directory:
        said, found = Path(directory) / "said", Path(directory) / "outcomes.json"
        with said.open("wb") as output:
            command = [sys.executable, Path(__file__), *second, "--outcomes", found]
            beside = subprocess.Popen(["nice", *command], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
            outcomes = run_parts(first)
            if outcomes[-1].status == INTERRUPTED:
                beside.send_signal(signal.SIGINT)
            status = wait(beside)
        sys.stdout.write(said.read_text(errors="replace"))
        if found.exists():
            outcomes += [Outcome(**fields) for fields in json.loads(found.read_text())]
        else:
            outcomes.append(Outcome(" ".join(second), 0.0, status or 1))
    return outcomes


def run_all() -> list[Outcome]:
    """The lanes, then what must have the machine to itself."""
    outcomes: list[Outcome] = []
    together = {part for lanes in LANES for lane in lanes for part in lane}
    alone = [part for part in PARTS if part not in together]
    for stage in (*(partial(run_lanes, *lanes) for lanes in LANES), partial(run_parts, alone)):
        outcomes += stage()
        if INTERRUPTED in [outcome.status for outcome in outcomes]:
            break
    return outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts named one after another, or all, some of them beside each other."""
    parser = argparse.ArgumentParser(prog="tests/run.py", description=main.__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {CHECK}, {', '.join(PARTS)}")
    parser.add_argument("--outcomes", type=Path, help="write the outcomes there as JSON instead of a table")
    given = parser.parse_args(arguments)
    wanted = given.parts or [CHECK, *PARTS]
    if unknown := [part for part in wanted if part not in (CHECK, *PARTS)]:
        parser.error(f"no such part: {', '.join(unknown)}; there are {CHECK}, {', '.join(PARTS)}")
    if forgotten := forgotten_folders():
        parser.error(f"tests/{forgotten[0]} holds tests but is no part in tests/run.py")
    needed = sorted({name for part in wanted for name in NEEDED.get(part, ())})
    if needed and (status := run([sys.executable, "-m", "deploy.packages", *needed])):
        return status
    started = time.monotonic()
    outcomes = run_parts(wanted) if given.parts else run_all()
    if given.outcomes:
        given.outcomes.write_text(json.dumps([asdict(outcome) for outcome in outcomes]))
    else:
        print(report(outcomes, time.monotonic() - started), flush=True)
    if INTERRUPTED in [outcome.status for outcome in outcomes]:
        return INTERRUPTED
    return int(any(outcome.problem for outcome in outcomes))


if __name__ == "__main__":
    # Started in the background it would ignore Ctrl-C, and so would all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    sys.exit(main())
