"""Phase 2: units are raised and join the garrison."""

from collections.abc import Iterable

from shared.lastwaters.orders import Recruit
from shared.lastwaters.tables import BUILDINGS, UNITS
from shared.lastwaters.turn import Turn, add_units


def can_raise(buildings: Iterable[str], unit: str) -> bool:
    return any(unit in BUILDINGS[building].raises for building in buildings)


def run(turn: Turn) -> None:
    for order, body in turn.of_kind(Recruit):
        turn.settle(order, _raise(turn, order.faction, body))


def _raise(turn: Turn, faction: str, order: Recruit) -> str | None:
    hold = turn.owned[faction].get(order.hold)
    if hold is None:
        return "not-owned"
    if not can_raise(hold.buildings, order.unit):  # U-01
        return "cannot-raise"
    if not turn.pay(faction, UNITS[order.unit].cost.times(order.count), Recruit):  # U-02
        return "unaffordable"
    raised = {order.unit: order.count}
    add_units(turn.garrison(hold.id).setdefault(faction, {}), raised)  # U-03
    add_units(turn.recruited.setdefault((hold.id, faction), {}), raised)
    return None
