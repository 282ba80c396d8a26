"""The map: what is known of each hold, by eye and by ear; mouse, finger and keyboard; the plan; and its speed."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.stack.client import Json, Seat
from tests.web.fingers import drag, pinch
from tests.web.frames import FirstView, Frames, best, first_view, frames, pan, zoom
from tests.web.screens import Screen
from tests.web.server import Person, WebServer

HOLDS = {"seats": 10, "each": 40}
MEDIAN_MS, WORST_MS, TASK_MS = 33, 150, 200
CHANGES = """() => new Promise((resolve) => {
  const seen = [];
  const observer = new MutationObserver((records) => seen.push(...records.map((record) => record.target.nodeName)));
  observer.observe(document.querySelector(".map-layer"), { subtree: true, childList: true, attributes: true, characterData: true });
  setTimeout(() => resolve(seen), 2500);
})"""
TOLD = """() => Object.fromEntries([...document.querySelectorAll("[data-hold]")].map((element) => [
  element.dataset.hold,
  { words: element.getAttribute("aria-label"), look: element.closest("[data-sign]").getAttribute("class").split(" "),
    text: [...element.closest("[data-sign]").querySelectorAll("text")].map((text) => text.textContent) }]))"""


@pytest.fixture
def player(web: WebServer) -> Person:
    return web.person("surveyor")


@pytest.fixture
def seat(web: WebServer, player: Person) -> Seat:
    return web.match(player, bots=2)


def open_map(screen: Screen, player: Person, seat: Seat) -> Page:
    screen.sign_in(player)
    screen.open("match", seat.match, "hold")
    expect(sign(screen.page, home(seat))).to_be_visible()
    return screen.page


def home(seat: Seat) -> str:
    return next(str(row["id"]) for row in seat.view()["holds"] if row.get("owner") == seat.faction)


def graph(seat: Seat) -> Json:
    found: Json = seat.client.get(f"{seat.path}/map")
    return found


def name_of(seat: Seat, hold: str) -> str:
    return next(str(row["name"]) for row in graph(seat)["holds"] if row["id"] == hold)


def sign(page: Page, hold: str) -> Locator:
    return page.locator(f"[data-hold={hold}]")


def middle(page: Page, hold: str) -> tuple[float, float]:
    box = sign(page, hold).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def apart(page: Page, one: str, other: str) -> float:
    (x, y), (to_x, to_y) = middle(page, one), middle(page, other)
    return float(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5)


def show_instead(page: Page, change: Callable[[Json], None]) -> None:
    """The view as the server tells it, changed."""

    def answer(route: Route) -> None:
        response = route.fetch()
        view = response.json()
        change(view)
        route.fulfill(response=response, json=view)

    page.route(re.compile(r"/v1/matches/[^/]+/view"), answer)


def exact(owner: str | None, garrison: dict[str, dict[str, int]], *buildings: str) -> dict[str, Any]:
    return {
        "owner": owner,
        "garrison": garrison,
        "buildings": list(buildings),
        "yields": {"water": 9, "scrap": 2, "grain": 0},
    }


def all_fog(seat: Seat, view: Json) -> dict[str, Json]:
    """Puts a hold into the view for each way of knowing; they by name."""
    me, *others = [faction["id"] for faction in view["factions"]]
    view["tick"] = 7
    ally, foe = others
    view["pacts"] = [{"members": sorted([me, ally])}]
    own = home(seat)
    older = {"older": {"seen_tick": 2, **exact(foe, {foe: {"militia": 31}}, "watch")}}
    wanted = {
        "mine": {"sight": "exact", "seen_tick": 7, **exact(me, {me: {"militia": 4}, ally: {"outrider": 3}})},
        "ally": {
            "sight": "exact",
            "seen_tick": 7,
            **exact(ally, {ally: {"wrecker": 6}}, "bastion", "archive"),
        },
        "empty": {"sight": "exact", "seen_tick": 7, **exact(foe, {})},
        "neutral": {"sight": "exact", "seen_tick": 7, **exact(None, {"neutral": {"militia": 8}})},
        "band": {"sight": "band", "seen_tick": 7, "owner": foe, "band": "host"},
        "band and older": {"sight": "band", "seen_tick": 7, "owner": foe, "band": "company", **older},
        "stale": {"sight": "stale", "seen_tick": 3, **exact(foe, {foe: {"militia": 17}}, "palisade")},
        "stale band": {"sight": "stale", "seen_tick": 5, "owner": foe, "band": "horde", **older},
        "unknown": {"sight": "unknown"},
    }
    places = {row["id"]: (row["x"], row["y"]) for row in graph(seat)["holds"]}
    x, y = places[own]
    near = sorted(places, key=lambda hold: (places[hold][0] - x) ** 2 + (places[hold][1] - y) ** 2)
    found = {name: {"id": hold, **known} for hold, (name, known) in zip(near, wanted.items(), strict=False)}
    kept = {row["id"]: row for row in found.values()}
    view["holds"] = [kept.get(row["id"], {"id": row["id"], "sight": "unknown"}) for row in view["holds"]]
    return found


def test_each_way_of_knowing_looks_and_reads_as_it_is(
    web: WebServer, desktop: Screen, player: Person, seat: Seat
) -> None:
    view = seat.view()
    found = all_fog(seat, view)
    names = {faction["id"]: faction["name"] for faction in view["factions"]}
    ally, foe = [faction["id"] for faction in view["factions"]][1:]
    desktop.allow(r"answer: 404 GET .*/reports/7")
    show_instead(desktop.page, lambda told: told.update(json.loads(json.dumps(view))))
    page = open_map(desktop, player, seat)
    size = page.locator(".map-layer").get_attribute("width")
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".map-layer.near")).not_to_have_attribute("width", str(size))
    expect(page.locator(".plate text").filter(has_text="host")).to_be_visible()
    told = page.evaluate(TOLD)
    assert len(told) == len(view["holds"])

    def words(which: str) -> str:
        return str(told[found[which]["id"]]["words"]).removeprefix(name_of(seat, found[which]["id"]) + ", ")

    rich = "yields 9 water and 2 scrap"
    assert words("mine") == f"yours, 4 militia (yours) and 3 outriders ({names[ally]}), {rich}, seen now"
    assert words("ally") == f"your ally {names[ally]}, 6 wreckers, bastion, archive, {rich}, seen now"
    assert words("empty") == f"{names[foe]}, no garrison, {rich}, seen now"
    assert words("neutral") == f"neutral, 8 militia, {rich}, seen now"
    assert words("band") == f"{names[foe]}, a host (16 to 40), seen now"
    assert words("band and older") == (
        f"{names[foe]}, a company (6 to 15), seen now, at tick 2: 31 militia, watch"
    )
    assert words("stale") == f"{names[foe]}, 17 militia, palisade, {rich}, seen at tick 3"
    assert words("stale band") == (
        f"{names[foe]}, a horde (41 or more), seen at tick 5, at tick 2: 31 militia, watch"
    )
    assert words("unknown") == "never seen"

    drawn = {which: told[row["id"]] for which, row in found.items()}
    for which, row in found.items():
        assert f"seen-{row['sight']}" in drawn[which]["look"]
    shown = {which: [text for text in one["text"] if text] for which, one in drawn.items()}
    assert {"4", "3"} <= set(shown["mine"])
    assert {"17", "3"} <= set(shown["stale"])
    assert "8" in shown["neutral"] and "0" in shown["empty"]
    assert "host" in shown["band"] and not any(re.search(r"\d", text) for text in shown["band"])
    assert {"company", "2: 31"} <= set(shown["band and older"])
    assert {"horde", "5", "2: 31"} <= set(shown["stale band"])
    assert shown["unknown"][0] == "?"

    assert page.evaluate(CHANGES) == [], "the map is drawn anew though nothing has changed"
    desktop.axe()


def test_the_keyboard_walks_chooses_zooms_and_leaves(desktop: Screen, player: Person, seat: Seat) -> None:
    page = open_map(desktop, player, seat)
    own = home(seat)
    expect(page.locator("[data-hold][tabindex='0']")).to_have_count(1)
    expect(sign(page, own)).to_have_attribute("tabindex", "0")
    sign(page, own).focus()
    places = {row["id"]: (row["x"], row["y"]) for row in graph(seat)["holds"]}
    step = {"ArrowRight": (0, 1), "ArrowLeft": (0, -1), "ArrowDown": (1, 1), "ArrowUp": (1, -1)}
    for key, (axis, way) in step.items():
        here = page.evaluate("document.activeElement.dataset.hold")
        page.keyboard.press(key)
        there = page.evaluate("document.activeElement.dataset.hold")
        if there != here:
            assert (places[there][axis] - places[here][axis]) * way > 0
    reached = page.evaluate("document.activeElement.dataset.hold")
    expect(page.locator(".map-card")).to_contain_text(name_of(seat, reached))
    expect(page.locator("[data-hold][tabindex='0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name_of(seat, reached), exact=True)).to_be_visible()
    expect(sign(page, reached)).to_have_attribute("aria-pressed", "true")

    size = page.locator(".map-layer")
    before = float(size.get_attribute("width") or 0)
    page.keyboard.press("-")
    expect(size).not_to_have_attribute("width", str(before))
    smaller = float(size.get_attribute("width") or 0)
    assert smaller < before
    page.reload()
    expect(sign(page, reached)).to_be_visible()
    assert float(size.get_attribute("width") or 0) == pytest.approx(smaller)

    sign(page, reached).focus()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.hold ?? null") is None
    page.get_by_role("button", name="Find a hold").click()
    page.get_by_role("searchbox", name="Name of a hold").fill(name_of(seat, own)[:-1])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name_of(seat, own), exact=True)).to_be_visible()
    expect(sign(page, own)).to_be_focused()


def test_fingers_move_zoom_and_choose(phone: Screen, player: Person, seat: Seat) -> None:
    page = open_map(phone, player, seat)
    own = home(seat)
    other = str(seat.options()["holds"][0]["move"]["ends"][0]["hold"])
    phone.open("match", seat.match, "hold")
    x, y = middle(page, own)
    area = page.locator(".map-ground").bounding_box()
    assert area is not None
    start = (area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    drag(page, start, (start[0] + 50, start[1] - 30))
    moved = middle(page, own)
    assert moved == pytest.approx((x + 50, y - 30), abs=8)
    expect(page.locator("[data-hold][aria-pressed=true]")).to_have_count(0)

    before = apart(page, own, other)
    pinch(page, middle(page, own), 1.6, spread=30)
    assert apart(page, own, other) == pytest.approx(1.6 * before, rel=0.15)
    expect(page.locator("[data-hold][aria-pressed=true]")).to_have_count(0)

    page.touchscreen.tap(*middle(page, own))
    expect(page.get_by_role("heading", name=name_of(seat, own), exact=True)).to_be_visible()
    expect(sign(page, own)).to_have_attribute("aria-pressed", "true")
    area = page.locator(".map-ground").bounding_box()
    assert area is not None
    x, y = middle(page, own)
    assert area["x"] < x < area["x"] + area["width"] and area["y"] < y < area["y"] + area["height"]
    phone.axe()


def test_what_is_filed_is_not_mistaken_for_what_is_not(desktop: Screen, player: Person, seat: Seat) -> None:
    own = home(seat)
    end = str(seat.options()["holds"][0]["move"]["ends"][0]["hold"])
    seat.file(1, {"kind": "recruit", "hold": own, "unit": "militia", "count": 2})
    page = open_map(desktop, player, seat)
    expect(page.locator(".work.filed")).to_have_text("+2")
    sign(page, own).click()
    page.get_by_role("button", name="March from here").click()
    ends = seat.options()["holds"][0]["move"]["ends"]
    expect(page.locator(".reach.open")).to_have_count(len(ends))
    expect(sign(page, end)).to_have_attribute("aria-description", "The column can get here")
    sign(page, end).click()
    expect(page.locator(".arrow.march")).to_be_visible()
    expect(page.locator(".verdict.good")).to_be_visible()
    with desktop.offline():
        page.get_by_role("button", name="File this march").click()
        expect(page.locator(".arrow.draft")).to_be_visible()
        expect(page.locator(".arrow.draft .line")).to_have_attribute("stroke-dasharray", re.compile(r"\d"))
        expect(page.locator(".arrow.filed")).to_have_count(0)
        expect(sign(page, own)).to_have_attribute("aria-label", re.compile("not filed yet: March"))
    expect(page.locator(".arrow.filed")).to_be_visible()
    expect(page.locator(".arrow.draft")).to_have_count(0)
    expect(page.locator(".arrow.filed .line")).not_to_have_attribute("stroke-dasharray", re.compile(r"\d"))
    expect(sign(page, own)).to_have_attribute("aria-label", re.compile("filed: March"))


def everything(view: Json) -> None:
    """Every hold exactly: the most that a map ever has to draw."""
    factions = [faction["id"] for faction in view["factions"]]
    for number, row in enumerate(view["holds"]):
        if row["sight"] != "unknown" and row.get("owner"):
            continue
        owner = factions[number * len(factions) // len(view["holds"])]
        buildings = ["bastion", "archive", "watch"][: number % 4]
        row |= {
            "sight": "exact",
            "seen_tick": view["tick"],
            **exact(owner, {owner: {"militia": number}}, *buildings),
        }


def test_four_hundred_holds_move_smoothly(web: WebServer, desktop: Screen, player: Person) -> None:
    seat = web.match(player, bots=HOLDS["seats"] - 1, settings={"holds_per_seat": HOLDS["each"]})
    page = desktop.page
    show_instead(page, everything)
    open_map(desktop, player, seat)
    expect(page.locator("[data-hold]")).to_have_count(HOLDS["seats"] * HOLDS["each"])
    place = f"{web.url}/#/match/{seat.match}/hold"
    seen = best(lambda: first_view(page, place, ".hold .token"), lambda view: longest(view) <= TASK_MS)
    assert longest(seen) <= TASK_MS, seen
    area = page.locator(".map-ground")

    def smooth(found: Frames) -> bool:
        return found.median <= MEDIAN_MS and found.worst <= WORST_MS

    def measured(move: Callable[[Page, Locator], None]) -> Frames:
        with frames(page) as found:
            move(page, area)
        return found

    for fit in (False, True):
        if fit:
            page.get_by_role("button", name="The whole map").click()
            expect(page.locator(".map-layer.far")).to_be_visible()
        for move in (pan, zoom):
            found = best(partial(measured, move), smooth)
            assert smooth(found), (fit, move.__name__, found.median, found.worst)


def longest(view: FirstView) -> float:
    return max(view.tasks, default=0.0)
