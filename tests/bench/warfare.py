"""Battles of the second ruleset between computer players, as ``lastwaters warfare odds`` fights them."""

import time
from collections.abc import Iterator

from shared.warfare.description import read_battle
from shared.warfare.odds import odds
from tests.bench.figure import Figure

BATTLES = 1000
GOAL_SECONDS = 60.0
CLASSES = ("infantry", "archers", "hammers", "pikes")


def battles() -> Iterator[Figure]:
    """Two sides of four armies each."""
    plan = read_battle(
        {
            "seed": "bench",
            "armies": {
                power: [
                    {
                        "id": f"{power}-{class_}", "ancestry": ancestry, "class": class_, "rank": 2, "units": 4,
                        "tier": "Medium", "attack": "d6", "morale": "d6",
                    }
                    for class_ in CLASSES
                ]
                for power, ancestry in (("p1", "orcs"), ("p2", "mountain-dwarves"))
            },
        }
    )  # fmt: skip
    started = time.perf_counter()
    found = odds(plan, BATTLES, {"p1": "strong", "p2": "sound"})
    seconds = time.perf_counter() - started
    yield Figure(
        "warfare.battles",
        seconds,
        GOAL_SECONDS,
        "lower",
        {
            "battles": BATTLES,
            "battles_per_second": BATTLES / seconds,
            "mean_rounds": found.rounds / 1000,
        },
    )
