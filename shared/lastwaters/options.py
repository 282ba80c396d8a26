"""What a faction may file now, with costs, limits and reasons why not: clients and computer players need no rules.

Made from a briefing and what is filed so far, so it tells nothing its faction may not know. The answers are those of
``filing``: whatever is offered here without a reason passes ``filing.check``.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

from msgspec import UNSET, Struct, UnsetType, field

from shared.lastwaters.economy import affordable, covers, minus, resources
from shared.lastwaters.effects import Effects, effects
from shared.lastwaters.filing import (
    Briefing,
    building_problem,
    named,
    spending,
    tech_problem,
    units_free,
)
from shared.lastwaters.graph import Graph, graph
from shared.lastwaters.marching import budget, hop_cost
from shared.lastwaters.orders import Body, Order, ResearchOrder
from shared.lastwaters.phases.diplomacy import pact_cap
from shared.lastwaters.phases.recruitment import can_raise
from shared.lastwaters.tables import BUILDINGS, COUNT, ORDERS_A_TICK, TECHS, UNITS, Cost
from shared.lastwaters.world import Resources

Reason = str | UnsetType
"""Why not: a code of ``tables.REASONS``; left out if it may be filed."""


class RecruitOption(Struct, frozen=True):
    unit: str
    cost: Resources
    """Of one."""
    most: int
    """The largest count that is affordable beside what is filed."""
    reason: Reason = UNSET


class BuildOption(Struct, frozen=True):
    building: str
    cost: Resources
    reason: Reason = UNSET


class End(Struct, frozen=True):
    """A hold to march to by the cheapest path; ``units`` are the types here that get that far, and a column may be
    of any of them together. ``slow`` are the types here that do not (too-far)."""

    hold: str
    path: tuple[str, ...]
    cost: int
    units: tuple[str, ...]
    slow: tuple[str, ...]


class MoveOption(Struct, frozen=True):
    """``units``: own units here that no filed move has claimed; ``budget``: the path cost each type can pay.
    ``reason`` is units-absent when none is left."""

    units: dict[str, int]
    budget: dict[str, int]
    ends: tuple[End, ...]
    reason: Reason = UNSET


class HoldOptions(Struct, frozen=True):
    """``own`` is false where one's units are guests: there only ``move`` is of use."""

    hold: str
    own: bool
    recruit: tuple[RecruitOption, ...]
    build: tuple[BuildOption, ...]
    move: MoveOption


class TechOption(Struct, frozen=True):
    tech: str
    cost: Resources
    ticks: int
    """Without any cut."""
    reason: Reason = UNSET


class FactionOptions(Struct, frozen=True):
    """What may be filed to one other faction. ``pact``, ``offered`` (by it) and ``asked`` (by oneself) are as they
    stand now; the tick settles what is there then."""

    faction: str
    pact: bool
    offered: bool
    asked: bool
    propose: Reason = UNSET
    accept: Reason = UNSET
    break_: Reason = field(name="break", default=UNSET)


class Options(Struct, frozen=True):
    tick: int
    faction: str
    orders_left: int
    purse: Resources
    """Stock and this tick's yield, less what is filed."""
    holds: tuple[HoldOptions, ...]
    techs: tuple[TechOption, ...]
    pacts_held: int
    pact_cap: int
    factions: tuple[FactionOptions, ...]


def options(brief: Briefing, filed: Sequence[Order] = ()) -> Options:
    """What may be filed beside ``filed``, the faction's own orders so far."""
    bodies = [order.body for order in filed if order.body is not None]
    known = effects(brief.techs)
    purse = minus(brief.purse, spending(bodies))
    map_ = graph(brief.routes)
    live = all(row.eliminated_tick is None for row in brief.factions if row.id == brief.faction)
    places = sorted((*brief.holds, *brief.guests)) if live else []
    return Options(
        tick=brief.tick,
        faction=brief.faction,
        orders_left=max(0, ORDERS_A_TICK - len(filed)) if live else 0,
        purse=Resources(*(max(0, left) for left in purse)),
        holds=tuple(_hold(brief, bodies, hold, purse, known, map_) for hold in places),
        techs=tuple(_tech(brief, bodies, tech) for tech in TECHS) if live else (),
        pacts_held=sum(brief.faction in pact.members for pact in brief.pacts),
        pact_cap=pact_cap(known.pact_cap),
        factions=tuple(_faction(brief, row.id) for row in brief.factions if row.id != brief.faction)
        if live
        else (),
    )


