"""Phase 10: each faction's report, picked from the record by what it is entitled to (P-01, P-02).

**The one projection.** ``_report`` builds a report from an allow-list: the faction's own doings; events at holds that
its sight before the tick covers (``sight.Entitled``) or where it has units; battles whole only with units in them;
public events. What is not named here is told to nobody.
"""

from collections.abc import Iterable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from shared.lastwaters.record import Assault, Battle, Before, Capture, Losses, Record, Spent, UnitsAt
from shared.lastwaters.report import (
    Balance,
    BuildingLine,
    Event,
    HoldLine,
    OrderLine,
    Public,
    Report,
    ResourcesLine,
    ToldAssault,
    ToldBattle,
    UnitsLine,
)
from shared.lastwaters.sight import Entitled
from shared.lastwaters.tables import REASONS
from shared.lastwaters.turn import add_units
from shared.lastwaters.world import Resources


def write(record: Record, entitled: Mapping[str, Entitled]) -> dict[str, Report]:
    """Every faction's report. ``entitled`` names the factions that get a new one; the others' are silent."""
    told = _Told(record)
    nothing = Report(
        faction="",
        tick=record.tick,
        silent=True,
        orders=(),
        resources=ResourcesLine(_NOTHING, _NOTHING, _NOTHING, _NOTHING),
        balance=Balance((), (), (), (), (), (), ()),
        events=(),
        battles=(),
        battles_seen=(),
        proposed=(),
        withdrawn=(),
        public=Public((), (), ()),
    )
    return {
        faction.id: _report(told, faction, entitled[faction.id])
        if faction.id in entitled
        else replace(nothing, faction=faction.id)
        for faction in record.factions
    }


_NOTHING = Resources(0, 0, 0)
_NOT_SPENT = Spent(_NOTHING, _NOTHING, _NOTHING)


def _report(told: "_Told", faction: Before, entitled: Entitled) -> Report:
    me, record = faction.id, told.record
    exact, band = set(entitled.exact), set(entitled.band)
    spent = record.spent.get(me, _NOT_SPENT)
    return Report(
        faction=me,
        tick=record.tick,
        silent=False,
        orders=tuple(told.orders.get(me, ())),
        resources=ResourcesLine(record.yields[me], spent.recruits, spent.builds, spent.research),
        balance=_balance(told, me),
        events=tuple(
            event
            for hold, events in told.events.items()
            for event in events
            if hold in exact or _told_apart(event, me, hold in band, me in record.present.get(hold, ()))
        ),
        battles=tuple(battle for battle in record.battles if me in record.present[battle.hold]),
        battles_seen=tuple(
            told.seen(battle)
            for battle in record.battles
            if battle.hold in exact and me not in record.present[battle.hold]
        ),
        proposed=tuple(offer for offer in record.proposed if me in (offer.from_, offer.to)),  # D-05
        withdrawn=tuple(offer for offer in record.withdrawn if me in (offer.from_, offer.to)),
        public=told.public,
    )


def _told_apart(event: Event, me: str, in_band: bool, units_there: bool) -> bool:
    """Whether an event at a hold that was not seen exactly may be told (P-02)."""
    if me in (event.faction, event.from_):
        return True
    if event.kind == "captured":
        return in_band or units_there
    return event.kind == "arrived" and units_there


