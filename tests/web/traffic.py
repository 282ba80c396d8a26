"""Everything that a browser was told, for the test that no answer carries what its player may not know."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Error, Page, Request

from tests.web.watching import hear_all

STREAMS = "text/event-stream"
EMPTY = (204, 304)


@dataclass(frozen=True)
class Heard:
    """An answer, or with status 0 one event of a stream. ``path`` with its query."""

    method: str
    path: str
    status: int
    text: str


class Traffic:
    """``heard``: answers and events in the order they were complete. ``lost``: answers whose text was not to be had;
    a test that wants all of them asserts that it is empty."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._heard: list[Heard] = []
        self.lost: list[str] = []
        context.on("requestfinished", self._finished)
        for page in context.pages:
            self._listen(page)
        context.on("page", self._listen)

    @property
    def heard(self) -> list[Heard]:
        for page in self._context.pages:
            hear_all(page)
        return list(self._heard)

    def _finished(self, request: Request) -> None:
        path = _path(request.url)
        try:
            response = request.response()
            if response is None or response.status in EMPTY:
                return
            if response.headers.get("content-type", "").startswith(STREAMS):
                return
            text = response.body().decode("utf-8", errors="replace")
        except Error as error:
            self.lost.append(f"{request.method} {path}: {error}")
            return
        self._heard.append(Heard(request.method, path, response.status, text))

    def _listen(self, page: Page) -> None:
        streams: dict[str, str] = {}

        def sent(event: dict[str, Any]) -> None:
            streams[event["requestId"]] = _path(event["request"]["url"])

        def told(event: dict[str, Any]) -> None:
            self._heard.append(Heard("GET", streams.get(event["requestId"], "?"), 0, event["data"]))

        session = self._context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", sent)
        session.on("Network.eventSourceMessageReceived", told)
        session.send("Network.enable")


def _path(url: str) -> str:
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")
