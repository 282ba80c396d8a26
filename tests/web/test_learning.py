"""Learning the game: the rulebook, words that explain themselves, the guide of a first match."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.web.screens import Screen
from tests.web.server import WebServer

EXPLAINED = """async () => {
  const { loadRules } = await import("/web/js/rules.js");
  const { entries } = await import("/web/js/glossary.js");
  const rules = await loadRules();
  return { book: rules.pages.rules, tables: rules.tables, words: [...entries(rules)].map(([name, entry]) => ({ name, ...entry })) };
}"""


def test_the_rulebook_is_searched_and_every_rule_has_an_address(web: WebServer, desktop: Screen) -> None:
    page = desktop.page
    desktop.open("rules")
    expect(page.get_by_role("heading", level=1)).to_contain_text("rulebook")
    expect(page.get_by_role("table")).not_to_have_count(0)
    desktop.axe()
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Battle").click()
    expect(page.get_by_role("heading", name="Battle")).to_be_in_viewport()

    page.get_by_role("searchbox", name="Search the rulebook").fill("truce emissaries")
    expect(page.locator("mark").first).to_be_visible()
    rules = page.locator(".rule").all_inner_texts()
    assert rules and all("truce" in rule and "emissaries" in rule for rule in rules)
    page.get_by_role("searchbox", name="Search the rulebook").fill("no such word anywhere")
    expect(page.locator("article").get_by_text("Nothing found.")).to_be_visible()

    desktop.open("rules", "M-03")
    expect(page.locator("#rule-M-03")).to_be_in_viewport()
    expect(page.locator("#rule-M-03")).to_be_focused()
    expect(page.get_by_role("searchbox", name="Search the rulebook")).to_have_value("")
    page.reload()
    expect(page.locator("#rule-M-03")).to_be_in_viewport()


def test_the_rulebook_on_a_phone(web: WebServer, phone: Screen) -> None:
    page = phone.page
    phone.open("rules")
    page.get_by_text("Contents").tap()
    page.get_by_role("link", name="Diplomacy").tap()
    expect(page.get_by_role("heading", name="Diplomacy")).to_be_in_viewport()
    phone.axe()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"


def test_every_word_of_the_tables_is_explained_and_leads_to_a_rule(web: WebServer, desktop: Screen) -> None:
    desktop.open("rules")
    found: dict[str, Any] = desktop.page.evaluate(EXPLAINED)
    words, tables = {word["name"]: word for word in found["words"]}, found["tables"]
    named = [
        *tables["resources"],
        *(row["unit"] for row in tables["units"]),
        *(row["building"] for row in tables["buildings"]),
        *(row["tech"] for row in tables["techs"]),
        *(row["band"] for row in tables["bands"]),
    ]
    assert set(named) <= set(words)
    for word in words.values():
        assert f"**{word['rule']}**" in found["book"], word
        assert "undefined" not in word["text"] and "NaN" not in word["text"], word


def test_words_explain_themselves_by_pointer_and_keyboard(web: WebServer, desktop: Screen) -> None:
    ada, page = web.person("reader"), desktop.page
    seat = web.match(ada, bots=1)
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "guide")
    word, card = page.locator(".guide-next .term").first, page.locator("#term-card")
    word.hover()
    expect(card).to_be_visible()
    expect(word).to_have_attribute("aria-describedby", "term-card")
    desktop.axe()
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    step_onto(page, word)
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    card.get_by_role("link").click()
    expect(page.locator(".rule.chosen")).to_be_in_viewport()
    expect(card).to_be_hidden()


def step_onto(page: Page, word: Locator) -> None:
    """With the Tab key, as a player without a mouse comes to it."""
    page.locator("#panel").focus()
    for _ in range(10):
        page.keyboard.press("Tab")
        if word.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("Tab does not come to the word")


def test_the_guide_ticks_off_what_is_done(web: WebServer, phone: Screen) -> None:
    ada, page = web.person("learner"), phone.page
    seat = web.match(ada, bots=2)
    phone.sign_in(ada)
    phone.open("match", seat.match)
    expect(page.get_by_role("heading", name="Guide")).to_be_visible()
    phone.axe()
    word, card = page.locator(".guide-next .term").first, page.locator("#term-card")
    word.tap()
    expect(card).to_be_visible()
    word.tap()
    expect(card).to_be_hidden()

    done = page.locator(".guide-steps li.done")
    expect(done).to_have_count(0)
    follow(page, "Look at your hold")
    expect(page.locator("#hold-name")).to_be_visible()
    back(page)
    expect(done).to_contain_text(["Look at your hold"])

    follow(page, "Send most of your militia out")
    page.get_by_role("button", name="File this march").tap()
    expect(page.get_by_text("Filed: March")).to_be_visible()
    back(page)
    expect(done).to_contain_text(["Look at your hold", "Send most of your militia out", "Keep a garrison"])
    (order,) = seat.orders(1)["items"]
    assert order["kind"] == "move" and 1 <= order["units"]["militia"] < 10

    seat.file(1, {"kind": "research", "tech": "cistern-works"})
    page.reload()
    expect(done.filter(has_text="Start a technology")).to_be_visible()

    web.tick_now(seat)
    expect(page.get_by_role("tab", name="Report")).to_have_attribute("aria-selected", "true")
    back(page)
    expect(done.filter(has_text="Read the report")).to_be_visible()
    origin = order["origin"]
    seat.file(2, {"kind": "recruit", "hold": origin, "unit": "militia", "count": 1})
    web.tick_now(seat)
    expect(page.get_by_role("tab", name="Report")).to_have_attribute("aria-selected", "true")
    back(page)
    expect(done.filter(has_text="Recruit with what is left")).to_be_visible()

    page.get_by_role("button", name="Do not open it by itself").tap()
    phone.open("match", seat.match)
    page.reload()
    expect(page.get_by_role("tab", name="Guide")).to_have_attribute("aria-selected", "false")


def follow(page: Page, title: str) -> None:
    expect(page.locator(".guide-next h3")).to_have_text(title)
    page.locator(".guide-next").get_by_role("button", name="Show me").tap()


def back(page: Page) -> None:
    page.get_by_role("tab", name="Guide").tap()
    expect(page.get_by_role("heading", name="Guide")).to_be_visible()
