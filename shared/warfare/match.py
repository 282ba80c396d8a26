"""A match as the platform keeps it: a campaign or a single battle, and who has left which windows to policies.

A tick is a window (WF-DEC-01). Windows in which every power asked has said ``auto`` close within the tick before.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from shared.warfare.battle.state import Battle
from shared.warfare.decisions import GM, KINDS, Decision, Event
from shared.warfare.errors import BadInput, Illegal, Refusal
from shared.warfare.options import Options
from shared.warfare.reading import read_army
from shared.warfare.season import campaign, machine, skirmish
from shared.warfare.season.campaign import Kind, Seat
from shared.warfare.season.skirmish import Corner, Skirmish
from shared.warfare.season.state import Season
from shared.warfare.world import Hex, Site, TerrainName

GAME_MASTER: Final = "game-master"
"""The platform's name of the role that the engine calls ``gm``."""
MOST_ROUNDS_ON: Final = 500
"""Windows left to policies that one tick may close; a match of none but such would not end in one tick."""


class MatchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a creator may set (section 26).

    ``format`` chooses between a campaign and a single battle. Of a campaign: ``kinds`` by seat, cities where it is
    too short. Of a battle: its ``terrain``; ``wall``, behind which ``defender`` (a seat; 0: nobody) stands;
    ``armies`` by seat, as ``reading`` takes them; whoever has none drafts (WF-CMP-10).
    """

    format: Literal["campaign", "battle"] = "campaign"
    kinds: Annotated[tuple[Kind, ...], Meta(max_length=8)] = ()
    terrain: TerrainName = "plains"
    wall: Annotated[int, Meta(ge=0, le=3)] = 0
    defender: Annotated[int, Meta(ge=0, le=8)] = 0
    armies: Annotated[
        dict[str, Annotated[tuple[dict[str, Any], ...], Meta(max_length=20)]], Meta(max_length=8)
    ] = {}
    options: Options = Options()


class Match(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The state of a tick. ``auto``: by power, the kinds of window it leaves to policies and defaults."""

    ruleset: str
    rules_version: int
    match_id: str
    tick: int = 0
    season: Season | None = None
    skirmish: Skirmish | None = None
    auto: dict[str, list[str]] = {}


class Filed(NamedTuple):
    """An order as sealed."""

    id: str
    seq: int
    power: str
    decision: str
    """Of the engine, or ``auto`` for windows left to policies."""
    answer: Any


class Fate(NamedTuple):
    """What became of an order; ``reason`` null: it was done."""

    order: Filed
    reason: str | None


class Turned(NamedTuple):
    """A tick done."""

    match: Match
    events: tuple[Event, ...]
    fates: tuple[Fate, ...]


AUTO: Final = "auto"


def check_settings(settings: MatchSettings) -> None:
    """Whether such a match can be. BadInput, or Illegal for armies that cannot."""
    if settings.wall and not settings.defender:
        raise BadInput("settings.defender", "a wall needs a seat behind it")
    for seat, armies in settings.armies.items():
        if not seat.isdigit() or not 1 <= int(seat) <= campaign.MOST:
            raise BadInput(f"settings.armies.{seat}", "armies are given by seat number")
        if not armies:
            raise BadInput(f"settings.armies.{seat}", "1 army or more")
    ids = [army.id for _, army in _given(settings)]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise BadInput("settings.armies", f"army {twice!r} is there twice")


def _given(settings: MatchSettings) -> Iterable[tuple[int, Any]]:
    for seat, armies in settings.armies.items():
        for index, army in enumerate(armies):
            yield int(seat), read_army(army, f"settings.armies.{seat}[{index}]")


def new_match(
    match_id: str, seed: str, seats: list[Seat], settings: MatchSettings, *, ruleset: str, version: int
) -> Match:
    """Tick 0."""
    match = Match(ruleset=ruleset, rules_version=version, match_id=match_id)
    if settings.format == "campaign":
        kinds = dict(enumerate(settings.kinds, 1))
        named = [replace(seat, kind=kinds.get(seat.seat, "city")) for seat in seats]
        match.season = campaign.new_campaign(seed, named, settings.options).state
        return match
    armies: dict[int, list[Any]] = {}
    for seat, army in _given(settings):
        armies.setdefault(seat, []).append(army)
    defender = next((seat.id for seat in seats if seat.seat == settings.defender), None)
    sites = (
        (Site(id="walls", kind="stronghold", owner=defender, wall=settings.wall),)
        if defender and settings.wall
        else ()
    )
    corners = [
        Corner(
            id=seat.id,
            seat=seat.seat,
            name=seat.name,
            armies=tuple(armies.get(seat.seat, ())),
            side=side_of(seat.seat, len(seats)),
        )
        for seat in seats
    ]
    match.skirmish = skirmish.new_skirmish(
        seed,
        corners,
        hex=Hex(at=(0, 0), terrain=settings.terrain, sites=sites),
        defender=defender,
        options=settings.options,
    ).state
    return match


