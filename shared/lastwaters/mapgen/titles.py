"""Which hold is called what (W-10)."""

from shared.lastwaters.mapgen.chance import Chance
from shared.lastwaters.names import FIRST, SECOND


def titles(chance: Chance, count: int) -> list[str]:
    """`count` different names in drawn order, blind to what the holds are."""
    deck = list(range(len(FIRST) * len(SECOND)))
    drawn = []
    for place in range(count):
        other = place + chance(len(deck) - place, place)
        deck[place], deck[other] = deck[other], deck[place]
        first, second = divmod(deck[place], len(SECOND))
        drawn.append(f"{FIRST[first]} {SECOND[second]}")
    return drawn
