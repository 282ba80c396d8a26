"""P5: limits are exact under concurrency on both stacks, and without Redis play goes on."""

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
import redis
import requests

from gateway.ratelimits import SIGN_IN_HANDLE, WRITE
from tests.drills.players import Player, open_over_http
from tests.drills.promises import latest
from tests.drills.sampling import chance
from tests.drills.stands import counted_apart, embedded, gateway
from tests.drills.yard import Yard, until

FOR_EVER = -1
ENOUGH_SECONDS = 40
SENDERS = 200
"""At once."""
HOURLY = 3
"""Messages of a player within an hour, by the rules of Lone Numbers."""


@dataclass(frozen=True)
class Doors:
    """``urls``: gateways with the limits as they are; ``sign_up``: where accounts are opened."""

    urls: tuple[str, ...]
    sign_up: str

    def crew(self, size: int) -> list[Player]:
        players = [Player(self.sign_up, f"p5{uuid4().hex[:10]}") for _ in range(size)]
        for player in players:
            player.url = self.urls[0]
        return players


@contextmanager
def of_the_yard(yard: Yard, gateways: int) -> Iterator[Doors]:
    with ExitStack() as ending:
        urls = [ending.enter_context(gateway(yard, limits_factor="1")) for _ in range(gateways)]
        yield Doors(tuple(urls), yard.url)


@pytest.fixture(params=["embedded", "real"])
def doors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Doors]:
    """The gateway of the embedded stack, or two of the real one."""
    if request.param == "embedded":
        with embedded(tmp_path, limits_factor="1") as url:
            yield Doors((url,), url)
        return
    with of_the_yard(request.getfixturevalue("yard"), 2) as found:
        yield found


def test_messages_requests_and_guesses_stop_exactly_at_their_limits(doors: Doors) -> None:
    crew = doors.crew(5)
    sender, *busy, guessed = crew
    match = open_over_http(crew, 60)
    path = f"/v1/matches/{match}/messages"
    until("the match runs", lambda: live(sender, match))
    bodies = [{"to": [f"f{2 + number % 4}"], "text": f"word {number}"} for number in range(SENDERS)]
    assert race(doors, sender, path, bodies) == {201: HOURLY, 429: SENDERS - HOURLY}
    held = sender.must("GET", f"{path}?limit=50").json()["items"]
    assert len(held) == HOURLY

    check_requests(doors, busy, path)

    wrong = {"handle": guessed.handle, "password": "not this"}
    answers = race(doors, None, "/v1/sessions", [wrong] * SENDERS)
    assert answers == {401: SIGN_IN_HANDLE.amount, 429: SENDERS - SIGN_IN_HANDLE.amount}


def check_requests(doors: Doors, players: Sequence[Player], path: str) -> None:
    """Each window counts for itself; so all are sent within one. Another player where that takes too long."""
    empty = {"to": ["f1"], "text": ""}
    for player in players:
        left, seconds = allowance(player, path)
        if seconds < ENOUGH_SECONDS:
            time.sleep(seconds + 1)
            left, seconds = allowance(player, path)
        began = time.monotonic()
        sent = WRITE.amount + SENDERS
        answers = race(doors, player, path, [empty] * sent)
        if time.monotonic() - began < seconds - 1:
            # Joining the match was a write too, perhaps in the same window.
            assert WRITE.amount - 2 <= left <= WRITE.amount - 1
            assert answers == {400: left, 429: sent - left}
            return
    raise AssertionError(f"{WRITE.amount + SENDERS} requests took longer than {WRITE.seconds} seconds")


def allowance(player: Player, path: str) -> tuple[int, int]:
    """Writes that are left in the window at hand, and its seconds; by one write."""
    answer = player.ask("POST", path, {"to": ["f1"], "text": ""})
    found = re.search(r"r=(\d+);t=(\d+)", answer.headers["RateLimit"])
    assert found is not None
    return int(found[1]), int(found[2])