def side_of(seat: int, seats: int) -> int:
    """Two or three players are a side each; more take turns on two."""
    return seat - 1 if seats <= skirmish.SIDES[-1] else (seat - 1) % skirmish.SIDES[0]


def decisions(match: Match) -> tuple[Decision, ...]:
    """The open questions of the tick to come."""
    if match.season is not None:
        return machine.decisions(match.season)
    return skirmish.decisions(match.skirmish) if match.skirmish is not None else ()


def check(match: Match, decision: str, answer: Any) -> Refusal | None:
    """As the engine's; BadInput if it is not open."""
    if match.season is not None:
        return machine.check(match.season, decision, answer)
    if match.skirmish is None:
        raise BadInput("decision", "nothing is open")
    return skirmish.check(match.skirmish, decision, answer)


def may_answer(match: Match, power: str, decision: str) -> bool:
    """Whether it is ``power``'s to answer, now."""
    if decision == AUTO:
        return power != GM
    if decision.startswith("policies:"):
        return decision == f"policies:{power}"
    if decision == GM or decision.startswith(f"{GM}:"):
        return power == GM
    return any(one.id == decision and one.power == power for one in decisions(match))


def ended(match: Match) -> bool:
    return (match.season is not None and match.season.phase == "ended") or (
        match.skirmish is not None and match.skirmish.phase == "ended"
    )


def ranking(match: Match) -> list[str]:
    """Best first."""
    if match.season is not None:
        return list(match.season.standing)
    return skirmish.ranking(match.skirmish) if match.skirmish is not None else []


def winner(match: Match) -> str | None:
    """The first of the ranking; null where a battle went through all its rounds undecided (WF-END-02)."""
    if match.skirmish is not None and (match.skirmish.battle is None or match.skirmish.battle.winner is None):
        return None
    return next(iter(ranking(match)), None)


def powers(match: Match) -> list[str]:
    """By seat."""
    if match.season is not None:
        return [power.id for power in match.season.powers]
    return [corner.id for corner in match.skirmish.corners] if match.skirmish is not None else []


def battles(match: Match) -> list[Battle]:
    """Those that are on."""
    if match.season is not None:
        return list(match.season.battles)
    fought = match.skirmish.battle if match.skirmish is not None else None
    return [] if fought is None else [fought]


def left_to_policies(match: Match, decision: Decision) -> bool:
    return decision.kind in match.auto.get(decision.power, ())


def turn(match: Match, orders: list[Filed]) -> Turned:
    """Closes the open window with the sealed orders, and those after it that are left to policies.

    Of several answers to one question the last counts. One that was legal when filed and is no more gives way to
    the default (WF-DEC-02).
    """
    last: dict[tuple[str, str], Filed] = {}
    for order in sorted(orders, key=lambda one: one.seq):
        last[order.power, order.decision] = order
    answers: dict[str, Any] = {}
    auto = {power: list(kinds) for power, kinds in match.auto.items()}
    fates: list[Fate] = []
    for order in orders:
        if last[order.power, order.decision] is not order:
            fates.append(Fate(order, "replaced"))
        elif order.decision == AUTO:
            auto[order.power] = sorted(order.answer)
            fates.append(Fate(order, None))
        else:
            reason = _reason(match, order)
            if reason is None and order.answer is not None:
                answers[order.decision] = order.answer
            fates.append(Fate(order, reason))
    now = replace(match, tick=match.tick + 1, auto=auto)
    events = _step(now, answers)
    for _ in range(MOST_ROUNDS_ON):
        open_ = decisions(now)
        if not open_ or not all(left_to_policies(now, decision) for decision in open_):
            break
        events += _step(now, {})
    return Turned(now, tuple(events), tuple(fates))


def _reason(match: Match, order: Filed) -> str | None:
    if not may_answer(match, order.power, order.decision):
        return "not-open"
    if order.answer is None:
        return None
    try:
        return None if check(match, order.decision, order.answer) is None else "overtaken"
    except (BadInput, Illegal):
        return "overtaken"


def _step(match: Match, answers: Mapping[str, Any]) -> list[Event]:
    """``match`` is this turn's own; the engine works on copies of what is in it."""
    if match.season is not None:
        stepped = machine.step(match.season, answers)
        match.season = stepped.state
        return list(stepped.events)
    if match.skirmish is not None:
        fought = skirmish.step(match.skirmish, answers)
        match.skirmish = fought.state
        return list(fought.events)
    return []


def form(decision: str) -> type[Struct] | None:
    """Of the answer to a decision of that id; null for an id that no engine makes."""
    kind = KINDS.get(decision.partition(":")[0])
    return None if kind is None else kind.form


def plain(options: Options) -> dict[str, Any]:
    """Options with their defaults written out."""
    return {name: getattr(options, name) for name in options.__struct_fields__}


def decode_settings(raw: bytes) -> MatchSettings:
    """BadInput names the path."""
    try:
        return msgspec.json.decode(raw, type=MatchSettings)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `")
        raise BadInput("settings" + path.rstrip("`").removeprefix("$"), what) from None
    except msgspec.DecodeError as error:
        raise BadInput("settings", str(error)) from None
