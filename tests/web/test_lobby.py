"""From the first tap to a match that starts: the lobby, invitations, seats that fill live, one's own account."""

import re

from playwright.sync_api import Page, expect

from tests.stack.client import PASSWORD
from tests.web.conftest import MakeScreen
from tests.web.screens import DESKTOP, PHONE, Screen
from tests.web.server import CADENCE, WebServer
from tests.web.test_sign_in import fill_in, signed_in_as

WITHIN_MS = 30_000


def seat_lines(page: Page) -> list[str]:
    return page.locator(".seat-list > .seat:not(.free)").all_inner_texts()


def confirm(page: Page, button: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=button).click()


def on_the_map(page: Page) -> None:
    expect(page.locator(".match .board")).to_be_visible(timeout=WITHIN_MS)


def test_a_first_match_by_one_tap(web: WebServer, phone: Screen) -> None:
    person, page = web.person("first"), phone.page
    phone.sign_in(person)
    expect(page.get_by_role("heading", name="Play your first match")).to_be_visible()
    phone.axe()
    page.get_by_role("button", name="Play your first match").tap()
    on_the_map(page)
    expect(page.get_by_role("heading", name="Guide")).to_be_visible()
    (match,) = person.client.get("/v1/matches?mine=true")["items"]
    assert [seat["bot"] for seat in match["seats"]] == [None, "sound", "sound", "sound"]
    assert (match["status"], match["visibility"]) == ("running", "private")

    page.get_by_role("link", name="All matches").tap()
    card = page.locator(".match-card", has_text=match["name"])
    expect(card).to_contain_text("no orders filed yet")
    expect(card).to_contain_text(re.compile(r"\d+ h \d+ min"))
    phone.axe()


def test_an_invitation_leads_a_newcomer_to_a_seat_that_fills_live(
    web: WebServer, desktop: Screen, screens: MakeScreen
) -> None:
    ada, page = web.person("ada"), desktop.page
    desktop.sign_in(ada)
    page.get_by_role("link", name="New match").click()
    page.get_by_label("Name").fill("Low tide")
    page.get_by_label("Private").check()
    page.get_by_label("another pace").check()
    page.get_by_label("Seconds from tick to tick").fill("7")
    desktop.allow(r"answer: 400 POST /v1/matches$")
    page.get_by_role("button", name="Make the match").click()
    seconds = page.get_by_label("Seconds from tick to tick")
    expect(seconds).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert")).to_contain_text("3600")
    expect(seconds).to_be_focused()
    desktop.axe()
    seconds.fill("3600")
    page.get_by_role("button", name="Make the match").click()
    expect(page.get_by_role("button", name="Start the match")).to_be_disabled()
    desktop.axe()
    link = page.get_by_label("Invite link").input_value()
    assert link.startswith(f"{web.url}/#/join/")

    other = screens(PHONE)
    handle, guest = web.new_handle("guest"), other.page
    guest.goto(link)
    guest.get_by_role("link", name="Make an account").tap()
    fill_in(guest, handle, PASSWORD)
    guest.get_by_role("button", name="Make the account").tap()
    expect(guest.get_by_role("heading", name="Low tide")).to_be_visible()
    other.axe()
    other.allow(r"answer: 409 POST /v1/matches/.*/seats$")
    taken = ada.client.get("/v1/matches?mine=true")["items"][0]["seats"][0]["faction_name"]
    guest.get_by_label("Your faction's name").fill(taken)
    guest.get_by_role("button", name="Join this match").tap()
    expect(guest.get_by_label("Your faction's name")).to_have_attribute("aria-invalid", "true")
    guest.get_by_label("Your faction's name").fill("Tidekeepers")
    guest.get_by_role("button", name="Join this match").tap()
    expect(guest.get_by_text("This page then turns into the map.")).to_be_visible()
    other.axe()

    expect(page.locator(".seat", has_text="Tidekeepers")).to_contain_text(handle, timeout=WITHIN_MS)
    page.get_by_role("button", name="Add them").click()
    bot = page.locator(".seat", has_text="computer player, sound")
    expect(bot).to_be_visible()
    expect(guest.locator(".seat", has_text="computer player, sound")).to_be_visible(timeout=WITHIN_MS)
    bot.get_by_role("button", name="Remove").click()
    expect(bot).to_have_count(0)
    expect(guest.locator(".seat", has_text="computer player")).to_have_count(0, timeout=WITHIN_MS)
    assert len(seat_lines(page)) == 2

    page.get_by_role("button", name="Start the match").click()
    on_the_map(page)
    on_the_map(guest)
    late = screens(DESKTOP)
    late.sign_in(web.person("late"))
    late.page.goto(link)
    expect(late.page.get_by_text("has started already")).to_be_visible()
    late.allow(r"answer: 404 GET /v1/invites/")
    late.open("join", "nothing-such")
    expect(late.page.get_by_role("heading", name="This invitation leads nowhere")).to_be_visible()
    late.axe()


