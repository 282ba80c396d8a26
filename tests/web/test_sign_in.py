"""Making an account, signing in and out, and the lobby that one comes to."""

import re

from playwright.sync_api import Page, expect

from tests.stack.client import PASSWORD
from tests.web.screens import Screen
from tests.web.server import WebServer


def fill_in(page: Page, handle: str, password: str) -> None:
    page.get_by_label("Handle").fill(handle)
    page.get_by_label("Password", exact=True).fill(password)


def signed_in_as(page: Page, handle: str) -> None:
    expect(page.get_by_role("navigation", name="Site").get_by_role("link", name=handle)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_newcomer_makes_an_account(web: WebServer, desktop: Screen) -> None:
    handle, page = web.new_handle("newcomer"), desktop.page
    desktop.open()
    desktop.axe()
    page.get_by_role("link", name="Make an account").click()
    desktop.axe()
    fill_in(page, handle, PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    signed_in_as(page, handle)
    assert re.search(r"#/$", page.url)
    desktop.axe()
    page.reload()
    signed_in_as(page, handle)


def test_signing_in_and_out_on_a_phone(web: WebServer, phone: Screen) -> None:
    person, page = web.person("returning"), phone.page
    phone.open()
    fill_in(page, person.handle, person.password)
    page.get_by_role("button", name="Sign in").tap()
    signed_in_as(page, person.handle)
    phone.axe()
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_wrong_password_is_said(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("forgetful"), desktop.page
    desktop.allow(r"answer: 401 POST /v1/sessions$")
    desktop.open()
    fill_in(page, person.handle, "not that password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("do not fit")
    desktop.axe()
    fill_in(page, person.handle, person.password)
    page.get_by_role("button", name="Sign in").click()
    signed_in_as(page, person.handle)


def test_a_handle_that_is_taken_is_said(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("taken"), desktop.page
    desktop.allow(r"answer: 409 POST /v1/accounts$")
    desktop.open("sign-up")
    fill_in(page, person.handle, PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("alert")).to_contain_text("taken")


def test_the_keyboard_alone_signs_in(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("keys"), desktop.page
    desktop.open("sign-in")
    page.get_by_label("Handle").focus()
    page.keyboard.type(person.handle)
    page.keyboard.press("Tab")
    page.keyboard.type(person.password)
    page.keyboard.press("Enter")
    signed_in_as(page, person.handle)


def test_a_link_signs_in_and_leaves_no_password_behind(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("linked"), desktop.page
    traffic = desktop.record()
    desktop.sign_in(person)
    signed_in_as(page, person.handle)
    assert person.password not in page.url
    page.go_back()
    assert person.password not in page.url
    assert not any(person.password in heard.path for heard in traffic.heard)


def test_a_link_signs_in_where_one_is_asked_to_already(web: WebServer, phone: Screen) -> None:
    person = web.person("asked")
    phone.open()
    expect(phone.page.get_by_role("heading", name="Sign in")).to_be_visible()
    phone.sign_in(person)
    signed_in_as(phone.page, person.handle)


def test_one_comes_to_where_one_wanted_to_go(web: WebServer, desktop: Screen) -> None:
    person, page = web.person("deep"), desktop.page
    desktop.open("account")
    fill_in(page, person.handle, person.password)
    page.get_by_role("button", name="Sign in").click()
    signed_in_as(page, person.handle)
    assert page.url.endswith("#/account")


def test_two_tabs_agree_who_is_signed_in(web: WebServer, desktop: Screen) -> None:
    person = web.person("twice")
    # The other tab may ask who it is before its copy of what tabs share has come.
    desktop.allow(r"answer: 401 GET /v1/me$")
    desktop.sign_in(person)
    other = desktop.new_tab("account")
    signed_in_as(other, person.handle)
    desktop.page.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("heading", name="Sign in")).to_be_visible()
    desktop.sign_in(person)
    expect(other.get_by_role("heading", name="Your account", level=1)).to_be_visible()
    assert other.url.endswith("#/account")
