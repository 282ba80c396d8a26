"""A player's HTTP client, for tests that run the whole product: one method a route, and a reader of the stream."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import requests
from requests.adapters import HTTPAdapter

SECONDS = 30.0
PASSWORD = "correct-horse-battery"

Json = dict[str, Any]
Found = TypeVar("Found")


class Refused(Exception):
    """An answer that is no success."""

    def __init__(self, answer: "Answer") -> None:
        super().__init__(f"{answer.status} {answer.body}")
        self.answer = answer
        self.code = answer.code


@dataclass(frozen=True)
class Answer:
    """``body`` is decoded JSON, None when there is none."""

    status: int
    headers: dict[str, str]
    text: str
    seconds: float

    @property
    def body(self) -> Any:
        return json.loads(self.text) if self.text else None

    @property
    def code(self) -> str | None:
        """The fixed code of a problem document."""
        problem = self.headers.get("Content-Type") == "application/problem+json"
        return self.body["code"] if problem else None

    @property
    def accepted(self) -> bool:
        return self.status < 300


class Client:
    """Somebody at ``url``; signed in by ``token``. May be shared between threads."""

    def __init__(self, url: str, token: str | None = None, connections: int = 10) -> None:
        self.url = url
        self._session = requests.Session()
        self._session.mount("http://", HTTPAdapter(pool_connections=1, pool_maxsize=connections))
        if token is not None:
            self._session.headers["Authorization"] = f"Bearer {token}"

    def close(self) -> None:
        self._session.close()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """The answer, whatever it is."""
        started = time.perf_counter()
        answer = self._session.request(method, self.url + path, json=body, headers=headers, timeout=SECONDS)
        return Answer(answer.status_code, dict(answer.headers), answer.text, time.perf_counter() - started)

    def get(self, path: str) -> Any:
        return accepted(self.ask("GET", path))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return accepted(self.ask("POST", path, body, **headers))

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return accepted(self.ask("PUT", path, body, **headers))

    def delete(self, path: str, body: Any = None) -> Any:
        return accepted(self.ask("DELETE", path, body))

    def sign_up(self, handle: str, password: str = PASSWORD) -> "Client":
        """A new account, signed in."""
        self.post("/v1/accounts", {"handle": handle, "password": password})
        return self.sign_in(handle, password)

    def sign_in(self, handle: str, password: str = PASSWORD, connections: int = 10) -> "Client":
        return Client(
            self.url,
            self.post("/v1/sessions", {"handle": handle, "password": password})["token"],
            connections,
        )

    def open_match(self, **wishes: Any) -> "Seat":
        made = self.post("/v1/matches", {"visibility": "public", **wishes})
        return Seat(self, made["id"])

    def join(self, match: str, **wishes: Any) -> "Seat":
        self.post(f"/v1/matches/{match}/seats", wishes)
        return Seat(self, match)


def accepted(answer: Answer) -> Any:
    """Its body. Raises ``Refused``."""
    if not answer.accepted:
        raise Refused(answer)
    return answer.body


@dataclass(frozen=True)
class Event:
    """One event of the stream."""

    id: int
    kind: str
    data: Json


@dataclass(frozen=True)
class Seat:
    """A player in a match."""

    client: Client
    match: str

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match}"

    def detail(self) -> Json:
        found: Json = self.client.get(self.path)
        return found

    @property
    def faction(self) -> str:
        return str(self.detail()["your_faction"])

    def add_bots(self, count: int, level: str) -> None:
        self.client.post(f"{self.path}/seats/bots", {"count": count, "level": level})

    def start(self) -> Json:
        started: Json = self.client.post(f"{self.path}/start")
        return started

    def view(self, tick: int | None = None) -> Json:
        found: Json = self.client.get(f"{self.path}/view" + ("" if tick is None else f"?tick={tick}"))
        return found

    def options(self) -> Json:
        found: Json = self.client.get(f"{self.path}/options")
        return found

    def report(self, tick: int) -> Json:
        found: Json = self.client.get(f"{self.path}/reports/{tick}")
        return found

    def orders(self, tick: int) -> Json:
        found: Json = self.client.get(f"{self.path}/orders?tick={tick}")
        return found

    def try_order(self, tick: int, order: Json) -> Answer:
        return self.client.ask("POST", f"{self.path}/orders?tick={tick}", order)

    def file(self, tick: int, order: Json) -> Json:
        filed: Json = accepted(self.try_order(tick, order))
        return filed

    def try_cancel(self, tick: int, order: str) -> Answer:
        return self.client.ask("DELETE", f"{self.path}/orders/{order}?tick={tick}")

    def try_message(self, to: Sequence[str], text: str, **headers: str) -> Answer:
        return self.client.ask("POST", f"{self.path}/messages", {"to": list(to), "text": text}, **headers)

    def send(self, to: Sequence[str], text: str) -> Json:
        sent: Json = accepted(self.try_message(to, text))
        return sent

    def export(self) -> str:
        """As it is sent, so that its bytes can be looked at."""
        answer = self.client.ask("GET", f"{self.path}/export")
        accepted(answer)
        return answer.text

    def wait_for_tick(self, tick: int, seconds: float = 60) -> Json:
        """The match once ``tick`` is resolved and told."""
        return wait_for(self.detail, lambda found: found["tick"] >= tick, seconds)

    def wait_for_status(self, status: str, seconds: float = 60) -> Json:
        return wait_for(self.detail, lambda found: found["status"] == status, seconds)

    def stream(self, after: int | None = None) -> "Stream":
        return Stream(self, after)


class Stream:
    """Events as they come, read by a thread of its own. ``close`` breaks off as a lost connection does."""

    def __init__(self, seat: Seat, after: int | None) -> None:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        self._answer = seat.client._session.get(
            seat.client.url + seat.path + "/stream", headers=headers, stream=True, timeout=(SECONDS, SECONDS)
        )
        self.status = self._answer.status_code
        self.content_type = self._answer.headers.get("Content-Type", "")
        self._events: list[Event] = []
        self._come = threading.Condition()
        self.ended = False
        self._closed = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def events(self) -> list[Event]:
        with self._come:
            return list(self._events)

    def wait_for(self, wanted: Callable[[Event], bool], seconds: float = 60) -> Event:
        """The first event so far or to come that is wanted. Raises ``TimeoutError``."""

        def found() -> Event | None:
            return next((event for event in self._events if wanted(event)), None)

        with self._come:
            self._come.wait_for(lambda: found() is not None or self.ended, seconds)
            event = found()
        if event is None:
            raise TimeoutError(f"not among {len(self._events)} events")
        return event

    def close(self) -> None:
        self._closed = True
        self._answer.close()
        self._thread.join(SECONDS)

    def _read(self) -> None:
        try:
            lines = (line.decode() for line in self._answer.iter_lines(chunk_size=1))
            for event in events_of(lines):
                with self._come:
                    self._events.append(event)
                    self._come.notify_all()
        except (requests.RequestException, AttributeError, ValueError):
            if not self._closed:  # else the libraries tell in these ways that the socket is gone
                raise
        finally:
            with self._come:
                self.ended = True
                self._come.notify_all()


def events_of(lines: Iterator[str]) -> Iterator[Event]:
    """Events of a Server-Sent Events text; comments and ``retry`` are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in fields:
                yield Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")


def wait_for(look: Callable[[], Found], enough: Callable[[Found], bool], seconds: float = 60) -> Found:
    """What ``look`` finds once it is enough. Raises ``TimeoutError`` with the last thing found."""
    deadline = time.monotonic() + seconds
    while not enough(found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"after {seconds:g} s still {str(found)[:1000]}")
        time.sleep(0.1)
    return found
