"""A player who does something each tick, so that a match that is looked at has been played."""

import json
import random

import msgspec

from shared.lastwaters.options import Options
from shared.lastwaters.ruleset import RULESET
from shared.proof import sha256
from tests.rules.playout import sensible
from tests.stack.client import Json, Seat
from tests.web.server import WebServer

MOST = 8


def file_something(seat: Seat, chance: random.Random) -> list[Json]:
    """Files up to eight orders of what the options offer; those that were accepted."""
    options = msgspec.convert(seat.options(), Options)
    filed: list[Json] = []
    for order in sensible(chance, options):
        answer = seat.try_order(options.tick, order)
        if answer.accepted:
            filed.append(answer.body)
        if len(filed) == MOST:
            break
    return filed


def file_well(web: WebServer, seat: Seat, level: str) -> list[Json]:
    """Files what a computer player of that level would; those orders that were accepted."""
    options = seat.options()
    state = web.state(seat.match, options["tick"])
    planned = RULESET.play(
        level,
        faction=seat.faction,
        view=_json(seat.view()),
        options=_json(options),
        briefing=RULESET.briefing(state, seat.faction),
        graph=_json(seat.client.get(f"{seat.path}/map")),
        luck=sha256(f"{options['tick']}"),
    )
    answers = [seat.try_order(options["tick"], json.loads(order)) for order in planned]
    return [answer.body for answer in answers if answer.accepted]


def _json(value: Json) -> bytes:
    return json.dumps(value).encode()


def play_on(web: WebServer, seat: Seat, ticks: int, seed: int = 1, level: str | None = None) -> int:
    """Files something, or what a computer player of ``level`` would, and lets a tick come, so many times or until
    the end; the last tick."""
    chance = random.Random(seed)
    tick = int(seat.detail()["tick"])
    for _ in range(ticks):
        if level is None:
            file_something(seat, chance)
        else:
            file_well(web, seat, level)
        tick = web.tick_now(seat)
        if seat.detail()["status"] == "ended":
            break
    return tick
