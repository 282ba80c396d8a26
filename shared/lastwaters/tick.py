"""One tick from a snapshot and the sealed orders to everything that follows from it."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from shared.lastwaters import reports, sight
from shared.lastwaters.economy import resources
from shared.lastwaters.memory import Memory
from shared.lastwaters.orders import Build, Order, Recruit, ResearchOrder
from shared.lastwaters.phases import (
    battle,
    construction,
    diplomacy,
    movement,
    recruitment,
    research,
    standing,
    yields,
)
from shared.lastwaters.record import Battle, Before, Capture, Filed, OrderResult, Record, Spent, UnitsAt
from shared.lastwaters.report import Report
from shared.lastwaters.tables import Cost
from shared.lastwaters.turn import Pair, Turn
from shared.lastwaters.views import View
from shared.lastwaters.world import Faction, Hold, Result, Snapshot

PHASES: tuple[tuple[str, Callable[[Turn], None]], ...] = (
    ("yields", yields.run),
    ("recruitment", recruitment.run),
    ("construction", construction.run),
    ("movement", movement.run),
    ("battle", battle.run),
    ("diplomacy", diplomacy.run),
    ("research", research.run),
    ("standing", standing.run),
)
"""Phases 1 to 8. Phase 9 is ``sight.look`` and phase 10 ``reports.write``, which other processes may do."""


class Adjudication(Struct, frozen=True):
    """Phases 1 to 8: the state after the tick, and the record of what happened."""

    snapshot: Snapshot
    record: Record


class Outcome(Struct, frozen=True):
    """A whole tick, as contract.md has it."""

    snapshot: Snapshot
    results: tuple[OrderResult, ...]
    battles: tuple[Battle, ...]
    captures: tuple[Capture, ...]
    eliminated: tuple[str, ...]
    result: Result | None
    views: dict[str, View]
    memory: Memory
    reports: dict[str, Report]


def resolve(snapshot: Snapshot, orders: Iterable[Order], memory: Memory | None = None) -> Outcome:
    """All ten phases. ``snapshot`` has no result; ``memory`` is what sight left after the tick before."""
    adjudication = adjudicate(snapshot, orders)
    record = adjudication.record
    seen = sight.look(adjudication.snapshot, record, memory or {})
    return Outcome(
        snapshot=adjudication.snapshot,
        results=record.results,
        battles=record.battles,
        captures=record.captures,
        eliminated=record.eliminated,
        result=record.result,
        views=seen.views,
        memory=seen.memory,
        reports=reports.write(record, seen.entitled or {}),
    )


def adjudicate(snapshot: Snapshot, orders: Iterable[Order]) -> Adjudication:
    """Phases 1 to 8, each over all factions together."""
    turn = Turn(snapshot, orders)
    for _, phase in PHASES:
        phase(turn)
    return Adjudication(_after(turn), _record(turn))


def _after(turn: Turn) -> Snapshot:
    snapshot = turn.snapshot
    return Snapshot(
        ruleset=snapshot.ruleset,
        rules_version=snapshot.rules_version,
        match_id=snapshot.match_id,
        seed=snapshot.seed,
        tick=turn.tick,
        settings=snapshot.settings,
        factions=tuple(_faction_after(turn, faction) for faction in snapshot.factions),
        holds=_holds_after(turn),
        routes=snapshot.routes,
        pacts=tuple(pact for _, pact in sorted(turn.pacts.items())),
        proposals=tuple(proposal for _, proposal in sorted(turn.proposals.items())),
        truces=tuple(truce for _, truce in sorted(turn.truces.items()) if truce.last_tick > turn.tick),
        result=turn.result,
    )


def _faction_after(turn: Turn, faction: Faction) -> Faction:
    return Faction(
        id=faction.id,
        seat=faction.seat,
        name=faction.name,
        stock=resources(turn.stock[faction.id]),
        techs=turn.techs[faction.id],
        research=turn.research[faction.id],
        eliminated_tick=turn.tick if faction.id in turn.eliminated else faction.eliminated_tick,
    )


def _holds_after(turn: Turn) -> tuple[Hold, ...]:
    changed = turn.garrisons.keys() | turn.buildings.keys() | turn.owners.keys()
    return tuple(
        Hold(
            id=hold.id,
            name=hold.name,
            x=hold.x,
            y=hold.y,
            owner=turn.owner_of(hold.id),
            yields=hold.yields,
            buildings=turn.buildings_of(hold.id),
            garrison=turn.garrisons.get(hold.id, hold.garrison),
        )
        if hold.id in changed
        else hold
        for hold in turn.snapshot.holds
    )


def _record(turn: Turn) -> Record:
    return Record(
        tick=turn.tick,
        factions=tuple(
            Before(
                faction.id,
                faction.seat,
                faction.techs,
                faction.eliminated_tick is not None,
                tuple(turn.owned[faction.id]),
            )
            for faction in turn.snapshot.factions
        ),
        filed={order.id: Filed(order.faction, order.seq, order.kind) for order in turn.orders},
        results=tuple(_result(order, turn.reasons[order.id]) for order in turn.orders),
        yields={faction: resources(paid) for faction, paid in turn.yields.items()},
        spent={faction: _spent(causes) for faction, causes in turn.spent.items() if causes},
        recruited=_units_at(turn.recruited),
        built=tuple(sorted(turn.built, key=lambda built: (built.hold, built.building))),
        left=_units_at(turn.left),
        arrived=_units_at(turn.arrived),
        present=turn.present,
        battles=tuple(turn.battles),
        captures=tuple(turn.captures),
        taken_buildings={capture.hold: turn.buildings_of(capture.hold) for capture in turn.captures},
        pacts_formed=tuple(sorted(turn.pacts_formed)),
        pacts_broken=tuple(turn.pacts_broken),
        proposed=tuple(turn.proposed),
        withdrawn=tuple(turn.withdrawn),
        started=turn.started,
        completed=turn.completed,
        vanished=_units_at(turn.vanished),
        eliminated=tuple(turn.eliminated),
        result=turn.result,
    )


def _result(order: Order, reason: str | None) -> OrderResult:
    return OrderResult(order.id, order.faction, "done" if reason is None else "failed", reason)


def _spent(causes: Mapping[type, Cost]) -> Spent:
    nothing = Cost(0, 0, 0)
    return Spent(*(resources(causes.get(cause, nothing)) for cause in (Recruit, Build, ResearchOrder)))


def _units_at(places: Mapping[Pair, dict[str, int]]) -> tuple[UnitsAt, ...]:
    return tuple(UnitsAt(hold, faction, units) for (hold, faction), units in sorted(places.items()))
