"""The generator's draws: T-07 with labels that begin with "map" and the number of the attempt (W-10)."""

from collections.abc import Callable, MutableSequence
from typing import TypeVar

from shared.lastwaters.draws import draw

Chance = Callable[..., int]
"""`chance(n, *labels)` is a whole number from 0 to n - 1; the same labels give the same number."""

T = TypeVar("T")


def chance_of(seed: str, *prefix: str | int) -> Chance:
    """The draws of one substream: every label list is preceded by "map" and `prefix`."""

    def chance(n: int, *labels: str | int) -> int:
        return draw(seed, n, "map", *prefix, *labels)

    return chance


def shuffle(chance: Chance, items: MutableSequence[T], *labels: str | int) -> None:
    """Shuffles in place, one draw an item (Fisher and Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = chance(last + 1, *labels, last)
        items[last], items[other] = items[other], items[last]
