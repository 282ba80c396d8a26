"""Players over HTTP, as clients in the field are: they file, cancel and write, retry under one key while no answer
comes, and note every answer."""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

import requests
from requests.adapters import HTTPAdapter

from tests.drills.ledger import Attempt, Kind, Ledger, Outcome
from tests.drills.yard import Yard, until
from tests.services import tiny_ruleset

ANSWER_SECONDS = 12.0
PAUSE = 0.15
MANNED = 16
"""Matches that are played; where there are more, the others tick without orders."""
LOOKS_A_SECOND = 30
"""For the next list, of all captains together: many of them must leave the stack time to play."""
TRIES = 4
MOST_AT_ONCE = 64
"""Requests of one account under way, one of each match it plays in."""


class Player:
    """One account, signed in; its captains share it."""

    def __init__(self, url: str, handle: str) -> None:
        self.handle = handle
        self.url = url
        self._http = requests.Session()
        self._http.mount(url, HTTPAdapter(pool_maxsize=MOST_AT_ONCE))
        self.password = f"secret of {handle}"
        login = {"handle": handle, "password": self.password}
        self.must("POST", "/v1/accounts", login)
        token = self.must("POST", "/v1/sessions", login).json()["token"]
        self.headers = {"Authorization": f"Bearer {token}"}
        self._http.headers.update(self.headers)

    def ask(self, method: str, path: str, body: object = None, key: str | None = None) -> requests.Response:
        """Raises requests.RequestException when no answer came."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return self._http.request(
            method, f"{self.url}{path}", json=body, headers=headers, timeout=ANSWER_SECONDS
        )

    def must(self, method: str, path: str, body: object = None) -> requests.Response:
        """An answer 2xx, however often it takes."""
        key = str(uuid4())
        for _ in range(60):
            try:
                answer = self.ask(method, path, body, key if method == "POST" else None)
            except requests.RequestException:
                time.sleep(0.5)
                continue
            if answer.status_code < 300:
                return answer
            assert answer.status_code >= 500, f"{method} {path}: {answer.status_code} {answer.text}"
            time.sleep(0.5)
        raise AssertionError(f"{method} {path}: no answer")

    def close(self) -> None:
        self._http.close()


def outcome_of(status: int) -> Outcome:
    if status < 300:
        return "accepted"
    return "refused" if status < 500 else "unknown"


class Captain(threading.Thread):
    """Plays one seat until told to stop: names a number each tick, changes its mind now and then, writes a little."""

    def __init__(
        self,
        player: Player,
        match: str,
        seat: int,
        others: Sequence[int],
        ledger: Ledger,
        chance: random.Random,
        look_pause: float,
    ) -> None:
        super().__init__(name=f"{player.handle} in {match}")
        self._player = player
        self._match = match
        self._faction = f"f{seat}"
        self._ledger = ledger
        self._chance = chance
        self._look_pause = look_pause
        self._others = [f"f{other}" for other in others]
        self._stopping = threading.Event()
        self._tick = 1
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._play_tick(self._tick)
        except BaseException as error:  # noqa: BLE001 - raised in the drill's own thread
            self.error = error

    def stop(self) -> None:
        self._stopping.set()

    def _play_tick(self, tick: int) -> None:
        if self._chance.random() < 0.05:
            text = f"word {uuid4()}"
            body = {"to": [self._chance.choice(self._others)], "text": text}
            self._attempt("message", "POST", f"/v1/matches/{self._match}/messages", body, tick, text)
        for number in self._chance.sample(range(1, 101), 3):
            filed = self._attempt(
                "file",
                "POST",
                f"/v1/matches/{self._match}/orders?tick={tick}",
                {"kind": "name", "number": number},
                tick,
                str(number),
            )
            if filed.outcome != "accepted" or self._chance.random() < 0.5:
                break
            cancelled = self._attempt(
                "cancel",
                "DELETE",
                f"/v1/matches/{self._match}/orders/{filed.order}?tick={tick}",
                None,
                tick,
                str(number),
            )
            if cancelled.outcome != "accepted":
                break
        while self._tick == tick and not self._stopping.wait(self._look_pause):
            self._look()

    def _look(self) -> None:
        try:
            answer = self._player.ask("GET", f"/v1/matches/{self._match}/orders")
        except requests.RequestException:
            return
        if answer.status_code == 200 and answer.json()["open"]:
            self._tick = answer.json()["tick"]

    def _attempt(self, kind: Kind, method: str, path: str, body: object, tick: int, mark: str) -> Attempt:
        """Tries again under the same key while the answer is not known, but not for ever."""
        key = str(uuid4())
        attempt = Attempt(kind, self._match, self._faction, tick, key, "unknown", 0, mark)
        for _ in range(self._chance.randint(1, TRIES)):
            try:
                answer = self._player.ask(method, path, body, key)
            except requests.RequestException:
                self._stopping.wait(PAUSE)
                continue
            status = answer.status_code
            if status == 409 and answer.json().get("code") == "idempotency-in-progress":
                self._stopping.wait(PAUSE)
                continue
            attempt = replace(attempt, outcome=outcome_of(status), status=status)
            if attempt.outcome == "accepted" and kind == "file":
                filed = answer.json()
                attempt = replace(attempt, order=filed["id"], receipt=filed["receipt"]["text"])
            if attempt.outcome != "unknown":
                break
            self._stopping.wait(PAUSE)
        self._ledger.note(attempt)
        return attempt


@contextmanager
def at_sea(
    yard: Yard, chance: random.Random, *, matches: int, seats: int = 3, cadence: int = 2
) -> Iterator[tuple[list[str], Ledger]]:
    """Running matches during the block, with a captain on every seat of the first ``MANNED``; none under way when it
    ends."""
    ledger = Ledger()
    crew = [Player(yard.url, f"d{uuid4().hex[:12]}") for _ in range(seats)]
    opened = [open_over_http(crew, cadence) for _ in range(matches)]
    yard.opened += opened
    captains = [
        Captain(
            player,
            match,
            seat,
            [other for other in range(1, seats + 1) if other != seat],
            ledger,
            random.Random(chance.random()),
            max(PAUSE, min(matches, MANNED) * seats / LOOKS_A_SECOND),
        )
        for match in opened[:MANNED]
        for seat, player in enumerate(crew, 1)
    ]
    for captain in captains:
        captain.start()
    try:
        until("orders are accepted", lambda: ledger.count("accepted", kinds=["file"]) >= len(captains))
        yield opened, ledger
    finally:
        for captain in captains:
            captain.stop()
        for captain in captains:
            captain.join()
        for player in crew:
            player.close()
    for captain in captains:
        if captain.error is not None:
            raise captain.error


def open_over_http(crew: Sequence[Player], cadence: int) -> str:
    first, *others = crew
    opened = first.must(
        "POST",
        "/v1/matches",
        {
            "name": f"Drill of {first.handle}",
            "seats": len(crew),
            "visibility": "public",
            "cadence_seconds": cadence,
            "ruleset": tiny_ruleset.NAME,
            "settings": {"early": False, "rounds": 1000},
        },
    ).json()
    match: str = opened["id"]
    for player in others:
        player.must("POST", f"/v1/matches/{match}/seats", {})
    return match
