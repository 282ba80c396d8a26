"""How much of each drill's grid runs: all of it under ``LASTWATERS_DRILLS=full``, else a sample drawn by a seed.

The seed is printed; ``LASTWATERS_DRILLS_SEED`` gives it again.
"""

import os
import random
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

FULL = os.environ.get("LASTWATERS_DRILLS") == "full"
SEED_VARIABLE = "LASTWATERS_DRILLS_SEED"
SEED = int(os.environ.get(SEED_VARIABLE) or random.SystemRandom().randrange(1_000_000))


def chance(*names: object) -> random.Random:
    """The drill's own luck, the same for the same seed whatever else runs."""
    return random.Random("/".join(map(str, (SEED, *names))))


def sample(name: str, cases: Sequence[Case], few: int) -> list[Case]:
    """All cases of a full run, else ``few`` of them, in their order."""
    if FULL:
        return list(cases)
    chosen = chance(name).sample(range(len(cases)), few)
    return [cases[index] for index in sorted(chosen)]


def amount(sampled: int, full: int) -> int:
    return full if FULL else sampled
