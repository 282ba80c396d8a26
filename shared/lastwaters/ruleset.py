"""Last Waters as the platform knows it: ``shared/rulesets.py``'s interface over this library.

Bytes in, bytes out: each method decodes what it needs, calls one function of the library, and encodes the answer.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from msgspec import Meta, Struct

from shared import rulesets
from shared.lastwaters import facts, filing, players, reports, sight, tables, tick
from shared.lastwaters import options as filing_options
from shared.lastwaters import verify as replay
from shared.lastwaters.effects import effects
from shared.lastwaters.errors import BadInput
from shared.lastwaters.mapgen import generate
from shared.lastwaters.memory import Memory
from shared.lastwaters.orders import KINDS, Malformed, Order, canonical, read_body, read_order
from shared.lastwaters.record import Record
from shared.lastwaters.views import View
from shared.lastwaters.world import Snapshot, decode, encode
from shared.rulesets import (
    Allowance,
    Broken,
    Difference,
    Json,
    Looked,
    NewMatch,
    Resolved,
    Standing,
    Viewer,
    Window,
)

HOUR = 3600


class MatchSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a creator may set (W-10, V-02)."""

    holds_per_seat: Annotated[int, Meta(ge=tables.HOLDS_PER_SEAT[0], le=tables.HOLDS_PER_SEAT[1])] = (
        tables.HOLDS_PER_SEAT_DEFAULT
    )
    tick_cap: Annotated[int, Meta(ge=tables.TICK_CAP[0], le=tables.TICK_CAP[1])] = tables.TICK_CAP_DEFAULT


class LastWaters:
    """See ``shared.rulesets.Ruleset`` for what each member promises."""

    id = tables.RULESET
    version: int = tables.RULES_VERSION
    title = "Last Waters"
    seats: tuple[int, int] = tables.SEATS
    levels: tuple[str, ...] = players.LEVELS
    takeover_level = "sound"
    roles: tuple[str, ...] = ()
    settings_type: type[Struct] = MatchSettings
    order_types: tuple[type[Struct], ...] = KINDS
    reasons: Mapping[str, str] = {**tables.REASONS, **tables.FILING_REASONS}
    paces: tuple[int, ...] = tuple(hours * HOUR for hours in tables.CADENCES_HOURS)

    def settings(self, given: Json) -> Json:
        return encode(decode(given, MatchSettings, "settings"))

    def new_match(self, new: NewMatch) -> Json:
        settings: MatchSettings = decode(new.settings, MatchSettings, "settings")
        seats = sorted(new.seats, key=lambda seat: seat.seat)
        names = [seat.name for seat in seats]
        snapshot = generate(
            new.seed, len(seats), settings.holds_per_seat, settings.tick_cap, new.match_id, names
        )
        if [seat.faction for seat in seats] != [faction.id for faction in snapshot.factions]:
            raise BadInput("seats", "faction ids are f1 and so on by seat, zero-padded to one width")
        return encode(snapshot)

    def order(self, given: Json, *, id: str, seq: int, faction: str) -> Json | Broken:
        try:
            body = read_body(decode(given, Any, "order"))
        except Malformed as problem:
            return Broken(reason="malformed", message=str(problem))
        except BadInput as problem:
            return Broken(reason="malformed", message=str(problem))
        return canonical(Order(id, seq, faction, body))

    def briefing(self, state: Json, faction: str) -> Json:
        return encode(filing.briefing(_state(state), faction))

    def check(self, briefing: Json, filed: Sequence[Json], new: Json) -> Broken | None:
        return _broken(filing.check(_briefing(briefing), _orders(filed), _order(new)))

    def check_all(self, briefing: Json, orders: Sequence[Json]) -> list[Broken | None]:
        brief = _briefing(briefing)
        return [_broken(refusal) for refusal in filing.check_all(brief, _orders(orders))]

    def options(self, briefing: Json, filed: Sequence[Json]) -> Json:
        return encode(filing_options.options(_briefing(briefing), _orders(filed)))

    def windows(self, state: Json) -> tuple[Window, ...]:
        return ()

    def answered(self, state: Json, filed: Mapping[str, Sequence[Json]]) -> bool:
        return False  # K-01: the tick waits for its deadline

    def resolve(self, state: Json, orders: Sequence[Json]) -> Resolved:
        done = tick.adjudicate(_state(state), _orders(orders))
        record = done.record
        return Resolved(
            state=encode(done.snapshot),
            record=encode(record),
            results=tuple(
                rulesets.Result(
                    order=result.order,
                    faction=result.faction,
                    status=result.status,
                    reason=result.reason,
                    words=None if result.reason is None else tables.REASONS[result.reason],
                )
                for result in record.results
            ),
            chronicle=encode({"battles": record.battles, "captures": record.captures}),
        )

    def look(self, state: Json, record: Json | None, memory: Json | None) -> Looked:
        snapshot = _state(state)
        if record is None:
            seen = sight.first(snapshot)
        else:
            before: Memory = {} if memory is None else decode(memory, Memory, "memory")
            seen = sight.look(snapshot, decode(record, Record, "record"), before)
        return Looked(
            views={faction: encode(view) for faction, view in seen.views.items()},
            memory=encode(seen.memory),
            entitled=None if seen.entitled is None else encode(seen.entitled),
        )

    def reports(self, record: Json, entitled: Json) -> dict[Viewer, Json]:
        """Of those still in the match before the tick: the others get no new report (T-06)."""
        who = decode(entitled, dict[str, sight.Entitled], "entitled")
        written = reports.write(decode(record, Record, "record"), who)
        return {faction: encode(report) for faction, report in written.items() if not report.silent}

    def public(self, state: Json) -> Json:
        return encode(facts.facts(_state(state)))

    def graph(self, state: Json) -> Json:
        return encode(facts.public_graph(_state(state)))

    def standing(self, state: Json) -> Standing:
        snapshot = _state(state)
        return Standing(
            live=tuple(faction.id for faction in snapshot.factions if faction.eliminated_tick is None),
            ended=snapshot.result is not None,
            result=None if snapshot.result is None else encode(snapshot.result),
        )

    def allowances(self, state: Json) -> dict[str, Allowance]:
        snapshot = _state(state)
        return {
            faction.id: Allowance(
                hour=tables.MESSAGES_AN_HOUR * effects(faction.techs).message_factor,  # G-02
                per_player=tables.MESSAGES_TO_ONE_PLAYER,
            )
            if faction.eliminated_tick is None and snapshot.result is None
            else Allowance(hour=0, per_player=0)  # G-04
            for faction in snapshot.factions
        }

    def play(
        self, level: str, *, faction: str, view: Json, options: Json, briefing: Json, graph: Json, luck: str
    ) -> list[Json]:
        orders = players.play(level, decode(view, View, "view"), _briefing(briefing), luck)
        return [encode(body) for body in orders]

    def tables(self) -> Json:
        return encode(published())

    def pages(self) -> dict[str, str]:
        return {"rules": rulebook()}

    def export_settings(self, state: Json, settings: Json) -> Json:
        return encode(decode(settings, MatchSettings, "settings"))

    def verify(self, export: Json) -> list[Difference]:
        found = replay.verify(decode(export, Any, ""))
        return [Difference(where=each.where, what=each.what) for each in found]


