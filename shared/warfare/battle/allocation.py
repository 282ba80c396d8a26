"""Which unit takes a wound, which one runs (WF-ATK-25, WF-ATK-26)."""

from collections.abc import Sequence
from typing import Literal

from shared.warfare.army import Unit
from shared.warfare.policy import Allocation


def wound_order(
    wounds: Sequence[int | None], fresh: Sequence[int], packet: int, capacity: int, allocation: Allocation
) -> int | None:
    """The unit that takes a packet of wounds. ``wounds`` by index, null for units that are not active; ``fresh``
    the new wounds. None if no unit is active."""
    best: int | None = None
    best_key: tuple[int, ...] = ()
    for index, has in enumerate(wounds):
        if has is None:
            continue
        if allocation == "sacrifice":
            key: tuple[int, ...] = (-has,)
        elif has + packet < capacity:
            key = (0, has, fresh[index])
        else:
            key = (1, -has, fresh[index])
        if best is None or key < best_key:
            best, best_key = index, key
    return best


def lethal(
    wounds: Sequence[int | None], fresh: Sequence[int], packet: int, capacity: int, allocation: Allocation
) -> bool:
    """Whether the packet would slay a unit."""
    index = wound_order(wounds, fresh, packet, capacity, allocation)
    return index is not None and (wounds[index] or 0) + packet >= capacity


def rout_order(units: Sequence[Unit], order: Literal["most_wounded", "least_wounded"]) -> list[int]:
    """Active units in the order they rout."""
    sign = -1 if order == "most_wounded" else 1
    found = [index for index, unit in enumerate(units) if unit.state == "active"]
    return sorted(found, key=lambda index: (sign * units[index].wounds, index))
