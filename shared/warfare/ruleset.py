"""Warfare as the platform knows it: ``shared/rulesets.py``'s interface over this library.

Settings choose a campaign or a single battle (``match``). A tick is a window of open decisions; an order answers
one of them, so the tick fires as soon as all who are asked have answered. What a faction is told is made of the
match veiled for it (``views``, ``campaign_views``), and of the events that are for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from shared import canonical, rulesets
from shared.rulesets import (
    Allowance,
    Broken,
    Difference,
    Json,
    Looked,
    NewMatch,
    Resolved,
    Result,
    Standing,
    Viewer,
    Window,
)
from shared.warfare import match as matches
from shared.warfare import players, verify
from shared.warfare.decisions import GM, Decision, Event
from shared.warfare.errors import BadInput, Illegal
from shared.warfare.filing import AnswerOrder, AutoOrder, PoliciesOrder, read_order
from shared.warfare.filing import filed as filed_order
from shared.warfare.match import AUTO, GAME_MASTER, Match, MatchSettings
from shared.warfare.published import REASONS, RULESET, VERSION, published, rulebook
from shared.warfare.season.campaign import FEWEST, MOST, Seat
from shared.warfare.sights import Briefing, Memory, brief, graph, outlook, public, remember, viewer_id

MINUTE, HOUR = 60, 3600
MESSAGES_AN_HOUR, MESSAGES_TO_ONE = 30, 10


class Record(Struct, frozen=True, kw_only=True):
    """What happened in a tick, for everybody's report."""

    tick: int
    events: tuple[Event, ...]


