"""What the tests of reports and replays look at: the panel, the slider, and the map compared with views."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.stack.client import Json, Seat

SLIDER = "Tick that is looked at"


def attack(seat: Seat) -> str:
    """Files that all idle units of the largest garrison march on a hold that is not one's own; that hold."""
    view, options = seat.view(), seat.options()
    owner = {hold["id"]: hold.get("owner") for hold in view["holds"]}
    march = max(
        (hold for hold in options["holds"] if hold["move"]["ends"]),
        key=lambda hold: sum(hold["move"]["units"].values()),
    )
    end = next(end for end in march["move"]["ends"] if owner[end["hold"]] != view["faction"])
    units = {unit: march["move"]["units"][unit] for unit in end["units"]}
    order = {"kind": "move", "origin": march["hold"], "path": end["path"], "units": units}
    seat.file(options["tick"], order)
    return str(end["hold"])


def names(seat: Seat) -> dict[str, str]:
    """Of all holds, by id."""
    return {hold["id"]: hold["name"] for hold in seat.client.get(f"{seat.path}/map")["holds"]}


def panel(page: Page) -> Locator:
    return page.get_by_role("tabpanel")


def slider(page: Page) -> Locator:
    return page.get_by_label(SLIDER)


def on_map(page: Page, hold: str) -> Locator:
    return page.locator(f'.map [data-hold="{hold}"]')


def expect_map(page: Page, view: Json) -> None:
    """The map says of each hold what the view says, and of an unknown one nothing."""
    for hold in view["holds"]:
        said = on_map(page, hold["id"])
        if hold["sight"] == "unknown":
            expect(said).to_have_attribute("aria-label", re.compile(r"^[^,]+, never seen$"))
            continue
        facts = [
            f"{count} {unit}" for units in hold.get("garrison", {}).values() for unit, count in units.items()
        ]
        if "band" in hold:
            facts.append(f"a {hold['band']} ")
        if hold["sight"] == "stale":
            facts.append(f"seen at tick {hold['seen_tick']}")
        for fact in facts:
            expect(said).to_have_attribute("aria-label", re.compile(rf"\b{re.escape(fact)}"))