def live(player: Player, match: str) -> bool:
    """The match runs, and messaging has heard of it too."""
    status: str = player.must("GET", f"/v1/matches/{match}").json()["status"]
    return status == "running" and player.ask("GET", f"/v1/matches/{match}/conversations").ok


def running(player: Player, match: str) -> bool:
    status: str = player.must("GET", f"/v1/matches/{match}").json()["status"]
    return status == "running"


def test_every_redis_key_expires(yard: Yard) -> None:
    with of_the_yard(yard, 1) as doors, ExitStack() as ending:
        crew = doors.crew(2)
        match = open_over_http(crew, 60)
        yard.opened.append(match)
        until("the match runs", lambda: running(crew[0], match))
        for player in crew:
            stream = requests.get(
                f"{player.url}/v1/matches/{match}/stream", headers=player.headers, stream=True, timeout=30
            )
            ending.callback(stream.close)
            assert stream.status_code == 200
        for path in ("view", "map", "orders", "reports", "messages"):
            crew[0].must("GET", f"/v1/matches/{match}/{path}")
        left = {}
        for url in (yard.servers.addresses.redis_url, counted_apart(yard)):
            with redis.Redis.from_url(url) as store:
                left |= {key: store.ttl(key) for key in store.scan_iter()}
    assert {kind for kind in ("limits", "streams") if any(kind.encode() in key for key in left)} == {
        "limits",
        "streams",
    }
    assert [key for key, seconds in left.items() if seconds == FOR_EVER] == []


def test_without_redis_play_goes_on_under_a_local_cap_and_sign_in_is_closed(yard: Yard) -> None:
    luck = chance("p05", "redis")
    with of_the_yard(yard, 1) as doors:
        crew = doors.crew(2)
        match = open_over_http(crew, 2)
        yard.opened.append(match)
        until("the match runs", lambda: latest(yard, [match])[match] >= 1)
        login = {"handle": crew[0].handle, "password": crew[0].password}
        sessions = f"{doors.urls[0]}/v1/sessions"
        yard.servers.redis.kill()
        try:
            assert requests.post(sessions, json=login, timeout=20).status_code == 503
            check_play_goes_on(yard, crew[0], match, luck)
            empty = {"to": ["f2"], "text": ""}
            path = f"/v1/matches/{match}/messages"
            answers = race(doors, crew[1], path, [empty] * (2 * WRITE.amount + SENDERS))
            assert answers[400] <= 2 * WRITE.amount
            assert answers[400] + answers[429] == 2 * WRITE.amount + SENDERS
        finally:
            yard.servers.redis.restart()
        until(
            "sign-in is open again",
            lambda: requests.post(sessions, json=login, timeout=20).status_code == 201,
        )


def check_play_goes_on(yard: Yard, player: Player, match: str, luck: random.Random) -> None:
    """Three ticks, and an order in each that could be filed in time."""
    began, filed = latest(yard, [match])[match], 0
    while latest(yard, [match])[match] < began + 3:
        tick = player.must("GET", f"/v1/matches/{match}/orders").json()["tick"]
        order = {"kind": "name", "number": luck.randint(1, 100)}
        answer = player.ask("POST", f"/v1/matches/{match}/orders?tick={tick}", order)
        assert answer.status_code in (201, 409, 422), answer.text
        filed += answer.status_code == 201
        time.sleep(0.2)
    assert filed


def race(doors: Doors, player: Player | None, path: str, bodies: Sequence[object]) -> Counter[int]:
    """Everything at once by as many as there are places for; how often each status was answered."""
    width = min(SENDERS, len(bodies))
    gate = threading.Barrier(width)
    own = threading.local()

    def send(job: tuple[int, object]) -> int:
        number, body = job
        if not hasattr(own, "http"):
            own.http = requests.Session()
            gate.wait(60)
        headers = {} if player is None else player.headers
        answer = own.http.post(
            f"{doors.urls[number % len(doors.urls)]}{path}", json=body, headers=headers, timeout=120
        )
        status: int = answer.status_code
        return status

    with ThreadPoolExecutor(width) as pool:
        return Counter(pool.map(send, enumerate(bodies)))