def test_a_public_lobby_is_found_joined_left_and_called_off(
    web: WebServer, desktop: Screen, screens: MakeScreen
) -> None:
    ada, ben = web.person("ada"), web.person("ben")
    seat = web.lobby(ada, seats=3, visibility="public", name=f"Open waters of {ada.handle}")
    desktop.sign_in(ben)
    page = desktop.page
    page.get_by_role("tab", name="Open to join").click()
    page.get_by_role("link", name=f"Open waters of {ada.handle}").click()
    page.get_by_role("button", name="Join this match").click()
    leave = page.get_by_role("button", name="Leave it")
    expect(leave).to_be_visible()
    assert [taken["handle"] for taken in seat.detail()["seats"]] == [ada.handle, ben.handle]
    leave.click()
    confirm(page, "Leave")
    expect(page.get_by_role("heading", name="Matches")).to_be_visible()
    assert [taken["handle"] for taken in seat.detail()["seats"]] == [ada.handle]

    desktop.open("match", seat.match)
    page.get_by_role("button", name="Join this match").click()
    expect(leave).to_be_visible()
    creator = screens(DESKTOP)
    creator.sign_in(ada)
    creator.open("match", seat.match)
    creator.page.get_by_role("button", name="Call it off").click()
    creator.axe()
    confirm(creator.page, "Call it off")
    for screen in (creator, desktop):
        expect(screen.page.get_by_text("called off before it started")).to_be_visible(timeout=WITHIN_MS)
    desktop.open()
    expect(page.locator(".match-card", has_text="called off")).to_be_visible()


def test_from_outside_only_what_is_public_is_seen(web: WebServer, desktop: Screen) -> None:
    ada, ben, page = web.person("ada"), web.person("ben"), desktop.page
    seat = web.match(ada, bots=2, visibility="public")
    other_rules = ada.client.post(
        "/v1/matches",
        {
            "name": "A campaign",
            "ruleset": "warfare",
            "seats": 2,
            "visibility": "public",
            "cadence_seconds": CADENCE,
        },
    )
    desktop.sign_in(ben)
    desktop.open("match", seat.match)
    expect(page.get_by_text("This match is running without you.")).to_be_visible()
    assert len(seat_lines(page)) == 3
    desktop.axe()
    desktop.open("match", other_rules["id"])
    expect(page.get_by_text("played by other rules")).to_contain_text("Warfare")
    expect(page.get_by_role("link", name="the server's interface")).to_have_attribute("href", "/docs")

    desktop.open()
    page.get_by_role("tab", name="Running").click()
    expect(page.locator(".match-card", has_text=seat.detail()["name"])).to_be_visible()


def test_the_menu_of_a_match_resigns(web: WebServer, desktop: Screen) -> None:
    ada, page = web.person("ada"), desktop.page
    seat = web.match(ada, bots=1)
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "hold")
    page.get_by_role("button", name="About this match").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(seat.detail()["seed_commitment"])
    desktop.axe()
    dialog.get_by_role("button", name="Resign").click()
    confirm(page, "Resign")
    expect(page.get_by_text("You have resigned.")).to_be_visible()
    assert seat.detail()["seats"][0]["resigned"]
    page.locator("#tab-hold").click()
    expect(page.locator("#panel")).to_contain_text("You have resigned: a computer player files for your seat")
    page.locator("#tab-research").click()
    page.locator(".tech").first.click()
    expect(page.locator(".tech-detail")).to_contain_text("Nothing can be filed now.")


def test_a_changed_password_ends_other_sessions(web: WebServer, desktop: Screen, screens: MakeScreen) -> None:
    person, page = web.person("careful"), desktop.page
    other = screens(PHONE)
    other.sign_in(person)
    desktop.sign_in(person)
    desktop.open("account")
    desktop.axe()
    desktop.allow(r"answer: 403 PUT /v1/me/password$", r"answer: 403 DELETE /v1/me$")
    page.get_by_label("Your password now").fill("not that one")
    page.get_by_label("The new one").fill("another long one")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_label("Your password now")).to_have_attribute("aria-invalid", "true")
    other.allow(r"answer: 401 GET ")
    page.get_by_label("Your password now").fill(person.password)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Your password has been changed.")).to_be_visible()
    expect(other.page.get_by_role("heading", name="Sign in")).to_be_visible(timeout=WITHIN_MS)
    fill_in(other.page, person.handle, "another long one")
    other.page.get_by_role("button", name="Sign in").tap()
    signed_in_as(other.page, person.handle)

    page.get_by_label("Your password", exact=True).fill("not that one")
    page.get_by_role("button", name="Delete the account").click()
    confirm(page, "Delete it for good")
    expect(page.get_by_label("Your password", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Your password", exact=True).fill("another long one")
    page.get_by_role("button", name="Delete the account").click()
    confirm(page, "Delete it for good")
    expect(page.get_by_role("heading", name="Make an account")).to_be_visible()


def test_a_blocked_player_is_unblocked(web: WebServer, desktop: Screen) -> None:
    ada, ben, page = web.person("ada"), web.person("ben"), desktop.page
    ada.client.put(f"/v1/me/blocks/{ben.handle}")
    desktop.sign_in(ada)
    page.get_by_role("link", name=ada.handle).click()
    page.get_by_role("button", name=f"Unblock {ben.handle}").click()
    expect(page.get_by_text("You can block a player from a conversation")).to_be_visible()
    assert ada.client.get("/v1/me/blocks")["items"] == []
