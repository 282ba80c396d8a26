"""axe-core on every page and every panel, for a desktop and a phone."""

import pytest

from tests.stack.client import Json, Seat
from tests.web.conftest import MakeScreen
from tests.web.playing import play_on
from tests.web.screens import DESKTOP, PHONE
from tests.web.server import Person, WebServer

RUNNING = ("hold", "orders", "report", "research", "diplomacy", "messages", "guide")
ENDED = ("end", "hold", "orders", "report", "research", "diplomacy", "messages")


@pytest.fixture(scope="module")
def person(web: WebServer) -> Person:
    return web.person("reader")


@pytest.fixture(scope="module")
def running(web: WebServer, person: Person) -> Seat:
    other = web.person("writer")
    seat = web.match(person, other, bots=2)
    play_on(web, seat, 6, seed=2)
    Seat(other.client, seat.match).send([seat.faction], "Good evening.")
    return seat


@pytest.fixture(scope="module")
def ended(web: WebServer, person: Person) -> Seat:
    seat = web.match(person, bots=1, settings={"tick_cap": 3, "holds_per_seat": 4})
    play_on(web, seat, 3, seed=2)
    return seat


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_keeps_anybody_out(
    web: WebServer, screens: MakeScreen, person: Person, running: Seat, ended: Seat, size: Json
) -> None:
    screen = screens(size)
    page = screen.page
    for door in ("sign-in", "sign-up", "rules"):
        screen.open(door)
        page.get_by_role("heading", level=1).first.wait_for()
        screen.axe()
    screen.sign_in(person)
    waiting = web.lobby(person, seats=3)
    code = waiting.detail()["invite_code"]
    for place in ((), ("new",), ("account",), ("join", code), ("rules", "M-03"), ("match", waiting.match)):
        screen.open(*place)
        page.get_by_role("heading", level=1).first.wait_for()
        screen.axe()
    for seat, panels in ((running, RUNNING), (ended, ENDED)):
        for panel in panels:
            screen.open("match", seat.match, panel)
            tab = page.locator(f"#tab-{panel}[aria-selected=true]")
            tab.wait_for()
            page.locator(f"#panel[aria-labelledby=tab-{panel}]").get_by_role("heading").first.wait_for()
            screen.axe()
