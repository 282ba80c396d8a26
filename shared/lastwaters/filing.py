"""What is checked when an order is filed (T-02), from a briefing that holds only what its faction may know.

``briefing`` is the one projection of a snapshot for filing checks and options: an allow-list. ``check`` and
``options`` read nothing else, so no answer can depend on what is fogged or on what another has filed.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from shared.lastwaters.economy import cost_of, covers, income, plus, resources
from shared.lastwaters.effects import effects
from shared.lastwaters.errors import BadInput
from shared.lastwaters.graph import graph
from shared.lastwaters.marching import path_problem
from shared.lastwaters.orders import (
    Accept,
    Body,
    Break,
    Build,
    Move,
    Order,
    Propose,
    Recruit,
    ResearchOrder,
)
from shared.lastwaters.phases.recruitment import can_raise
from shared.lastwaters.phases.research import startable
from shared.lastwaters.tables import (
    BUILDINGS,
    FILING_REASONS,
    FULL_TIME,
    ORDERS_A_TICK,
    PROGRESS_A_TICK,
    REASONS,
    RESEARCH_CUT_MAX,
    TECHS,
    UNITS,
    Cost,
)
from shared.lastwaters.views import FactionView
from shared.lastwaters.world import Faction, Pact, Proposal, Research, Resources, Snapshot, Truce


class OwnHold(Struct, frozen=True):
    """``units``: the faction's own in the garrison."""

    buildings: tuple[str, ...]
    units: dict[str, int]


class Briefing(Struct, frozen=True):
    """What ``faction`` may know and filing needs. ``tick`` is the one that orders are filed for."""

    tick: int
    faction: str
    stock: Resources
    income: Resources
    """This tick's yield, paid before anything is spent."""
    techs: tuple[str, ...]
    research: Research | None
    holds: dict[str, OwnHold]
    """Own holds."""
    guests: dict[str, dict[str, int]]
    """Own units in others' holds."""
    routes: tuple[tuple[str, str], ...]
    factions: tuple[FactionView, ...]
    pacts: tuple[Pact, ...]
    """All of them: pacts are public."""
    proposals: tuple[Proposal, ...]
    """Those it is a party to, as are the truces."""
    truces: tuple[Truce, ...]

    @property
    def purse(self) -> Cost:
        """What can be spent this tick."""
        return plus(cost_of(self.stock), cost_of(self.income))


class Refusal(Struct, frozen=True):
    """Why an order cannot be filed: a code of ``tables.REASONS`` or ``too-many-orders``, and plain words."""

    reason: str
    message: str


def briefing(snapshot: Snapshot, faction: str) -> Briefing:
    """BadInput for an unknown faction and for a match that has ended."""
    if snapshot.result is not None:
        raise BadInput("snapshot.result", "the match has ended")
    own = _row(snapshot, faction)
    owned = [hold for hold in snapshot.holds if hold.owner == faction]
    return Briefing(
        tick=snapshot.tick + 1,
        faction=faction,
        stock=own.stock,
        income=resources(income(owned, effects(own.techs))),
        techs=own.techs,
        research=own.research,
        holds={hold.id: OwnHold(hold.buildings, hold.garrison.get(faction, {})) for hold in owned},
        guests={
            hold.id: hold.garrison[faction]
            for hold in snapshot.holds
            if hold.owner != faction and faction in hold.garrison
        },
        routes=snapshot.routes,
        factions=tuple(FactionView(f.id, f.seat, f.name, f.eliminated_tick) for f in snapshot.factions),
        pacts=snapshot.pacts,
        proposals=tuple(p for p in snapshot.proposals if faction in (p.from_, p.to)),
        truces=tuple(truce for truce in snapshot.truces if faction in truce.members),
    )


def _row(snapshot: Snapshot, faction: str) -> Faction:
    for row in snapshot.factions:
        if row.id == faction:
            return row
    raise BadInput("faction", f"nothing is called {faction!r}")


def check(brief: Briefing, filed: Sequence[Order], new: Order) -> Refusal | None:
    """Whether ``new`` may be filed beside ``filed`` (the faction's own, as filed before; malformed ones count nothing)."""
    if new.body is None:
        return refusal("malformed")
    if _eliminated(brief, brief.faction):
        return refusal("eliminated")  # T-06
    if len(filed) >= ORDERS_A_TICK:
        return refusal("too-many-orders")  # T-08
    standing = [order.body for order in filed if order.body is not None]
    reason = _problem(brief, standing, new.body)
    return None if reason is None else refusal(reason)


