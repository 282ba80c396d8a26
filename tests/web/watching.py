"""What must not happen in a browser: every error it meets, kept until the test's end."""

import re
from contextlib import suppress
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, Request, Response, WebError

# Tells of a violated policy by itself too, with the directive first.
TELL_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy ${event.effectiveDirective} violated by ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`));
"""
# The browser's own words for what is met as an answer or as a failed request, with its address, anyway.
TOLD_TWICE = "Failed to load resource:"
LOCAL = ("data", "blob", "about")
BROKEN_OFF = "net::ERR_ABORTED"
"""The page itself no longer wanted it."""


class Watch:
    """Problems of every page of a context, one line each:

    ``console error: TEXT``, ``page error: TEXT``, ``answer: STATUS METHOD PATH``, ``failed: METHOD PATH ERROR``,
    ``foreign: URL``.
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._url = url
        self._problems: list[str] = []
        self._allowed: list[re.Pattern[str]] = []
        context.add_init_script(TELL_VIOLATIONS)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("requestfailed", self._failed)

    def allow(self, *patterns: str) -> None:
        """Problems in which a pattern is found are none, whether met already or still to come."""
        self._allowed += [re.compile(pattern) for pattern in patterns]

    @property
    def problems(self) -> list[str]:
        return [
            problem
            for problem in self._problems
            if not any(pattern.search(problem) for pattern in self._allowed)
        ]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(TOLD_TWICE):
            self._problems.append(f"console error: {message.text}")

    def _error(self, error: WebError) -> None:
        self._problems.append(f"page error: {error.error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith(f"{self._url}/") and urlsplit(request.url).scheme not in LOCAL:
            self._problems.append(f"foreign: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._problems.append(f"answer: {response.status} {_name(response.request)}")

    def _failed(self, request: Request) -> None:
        if request.failure != BROKEN_OFF:
            self._problems.append(f"failed: {_name(request)} {request.failure}")


def hear_all(page: Page) -> None:
    """Returns when what has happened in the page so far has been heard of."""
    # A page on its way elsewhere has nobody left to ask.
    with suppress(Error):
        page.evaluate("0")


def _name(request: Request) -> str:
    parts = urlsplit(request.url)
    return f"{request.method} {parts.path}" + (f"?{parts.query}" if parts.query else "")
