"""The rules by themselves, against the adjudicator of the diplomacy package on the same machine.

Ours and theirs are measured in turns, each in rounds of a few seconds, so that a change of the machine's speed
meets both. The mid-game is what `tests.rules.playout` makes of a seed: matches in which every faction files what
its options offer, cut to eight orders a faction.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import median

from shared.lastwaters import tick as engine
from shared.lastwaters.memory import Memory
from shared.lastwaters.orders import Order
from shared.lastwaters.world import Snapshot
from tests.bench.figure import Figure
from tests.rules.playout import playout

HERE = Path(__file__).parent
VENV = HERE.parents[1] / ".run" / "bench-venv"
SEED = 11
SEATS, HOLDS_PER_SEAT, ORDERS = 8, 8, 8
MANY_SEATS, MANY_HOLDS_PER_SEAT = 50, 40
MID_GAME = range(8, 20)
ROUNDS, SECONDS = 3, 2.0

Position = tuple[Snapshot, list[Order], Memory]


def tick() -> Iterator[Figure]:
    """Phases 1 to 8 of one tick against one ``Game.process()``."""
    yield against_diplomacy("rules.tick", adjudicate, goal=3.0)


def whole() -> Iterator[Figure]:
    """All ten phases, with every view and report."""
    yield against_diplomacy("rules.whole", resolve, goal=1.0)


def scale() -> Iterator[Figure]:
    """Phases 1 to 8 on a large map, per hold."""
    small, large = mid_game(), mid_game(MANY_SEATS, MANY_HOLDS_PER_SEAT, range(5, 8), matches=1)
    per_hold = [
        [seconds_each(adjudicate, positions) / len(positions[0][0].holds) for positions in (small, large)]
        for _ in range(ROUNDS)
    ]
    yield Figure(
        "rules.scale",
        median(many / few for few, many in per_hold),
        1.5,
        "lower",
        {
            "small_holds": len(small[0][0].holds),
            "small_us_per_hold": median(few for few, _ in per_hold) * 1e6,
            "large_holds": len(large[0][0].holds),
            "large_us_per_hold": median(many for _, many in per_hold) * 1e6,
        },
    )


def against_diplomacy(name: str, work: Callable[[Position], object], goal: float) -> Figure:
    positions = mid_game()
    rounds = [
        (1 / seconds_each(work, positions), processes_per_second(SEED + number)) for number in range(ROUNDS)
    ]
    return Figure(
        name,
        median(ours / theirs for ours, theirs in rounds),
        goal,
        "higher",
        {
            "ticks_per_second": median(ours for ours, _ in rounds),
            "processes_per_second": median(theirs for _, theirs in rounds),
            "seed": SEED,
        },
    )


def adjudicate(position: Position) -> object:
    snapshot, orders, _ = position
    return engine.adjudicate(snapshot, orders)


def resolve(position: Position) -> object:
    return engine.resolve(*position)


def seconds_each(work: Callable[[Position], object], positions: list[Position]) -> float:
    """Seconds for one of ``positions``, each done equally often."""
    for position in positions:
        work(position)
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS:
        for position in positions:
            work(position)
        done += len(positions)
    return spent / done


@cache
def mid_game(
    seats: int = SEATS, holds_per_seat: int = HOLDS_PER_SEAT, ticks: range = MID_GAME, matches: int = 4
) -> list[Position]:
    """Positions before a tick in which every faction has its full number of orders."""
    found = []
    for match in range(matches):
        for step in playout(SEED + match, seats, ticks.stop, holds_per_seat, wild=False):
            orders = [order for order in step.orders if order.seq <= ORDERS]
            if step.before.tick in ticks and len(orders) == seats * ORDERS:
                found.append((step.before, orders, step.memory))
    if not found:
        raise RuntimeError(f"no mid-game position with {ORDERS} orders for each of {seats} factions")
    return found


def processes_per_second(seed: int) -> float:
    """Of the diplomacy package, in a process and a venv of its own."""
    script = HERE / "diplomacy_process.py"
    done = subprocess.run(
        [bench_python(), script, str(seed), str(SECONDS)], check=True, capture_output=True, text=True
    )
    measured = json.loads(done.stdout)
    return float(measured["phases"] / measured["seconds"])


@cache
def bench_python() -> Path:
    """Python of a venv with the packages we measure against; made on first use."""
    python = VENV / "bin" / "python"
    lock = HERE / "requirements.lock"
    installed = VENV / "installed"
    if not installed.exists() or installed.read_text() != lock.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, "--require-hashes", "-r", lock], check=True)
        installed.write_text(lock.read_text())
    return python
