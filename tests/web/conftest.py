"""One stack and one browser for the session; for each test, screens of its own that must meet no problem."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.stack.stacks import embedded_stack
from tests.web.chromium import launched
from tests.web.screens import DESKTOP, PHONE, Screen
from tests.web.server import WebServer

PATIENCE_MS = 20_000

MakeScreen = Callable[[dict[str, Any]], Screen]
FAILED: pytest.StashKey[bool] = pytest.StashKey()

expect.set_options(timeout=PATIENCE_MS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    data_dir = tmp_path_factory.mktemp("web")
    with embedded_stack(data_dir) as running:
        server = WebServer(running, data_dir)
        yield server
        server.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright, launched(playwright) as browser:
        yield browser


@pytest.fixture
def screens(
    chromium: Browser, web: WebServer, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[MakeScreen]:
    """Makes screens; the test fails at its end for any problem that one of them met and that was not allowed.

    A test that fails leaves a picture of each page in its folder of ``--basetemp``; its output names it.
    """
    made: list[Screen] = []

    def make(size: dict[str, Any]) -> Screen:
        made.append(Screen(chromium, web.url, size))
        return made[-1]

    yield make
    if request.node.stash.get(FAILED, False):
        pages = [page for screen in made for page in screen.context.pages]
        for number, page in enumerate(pages, 1):
            picture = tmp_path / f"page-{number}.png"
            page.screenshot(path=picture)
            print(f"{page.url} looked like {picture}")
    problems = [problem for screen in made for problem in screen.close()]
    assert not problems, "\n".join(problems)


@pytest.fixture
def desktop(screens: MakeScreen) -> Screen:
    return screens(DESKTOP)


@pytest.fixture
def phone(screens: MakeScreen) -> Screen:
    return screens(PHONE)
