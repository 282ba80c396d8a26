"""What holds pay and what a faction can afford: used by the yields phase, filing checks and options."""

from collections.abc import Iterable

from shared.lastwaters.effects import Effects
from shared.lastwaters.tables import Cost
from shared.lastwaters.world import Hold, Resources


def income(holds: Iterable[Hold], known: Effects) -> Cost:
    """What a faction that owns ``holds`` gets a tick."""
    water = scrap = grain = 0
    paying = known.building_yields
    for hold in holds:
        fixed = hold.yields
        water += fixed.water
        scrap += fixed.scrap
        grain += fixed.grain
        for building in hold.buildings:
            more = paying.get(building)
            if more is not None:
                water += more.water
                scrap += more.scrap
                grain += more.grain
    percent = known.yield_percent
    return Cost(
        water * percent.water // 100, scrap * percent.scrap // 100, grain * percent.grain // 100
    )


def plus(one: Cost, other: Cost) -> Cost:
    return Cost(one[0] + other[0], one[1] + other[1], one[2] + other[2])


def minus(one: Cost, other: Cost) -> Cost:
    return Cost(one[0] - other[0], one[1] - other[1], one[2] - other[2])


def covers(stock: Cost, cost: Cost) -> bool:
    return stock[0] >= cost[0] and stock[1] >= cost[1] and stock[2] >= cost[2]


def affordable(stock: Cost, each: Cost) -> int:
    """How many times ``stock`` covers a cost that is not nothing."""
    return max(0, min(have // need for have, need in zip(stock, each, strict=True) if need))


def cost_of(resources: Resources) -> Cost:
    return Cost(resources.water, resources.scrap, resources.grain)


def resources(cost: Cost) -> Resources:
    return Resources(*cost)