class Warfare:
    """See ``shared.rulesets.Ruleset`` for what each member promises."""

    id = RULESET
    version: int = VERSION
    title = "Warfare"
    seats: tuple[int, int] = (FEWEST, MOST)
    levels: tuple[str, ...] = players.LEVELS
    takeover_level = "sound"
    roles: tuple[str, ...] = (GAME_MASTER,)
    settings_type: type[Struct] = MatchSettings
    order_types: tuple[type[Struct], ...] = (AnswerOrder, PoliciesOrder, AutoOrder)
    reasons: Mapping[str, str] = REASONS
    paces: tuple[int, ...] = (MINUTE, 5 * MINUTE, HOUR, 8 * HOUR, 24 * HOUR)

    def settings(self, given: Json) -> Json:
        settings = matches.decode_settings(given)
        matches.check_settings(settings)
        return _encode({**msgspec.to_builtins(settings), "options": matches.plain(settings.options)})

    def new_match(self, new: NewMatch) -> Json:
        seats = [Seat(id=seat.faction, seat=seat.seat, name=seat.name) for seat in new.seats]
        seats.sort(key=lambda seat: seat.seat)
        settings = matches.decode_settings(new.settings)
        return _encode(
            matches.new_match(new.match_id, new.seed, seats, settings, ruleset=self.id, version=self.version)
        )

    def order(self, given: Json, *, id: str, seq: int, faction: str) -> Json | Broken:
        try:
            order = read_order(given)
            return _encode({**msgspec.to_builtins(order), "id": id, "seq": seq, "faction": faction})
        except (BadInput, TypeError) as problem:  # TypeError: a number that is not whole, in an override
            return Broken(reason="malformed", message=str(problem))

    def briefing(self, state: Json, faction: str) -> Json:
        return _encode(brief(_match(state), faction))

    def check(self, briefing: Json, filed: Sequence[Json], new: Json) -> Broken | None:
        known = _briefing(briefing)
        order = filed_order(new)
        if matches.ended(known.match):
            return _broken("ended")
        if order.decision == AUTO:
            return None
        open_ = {decision.id for decision in known.decisions}
        own = (f"policies:{order.power}", *((GM,) if order.power == GM else ()))
        if (
            order.decision not in open_
            and order.decision not in own
            and not order.decision.startswith(f"{GM}:")
        ):
            return _broken("not-open")
        if order.answer is None:
            return None
        try:
            refusal = matches.check(known.match, order.decision, order.answer)
        except BadInput as problem:
            return Broken(reason="not-open", message=str(problem))
        except Illegal as problem:
            return Broken(reason="illegal", message=str(problem))
        return None if refusal is None else Broken(reason="illegal", message=refusal.message)

    def check_all(self, briefing: Json, orders: Sequence[Json]) -> list[Broken | None]:
        return [self.check(briefing, orders[:at], order) for at, order in enumerate(orders)]

    def options(self, briefing: Json, filed: Sequence[Json]) -> Json:
        known = _briefing(briefing)
        said = {order.decision: order.answer for order in map(filed_order, filed)}
        return _encode(
            {
                "decisions": [
                    {
                        **_asked(decision),
                        "id": decision.id,
                        "answered": decision.id in said,
                        "answer": said.get(decision.id),
                    }
                    for decision in known.decisions
                ],
                "auto": known.match.auto.get(known.power, []),
                "policies": not matches.ended(known.match),
            }
        )

    def windows(self, state: Json) -> tuple[Window, ...]:
        match = _match(state)
        return tuple(
            Window(
                viewer=GAME_MASTER if decision.power == GM else decision.power,
                question=_encode({"id": decision.id, **_asked(decision)}),
                default=decision.otherwise,
                needed=decision.power != GM and not matches.left_to_policies(match, decision),
            )
            for decision in matches.decisions(match)
        )

    def answered(self, state: Json, filed: Mapping[str, Sequence[Json]]) -> bool:
        match = _match(state)
        said = {
            (order.power, order.decision) for orders in filed.values() for order in map(filed_order, orders)
        }
        needed = [
            decision
            for decision in matches.decisions(match)
            if decision.power != GM and not matches.left_to_policies(match, decision)
        ]
        return bool(needed) and all((decision.power, decision.id) in said for decision in needed)

    def resolve(self, state: Json, orders: Sequence[Json]) -> Resolved:
        match = _match(state)
        if matches.ended(match):
            raise BadInput("state", "the match has ended")
        turned = matches.turn(match, [filed_order(order) for order in orders])
        record = Record(tick=turned.match.tick, events=turned.events)
        return Resolved(
            state=_encode(turned.match),
            record=_encode(record),
            results=tuple(
                Result(
                    order=fate.order.id,
                    faction=viewer_id(fate.order.power),
                    status="done" if fate.reason is None else "failed",
                    reason=fate.reason,
                    words=None if fate.reason is None else REASONS[fate.reason],
                )
                for fate in turned.fates
            ),
            chronicle=_encode({"events": [_event(event) for event in turned.events]}),
        )

    def look(self, state: Json, record: Json | None, memory: Json | None) -> Looked:
        match = _match(state)
        before: Memory = {} if memory is None else msgspec.json.decode(memory, type=Memory)
        remembered = remember(match, before)
        viewers = [*matches.powers(match), GAME_MASTER]
        return Looked(
            views={viewer: _encode(outlook(match, viewer, remembered)) for viewer in viewers},
            memory=_encode(remembered),
            entitled=None if record is None else _encode(viewers),
        )

    def reports(self, record: Json, entitled: Json) -> dict[Viewer, Json]:
        happened = msgspec.json.decode(record, type=Record)
        return {
            viewer: _encode(
                {
                    "tick": happened.tick,
                    "events": [
                        _told(event)
                        for event in happened.events
                        if viewer == GAME_MASTER or event.to is None or viewer in event.to
                    ],
                }
            )
            for viewer in msgspec.json.decode(entitled, type=list[str])
        }

    def public(self, state: Json) -> Json:
        return _encode(public(_match(state)))

    def graph(self, state: Json) -> Json:
        return _encode(graph(_match(state)))

    def standing(self, state: Json) -> Standing:
        match = _match(state)
        over = matches.ended(match)
        ranking = matches.ranking(match)
        return Standing(
            live=tuple(name for name in matches.powers(match) if not _out(match, name)),
            ended=over,
            result=_encode({"winner": matches.winner(match), "ranking": ranking, "tick": match.tick})
            if over
            else None,
        )

    def allowances(self, state: Json) -> dict[str, Allowance]:
        match = _match(state)
        silent = Allowance(hour=0, per_player=0)
        speaks = Allowance(hour=MESSAGES_AN_HOUR, per_player=MESSAGES_TO_ONE)
        over = matches.ended(match)
        return {name: silent if over or _out(match, name) else speaks for name in matches.powers(match)}

    def play(
        self, level: str, *, faction: str, view: Json, options: Json, briefing: Json, graph: Json, luck: str
    ) -> list[Json]:
        known = _briefing(briefing)
        return [
            _encode(
                {"kind": "answer", "decision": decision.id, "answer": _played(level, known, decision, luck)}
            )
            for decision in known.decisions
        ]

    def tables(self) -> Json:
        return _encode(published())

    def pages(self) -> dict[str, str]:
        return {"rules": rulebook()}

    def export_settings(self, state: Json, settings: Json) -> Json:
        return settings

    def verify(self, export: Json) -> list[Difference]:
        return verify.verify(self, msgspec.json.decode(export))


def _played(level: str, known: Briefing, decision: Decision, luck: str) -> Any:
    if decision.kind == "draft":
        return None
    if known.match.season is not None:
        found = players.rule(level, known.match.season, decision, luck)
    else:
        battle = next(iter(matches.battles(known.match)), None)
        found = None if battle is None else players.answer(level, battle, decision, luck)
    return None if found is None else msgspec.to_builtins(found)


def _asked(decision: Decision) -> dict[str, Any]:
    return {
        "decision": decision.kind,
        "name": decision.name,
        "battle": decision.battle,
        "question": decision.question,
        "default": decision.default,
        "otherwise": decision.otherwise,
    }


def _told(event: Event) -> dict[str, Any]:
    return {"event": event.kind, **event.facts}


def _event(event: Event) -> dict[str, Any]:
    return {**_told(event), "to": event.to}


def _out(match: Match, power: str) -> bool:
    return match.season is not None and power in match.season.out


def _match(state: Json) -> Match:
    try:
        return msgspec.json.decode(state, type=Match)
    except msgspec.DecodeError as problem:
        raise BadInput("state", str(problem)) from None


def _briefing(text: Json) -> Briefing:
    return msgspec.json.decode(text, type=Briefing)


def _broken(reason: Literal["ended", "not-open"]) -> Broken:
    return Broken(reason=reason, message=REASONS[reason])


def _encode(value: Any) -> Json:
    return canonical.encode(value)


WARFARE: rulesets.Ruleset = Warfare()
