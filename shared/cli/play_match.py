"""The match that ``lastwaters play`` opens, through the same HTTP interface that every client uses."""

import json
import secrets
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

from shared.runtime.private_files import write_private

LOOK_SECONDS = 0.5
START_SECONDS = 30
HTTP_SECONDS = 20.0

Json = dict[str, Any]


@dataclass(frozen=True)
class Opening:
    """Of a new match: seconds between ticks, seats in all, level of the computer players."""

    cadence: int
    seats: int
    level: str


class HttpProblem(Exception):
    """An answer that is not 2xx."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status} {problem.get('code', '')}: {problem.get('detail', '')}")
        self.status = status
        self.code = problem.get("code")


class Player:
    """An account of the gateway at ``address``; its sign-in and its match are kept in ``file``."""

    def __init__(self, address: str, file: Path) -> None:
        self.address = address
        self._file = file
        self._token: str | None = None
        kept: Json = json.loads(file.read_text()) if file.exists() else {}
        self.handle: str = kept.get("handle", f"player-{secrets.token_hex(2)}")
        self.password: str = kept.get("password", secrets.token_urlsafe(12))
        self.match: str | None = kept.get("match")

    def request(self, method: str, path: str, body: Json | None = None) -> Json:
        """Raises ``HttpProblem``; ``OSError`` when the gateway is gone."""
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        call = urllib.request.Request(
            self.address + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers=headers,
        )
        try:
            with urllib.request.urlopen(call, timeout=HTTP_SECONDS) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            text = error.read()
            raise HttpProblem(error.code, json.loads(text) if text.startswith(b"{") else {}) from error
        found: Json = json.loads(text) if text else {}
        return found

    def sign_in(self) -> None:
        """Signs in, with a new account where there is none yet."""
        sign_in = {"handle": self.handle, "password": self.password}
        try:
            self._token = self.request("POST", "/v1/sessions", sign_in)["token"]
        except HttpProblem as problem:
            if problem.status != 401:
                raise
            self.request("POST", "/v1/accounts", sign_in)
            self._keep()
            self._token = self.request("POST", "/v1/sessions", sign_in)["token"]

    def running_match(self) -> Json | None:
        """The kept match, if it still runs."""
        if self.match is None:
            return None
        try:
            match = self.request("GET", f"/v1/matches/{self.match}")
        except HttpProblem as problem:
            if problem.status != 404:
                raise
            return None
        return match if match["status"] == "running" else None

    def open_match(self, opening: Opening) -> Json:
        """A new match with computer players in every other seat, started."""
        match = self.request(
            "POST",
            "/v1/matches",
            {
                "name": f"{self.handle} against the sea",
                "seats": opening.seats,
                "visibility": "private",
                "cadence_seconds": opening.cadence,
            },
        )
        path = f"/v1/matches/{match['id']}"
        self.request("POST", f"{path}/seats/bots", {"count": opening.seats - 1, "level": opening.level})
        self.match = match["id"]
        self._keep()
        return self._wait_for_start(path)

    def _wait_for_start(self, path: str) -> Json:
        """The match starts by itself with its last seat; this waits until tick 0 is there."""
        deadline = monotonic() + START_SECONDS
        while True:
            match = self.request("GET", path)
            if match["status"] == "running" or monotonic() > deadline:
                return match
            sleep(LOOK_SECONDS)

    def _keep(self) -> None:
        kept = {"handle": self.handle, "password": self.password, "match": self.match}
        write_private(self._file, json.dumps(kept, indent=2) + "\n")


def watch(player: Player, opening: Opening, stopping: threading.Event) -> None:
    """Opens or resumes the match, says how to play it, and tells of its ticks until ``stopping``."""
    try:
        player.sign_in()
        match = player.running_match()
        words = "goes on" if match else "is open"
        match = match or player.open_match(opening)
        for line in introduction(player, match, words):
            say(line)
        for line in progress(player, match, stopping):
            say(line)
    except (HttpProblem, OSError) as error:
        if not stopping.is_set():
            say(f"The match cannot be followed: {error}")


def say(line: str) -> None:
    print(line, flush=True)


def introduction(player: Player, match: Json, words: str) -> Iterator[str]:
    """Where to play, signed in by a link: what stands behind its # never reaches a server."""
    yield f"Play in a browser: {player.address}/#/sign-in/{quote(player.handle)}/{quote(player.password)}"
    yield f"Sign-in: handle {player.handle}   password {player.password}   for programs: {player.address}/docs"
    yield (
        f"Match {match['id']} {words}: {match['seats_total']} seats, you are {match['your_faction']}, "
        f"a tick every {match['cadence_seconds']} s. Ctrl-C leaves; the next start goes on with it."
    )
    yield ""


def progress(player: Player, match: Json, stopping: threading.Event) -> Iterator[str]:
    """A line a tick, and one at the end."""
    path = f"/v1/matches/{match['id']}"
    tick = -1
    while not stopping.is_set():
        try:
            match = player.request("GET", path)
        except HttpProblem as problem:
            if problem.status not in (429, 503):
                raise
        else:
            if match["tick"] != tick:
                tick = match["tick"]
                yield tick_line(match)
            if match["status"] == "ended":
                yield f"The match has ended: {json.dumps(match['result'])}. The next start opens a new one."
                return
        stopping.wait(LOOK_SECONDS)


def tick_line(match: Json) -> str:
    public = match["public"] or {}
    eliminated = public.get("eliminated") or public.get("eliminations") or []
    deadline = match["next_deadline"]
    when = f"next at {datetime.fromisoformat(deadline).astimezone():%H:%M:%S}" if deadline else "no more"
    pacts = f", {len(public['pacts'])} pacts" if public.get("pacts") else ""
    playing = match["seats_total"] - len(eliminated)
    return f"tick {match['tick']:>3}   {when}   {playing} factions in play{pacts}"
