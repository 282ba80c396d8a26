"""Phase 3: buildings go up, and stand from this tick's movement on (B-02)."""

from shared.lastwaters.orders import Build
from shared.lastwaters.record import BuiltAt
from shared.lastwaters.tables import BUILDINGS
from shared.lastwaters.turn import Turn

_PLACE = {building: place for place, building in enumerate(BUILDINGS)}


def run(turn: Turn) -> None:
    for order, body in turn.of_kind(Build):
        turn.settle(order, _build(turn, order.faction, body))


def _build(turn: Turn, faction: str, order: Build) -> str | None:
    if order.hold not in turn.owned[faction]:
        return "not-owned"
    building = BUILDINGS.get(order.building)
    if building is None or building.cost is None:
        return "not-buildable"
    standing = turn.buildings_of(order.hold)
    if order.building in standing:  # B-01
        return "already-built"
    if not turn.pay(faction, building.cost, Build):
        return "unaffordable"
    turn.buildings[order.hold] = tuple(sorted((*standing, order.building), key=_PLACE.__getitem__))
    turn.built.append(BuiltAt(order.hold, faction, order.building))
    return None
