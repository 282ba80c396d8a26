"""Giving orders: on the map and in the panel, by mouse, finger and keyboard, without a network, and in two tabs."""

import re
from typing import Any

import pytest
from playwright.sync_api import Error, Locator, Page, Route, expect

from tests.stack.client import Json, Seat, wait_for
from tests.web.screens import Screen
from tests.web.server import Person, WebServer

MOST_TABS = 120
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
CHECKED = "This receipt holds."


@pytest.fixture
def player(web: WebServer) -> Person:
    return web.person("captain")


@pytest.fixture
def seat(web: WebServer, player: Person) -> Seat:
    return web.match(player, bots=1)


def filed(seat: Seat, tick: int = 1) -> list[Json]:
    """What the server holds, without what it added."""
    added = ("id", "seq", "faction", "tick", "receipt", "result")
    return [{k: v for k, v in item.items() if k not in added} for item in seat.orders(tick)["items"]]


def home(seat: Seat) -> str:
    return str(next(row["hold"] for row in seat.options()["holds"] if row["own"]))


def end_of_march(seat: Seat) -> str:
    return str(seat.options()["holds"][0]["move"]["ends"][0]["hold"])


def name_of(seat: Seat, hold: str) -> str:
    graph = seat.client.get(f"{seat.path}/map")
    return str(next(row["name"] for row in graph["holds"] if row["id"] == hold))


def open_match(screen: Screen, player: Person, seat: Seat, panel: str = "hold") -> Page:
    screen.sign_in(player)
    screen.open("match", seat.match, panel)
    expect(screen.page.get_by_role("heading", level=2).first).to_be_visible()
    return screen.page


def open_home(page: Page, seat: Seat) -> None:
    """By the list of one's own holds."""
    name = name_of(seat, home(seat))
    page.get_by_role("button", name=name).and_(page.locator(".hold-row")).click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def on_map(page: Page, hold: str) -> tuple[float, float]:
    """Where it is once the map has come to rest: two looks in different frames find it in one place."""
    press = page.locator(f"[data-hold={hold}]")

    def look() -> tuple[float, float]:
        box = press.bounding_box()
        assert box is not None
        page.evaluate(TWO_FRAMES)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    first = wait_for(lambda: (look(), look()), lambda found: found[0] == found[1], 20)
    return first[0]


def orders(page: Page) -> Locator:
    """The filed ones, as they stand in the list."""
    return (
        page.get_by_role("region", name="Filed orders").get_by_role("listitem").and_(page.locator(".order"))
    )


def unfiled(page: Page) -> Locator:
    return page.get_by_role("region", name="Not filed")


def wait_until_filed(page: Page, seat: Seat, count: int) -> None:
    """Keeps the page's routes answered meanwhile."""
    wait_for(lambda: (page.evaluate("0"), len(filed(seat)))[1], lambda found: found == count)


def go_to_orders(page: Page) -> None:
    page.get_by_role("tab", name="Orders").click()
    expect(page.get_by_role("heading", name=re.compile("^Orders for tick"))).to_be_visible()


def recruit(page: Page, count: int) -> None:
    page.get_by_label("Number of militia").fill(str(count))
    page.get_by_role("button", name=f"Recruit {count} militia").click()


