"""What happens by accident or out of mischief: odd typing, two clicks for one, names made to break a page, small windows."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.stack.client import Json, Seat
from tests.web.conftest import MakeScreen
from tests.web.screens import PHONE, Screen
from tests.web.server import Person, WebServer

NAMES = ('<b>x</b>" onmouseover=alert(1)', "W" * 40, "\u05de\u05dc\u05db\u05d5\u05ea \u05d4\u05d9\u05dd")
NARROW: Json = {**PHONE, "viewport": {"width": 320, "height": 640}}
SIDEWAYS: Json = {**PHONE, "viewport": {"width": 844, "height": 390}}
ENLARGED: Json = {"viewport": {"width": 640, "height": 400}}
PANELS = ("hold", "orders", "report", "research", "diplomacy", "messages", "guide")


def sideways_scroll(page: Page) -> int:
    """Pixels by which the page, or the panel in it, is wider than it shows."""
    return int(
        page.evaluate(
            """() => Math.max(...[document.documentElement, document.getElementById("panel")]
                .filter(Boolean).map((element) => element.scrollWidth - element.clientWidth))"""
        )
    )


def test_a_number_is_typed_without_being_put_right_meanwhile(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("typist"), desktop.page
    seat = web.match(person, bots=1)
    desktop.sign_in(person)
    desktop.open("match", seat.match, "hold")
    page.locator(".hold-row").click()
    field, sum_of = page.get_by_label("Number of militia"), page.locator(".purchase-total").first
    for typed, count in (("5", 5), ("12", 12), ("0", 1), ("-5", 1), ("abc", 1), ("1.5", 1)):
        field.press("Control+a")
        field.press("Delete")
        expect(field).to_have_value("")
        field.press_sequentially(typed)
        expect(sum_of).to_contain_text(f"{count} militia of at most")
        field.blur()
        expect(field).to_have_value(str(count))
    most = field.get_attribute("max")
    field.press_sequentially("9" * 30)
    expect(field).to_have_value(most or "")


def test_a_march_filed_by_two_clicks_is_filed_once(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("hasty"), desktop.page
    seat = web.match(person, bots=1)
    desktop.sign_in(person)
    desktop.open("match", seat.match, "hold")
    page.locator(".hold-row").click()
    page.get_by_role("button", name="March from here").click()
    page.locator(".ends .end").first.click()
    expect(page.locator("#march-verdict")).to_contain_text("would take this march")
    page.get_by_role("button", name="File this march").dblclick()
    expect(page.locator("#tab-orders .count")).to_have_text("1")
    assert [order["kind"] for order in seat.orders(1)["items"]] == ["move"]


@dataclass(frozen=True)
class Named:
    """A player among others with such names, in a match that waits, one that runs and one that has ended."""

    ada: Person
    waiting: Seat
    running: Seat
    ended: Seat


@pytest.fixture(scope="module")
def named(web: WebServer) -> Named:
    ada, *others = (web.person(name) for name in ("ada", "ben", "cy", "dee"))
    waiting, running, ended = (
        web.lobby(ada, seats=seats, name="M" * 80, visibility="public", settings={"tick_cap": 1})
        for seats in (5, 4, 4)
    )
    for other, name in zip(others, NAMES, strict=True):
        for match in (waiting.match, running.match, ended.match):
            other.client.join(match, faction_name=name)
    running.wait_for_status("running", 60)
    Seat(others[0].client, running.match).send([running.faction], "W" * 2_000)
    ended.wait_for_status("running", 60)
    web.tick_now(ended)
    return Named(ada, waiting, running, ended)


@pytest.mark.parametrize(
    "size",
    [PHONE, NARROW, SIDEWAYS, ENLARGED],
    ids=["phone", "narrow", "sideways", "enlarged"],
)
def test_names_and_words_without_end_stay_in_their_place(
    named: Named, screens: MakeScreen, size: Json
) -> None:
    screen = screens(size)
    page = screen.page
    screen.sign_in(named.ada)
    expect(page.locator(".match-card").first).to_be_visible()
    assert sideways_scroll(page) <= 0
    screen.open("match", named.waiting.match)
    expect(page.locator(".seat-list")).to_contain_text(NAMES[0])
    assert sideways_scroll(page) <= 0
    for panel in PANELS:
        screen.open("match", named.running.match, panel)
        page.locator(f"#panel[aria-labelledby=tab-{panel}]").get_by_role("heading").first.wait_for()
        assert sideways_scroll(page) <= 0, panel
    expect(page.get_by_role("button", name="About this match")).to_be_in_viewport(ratio=0.95)
    screen.open("match", named.running.match, "messages")
    page.locator(".conversation-entry").click()
    expect(page.locator(".said")).to_have_text("W" * 2_000)
    assert sideways_scroll(page) <= 0
    assert (page.locator("#message-log").bounding_box() or {"height": 0})["height"] > 90
    screen.open("match", named.ended.match, "end")
    expect(page.locator(".standing")).to_contain_text(NAMES[1])
    assert sideways_scroll(page) <= 0


def test_a_match_by_other_rules_tells_its_settings(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("warrior"), desktop.page
    seat = web.lobby(person, seats=2, ruleset="warfare")
    desktop.sign_in(person)
    desktop.open("match", seat.match)
    expect(page.get_by_text("This match is played by other rules")).to_be_visible()
    expect(page.locator(".match-settings")).not_to_contain_text("[object")
