"""A player who does something each tick, so that a match that is looked at has been played."""

import random

import msgspec

from shared.lastwaters.options import Options
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


def play_on(web: WebServer, seat: Seat, ticks: int, seed: int = 1) -> int:
    """Files something and lets a tick come, so many times or until the end; the last tick."""
    chance = random.Random(seed)
    tick = int(seat.detail()["tick"])
    for _ in range(ticks):
        file_something(seat, chance)
        tick = web.tick_now(seat)
        if seat.detail()["status"] == "ended":
            break
    return tick
