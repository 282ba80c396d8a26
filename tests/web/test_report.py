"""The tick told, and the way through past ticks: panel and map say what the server told this player, and no more."""

import json
import re

from playwright.sync_api import Page, Route, expect

from tests.stack.client import Json, Seat
from tests.web.playing import play_on
from tests.web.reading import attack, expect_map, names, on_map, panel, slider
from tests.web.screens import Screen
from tests.web.server import WebServer

SMALL = {"holds_per_seat": 4}


def figure(power: int) -> str:
    """A power as people are told it: the units' own figures added up."""
    return str(power // 2) if power % 2 == 0 else f"{power / 2:.1f}"


def expect_battles(page: Page, seat: Seat, report: Json) -> None:
    called = names(seat)
    for battle in report["battles"]:
        told = panel(page).get_by_role("article", name=re.compile(called[battle["hold"]]))
        expect(told).to_have_count(1)
        for assault in battle["assaults"]:
            first = assault["exchanges"][0]
            for power in (first["attack_power"], first["defence_power"]):
                expect(told.locator(".facing")).to_contain_text(f"power {figure(power)}")
            fallen = [
                (units, side)
                for exchange in assault["exchanges"]
                for side in ("attack", "defence")
                for units in exchange[f"{side}_losses"].values()
            ]
            assert fallen
        exchanges = sum(len(assault["exchanges"]) for assault in battle["assaults"])
        expect(told.locator(".exchanges li")).to_have_count(exchanges)


def test_a_tick_comes_and_is_told(desktop: Screen, web: WebServer) -> None:
    ada = web.person("ada")
    seat = web.match(ada, bots=1, settings=SMALL)
    target = attack(seat)
    seat.file(1, {"kind": "break", "with": "f2"})
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "report")
    page = desktop.page
    expect(panel(page)).to_contain_text("Your first report comes with tick 1")
    page.get_by_role("tab", name="Hold", exact=True).click()

    web.tick_now(seat)
    told = seat.report(1)
    report = told["report"]
    expect(page.get_by_role("tab", name="Report")).to_have_attribute("aria-selected", "true")
    expect(panel(page)).to_contain_text("Tick 1 · resolved")
    expect_battles(page, seat, report)
    failed = panel(page).get_by_role("region", name="Your orders").get_by_role("listitem").first
    expect(failed).to_contain_text("Break with")
    expect(failed).to_contain_text("There is no pact to break and no proposal to withdraw.")
    stores = panel(page).get_by_role("region", name="Stores")
    for count in report["resources"]["yields"].values():
        assert count > 0
        expect(stores.get_by_role("row", name="Came in")).to_contain_text(f"+{count}")
    for name, count in seat.view(1)["stock"].items():
        expect(stores.get_by_role("row", name="In store")).to_contain_text(f"{count} {name}")

    panel(page).get_by_role("button", name=names(seat)[target], exact=True).first.click()
    expect(on_map(page, target)).to_be_focused()
    expect(page.locator(f'.map [data-sign="{target}"] .mark')).to_have_count(1)

    panel(page).get_by_text("Proof of this tick").click()
    for digest in told["digests"].values():
        expect(panel(page).get_by_text(digest)).to_be_visible()
    page.get_by_role("button", name="Check my digest").click()
    expect(panel(page)).to_contain_text("the same digest")
    desktop.axe()


def test_a_tick_leaves_one_who_plans_a_march_alone(desktop: Screen, web: WebServer) -> None:
    ada = web.person("ada")
    seat = web.match(ada, bots=1, settings=SMALL)
    start = seat.view()["forces"][0]["hold"]
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "hold")
    page = desktop.page
    on_map(page, start).press("Enter")
    page.get_by_role("button", name="March from here").click()
    heading = page.get_by_role("heading", name=f"March from {names(seat)[start]}")
    expect(heading).to_be_visible()
    web.tick_now(seat)
    expect(page.get_by_role("status").get_by_text("Tick 1 has been resolved.")).to_be_visible()
    expect(heading).to_be_visible()
    page.get_by_role("button", name="Read the report").click()
    expect(panel(page)).to_contain_text("Tick 1 · resolved")


def test_past_ticks_show_what_was_seen_then(desktop: Screen, web: WebServer) -> None:
    ada = web.person("ada")
    seat = web.match(ada, bots=2, settings=SMALL)
    play_on(web, seat, 4, seed=3)
    desktop.sign_in(ada)
    page = desktop.page
    traffic = desktop.record()
    desktop.open("match", seat.match, "report")
    expect(slider(page)).to_have_value("4")
    slider(page).focus()
    for tick in (3, 2, 1):
        page.keyboard.press("ArrowLeft")
        expect(slider(page)).to_have_value(str(tick))
        expect(panel(page)).to_contain_text(f"Tick {tick} · resolved")
        expect_map(page, seat.view(tick))
        expect_battles(page, seat, seat.report(tick)["report"])
    page.keyboard.press("Home")
    expect(panel(page)).to_contain_text("Before the first tick")
    expect_map(page, seat.view(0))
    page.get_by_role("button", name="One tick forward").click()
    expect(panel(page)).to_contain_text("Tick 1 · resolved")
    asked = [heard.path for heard in traffic.heard if "/view?tick=" in heard.path]
    assert len(asked) == len(set(asked)) == 4

    page.get_by_role("tab", name="Hold", exact=True).click()
    expect(panel(page)).to_contain_text("Orders can be filed for the coming tick only.")
    desktop.axe()

    web.tick_now(seat)
    expect(page.get_by_role("status").get_by_text("Tick 5 has been resolved.")).to_be_visible()
    expect(slider(page)).to_have_value("1")
    expect_map(page, seat.view(1))
    page.get_by_role("button", name="Read the report").click()
    expect(slider(page)).to_have_value("5")
    expect(panel(page)).to_contain_text("Tick 5 · resolved")
    expect_map(page, seat.view())


def test_the_past_on_a_phone_and_an_eliminated_factions_silence(phone: Screen, web: WebServer) -> None:
    ada = web.person("ada")
    seat = web.match(ada, bots=1, settings=SMALL)
    web.tick_now(seat, 2)
    detail = seat.detail()
    detail["public"]["factions"][0]["eliminated_tick"] = 1

    def eliminated(route: Route) -> None:
        route.fulfill(body=json.dumps(detail), content_type="application/json")

    phone.page.route(f"**{seat.path}", eliminated)
    traffic = phone.record()
    phone.sign_in(ada)
    phone.open("match", seat.match, "report")
    page = phone.page
    expect(panel(page)).to_contain_text("Your faction was eliminated in tick 1")
    page.get_by_role("button", name="One tick back").tap()
    expect(panel(page)).to_contain_text("Tick 1 · resolved")
    expect_map(page, seat.view(1))
    assert not [heard for heard in traffic.heard if heard.path.endswith("/reports/2")]
    phone.axe()
    page.get_by_role("button", name="Back to now").tap()
    expect(slider(page)).to_have_value("2")
    expect_map(page, seat.view())
    page.locator("#tab-orders").tap()
    expect(panel(page)).to_contain_text("has been eliminated and gives no more orders")
    expect(panel(page)).not_to_contain_text("until then you may change them")
