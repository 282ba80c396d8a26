"""A whole match from the first sight of the door to the replay, as a newcomer lives it: on a desktop and on a phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.stack.client import PASSWORD, Client, Json, Seat, wait_for
from tests.web.conftest import MakeScreen
from tests.web.reading import panel, slider
from tests.web.screens import DESKTOP, PHONE
from tests.web.server import Person, WebServer
from tests.web.test_council import after_tick, card, choose, detail, letter, log
from tests.web.test_orders import end_of_march, home, name_of, on_map
from tests.web.test_sign_in import fill_in

TICKS = 5
KINDS = {"move", "recruit", "build", "research", "propose", "accept", "break"}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_from_the_door_to_the_replay(web: WebServer, screens: MakeScreen, size: Json) -> None:
    screen = screens(size)
    page, touch = screen.page, size is PHONE
    handle = web.new_handle("newcomer")

    def press(wanted: Locator) -> None:
        if touch:
            wanted.tap()
        else:
            wanted.click()

    def tab(name: str) -> None:
        """Opens that panel, whose sheet may be up already."""
        wanted = page.get_by_role("tab", name=name)
        if wanted.get_attribute("aria-selected") != "true":
            press(wanted)
        expect(wanted).to_have_attribute("aria-selected", "true")

    screen.open()
    press(page.get_by_role("link", name="Make an account"))
    fill_in(page, handle, PASSWORD)
    press(page.get_by_role("button", name="Make the account"))
    press(page.get_by_role("link", name="New match"))
    make_a_match(page, press)
    neighbour = web.person("neighbour")
    mine = Seat(web.running.visitor().sign_in(handle), wait_for_match(neighbour.client, page))
    his = neighbour.client.join(mine.match)
    mine.wait_for_status("running")
    wait_for(lambda: mine.client.ask("GET", f"{mine.path}/options"), lambda answer: answer.accepted)
    expect(page.locator(".match .board")).to_be_visible()
    screen.axe()
    friend, me = his.faction, mine.faction
    names = {seat["faction"]: seat["faction_name"] for seat in mine.detail()["seats"]}
    origin, end = home(mine), end_of_march(mine)

    tab("Hold")
    press(page.get_by_role("button", name=name_of(mine, origin)).and_(page.locator(".hold-row")))
    press(page.get_by_role("button", name="Recruit 1 militia"))
    press(page.get_by_role("button", name="Build a cistern"))
    press(page.get_by_role("button", name="March from here"))
    if touch:
        page.touchscreen.tap(*on_map(page, end))
    else:
        page.mouse.click(*on_map(page, end))
    expect(page.get_by_text("The server would take this march.")).to_be_visible()
    press(page.get_by_role("button", name="File this march"))
    expect(page.get_by_role("tab", name="Orders")).to_contain_text("3")
    tab("Research")
    choose(page, "Scrapcraft")
    press(detail(page).get_by_role("button", name="Research Scrapcraft"))
    tab("Diplomacy")
    press(page.get_by_role("button", name=f"Propose a pact to {names[friend]}"))
    expect(page.get_by_role("tab", name="Orders")).to_contain_text("5")
    his.file(1, {"kind": "accept", "from": me})
    his.send([me], "Well met. Shall we stand together?")
    tab("Messages")
    press(page.get_by_role("button", name=re.compile("unread")))
    expect(log(page)).to_contain_text("Well met.")
    letter(page).fill("We shall.")
    press(page.get_by_role("button", name="Send", exact=True))
    expect(log(page)).to_contain_text("We shall.")

    after_tick(web, mine, page)
    tab("Report")
    expect(panel(page).get_by_role("heading", level=2)).to_contain_text(
        f"One hold taken, a pact with {names[friend]}"
    )
    tab("Diplomacy")
    press(page.get_by_role("button", name=f"Break the pact with {names[friend]}"))
    press(page.get_by_role("dialog").get_by_role("button", name="Break the pact"))
    expect(card(page, names[friend])).to_contain_text("Filed for tick 2")

    after_tick(web, mine, page)
    his.file(3, {"kind": "propose", "to": me})
    after_tick(web, mine, page)
    tab("Diplomacy")
    press(page.get_by_role("button", name=f"Accept the pact with {names[friend]}"))
    expect(card(page, names[friend])).to_contain_text("Filed for tick 4")

    after_tick(web, mine, page)
    tab("Diplomacy")
    expect(card(page, names[friend])).to_contain_text("Allied since tick 4")
    tab("Messages")
    block(page, press, names[friend], neighbour)

    web.tick_now(mine, TICKS - 4)
    expect(page.get_by_role("tab", name="Outcome")).to_have_attribute("aria-selected", "true")
    expect(panel(page).get_by_role("heading", level=2)).to_contain_text("won")
    screen.axe()
    for tick in range(TICKS - 1, -1, -1):
        slider(page).press("ArrowLeft")
        expect(slider(page)).to_have_value(str(tick))
    expect(page.get_by_text("after tick 0").first).to_be_visible()

    filed = [item for tick in range(1, TICKS + 1) for item in mine.orders(tick)["items"]]
    assert {item["kind"] for item in filed} == KINDS
    assert {item["result"]["status"] for item in filed} == {"done"}


def make_a_match(page: Page, press: object) -> None:
    """Of four seats, two of them computer players, short and small."""
    assert callable(press)
    page.get_by_label("Name").fill("First waters")
    page.get_by_label("Seats").fill("4")
    page.get_by_label("How many").fill("2")
    press(page.get_by_text("Size and length"))
    page.get_by_label(re.compile("tick", re.I)).and_(page.locator("input[type=number]")).last.fill(str(TICKS))
    press(page.get_by_role("button", name="Make the match"))


def wait_for_match(client: Client, page: Page) -> str:
    """The match that the page has come to."""
    page.wait_for_url(re.compile(r"#/match/"))
    match = page.url.rsplit("/match/", 1)[1].split("/")[0]
    wait_for(
        lambda: client.get(f"/v1/matches/{match}"),
        lambda found: sum(seat["bot"] is not None for seat in found["seats"]) == 2,
    )
    return match


def block(page: Page, press: object, name: str, person: Person) -> None:
    """Blocks the neighbour by the list of players of their conversation."""
    assert callable(press)
    press(page.get_by_role("button", name="Players"))
    press(page.get_by_role("button", name=re.compile(f"Block {person.handle}|Block {name}")))
    press(page.get_by_role("dialog").get_by_role("button", name=re.compile("Block")))
    expect(page.get_by_role("button", name=re.compile("Unblock"))).to_be_visible()
