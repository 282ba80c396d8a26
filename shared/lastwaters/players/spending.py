"""What the stores are spent on: guards, learning, an army for the aims, and what makes the land pay."""

from shared.lastwaters.economy import affordable, cost_of, covers, minus, plus
from shared.lastwaters.filing import tech_problem
from shared.lastwaters.orders import Body, Build, Recruit, ResearchOrder
from shared.lastwaters.phases.recruitment import can_raise
from shared.lastwaters.players.marches import Campaign
from shared.lastwaters.players.odds import strike, walls
from shared.lastwaters.players.scouting import Ground
from shared.lastwaters.players.styles import Style
from shared.lastwaters.tables import (
    ARCHIVES_COUNTED,
    BUILDINGS,
    COUNT,
    FULL_TIME,
    POWER_SCALE,
    PROGRESS_A_TICK,
    RESEARCH_CUT_MAX,
    TECHS,
    UNITS,
    Cost,
)

QUICK_RETURN = 16  # percent of its price that a thing has to bring in a tick to go before the army
SLOW_RETURN = 7  # and to be bought after it
AHEAD = 4  # ticks of income that count as had, when a resource is priced by its scarcity
LAST_GAIN = 43  # from this tick on what pays later is no longer built
HALL_FROM_HOLDS = 5  # fewer holds do not carry a muster hall
FAR_FRONT = 3  # hops from the nearest place that raises units at which another muster hall is built
SPARE_STORE = Cost(40, 30, 30)  # left in store for the next tick's building
SPARE = 2  # times its cost that must be in store before a technology is learned that brings nothing in
NOTHING = Cost(0, 0, 0)
PAYING = ("cistern", "growhouse", "salvage-yard")
HALL = "muster-hall"


