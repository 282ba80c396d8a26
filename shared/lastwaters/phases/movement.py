"""Phase 4: all columns march at once, checked against the snapshot (M-05)."""

from shared.lastwaters.marching import path_problem
from shared.lastwaters.orders import Move
from shared.lastwaters.turn import Pair, Turn, add_units


def run(turn: Turn) -> None:
    unclaimed: dict[Pair, dict[str, int]] = {}
    for order, body in turn.of_kind(Move):
        reason = _problem(turn, order.faction, body, unclaimed)
        turn.settle(order, reason)
        if reason is None:
            _claim(turn, order.faction, body, unclaimed)
    _depart(turn)
    for (hold, faction), units in turn.arrived.items():
        add_units(turn.garrison(hold).setdefault(faction, {}), units)
    turn.emptied = {place for place, units in unclaimed.items() if not any(units.values())}


def _problem(turn: Turn, faction: str, order: Move, unclaimed: dict[Pair, dict[str, int]]) -> str | None:
    hold = turn.holds.get(order.origin)
    if hold is None or (hold.owner != faction and faction not in hold.garrison):  # M-01
        return "not-owned"
    free = unclaimed.get((hold.id, faction))
    if free is None:
        free = hold.garrison.get(faction, {})
    for unit, count in order.units.items():
        if free.get(unit, 0) < count:  # M-06, U-03
            return "units-absent"
    owned = turn.owned[faction]
    return path_problem(hold.id, order.path, order.units, turn.graph, turn.effects[faction], owned)


def _claim(turn: Turn, faction: str, order: Move, unclaimed: dict[Pair, dict[str, int]]) -> None:
    place = (order.origin, faction)
    free = unclaimed.get(place)
    if free is None:
        unclaimed[place] = free = dict(turn.holds[order.origin].garrison[faction])
    for unit, count in order.units.items():
        free[unit] -= count
    add_units(turn.left.setdefault(place, {}), order.units)
    add_units(turn.arrived.setdefault((order.path[-1], faction), {}), order.units)  # M-04


def _depart(turn: Turn) -> None:
    for (hold, faction), units in turn.left.items():  # M-07
        garrison = turn.garrison(hold)
        standing = garrison[faction]
        for unit, count in units.items():
            standing[unit] -= count
            if not standing[unit]:
                del standing[unit]
        if not standing:
            del garrison[faction]