def tab_to(page: Page, label: str) -> None:
    """Goes on with Tab until that has the focus."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if label in words_of_focus(page):
            return
    raise AssertionError(f"Tab never came to {label!r}")


def words_of_focus(page: Page) -> str:
    found: Any = page.evaluate(
        "(({ariaLabel, textContent}) => ariaLabel ?? textContent)(document.activeElement)"
    )
    return str(found).strip()


def test_a_plan_is_made_changed_and_proved(
    web: WebServer, desktop: Screen, player: Person, seat: Seat
) -> None:
    origin, end = home(seat), end_of_march(seat)
    page = open_match(desktop, player, seat)
    desktop.axe()
    open_home(page, seat)
    recruit(page, 3)
    expect(page.get_by_role("tab", name="Orders")).to_contain_text("1")
    page.get_by_role("button", name="Build a cistern").dblclick()
    expect(page.get_by_role("button", name="In your plan a cistern")).to_be_focused()
    desktop.axe()
    page.get_by_role("button", name="March from here").click()
    expect(page.get_by_role("heading", name=re.compile("^March from"))).to_be_focused()
    page.get_by_role("button", name="Fewer militia").click()
    page.mouse.click(*on_map(page, end))
    expect(page.get_by_text("The server would take this march.")).to_be_visible()
    desktop.axe()
    page.get_by_role("button", name="File this march").click()
    wait_for(lambda: len(filed(seat)), lambda count: count == 3)
    enlist = {"kind": "recruit", "hold": origin, "unit": "militia", "count": 3}
    build = {"kind": "build", "hold": origin, "building": "cistern"}
    march = {"kind": "move", "origin": origin, "path": [end], "units": {"militia": 9}}
    assert filed(seat) == [enlist, build, march]
    assert seat.options()["purse"]["water"] == int(
        page.locator(".stores .resource-water .figure").inner_text()
    )

    go_to_orders(page)
    expect(orders(page)).to_have_count(3)
    page.get_by_role("button", name="Later: Recruit 3 militia").click()
    expect(orders(page).nth(1)).to_contain_text("Recruit 3 militia")
    expect(page.get_by_role("button", name="Earlier: Recruit 3 militia")).to_be_focused()
    assert filed(seat) == [build, enlist, march]
    page.get_by_role("button", name="Change: Recruit").click()
    page.get_by_label("Number of recruits").fill("5")
    page.get_by_role("button", name="Save the change").click()
    expect(orders(page).nth(1)).to_contain_text("Recruit 5 militia")
    page.get_by_role("button", name="Change: March").click()
    page.get_by_role("button", name="Fewer militia").click()
    page.get_by_role("button", name="Save the change").click()
    expect(orders(page).nth(2)).to_contain_text("March 8 militia")
    assert filed(seat) == [build, {**enlist, "count": 5}, {**march, "units": {"militia": 8}}]
    desktop.axe()

    page.get_by_role("button", name="Receipt: March").click()
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text(CHECKED)).to_be_visible()
    page.get_by_role("button", name="Receipt: March").click()
    page.get_by_role("button", name="Cancel: Build").click()
    expect(orders(page)).to_have_count(2)
    page.get_by_text("Cancelled: 1").click()
    page.get_by_text("Receipt of the cancelling").click()
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_text(CHECKED)).to_be_visible()
    desktop.axe()
    assert [order["kind"] for order in filed(seat)] == ["recruit", "move"]

    web.tick_now(seat)
    go_to_orders(page)
    expect(page.get_by_text("No order is filed for this tick yet.")).to_be_visible()
    page.get_by_text("Your orders of tick 1, and what became of them").click()
    expect(page.locator(".last-orders .order")).to_have_count(2)
    expect(page.locator(".last-orders .tag.good")).to_have_text([re.compile("done")] * 2)


def test_orders_by_finger_on_a_phone(phone: Screen, player: Person, seat: Seat) -> None:
    origin, end = home(seat), end_of_march(seat)
    page = open_match(phone, player, seat)
    page.touchscreen.tap(*on_map(page, origin))
    expect(page.get_by_role("heading", name=name_of(seat, origin), exact=True)).to_be_visible()
    phone.axe()
    page.get_by_role("button", name="More militia").tap()
    page.get_by_role("button", name="Recruit 2 militia").tap()
    page.get_by_role("button", name="Build a watch").tap()
    expect(page.get_by_role("button", name="In your plan a watch")).to_be_visible()
    page.get_by_role("button", name="March from here").tap()
    page.touchscreen.tap(*on_map(page, end))
    expect(page.get_by_text("The server would take this march.")).to_be_visible()
    phone.axe()
    page.get_by_role("button", name="File this march").tap()
    expect(page.get_by_text("In your plan for here")).to_be_visible()
    page.get_by_role("tab", name="Orders").tap()
    expect(orders(page)).to_have_count(3)
    phone.axe()
    assert [order["kind"] for order in filed(seat)] == ["recruit", "build", "move"]
    assert filed(seat)[2]["path"] == [end]


def test_the_keyboard_alone_files_a_march(desktop: Screen, player: Person, seat: Seat) -> None:
    page = open_match(desktop, player, seat)
    origin, end = home(seat), end_of_march(seat)
    tab_to(page, name_of(seat, origin))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name_of(seat, origin), exact=True)).to_be_visible()
    tab_to(page, "March from here")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^March from"))).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="March from here")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^March from"))).to_be_focused()
    tab_to(page, name_of(seat, end))
    page.keyboard.press("Enter")
    expect(page.get_by_text("The server would take this march.")).to_be_visible()
    tab_to(page, "File this march")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name_of(seat, origin), exact=True)).to_be_focused()
    wait_for(lambda: filed(seat), bool)
    assert filed(seat) == [{"kind": "move", "origin": origin, "path": [end], "units": {"militia": 10}}]


def test_a_refused_order_says_why_and_is_not_filed(desktop: Screen, player: Person, seat: Seat) -> None:
    desktop.allow(r"answer: 422 POST /v1/matches/[^/]+/orders\?tick=1$")
    page = open_match(desktop, player, seat)
    open_home(page, seat)
    recruits = seat.options()["holds"][0]["recruit"][0]
    # By another program of the same player, of which this browser hears nothing.
    seat.file(1, {"kind": "recruit", "hold": home(seat), "unit": "militia", "count": recruits["most"]})
    recruit(page, 20)
    expect(page.get_by_role("status").get_by_text("Refused:")).to_contain_text("stores do not cover the cost")
    go_to_orders(page)
    expect(unfiled(page)).to_contain_text("Recruit 20 militia")
    expect(unfiled(page)).to_contain_text("stores do not cover the cost")
    expect(orders(page)).to_have_count(1)
    desktop.axe()
    page.reload()
    expect(unfiled(page)).to_contain_text("stores do not cover the cost")
    page.get_by_role("button", name=re.compile("^Discard")).click()
    expect(unfiled(page)).to_have_count(0)
    assert [order["count"] for order in filed(seat)] == [recruits["most"]]


def test_an_order_survives_a_lost_answer_a_lost_network_and_a_reload(
    desktop: Screen, player: Person, seat: Seat
) -> None:
    desktop.allow(r"failed: POST .*/orders\?tick=1 net::ERR_FAILED", r"answer: 503 POST .*/orders\?tick=1")
    page = open_match(desktop, player, seat)
    open_home(page, seat)

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/orders?tick=1", lose_the_answer, times=1)
    recruit(page, 2)
    wait_until_filed(page, seat, 1)
    go_to_orders(page)
    expect(orders(page)).to_have_count(1)
    expect(unfiled(page)).to_have_count(0)
    assert len(filed(seat)) == 1

    # A server that is busy is asked again when it says, though nothing else tells that it can be.
    busy = {"type": "about:blank", "title": "Not now", "status": 503, "code": "unavailable"}
    page.route(
        "**/orders?tick=1",
        lambda route: route.fulfill(status=503, json=busy, headers={"Retry-After": "1"}),
        times=1,
    )
    page.get_by_role("tab", name="Hold", exact=True).click()
    recruit(page, 6)
    wait_until_filed(page, seat, 2)
    go_to_orders(page)
    expect(unfiled(page)).to_have_count(0)
    expect(orders(page)).to_have_count(2)

    page.get_by_role("tab", name="Hold", exact=True).click()
    with desktop.offline():
        recruit(page, 3)
        expect(page.get_by_role("alert")).to_contain_text("No connection")
        go_to_orders(page)
        expect(unfiled(page)).to_contain_text("not sent")
        desktop.axe()
        assert len(filed(seat)) == 2
    expect(unfiled(page)).to_have_count(0)
    expect(orders(page)).to_have_count(3)

    page.get_by_role("tab", name="Hold", exact=True).click()
    with desktop.offline():
        recruit(page, 4)
        go_to_orders(page)
        expect(unfiled(page)).to_contain_text("not sent")
        with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
            page.reload()
    desktop.open("match", seat.match, "orders")
    page.reload()
    expect(orders(page)).to_have_count(4)
    expect(unfiled(page)).to_have_count(0)
    assert [order["count"] for order in filed(seat)] == [2, 6, 3, 4]


def test_an_order_whose_tick_has_gone_counts_for_no_other(
    web: WebServer, desktop: Screen, player: Person, seat: Seat
) -> None:
    desktop.allow(r"answer: 409 POST /v1/matches/[^/]+/orders\?tick=1$")
    page = open_match(desktop, player, seat)
    open_home(page, seat)
    with desktop.offline():
        recruit(page, 2)
        go_to_orders(page)
        expect(unfiled(page)).to_contain_text("not sent")
        web.tick_now(seat)
    expect(page.get_by_role("tab", name="Report")).to_be_visible()
    go_to_orders(page)
    expect(unfiled(page)).to_contain_text("Tick 1 was sealed without it.")
    assert filed(seat, 2) == []
    page.get_by_role("button", name=re.compile("^File for tick 2")).click()
    expect(orders(page)).to_have_count(1)
    assert [order["count"] for order in filed(seat, 2)] == [2]
    assert filed(seat, 1) == []


def test_two_tabs_agree(desktop: Screen, player: Person, seat: Seat) -> None:
    desktop.allow(r"answer: 412 PUT /v1/matches/[^/]+/orders\?tick=1$")
    page = open_match(desktop, player, seat)
    other = desktop.new_tab("match", seat.match, "orders")
    expect(other.get_by_text("No order is filed for this tick yet.")).to_be_visible()
    open_home(page, seat)
    recruit(page, 2)
    expect(orders(other)).to_have_count(1)
    page.get_by_role("button", name="Build a cistern").click()
    expect(orders(other)).to_have_count(2)
    go_to_orders(page)
    other.get_by_role("button", name="Later: Recruit").click()
    expect(orders(page).nth(0)).to_contain_text("Build a cistern")
    # Behind the back of both tabs the list changes: neither overwrites it.
    seat.file(1, {"kind": "recruit", "hold": home(seat), "unit": "militia", "count": 1})
    page.get_by_role("button", name="Later: Build").click()
    expect(page.get_by_text("The list has changed since it was read")).to_be_visible()
    expect(orders(page)).to_have_count(3)
    page.get_by_role("button", name="Cancel: Recruit 1 militia").click()
    expect(orders(other)).to_have_count(2)
    assert [order["kind"] for order in filed(seat)] == ["build", "recruit"]
