"""P3: one seal decides whether an order counts, and no process's own clock has a say in it.

The clocks of gateway, clock, orders and resolution are half a minute wrong, some this way and some that
(``program.SKEW``); only the database's is right.
"""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
import sqlalchemy as sa

from services.resolution import store
from tests.drills import program
from tests.drills.players import Player, open_over_http
from tests.drills.promises import latest, sealed_ticks
from tests.drills.sampling import amount
from tests.drills.yard import PATIENCE, Yard, until

CADENCE = 5
SEATS = amount(8, 40)
POSTS = amount(200, 10_000)
BEFORE = timedelta(milliseconds=500)
ROUNDING = timedelta(milliseconds=1)


@pytest.mark.timeout(1800)
def test_around_the_seal_an_order_is_accepted_exactly_if_it_is_sealed(yard: Yard) -> None:
    """Each player names and cancels numbers as fast as it can, from just before a deadline until the next list."""
    assert min(map(abs, program.SKEW.values())) >= 30
    crew = [Player(yard.url, f"p3{uuid4().hex[:10]}") for _ in range(SEATS)]
    match = open_over_http(crew, CADENCE)
    yard.opened.append(match)
    until("the first list is open", lambda: latest(yard, [match])[match] >= 1)
    sent = accepted = tick = 0
    while sent < POSTS:
        tick, deadline = due(crew[0], match, tick)
        time.sleep(max(0.0, (deadline - BEFORE - datetime.now(UTC)).total_seconds()))
        gate = threading.Barrier(SEATS)
        with ThreadPoolExecutor(SEATS) as pool:
            rounds = list(pool.map(partial(storm, match=match, tick=tick, gate=gate), crew))
        until("the tick is resolved", lambda tick=tick: latest(yard, [match])[match] >= tick, PATIENCE)
        sealed = sealed_ticks(yard, [match])[match, tick]
        texts = {json.loads(text)["faction"]: text for text in sealed.orders}
        assert len(texts) == len(sealed.orders)
        for seat, (held, said) in enumerate(rounds, 1):
            assert texts.get(f"f{seat:0{len(str(SEATS))}}", "") == held, said
            sent += len(said)
            accepted += bool(held)
    assert accepted, rounds
    check_deadlines(yard, match)
    for player in crew:
        player.close()


def due(player: Player, match: str, after: int) -> tuple[int, datetime]:
    """The next open tick and its deadline."""
    while True:
        found = player.must("GET", f"/v1/matches/{match}").json()
        at = found["next_deadline"] and datetime.fromisoformat(found["next_deadline"])
        if at and found["tick"] >= after and at - datetime.now(UTC) > BEFORE:
            return found["tick"] + 1, at
        time.sleep(0.1)


def storm(player: Player, match: str, tick: int, gate: threading.Barrier) -> tuple[str, list[str]]:
    """Names a number and cancels it again until the tick is closed; the text that was accepted last and stands, and
    what was answered on the way."""
    path, held, order, said = f"/v1/matches/{match}/orders", "", "", list[str]()
    gate.wait(PATIENCE)
    while True:
        if held:
            answer = player.ask("DELETE", f"{path}/{order}?tick={tick}")
        else:
            answer = player.ask(
                "POST", f"{path}?tick={tick}", {"kind": "name", "number": 1 + len(said) % 100}
            )
        said.append(f"{answer.request.method} {answer.status_code} {answer.text}")
        if answer.status_code == 409:
            assert answer.json()["code"] == "tick-closed"
            return held, said
        assert answer.status_code < 300, answer.text
        body = answer.json()
        held, order = ("", "") if held else (body["receipt"]["text"], body["id"])


def check_deadlines(yard: Yard, match: str) -> None:
    """Ticks ran when they were due by the database's clock, and what was filed was filed before the seal."""
    ticks = store.ticks
    with yard.engine("resolution").connect() as connection:
        rows = connection.execute(
            sa.select(ticks.c.deadline, ticks.c.ran_at).where(ticks.c.match == match, ticks.c.tick > 0)
        ).all()
        now = connection.scalar(sa.select(sa.func.clock_timestamp()))
    for row in rows:
        assert row.deadline - ROUNDING <= row.ran_at <= now
        assert row.ran_at - row.deadline < timedelta(seconds=min(map(abs, program.SKEW.values())))