def _hold(
    brief: Briefing, filed: Sequence[Body], hold: str, purse: Cost, known: Effects, map_: Graph
) -> HoldOptions:
    own = hold in brief.holds
    return HoldOptions(
        hold=hold,
        own=own,
        recruit=tuple(_recruit(brief, hold, unit, purse) for unit in UNITS) if own else (),
        build=tuple(_build(brief, hold, building, purse) for building in BUILDINGS) if own else (),
        move=_move(brief, units_free(brief, filed, hold) or {}, hold, known, map_),
    )


def _recruit(brief: Briefing, hold: str, unit: str, purse: Cost) -> RecruitOption:
    cost = UNITS[unit].cost
    most = min(affordable(purse, cost), COUNT[1])
    if not can_raise(brief.holds[hold].buildings, unit):
        return RecruitOption(unit, resources(cost), 0, "cannot-raise")
    return RecruitOption(unit, resources(cost), most, UNSET if most else "unaffordable")


def _build(brief: Briefing, hold: str, building: str, purse: Cost) -> BuildOption:
    cost = BUILDINGS[building].cost or Cost(0, 0, 0)
    reason = building_problem(brief, hold, building)
    if reason is None and not covers(purse, cost):
        reason = "unaffordable"
    return BuildOption(building, resources(cost), UNSET if reason is None else reason)


def _tech(brief: Briefing, filed: Sequence[Body], tech: str) -> TechOption:
    figures = TECHS[tech]
    reason = tech_problem(brief, tech)
    if reason is None and not covers(brief.purse, spending((*filed, ResearchOrder(tech)))):
        reason = "unaffordable"
    return TechOption(tech, resources(figures.cost), figures.ticks, UNSET if reason is None else reason)


def _move(brief: Briefing, free: Mapping[str, int], hold: str, known: Effects, map_: Graph) -> MoveOption:
    units = {unit: free[unit] for unit in UNITS if free.get(unit, 0) > 0}
    budgets = {unit: budget((unit,), known) for unit in units}
    if not units:
        return MoveOption({}, {}, (), "units-absent")
    ends = reach(hold, max(budgets.values()), map_, known, brief.holds)
    return MoveOption(units, budgets, tuple(_end(end, path, cost, budgets) for end, path, cost in ends))


def _end(end: str, path: tuple[str, ...], cost: int, budgets: Mapping[str, int]) -> End:
    return End(
        end,
        path,
        cost,
        tuple(unit for unit, most in budgets.items() if most >= cost),
        tuple(unit for unit, most in budgets.items() if most < cost),
    )


def reach(
    origin: str, most: int, map_: Graph, known: Effects, owned: Mapping[str, object]
) -> Iterable[tuple[str, tuple[str, ...], int]]:
    """Every other hold within path cost ``most``, with the cheapest path (of equals the first by ids), by hold."""
    best: dict[str, tuple[int, tuple[str, ...]]] = {}
    queue: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    while queue:
        cost, hops, path = heappop(queue)
        here = path[-1] if path else origin
        if here in best:
            continue
        best[here] = (cost, path)
        for near in map_.neighbours.get(here, ()):
            further = cost + hop_cost(near, known, owned)
            if further <= most and near not in best:
                heappush(queue, (further, hops + 1, (*path, near)))
    del best[origin]
    return [(end, path, cost) for end, (cost, path) in sorted(best.items())]


def _faction(brief: Briefing, other: str) -> FactionOptions:
    """Reasons as things stand now; an accept may still be filed for an offer that comes this tick (D-02)."""
    me = brief.faction
    pact = any(other in each.members and me in each.members for each in brief.pacts)
    offered = any((each.from_, each.to) == (other, me) for each in brief.proposals)
    asked = any((each.from_, each.to) == (me, other) for each in brief.proposals)
    full = sum(me in each.members for each in brief.pacts) >= pact_cap(effects(brief.techs).pact_cap)
    gone = named(brief, other)
    propose = gone or (
        "pact-exists" if pact else "pact-cap" if full else "already-proposed" if asked else None
    )
    accept = gone or (
        "pact-exists" if pact else "no-proposal" if not offered else "pact-cap" if full else None
    )
    undo = gone or (None if pact or offered or asked else "nothing-to-break")
    return FactionOptions(other, pact, offered, asked, propose or UNSET, accept or UNSET, undo or UNSET)
