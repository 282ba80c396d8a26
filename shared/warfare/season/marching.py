"""What it costs an army to march (section 1)."""

from heapq import heappop, heappush

from shared.warfare.army import Army, Place
from shared.warfare.content.tables import TERRAINS
from shared.warfare.season.work import Work, trait
from shared.warfare.world import Hex

NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))  # WF-MAP-01
ROUGH_COST = 2


def neighbours(at: Place) -> list[Place]:
    return [(at[0] + dq, at[1] + dr) for dq, dr in NEIGHBOURS]


def entry_cost(army: Army, into: Hex, road_cost: int = 0) -> int | None:
    """WF-MAP-04; null where it cannot go (WF-MAP-03)."""
    terrain = TERRAINS[into.terrain]
    if terrain.water:
        return road_cost if trait(army, "sails") else None  # WF-KEY-15
    if into.road:
        return road_cost
    eased = bool(terrain.eased_by) and trait(army, terrain.eased_by) > 0
    rough = terrain.rough if into.rough is None else into.rough
    return ROUGH_COST if rough and not eased else 1


def march_cost(work: Work, army: Army, to: Place) -> int | None:
    """Of the cheapest path from where it stands (WF-MAP-05); null if there is none."""
    return costs_from(work, army, army.hex).get(to) if army.hex is not None else None


def costs_from(work: Work, army: Army, start: Place) -> dict[Place, int]:
    """March costs to every hex that can be reached. Other armies and borders never block."""
    kind = ",".join(
        name
        for name in ("marches-forest", "marches-mountains", "marches-desert", "sails")
        if trait(army, name)
    )
    known = work.costs.get((kind, start))
    if known is None:
        known = work.costs[kind, start] = _explore(work, army, start)
    return known


def _explore(work: Work, army: Army, start: Place) -> dict[Place, int]:
    enter = {at: entry_cost(army, one, work.season.options.road_cost) for at, one in work.hexes.items()}
    found: dict[Place, int] = {}
    open_ = [(0, start)]
    while open_:
        cost, at = heappop(open_)
        if at in found:
            continue
        found[at] = cost
        for other in neighbours(at):
            more = enter.get(other)
            if more is not None and other not in found:
                heappush(open_, (cost + more, other))
    return found


def route(work: Work, army: Army, to: Place) -> tuple[Place, ...] | None:
    """The path itself, without its start: cheapest, then fewest hexes, then the smallest list (WF-MAP-05)."""
    start = army.hex
    if start is None:
        return None
    road_cost = work.season.options.road_cost
    open_: list[tuple[int, int, tuple[Place, ...]]] = [(0, 0, (start,))]
    found: set[Place] = set()
    while open_:
        cost, steps, path = heappop(open_)
        at = path[-1]
        if at == to:
            return path[1:]
        if at in found:
            continue
        found.add(at)
        for other in neighbours(at):
            into = work.hexes.get(other)
            more = entry_cost(army, into, road_cost) if into is not None else None
            if more is not None and other not in found:
                heappush(open_, (cost + more, steps + 1, (*path, other)))
    return None
