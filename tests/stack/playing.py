"""A match of eight from lobby to end on the real stack, and all that its players and its operators saw of it."""

import json
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import msgspec
import sqlalchemy as sa

from services.report.store import reports, ticks
from shared.contracts.fog import GetView
from shared.lastwaters.options import Options
from tests.rules.playout import sensible
from tests.stack.client import Event, Json, Refused, Seat, Stream
from tests.stack.hammering import Hammer
from tests.stack.stacks import Running, broker_call

SEATS = 8
TICKS = 10
CADENCE = 2
MATCH_SECONDS = 300
TOO_LATE = ("tick-closed", "match-ended")


@dataclass
class Played:
    """``views`` (as sent) and ``reports`` by faction and tick; a faction that is out has no new report.

    ``streamed``: what one stream told, cut off in mid-match and resumed; ``again``: the same feed read anew.
    """

    match: str
    names: list[str]
    lobby: Json
    detail: Json
    export: str
    keys: list[Json]
    quiet: str
    busy: str
    hammer: Hammer
    receipts: list[Json]
    streamed: list[Event]
    again: list[Event]
    views: dict[tuple[str, int], str] = field(default_factory=dict)
    reports: dict[tuple[str, int], Json | None] = field(default_factory=dict)
    own_orders: dict[tuple[str, int], list[Json]] = field(default_factory=dict)


def play(running: Running, seed: int) -> Played:
    """``quiet`` files a list a tick and writes letters, ``busy`` hammers, six computer players do their best."""
    quiet = running.player("quiet").open_match(
        name=f"The 8 of {seed}", seats=SEATS, cadence_seconds=CADENCE, settings={"tick_cap": TICKS}
    )
    lobby = quiet.detail()
    stream = quiet.stream()
    quiet.add_bots(4, "sound")
    quiet.add_bots(2, "strong")
    busy = running.player("busy").join(quiet.match)
    hammer = Hammer(busy, seed)
    busy_stream = busy.stream(after=0)
    hammer.start()
    try:
        receipts, streamed = _follow(quiet, stream, busy.faction, hammer, random.Random(seed))
    finally:
        hammer.stop()
        busy_stream.close()
    resumed = quiet.stream(after=0)
    last = streamed[-1].id
    resumed.wait_for(lambda event: event.id >= last)
    resumed.close()
    detail = quiet.detail()
    played = Played(
        match=quiet.match,
        names=[seat["faction_name"] for seat in detail["seats"]],
        lobby=lobby,
        detail=detail,
        export=quiet.export(),
        keys=quiet.client.get("/v1/keys")["items"],
        quiet=quiet.faction,
        busy=busy.faction,
        hammer=hammer,
        receipts=receipts,
        streamed=streamed,
        again=resumed.events,
    )
    last_tick = detail["tick"]
    for seat in (quiet, busy):
        _look_back(played, seat, last_tick)
    computers = [seat["faction"] for seat in detail["seats"] if seat["bot"] is not None]
    _look_in(played, running, computers, last_tick)
    return played


def _follow(
    quiet: Seat, stream: Stream, busy: str, hammer: Hammer, chance: random.Random
) -> tuple[list[Json], list[Event]]:
    """Plays ``quiet`` until the match has ended; its receipts and all events, over a cut of the stream."""
    receipts: list[Json] = []
    events: list[Event] = []
    for tick in range(1, TICKS + 1):
        opened = stream.wait_for(partial(_opens, tick), MATCH_SECONDS)
        if _ends(opened):
            break
        hammer.hear(tick, datetime.fromisoformat(opened.data["at"]))
        stream.wait_for(partial(_tells, tick - 1))
        receipts += _file_list(quiet, tick, chance)
        quiet.send([busy], f"Before tick {tick}")
        if tick == TICKS // 2:
            stream.close()
            events += stream.events
            stream = quiet.stream(after=events[-1].id)
    stream.wait_for(_ends, MATCH_SECONDS)
    quiet.wait_for_status("ended")
    stream.close()
    return receipts, events + stream.events


def _opens(tick: int, event: Event) -> bool:
    """The list of ``tick`` is open, or there will be none."""
    return _ends(event) or (event.kind == "deadline" and event.data["tick"] == tick)


def _tells(tick: int, event: Event) -> bool:
    return event.kind == "tick" and event.data["tick"] == tick


def _ends(event: Event) -> bool:
    return event.kind == "match" and event.data["status"] == "ended"


def _file_list(quiet: Seat, tick: int, chance: random.Random) -> list[Json]:
    """The whole list of the tick in one step, without what is refused; nothing if the tick is over already."""
    path = f"{quiet.path}/orders?tick={tick}"
    try:
        options = msgspec.convert(quiet.options(), Options)
    except Refused as refused:
        assert refused.code in TOO_LATE, refused
        return []
    etag = quiet.client.ask("GET", path).headers["ETag"]
    wanted = list(sensible(chance, options))[:6]
    while True:
        answer = quiet.client.ask("PUT", path, {"orders": wanted}, **{"If-Match": etag})
        if answer.accepted:
            return [order["receipt"] for order in answer.body["items"]]
        if answer.code in TOO_LATE:
            return []
        bad = {error["index"] for error in answer.body["errors"]}
        wanted = [order for at, order in enumerate(wanted) if at not in bad]


def _look_back(played: Played, seat: Seat, last_tick: int) -> None:
    """What a player reads once all is over."""
    faction = seat.faction
    for tick in range(last_tick + 1):
        answer = seat.client.ask("GET", f"{seat.path}/view?tick={tick}")
        assert answer.accepted, answer
        played.views[faction, tick] = answer.text
        if tick > 0:
            played.reports[faction, tick] = _or_none(partial(seat.report, tick))
            played.own_orders[faction, tick] = seat.orders(tick)["items"]


def _or_none(read: Callable[[], Json]) -> Json | None:
    try:
        return read()
    except Refused as refused:
        assert refused.code == "not-found", refused
        return None


def _look_in(played: Played, running: Running, computers: Sequence[str], last_tick: int) -> None:
    """What computer players could see and what is kept for them: they have no session, and read no reports."""
    call = broker_call(running)
    for faction in computers:
        account = f"bot:{played.match}:{faction}"
        for tick in range(last_tick + 1):
            view = call(GetView(account=account, match=played.match, tick=tick))
            played.views[faction, tick] = bytes(view.view).decode()
            if tick > 0:
                played.reports[faction, tick] = None
    call.close()
    engine = running.engine("report")
    with engine.connect() as connection:
        kept = connection.execute(
            sa.select(ticks, reports.c.faction, reports.c.nonce, reports.c.sealed, reports.c.report)
            .join(reports, sa.and_(reports.c.match == ticks.c.match, reports.c.tick == ticks.c.tick))
            .where(ticks.c.match == played.match, reports.c.faction.in_(computers))
        )
        for row in kept:
            played.reports[row.faction, row.tick] = {
                "match": row.match,
                "tick": row.tick,
                "faction": row.faction,
                "rules_version": row.rules_version,
                "state_hash": row.state_hash,
                "digests": json.loads(row.digests),
                "nonce": row.nonce,
                "sealed": json.loads(zlib.decompress(row.sealed)),
                "report": json.loads(zlib.decompress(row.report)),
            }
    engine.dispose()