class Purse:
    """What is left to spend, and the orders that spend it. ``price`` is that of each resource: the scarcer, the
    dearer."""

    def __init__(self, ground: Ground) -> None:
        self.left = ground.brief.purse
        self.income = cost_of(ground.brief.income)
        self.orders: list[Body] = []
        self.price = Cost(
            *(100_000 // (1 + have + AHEAD * more) for have, more in zip(self.left, self.income, strict=True))
        )

    def worth(self, goods: Cost) -> int:
        return sum(price * amount for price, amount in zip(self.price, goods, strict=True))

    def pay(self, cost: Cost, order: Body) -> bool:
        if not covers(self.left, cost):
            return False
        self.left = minus(self.left, cost)
        self.orders.append(order)
        return True

    def raise_units(self, hold: str, unit: str, count: int, keep: Cost = NOTHING) -> int:
        """Recruits up to ``count`` and leaves ``keep``; returns how many."""
        cost = UNITS[unit].cost
        count = min(count, affordable(minus(self.left, keep), cost))
        if count < 1 or not self.pay(cost.times(count), Recruit(hold, unit, count)):
            return 0
        return count


def spend(ground: Ground, style: Style, campaign: Campaign) -> list[Body]:
    purse = Purse(ground)
    _defend(ground, campaign, purse)
    _invest(ground, style, campaign, purse, QUICK_RETURN)
    _raise_army(ground, style, campaign, purse)
    _invest(ground, style, campaign, purse, SLOW_RETURN)
    _build_hall(ground, style, campaign, purse)
    _learn(ground, style, purse)
    _use_surplus(ground, style, campaign, purse)
    return purse.orders


def _defend(ground: Ground, campaign: Campaign, purse: Purse) -> None:
    """Walls or recruits where a hold could fall next tick, if they are enough to hold it."""
    for hold, short in campaign.short.items():
        own = ground.own[hold]
        ramparts = walls(own.buildings, ground.known)
        units = sum(own.units.values())
        wall = ground.known.fortification["palisade"]
        if "palisade" not in own.buildings and POWER_SCALE * wall * units >= short:
            cost = BUILDINGS["palisade"].cost
            if cost is not None and purse.pay(cost, Build(hold, "palisade")):
                continue
        if can_raise(own.buildings, "militia"):
            each = POWER_SCALE * (ground.known.defence["militia"] + ramparts)
            need = -(-short // each)
            if affordable(purse.left, UNITS["militia"].cost) >= need:
                purse.raise_units(hold, "militia", need)


def _invest(ground: Ground, style: Style, campaign: Campaign, purse: Purse, least: int) -> None:
    """Buildings and technologies that pay at least ``least`` percent of their price back a tick, best first;
    buildings far from the front first."""
    if ground.tick >= LAST_GAIN:
        return
    inland = sorted(ground.own, key=lambda h: (bool(ground.threat(h)), -campaign.pull.get(h, 99), h))
    chances: list[tuple[int, Cost, Body]] = []
    for building in PAYING:
        figures = BUILDINGS[building]
        if figures.cost is not None:
            gain = ground.known.building_yields[building]
            chances += [
                (100 * purse.worth(gain) // purse.worth(figures.cost), figures.cost, Build(hold, building))
                for hold in inland
                if building not in ground.own[hold].buildings
            ]
    for tech in _learnable(ground, style):
        if any(TECHS[tech].yield_percent):
            gain = Cost(*(i * p // 100 for i, p in zip(purse.income, TECHS[tech].yield_percent, strict=True)))
            cost = TECHS[tech].cost
            chances.append((100 * purse.worth(gain) // purse.worth(cost), cost, ResearchOrder(tech)))
    built = 0
    learning = False
    for percent, cost, order in sorted(chances, key=lambda chance: -chance[0]):
        if percent < least or built >= style.builds_a_tick:
            return
        if order in purse.orders or (isinstance(order, ResearchOrder) and learning):
            continue
        if purse.pay(cost, order):
            built += isinstance(order, Build)
            learning = learning or isinstance(order, ResearchOrder)


def _learn(ground: Ground, style: Style, purse: Purse) -> None:
    """Technologies that bring nothing in, in the style's order, when there is plenty."""
    if any(isinstance(order, ResearchOrder) for order in purse.orders):
        return
    tech = next(iter(_learnable(ground, style)), None)
    if tech is not None and covers(purse.left, TECHS[tech].cost.times(SPARE)):
        purse.pay(TECHS[tech].cost, ResearchOrder(tech))


def _learnable(ground: Ground, style: Style) -> list[str]:
    """What could be started at this tick, by the style's order; none while the running research goes on (S-03)."""
    running = ground.brief.research
    if running is not None:
        archives = sum("archive" in own.buildings for own in ground.own.values())
        cut = min(archives, ARCHIVES_COUNTED) * BUILDINGS["archive"].research_cut + ground.known.research_cut
        whole = TECHS[running.tech].ticks * (FULL_TIME - min(cut, RESEARCH_CUT_MAX))
        if running.progress + PROGRESS_A_TICK < whole:
            return []
    return [tech for tech in style.research if tech_problem(ground.brief, tech) is None]


def _raise_army(ground: Ground, style: Style, campaign: Campaign, purse: Purse) -> None:
    """Units for the aims, raised as near to them as can be."""
    if campaign.wanted <= 0 or len(ground.own) >= style.holds_wanted:
        return
    place = _muster(ground, campaign)
    if place is None:
        return
    wanted = campaign.wanted
    for unit in _arms(ground, purse, place, campaign.besieging):
        each = strike(unit, ground.known, campaign.besieging)
        wanted -= each * purse.raise_units(place, unit, -(-wanted // each))
        if wanted <= 0:
            return


def _muster(ground: Ground, campaign: Campaign) -> str | None:
    """The own hold nearest to the aims that raises units; of equals one that raises all."""
    places = [hold for hold, own in ground.own.items() if can_raise(own.buildings, "militia")]
    if not places:
        return None
    return min(places, key=lambda h: (campaign.pull.get(h, 99) - (HALL in ground.own[h].buildings), h))


def _arms(ground: Ground, purse: Purse, place: str, besieging: bool) -> list[str]:
    """Unit types that can be raised there, the cheapest attack first."""
    raised = [unit for unit in UNITS if can_raise(ground.own[place].buildings, unit)]
    return sorted(
        raised, key=lambda u: purse.worth(UNITS[u].cost) * 100 // strike(u, ground.known, besieging)
    )


def _build_hall(ground: Ground, style: Style, campaign: Campaign, purse: Purse) -> None:
    """A muster hall near the front once the land carries it and no other is near."""
    cost = BUILDINGS[HALL].cost
    if cost is None or len(ground.own) < HALL_FROM_HOLDS or style.holds_wanted <= HALL_FROM_HOLDS:
        return
    front = min(ground.own, key=lambda h: (campaign.pull.get(h, 99), h))
    halls = [campaign.pull.get(h, 99) for h, own in ground.own.items() if HALL in own.buildings]
    if not halls or min(halls) - campaign.pull.get(front, 99) >= FAR_FRONT:
        purse.pay(cost, Build(front, HALL))


def _use_surplus(ground: Ground, style: Style, campaign: Campaign, purse: Purse) -> None:
    """What is left over and can pay for nothing else becomes walls and a standing army at the front."""
    if style.holds_wanted <= len(ground.own):
        return
    keep = SPARE_STORE if ground.tick < LAST_GAIN else NOTHING
    wall = BUILDINGS["palisade"].cost
    for hold in sorted(ground.own, key=lambda h: (campaign.pull.get(h, 99), h)):
        exposed = any(ground.rival(near) for near in ground.map.neighbours[hold])
        if wall and exposed and "palisade" not in ground.own[hold].buildings and ground.own[hold].units:
            if not covers(purse.left, plus(wall, keep)):
                break
            if Build(hold, "palisade") not in purse.orders:
                purse.pay(wall, Build(hold, "palisade"))
    place = _muster(ground, campaign)
    if place is None:
        return
    arms = _arms(ground, purse, place, True) if style.offensive else ["militia"]
    for unit in arms:
        purse.raise_units(place, unit, COUNT[1], keep)