@cache
def rulebook() -> str:
    """RULES.md."""
    return files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")


def published() -> dict[str, Any]:
    """The tables as data, for clients."""
    costs = tables.RESOURCES
    return {
        "ruleset": tables.RULESET,
        "rules_version": tables.RULES_VERSION,
        "resources": tables.RESOURCES,
        "units": [
            {
                "unit": name,
                "attack": unit.attack,
                "defence": unit.defence,
                "speed": unit.speed,
                "cost": dict(zip(costs, unit.cost, strict=True)),
                "siege": unit.siege,
            }
            for name, unit in tables.UNITS.items()
        ],
        "buildings": [
            {
                "building": name,
                "raises": building.raises,
                "defence": building.defence,
                "sight": building.sight,
                "yields": dict(zip(costs, building.yields, strict=True)),
                "research_cut": building.research_cut,
                "orderable": building.cost is not None,
                "cost": dict(zip(costs, building.cost or (0, 0, 0), strict=True)),
            }
            for name, building in tables.BUILDINGS.items()
        ],
        "techs": [
            {
                "tech": name,
                "field": tech.field,
                "cost": dict(zip(costs, tech.cost, strict=True)),
                "ticks": tech.ticks,
                "needs": tech.needs,
                "effect": tech.effect,
            }
            for name, tech in tables.TECHS.items()
        ],
        "bands": [{"band": name, "from": least} for name, least in tables.BANDS],
        "reasons": {**tables.REASONS, **tables.FILING_REASONS},
        "limits": {
            "seats": tables.SEATS,
            "holds_per_seat": tables.HOLDS_PER_SEAT,
            "tick_cap": tables.TICK_CAP,
            "count": tables.COUNT,
            "orders_a_tick": tables.ORDERS_A_TICK,
            "hop_cost": tables.HOP_COST,
            "speed_budget": tables.SPEED_BUDGET,
            "pact_cap": tables.PACT_CAP,
            "pact_cap_max": tables.PACT_CAP_MAX,
            "truce_ticks": tables.TRUCE_TICKS,
            "research_cut_max": tables.RESEARCH_CUT_MAX,
            "archives_counted": tables.ARCHIVES_COUNTED,
            "exact_range": tables.EXACT_RANGE,
            "band_range": tables.BAND_RANGE,
            "sight_bonus_max": tables.SIGHT_BONUS_MAX,
            "message_characters": tables.MESSAGE_CHARACTERS,
            "messages_an_hour": tables.MESSAGES_AN_HOUR,
            "messages_to_one_player": tables.MESSAGES_TO_ONE_PLAYER,
        },
        "cadences_hours": tables.CADENCES_HOURS,
        "cadence_hours_default": tables.CADENCE_HOURS_DEFAULT,
    }


def _state(state: Json) -> Snapshot:
    snapshot: Snapshot = decode(state, Snapshot, "state")
    return snapshot


def _briefing(briefing: Json) -> filing.Briefing:
    brief: filing.Briefing = decode(briefing, filing.Briefing, "briefing")
    return brief


def _order(text: Json) -> Order:
    return read_order(decode(text, Any, "order"), "order")


def _orders(texts: Sequence[Json]) -> list[Order]:
    return [_order(text) for text in texts]


def _broken(refusal: filing.Refusal | None) -> Broken | None:
    return None if refusal is None else Broken(reason=refusal.reason, message=refusal.message)


RULESET: rulesets.Ruleset = LastWaters()
