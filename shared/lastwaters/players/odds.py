"""Powers of columns and garrisons, doubled as in battle (C-05, C-06).

The side with the larger power wins and loses about as much power as the other side had; the draws (C-07) can
turn that only if neither is 23 percent above the other.
"""

from collections.abc import Iterable, Mapping

from shared.lastwaters.effects import NONE, Effects
from shared.lastwaters.tables import POWER_SCALE, SIEGE_SCALE, UNITS

Units = Mapping[str, int]


def attack_power(units: Units, known: Effects, fortified: bool) -> int:
    return sum(count * strike(unit, known, fortified) for unit, count in units.items())


def strike(unit: str, known: Effects, fortified: bool) -> int:
    """What one unit adds to an attack."""
    scale = SIEGE_SCALE if fortified and UNITS[unit].siege else POWER_SCALE
    return scale * known.attack[unit]


def defence_power(units: Units, walls: int, known: Effects = NONE) -> int:
    return sum(POWER_SCALE * count * (known.defence[unit] + walls) for unit, count in units.items())


def walls(buildings: Iterable[str], known: Effects = NONE) -> int:
    """Defence that buildings add to each unit (B-04)."""
    return sum(known.fortification.get(building, 0) for building in buildings)