def check_all(brief: Briefing, orders: Sequence[Order]) -> list[Refusal | None]:
    """``check`` for a whole list, each beside those before it that may be filed."""
    accepted: list[Order] = []
    answers = []
    for order in orders:
        answer = check(brief, accepted, order)
        answers.append(answer)
        if answer is None:
            accepted.append(order)
    return answers


def refusal(reason: str) -> Refusal:
    return Refusal(reason, REASONS.get(reason) or FILING_REASONS[reason])


def _problem(brief: Briefing, filed: Sequence[Body], new: Body) -> str | None:
    """The reasons of each kind in the order of P-03."""
    match new:
        case Move():
            return _move(brief, filed, new)
        case Recruit():
            return _recruit(brief, filed, new)
        case Build():
            return _build(brief, filed, new)
        case ResearchOrder():
            return _research(brief, filed, new)
        case Propose():
            return named(brief, new.to)
        case Accept():
            return named(brief, new.from_)
        case Break():
            return named(brief, new.with_)


def named(brief: Briefing, other: str) -> str | None:
    """What is wrong with the faction named; whether a pact or an offer is there is settled at the tick."""
    if all(row.id != other for row in brief.factions):
        return "unknown-faction"
    if other == brief.faction:
        return "self"
    return "eliminated" if _eliminated(brief, other) else None


def _eliminated(brief: Briefing, faction: str) -> bool:
    return any(row.id == faction and row.eliminated_tick is not None for row in brief.factions)


def units_free(brief: Briefing, filed: Iterable[Body], hold: str) -> Mapping[str, int] | None:
    """Own units in ``hold`` that no filed move claims; None if the faction has nothing to do with it (M-01)."""
    own = brief.holds.get(hold)
    standing = brief.guests.get(hold) if own is None else own.units
    if standing is None:
        return None
    free = dict(standing)
    for order in filed:
        if isinstance(order, Move) and order.origin == hold:
            for unit, count in order.units.items():
                free[unit] = free.get(unit, 0) - count
    return free


def _move(brief: Briefing, filed: Sequence[Body], new: Move) -> str | None:
    free = units_free(brief, filed, new.origin)
    if free is None:
        return "not-owned"
    if any(free.get(unit, 0) < count for unit, count in new.units.items()):  # M-06
        return "units-absent"
    known = effects(brief.techs)
    return path_problem(new.origin, new.path, new.units, graph(brief.routes), known, brief.holds)


def spending(bodies: Iterable[Body]) -> Cost:
    """What all these may cost together: of the researches only one can start, so the dearest of each resource."""
    spent = dearest = Cost(0, 0, 0)
    for body in bodies:
        if isinstance(body, Recruit) and body.unit in UNITS:
            spent = plus(spent, UNITS[body.unit].cost.times(body.count))
        elif isinstance(body, Build) and body.building in BUILDINGS:
            spent = plus(spent, BUILDINGS[body.building].cost or Cost(0, 0, 0))
        elif isinstance(body, ResearchOrder) and body.tech in TECHS:
            dearest = Cost(*map(max, zip(dearest, TECHS[body.tech].cost, strict=True)))
    return plus(spent, dearest)


def _affordable(brief: Briefing, filed: Sequence[Body], new: Body) -> str | None:
    return None if covers(brief.purse, spending((*filed, new))) else "unaffordable"


def _recruit(brief: Briefing, filed: Sequence[Body], new: Recruit) -> str | None:
    hold = brief.holds.get(new.hold)
    if hold is None:
        return "not-owned"
    if not can_raise(hold.buildings, new.unit):
        return "cannot-raise"
    return _affordable(brief, filed, new)


def _build(brief: Briefing, filed: Sequence[Body], new: Build) -> str | None:
    return building_problem(brief, new.hold, new.building) or _affordable(brief, filed, new)


def building_problem(brief: Briefing, hold: str, building: str) -> str | None:
    """Why ``building`` cannot be put on ``hold``, its cost aside."""
    own = brief.holds.get(hold)
    if own is None:
        return "not-owned"
    figures = BUILDINGS.get(building)
    if figures is None or figures.cost is None:
        return "not-buildable"
    return "already-built" if building in own.buildings else None


def _research(brief: Briefing, filed: Sequence[Body], new: ResearchOrder) -> str | None:
    return tech_problem(brief, new.tech) or _affordable(brief, filed, new)


def tech_problem(brief: Briefing, tech: str) -> str | None:
    """Why ``tech`` cannot be filed, its cost aside; running research counts as known, for it may end this tick."""
    running = brief.research
    if running is None:
        return startable(tech, brief.techs)
    fastest = TECHS[running.tech].ticks * (FULL_TIME - RESEARCH_CUT_MAX)
    if running.progress + PROGRESS_A_TICK < fastest:
        return "busy-researching"
    return startable(tech, (*brief.techs, running.tech))
