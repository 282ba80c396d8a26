"""Research, pacts and messages, each as the players concerned have them before them."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from playwright.sync_api import Locator, Page, expect

from tests.stack.client import Seat
from tests.web.conftest import MakeScreen
from tests.web.screens import DESKTOP, PHONE, Screen
from tests.web.server import Person, WebServer

REFUSED = r"answer: 409 POST /v1/matches/[^/]+/messages"
UNDELIVERABLE = "Not sent. This message cannot be delivered now."
INBOX = 60
TO_ONE_PLAYER = 10


def test_a_technology_is_filed_taken_back_started_and_opens_the_next(web: WebServer, desktop: Screen) -> None:
    ann = web.person("ann")
    seat = web.match(ann, web.person("ben"))
    page = desktop.page
    desktop.sign_in(ann)
    desktop.open("match", seat.match, "research")

    choose(page, "Grafted orchards")
    expect(detail(page)).to_contain_text("A technology that this one needs is missing.")
    expect(detail(page).locator(".missing")).to_contain_text("Deep roots")

    choose(page, "Deep roots")
    expect(detail(page)).to_contain_text("+20 % grain")
    expect(detail(page)).to_contain_text("2 ticks")
    file = detail(page).get_by_role("button", name="Research Deep roots")
    file.press("Enter")
    cancel = detail(page).get_by_role("button", name="Cancel: Research Deep roots")
    expect(cancel).to_be_focused()
    assert [order["tech"] for order in seat.orders(1)["items"]] == ["deep-roots"]
    cancel.press("Enter")
    expect(file).to_be_focused()
    assert seat.orders(1)["items"] == []
    file.click()
    expect(cancel).to_be_visible()
    desktop.axe()

    after_tick(web, seat, page)
    panel(page, "Research")
    expect(running(page)).to_contain_text("Deep roots")
    expect(running(page)).to_contain_text("0 of 2 ticks done")
    # What runs may end in the coming tick, so its successor may be filed; in tick 2 it does not end yet.
    choose(page, "Grafted orchards")
    expect(detail(page)).to_contain_text("It would start only if Deep roots ends in this tick.")

    after_tick(web, seat, page)
    panel(page, "Research")
    expect(running(page)).to_contain_text("1 of 2 ticks done: at most 1 more tick")
    detail(page).get_by_role("button", name="Research Grafted orchards").click()
    expect(page.locator(".planned").first).to_contain_text("It starts only if Deep roots ends in this tick.")

    after_tick(web, seat, page)
    panel(page, "Research")
    expect(running(page)).to_contain_text("Grafted orchards")
    expect(chip(page, "Deep roots")).to_have_accessible_name(re.compile("known"))
    expect(page.locator(".tech-line.known")).to_have_count(2)
    choose(page, "Scrapcraft")
    expect(detail(page)).to_contain_text("Another technology is being researched.")
    desktop.axe()


def test_a_pact_is_offered_in_one_browser_accepted_in_another_and_broken(
    web: WebServer, screens: MakeScreen
) -> None:
    ann, ben = web.person("ann"), web.person("ben")
    seat = web.match(ann, ben)
    here, there = screens(DESKTOP), screens(PHONE)
    for screen, person in ((here, ann), (there, ben)):
        screen.sign_in(person)
        screen.open("match", seat.match, "diplomacy")
    anns, bens = names(seat, ann), names(seat, ben)

    expect(here.page.get_by_text("0 of 3")).to_be_visible()
    here.page.get_by_role("button", name=f"Propose a pact to {bens}").click()
    take_back = here.page.get_by_role("button", name=f"Cancel: Propose a pact to {bens}")
    expect(take_back).to_be_visible()
    here.axe()

    after_tick(web, seat, here.page, there.page)
    panel(there.page, "Diplomacy")
    expect(card(there.page, anns)).to_contain_text("Has offered you a pact since tick 1.")
    there.axe()
    there.page.get_by_role("button", name=f"Accept the pact with {anns}").tap()
    expect(card(there.page, anns)).to_contain_text(f"Filed for tick 2: Accept the pact that {anns} offers")

    after_tick(web, seat, here.page, there.page)
    panel(here.page, "Diplomacy")
    expect(card(here.page, bens)).to_contain_text("Allied since tick 2.")
    expect(here.page.get_by_text("1 of 3")).to_be_visible()
    expect(here.page.locator(".pact-list")).to_contain_text(
        re.compile(f"{anns} \\(you\\).*and.*{bens}", re.S)
    )
    expect(here.page.locator(".pact-line.own")).to_have_count(1)
    here.axe()

    break_it = here.page.get_by_role("button", name=f"Break the pact with {bens}")
    break_it.click()
    question = here.page.get_by_role("dialog", name=f"Break the pact with {bens}?")
    expect(question).to_contain_text("Shared sight ends at once.")
    expect(question).to_contain_text("friendly through tick 4, hostile from tick 5")
    expect(question).to_contain_text("Everybody is told")
    here.axe()
    here.page.keyboard.press("Escape")
    expect(break_it).to_be_focused()
    assert seat.orders(3)["items"] == []
    break_it.click()
    question.get_by_role("button", name="Break the pact").click()
    expect(card(here.page, bens)).to_contain_text(f"Filed for tick 3: Break with {bens}")

    after_tick(web, seat, here.page, there.page)
    for screen, other in ((here, bens), (there, anns)):
        panel(screen.page, "Diplomacy")
        expect(card(screen.page, other)).to_contain_text("Still friendly through tick 4")
    expect(there.page.get_by_text("There is no pact between anybody.")).to_be_visible()

    there.page.get_by_role("button", name=f"Propose a pact to {anns}").tap()
    expect(card(there.page, anns)).to_contain_text("Filed for tick 4")
    after_tick(web, seat, here.page, there.page)
    panel(here.page, "Diplomacy")
    here.page.get_by_role("button", name=f"Decline the pact with {bens}").click()
    expect(card(here.page, bens)).to_contain_text("Filed for tick 5")
    web.tick_now(seat)
    assert seat.view()["proposals"] == []


def test_players_talk_live_in_pairs_and_groups_and_tabs_agree_on_what_is_read(
    web: WebServer, screens: MakeScreen
) -> None:
    ann, ben, cleo = web.person("ann"), web.person("ben"), web.person("cleo")
    seat = web.match(ann, ben, cleo)
    here, there = screens(DESKTOP), screens(PHONE)
    here.sign_in(ann)
    there.sign_in(ben)
    here.open("match", seat.match, "messages")
    there.open("match", seat.match, "research")
    anns, bens, cleos = (names(seat, person) for person in (ann, ben, cleo))

    here.page.get_by_role("button", name="New message").click()
    here.page.get_by_role("checkbox", name=bens).check()
    here.page.get_by_role("button", name=f"Write to {bens}").click()
    expect(letter(here.page)).to_be_focused()
    letter(here.page).fill("Leave my wells alone.\nSee http://example.org/ <b>now</b> \U0001f30a")
    expect(here.page.get_by_text("1942 characters left")).to_be_visible()
    here.page.reload()
    expect(letter(here.page)).to_have_value(re.compile("^Leave my wells alone"))
    letter(here.page).press("Control+Enter")
    expect(log(here.page).locator(".own")).to_contain_text("See http://example.org/ <b>now</b>")
    expect(log(here.page).get_by_role("link")).to_have_count(0)
    expect(letter(here.page)).to_have_value("")
    expect(here.page.locator("#allowance")).to_contain_text(re.compile(r"This hour\s+19\s+left, to\s+.*9"))

    # It has come to the other one live, and is unread until it is looked at, in each of the tabs.
    second = there.new_tab("match", seat.match, "research")
    for page in (there.page, second):
        expect(page.get_by_role("tab", name="Messages")).to_contain_text("1")
    panel(there.page, "Messages")
    expect(there.page.locator(".conversation-entry")).to_contain_text("1 unread")
    there.axe()
    there.page.locator(".conversation-entry").tap()
    expect(log(there.page)).to_contain_text("Leave my wells alone.")
    for page in (there.page, second):
        expect(page.get_by_role("tab", name="Messages")).not_to_contain_text("1")
    letter(there.page).fill("I never touched them.")
    there.page.get_by_role("button", name="Send").tap()
    expect(log(here.page).locator(".bubble").last).to_contain_text("I never touched them.")
    there.axe()
    here.axe()

    # A group is a conversation of its own; times are told in the reader's zone.
    Seat(cleo.client, seat.match).send(ids(seat, anns, bens), "A council of three?")
    here.page.get_by_role("button", name="All conversations").click()
    entry = here.page.get_by_role("button", name=re.compile(f"({bens} and {cleos}|{cleos} and {bens})"))
    expect(entry).to_contain_text("1 unread")
    entry.click()
    expect(log(here.page).locator(".bubble")).to_contain_text(cleos)
    sent = log(here.page).locator("time").get_attribute("datetime")
    assert sent is not None
    expect(log(here.page).locator("time")).to_have_text(in_lisbon(sent))
    letter(here.page).fill("Agreed.")
    letter(here.page).press("Control+Enter")
    expect(log(here.page).locator(".own")).to_contain_text("Agreed.")
    there.page.get_by_role("button", name="All conversations").tap()
    expect(there.page.locator(".conversation-entry").first).to_contain_text("2 unread")

    # A connection that is gone loses no word, and nothing arrives twice.
    letter(here.page).fill("Are you there?")
    with here.offline():
        here.page.get_by_role("button", name="Send").click()
        expect(here.page.locator(".compose .problem")).to_contain_text("it will not arrive twice")
        expect(letter(here.page)).to_have_value("Are you there?")
    here.page.get_by_role("button", name="Send again").click()
    expect(log(here.page).locator(".own").last).to_contain_text("Are you there?")
    said = seat.client.get(f"{seat.path}/messages?with={','.join(sorted(ids(seat, bens, cleos)))}")
    assert [one["text"] for one in said["items"]] == ["Are you there?", "Agreed.", "A council of three?"]


def test_a_blocked_player_reads_the_same_words_as_one_who_meets_a_full_inbox(
    web: WebServer, screens: MakeScreen
) -> None:
    ann, ben, cleo = web.person("ann"), web.person("ben"), web.person("cleo")
    crowd = [web.person("dora") for _ in range(INBOX // TO_ONE_PLAYER)]
    seat = web.match(ann, ben, cleo, *crowd)
    anns, bens, cleos = (names(seat, person) for person in (ann, ben, cleo))
    here, there = screens(DESKTOP), screens(DESKTOP)
    here.sign_in(ann)
    there.sign_in(ben)
    there.open("match", seat.match, "messages")
    write_to(there.page, anns, "Good morning.")
    expect(log(there.page).locator(".own")).to_contain_text("Good morning.")

    there.page.get_by_role("button", name="Players").click()
    there.page.get_by_role("button", name=f"Block {ann.handle}").click()
    question = there.page.get_by_role("dialog", name=f"Block {ann.handle}?")
    expect(question).to_contain_text(f"{ann.handle} is not told.")
    there.axe()
    question.get_by_role("button", name=f"Block {ann.handle}").click()
    expect(there.page.get_by_role("button", name=f"Unblock {ann.handle}")).to_be_visible()
    for one in crowd:
        for number in range(TO_ONE_PLAYER):
            Seat(one.client, seat.match).send(ids(seat, cleos), f"Number {number}")

    here.allow(REFUSED)
    here.open("match", seat.match, "messages")
    told = []
    for name in (bens, cleos):
        write_to(here.page, name, "Good evening.")
        refusal = here.page.locator(".compose .problem")
        expect(refusal).to_contain_text(UNDELIVERABLE)
        told.append(refusal.inner_text())
        expect(letter(here.page)).to_have_value("Good evening.")
        expect(here.page.locator("#allowance")).to_contain_text(re.compile(r"This hour\s+20\s+left"))
        here.page.get_by_role("button", name="All conversations").click()
    assert told[0] == told[1]
    expect(here.page.get_by_text("Not sent: Good evening.")).to_have_count(2)
    here.axe()

    there.page.get_by_role("button", name=f"Unblock {ann.handle}").click()
    expect(there.page.get_by_role("button", name=f"Block {ann.handle}")).to_be_visible()
    here.page.get_by_role("button", name=re.compile(bens)).click()
    here.page.get_by_role("button", name="Send").click()
    expect(log(there.page).locator(".bubble").last).to_contain_text("Good evening.")

    # Who has used up the hour is told when it is worth trying again.
    here.allow(r"answer: 429 POST /v1/matches/[^/]+/messages")
    for number in range(TO_ONE_PLAYER - 1):
        seat.send(ids(seat, bens), f"And {number}")
    letter(here.page).fill("One more.")
    here.page.get_by_role("button", name="Send").click()
    expect(here.page.locator(".compose .problem")).to_contain_text(
        re.compile(
            r"as many messages as you may within an hour to one of these players\.\s+Again in \d+:\d\d"
        )
    )
    expect(letter(here.page)).to_have_value("One more.")


def after_tick(web: WebServer, seat: Seat, *pages: Page) -> None:
    """The next tick; its report shows on all these pages."""
    tick = web.tick_now(seat)
    for page in pages:
        expect(page.get_by_role("tab", name="Report")).to_have_attribute("aria-selected", "true")
        expect(page.get_by_role("tabpanel")).to_contain_text(f"Tick {tick}")


def panel(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def names(seat: Seat, person: Person) -> str:
    """The faction's name of that person."""
    return next(str(one["faction_name"]) for one in seat.detail()["seats"] if one["handle"] == person.handle)


def ids(seat: Seat, *factions: str) -> list[str]:
    return [str(one["faction"]) for one in seat.detail()["seats"] if one["faction_name"] in factions]


def chip(page: Page, name: str) -> Locator:
    return page.locator(".tech").filter(has=page.get_by_text(name, exact=True))


def choose(page: Page, name: str) -> None:
    chip(page, name).click()


def detail(page: Page) -> Locator:
    return page.locator("#tech-detail")


def running(page: Page) -> Locator:
    return page.locator(".running-tech")


def card(page: Page, name: str) -> Locator:
    return page.locator(".faction-card").filter(has=page.get_by_role("heading", name=name))


def in_lisbon(instant: str) -> str:
    """The time of day there."""
    return datetime.fromisoformat(instant).astimezone(ZoneInfo("Europe/Lisbon")).strftime("%H:%M")


def letter(page: Page) -> Locator:
    return page.get_by_label("Message", exact=True)


def log(page: Page) -> Locator:
    return page.get_by_role("log")


def write_to(page: Page, name: str, text: str) -> None:
    """Begins a conversation and sends its first message."""
    page.get_by_role("button", name="New message").click()
    page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name=f"Write to {name}").click()
    letter(page).fill(text)
    page.get_by_role("button", name="Send").click()