class _Told:
    """The record sorted once by who and where, for all reports together."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.events = _events(record)
        self.orders: dict[str, list[OrderLine]] = {}
        for result in record.results:
            filed = record.filed[result.order]
            line = OrderLine(
                result.order,
                filed.seq,
                UNSET if filed.kind is None else filed.kind,
                result.status,
                result.reason,
                UNSET if result.reason is None else REASONS[result.reason],
            )
            self.orders.setdefault(result.faction, []).append(line)
        self.recruited = _by_faction(record.recruited)
        self.vanished = _by_faction(record.vanished)
        self.fallen = _fallen(record.battles)
        self.public = Public(
            record.pacts_formed,
            record.pacts_broken,
            record.eliminated,
            UNSET if record.result is None else record.result,
        )
        self._seen: dict[str, ToldBattle] = {}

    def seen(self, battle: Battle) -> ToldBattle:
        """``battle`` for those who looked on."""
        found = self._seen.get(battle.hold)
        if found is None:
            assaults = tuple(map(_told_assault, battle.assaults))
            found = ToldBattle(battle.hold, assaults, battle.owner_before, battle.owner_after)
            self._seen[battle.hold] = found
        return found


def _told_assault(assault: Assault) -> ToldAssault:
    return ToldAssault(
        assault.defender,
        assault.defenders,
        assault.attackers,
        _sum(exchange.attack_losses for exchange in assault.exchanges),
        _sum(exchange.defence_losses for exchange in assault.exchanges),
    )


def _sum(losses: Iterable[Losses]) -> Losses:
    total: Losses = {}
    for each in losses:
        for side, units in each.items():
            add_units(total.setdefault(side, {}), units)
    return total


def _fallen(battles: Iterable[Battle]) -> dict[str, list[UnitsAt]]:
    """Losses of each side, by hold."""
    fallen: dict[str, list[UnitsAt]] = {}
    for battle in battles:
        exchanges = [exchange for assault in battle.assaults for exchange in assault.exchanges]
        losses = _sum(side for each in exchanges for side in (each.attack_losses, each.defence_losses))
        for side, units in losses.items():
            fallen.setdefault(side, []).append(UnitsAt(battle.hold, side, units))
    return fallen


def _by_faction(places: Iterable[UnitsAt]) -> dict[str, list[UnitsAt]]:
    found: dict[str, list[UnitsAt]] = {}
    for place in places:
        found.setdefault(place.faction, []).append(place)
    return found


def _events(record: Record) -> dict[str, list[Event]]:
    """All events by hold, sorted by hold; within one in the order of the phases."""
    events: dict[str, list[Event]] = {}

    def happened(event: Event) -> None:
        events.setdefault(event.hold, []).append(event)

    def units(kind: str, places: Iterable[UnitsAt]) -> None:
        for place in places:
            happened(Event(hold=place.hold, kind=kind, faction=place.faction, units=place.units))

    units("recruited", record.recruited)
    for built in record.built:
        happened(Event(hold=built.hold, kind="built", faction=built.faction, building=built.building))
    units("left", record.left)
    units("arrived", record.arrived)
    for taken in record.captures:
        from_ = UNSET if taken.from_ is None else taken.from_
        happened(Event(hold=taken.hold, kind="captured", faction=taken.to, from_=from_))
    return dict(sorted(events.items()))


def _balance(told: _Told, me: str) -> Balance:
    record = told.record
    won = [capture for capture in record.captures if capture.to == me]
    lost = [capture for capture in record.captures if capture.from_ == me]
    built = [BuildingLine(each.hold, each.building, "built") for each in record.built if each.faction == me]
    return Balance(
        units_gained=_unit_lines("recruited", told.recruited.get(me, ())),
        units_lost=(
            *_unit_lines("battle", told.fallen.get(me, ())),
            *_unit_lines("eliminated", told.vanished.get(me, ())),
        ),
        holds_gained=tuple(HoldLine(each.hold, UNSET if each.from_ is None else each.from_) for each in won),
        holds_lost=tuple(HoldLine(each.hold, each.to) for each in lost),
        buildings_gained=(*built, *_captured_buildings(record, won)),
        buildings_lost=_captured_buildings(record, lost),
        techs_gained=(record.completed[me],) if me in record.completed else (),
        research_started=record.started.get(me, UNSET),
    )


def _unit_lines(cause: str, places: Iterable[UnitsAt]) -> tuple[UnitsLine, ...]:
    return tuple(UnitsLine(place.hold, cause, place.units) for place in places)


def _captured_buildings(record: Record, captures: Iterable[Capture]) -> tuple[BuildingLine, ...]:
    return tuple(
        BuildingLine(capture.hold, building, "captured")
        for capture in captures
        for building in record.taken_buildings[capture.hold]
    )
