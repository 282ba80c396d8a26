"""A browser as one player has it before him: a context of its own, watched for whatever goes wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

from tests.web import barriers
from tests.web.server import Person
from tests.web.traffic import Traffic
from tests.web.watching import Watch, hear_all

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
PLACE: dict[str, Any] = {"locale": "en-GB", "timezone_id": "Europe/Lisbon"}
NO_NETWORK = r"net::ERR_(INTERNET_DISCONNECTED|NETWORK_CHANGED)"


class Screen:
    """``page`` is its first tab. ``size``: DESKTOP or PHONE, or such options of Playwright."""

    def __init__(self, browser: Browser, url: str, size: dict[str, Any]) -> None:
        self.url = url
        self.context = browser.new_context(**PLACE, **size)
        self._watch = Watch(self.context, url)
        self.page = self.context.new_page()

    def open(self, *parts: str, page: Page | None = None) -> None:
        """Goes to a place of the client, as ``open("match", match, "orders")``; none is the lobby."""
        (page or self.page).goto(f"{self.url}/#/{'/'.join(parts)}")

    def new_tab(self, *parts: str) -> Page:
        """Another tab of the same browser."""
        page = self.context.new_page()
        self.open(*parts, page=page)
        return page

    def sign_in(self, person: Person) -> None:
        """With the link that carries both words; afterwards the lobby shows."""
        self.open("sign-in", person.handle, person.password)
        self.page.wait_for_url(f"{self.url}/#/")

    def axe(self, page: Page | None = None) -> None:
        """Fails if the page as it is now has a serious barrier."""
        barriers.check(page or self.page)

    def record(self) -> Traffic:
        """All that the server answers from now on, in every tab opened so far."""
        return Traffic(self.context)

    def allow(self, *patterns: str) -> None:
        """Problems that the test brings about; regular expressions on the lines of ``Watch``."""
        self._watch.allow(*patterns)

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Without a network meanwhile, which is then no problem."""
        self.allow(NO_NETWORK)
        self.context.set_offline(True)
        try:
            yield
        finally:
            self.context.set_offline(False)

    def close(self) -> list[str]:
        """Closes all its tabs; the problems that were met."""
        for page in self.context.pages:
            hear_all(page)
        self.context.close()
        return self._watch.problems
