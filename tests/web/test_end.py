"""After the end: outcome, graphs, the whole replay, and the checks that tell a true record from a changed one."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.stack.client import Json, Seat
from tests.web.playing import play_on
from tests.web.reading import expect_map, panel, slider
from tests.web.screens import Screen
from tests.web.server import Person, WebServer

TICKS = 4
SETTINGS = {"holds_per_seat": 4, "tick_cap": TICKS}


@pytest.fixture(scope="module")
def played(web: WebServer) -> tuple[Person, Seat]:
    """A match that has ended."""
    ada = web.person("ada")
    seat = web.match(ada, bots=2, settings=SETTINGS)
    play_on(web, seat, TICKS, seed=3)
    assert seat.detail()["status"] == "ended"
    return ada, seat


def whole_map(snapshot: Json) -> Json:
    return {"holds": [{**hold, "sight": "exact"} for hold in snapshot["holds"]]}


def test_the_end_comes_and_is_told(desktop: Screen, web: WebServer) -> None:
    ada = web.person("ada")
    seat = web.match(ada, bots=2, settings=SETTINGS)
    play_on(web, seat, TICKS - 1, seed=3)
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "hold")
    page = desktop.page
    expect(slider(page)).to_have_value(str(TICKS - 1))
    web.tick_now(seat)

    expect(page.get_by_role("tab", name="Outcome")).to_have_attribute("aria-selected", "true")
    export = json.loads(seat.export())
    last = export["ticks"][-1]["snapshot"]
    winner = next(each for each in last["factions"] if each["id"] == export["result"]["winner"])
    expect(panel(page).get_by_role("heading", level=2)).to_have_text(
        "You have won" if winner["id"] == "f1" else f"{winner['name']} has won"
    )
    standing = panel(page).get_by_role("table").first
    for faction in last["factions"]:
        row = standing.get_by_role("row", name=faction["name"])
        holds = sum(hold["owner"] == faction["id"] for hold in last["holds"])
        figures = [holds, *faction["stock"].values()]
        assert sorted(map(int, row.get_by_role("cell").all_inner_texts())) == sorted(figures)
    expect_map(page, whole_map(last))


def test_graphs_draw_what_the_export_holds(desktop: Screen, played: tuple[Person, Seat]) -> None:
    ada, seat = played
    ticks = json.loads(seat.export())["ticks"]
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "end")
    page = desktop.page
    panel(page).get_by_text("The figures as a table").click()
    lost = dict.fromkeys(("f1", "f2", "f3"), 0)
    for entry in ticks:
        for faction, units in fallen(entry):
            lost[faction] += units
    assert sum(lost.values()) > 0
    factions = ticks[-1]["snapshot"]["factions"]
    holds = [hold["owner"] for hold in ticks[-1]["snapshot"]["holds"]]
    expected = {
        "Holds": {each["id"]: holds.count(each["id"]) for each in factions},
        "Stores": {each["id"]: sum(each["stock"].values()) for each in factions},
        "Units lost": lost,
    }
    for measure, figures in expected.items():
        page.get_by_role("button", name=measure, exact=True).click()
        expect(page.get_by_role("img", name=f"{measure} of every faction")).to_be_visible()
        table = page.get_by_role("table", name=f"{measure} by tick")
        for faction in factions:
            row = table.get_by_role("row", name=faction["name"])
            expect(row.get_by_role("cell")).to_have_count(len(ticks))
            expect(row.get_by_role("cell").last).to_have_text(str(figures[faction["id"]]))
    desktop.axe()


def fallen(entry: Json) -> list[tuple[str, int]]:
    exchanges = [
        each
        for battle in entry.get("battles", [])
        for assault in battle["assaults"]
        for each in assault["exchanges"]
    ]
    losses = [losses for each in exchanges for losses in (each["attack_losses"], each["defence_losses"])]
    return [
        (side, sum(units.values())) for each in losses for side, units in each.items() if side != "neutral"
    ]


def test_the_replay_shows_everything_or_what_was_seen(desktop: Screen, played: tuple[Person, Seat]) -> None:
    ada, seat = played
    ticks = json.loads(seat.export())["ticks"]
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "report")
    page = desktop.page
    everything = page.get_by_role("checkbox", name="Whole map")
    expect(everything).to_be_checked()
    for tick in range(TICKS - 1, 0, -1):
        page.get_by_role("button", name="One tick back").click()
        expect(panel(page)).to_contain_text(f"Tick {tick} · resolved")
        expect_map(page, whole_map(ticks[tick]["snapshot"]))
        battles = [battle["hold"] for battle in ticks[tick]["battles"]]
        expect(panel(page).get_by_role("article")).to_have_count(len(battles))
        for result in ticks[tick]["results"]:
            if result["faction"] != "f1" and result["reason"]:
                expect(panel(page).locator(".everything .failed .why").first).to_be_attached()
    everything.uncheck()
    expect_map(page, seat.view(1))
    assert any(hold["sight"] == "unknown" for hold in seat.view(1)["holds"])
    page.get_by_role("button", name="To the end").click()
    expect_map(page, whole_map(ticks[-1]["snapshot"]))


def test_a_true_record_is_verified(phone: Screen, played: tuple[Person, Seat]) -> None:
    ada, seat = played
    phone.sign_in(ada)
    phone.open("match", seat.match, "end")
    page = phone.page
    page.get_by_role("button", name="Verify this match").tap()
    expect(panel(page)).to_contain_text("Verified. Everything holds.")
    expect(panel(page).locator(".audit-line.right")).to_have_count(7)
    expect(panel(page)).to_contain_text(seat.detail()["seed"])
    phone.axe()
    with page.expect_download() as download:
        panel(page).get_by_role("link", name="download the whole match").click()
    assert json.loads(download.value.path().read_text()) == json.loads(seat.export())


def stock(export: Json) -> None:
    export["ticks"][2]["snapshot"]["factions"][0]["stock"]["water"] += 1


def seed(export: Json) -> None:
    export["seed"] = f"{export['seed'][:-1]}{(int(export['seed'][-1], 16) + 1) % 16:x}"


def order(export: Json) -> None:
    recruit = next(each for each in export["ticks"][1]["orders"] if each["kind"] == "recruit")
    recruit["count"] += 1


def deadline(export: Json) -> None:
    at = export["ticks"][1]["deadline"]
    export["ticks"][1]["deadline"] = re.sub(r"(\d)(?=\D*$)", lambda digit: str((int(digit[1]) + 1) % 10), at)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (stock, "Tick 2: the hash of the state does not match"),
        (seed, "The commitment to the seed does not match"),
        (order, "Tick 1: the digest of"),
        (deadline, "Tick 1: its times does not match"),
    ],
)
def test_one_digit_changed_on_its_way_is_found(
    desktop: Screen, played: tuple[Person, Seat], change: Callable[[Json], None], found: str
) -> None:
    ada, seat = played
    export = json.loads(seat.export())
    change(export)

    def changed(route: Route) -> None:
        route.fulfill(body=json.dumps(export), content_type="application/json")

    desktop.page.route("**/export", changed)
    desktop.sign_in(ada)
    desktop.open("match", seat.match, "end")
    verify(desktop.page)
    expect(panel(desktop.page)).to_contain_text("This record does not hold.")
    expect(panel(desktop.page).locator(".audit-line.wrong").first).to_contain_text(found)


def verify(page: Page) -> None:
    page.get_by_role("button", name="Verify this match").click()
    expect(page.get_by_role("button", name="Verify again")).to_be_enabled()
