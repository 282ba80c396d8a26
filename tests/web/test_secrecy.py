"""No answer that the client gets carries what its player may not know."""

import json
import re
import secrets

from playwright.sync_api import expect

from tests.stack.client import Seat
from tests.web.entitled import Entitled
from tests.web.screens import Screen
from tests.web.server import WebServer

TICKS = 6
LOOKED_AT = 4
PANELS = ("hold", "orders", "report", "research", "diplomacy", "messages", "guide")
GREETING = "Good day to you, neighbour."
WHISPER = "The third pier, at night."


def test_all_traffic_of_a_match_against_the_whole_match(web: WebServer, desktop: Screen) -> None:
    """Ada looks at everything there is to see, tick by tick, while her rivals move, recruit, plot and whisper; when it
    is over, the export tells what each answer may have carried."""
    ada, ben, cem = web.person("ada"), web.person("ben"), web.person("cem")
    wishes = {"settings": {"tick_cap": TICKS, "holds_per_seat": 4}, "seed": secrets.token_hex(32)}
    hers = web.match(ada, ben, cem, bots=3, level="strong", **wishes)
    his, other = Seat(ben.client, hers.match), Seat(cem.client, hers.match)
    desktop.sign_in(ada)
    traffic = desktop.record()
    for tick in range(1, LOOKED_AT + 1):
        plot(his, other.faction, tick)
        order_something(hers, tick)
        his.send([hers.faction], f"{GREETING} {tick}")
        look_at_everything(desktop, hers, tick)
        web.tick_now(hers)
    heard = traffic.heard
    assert traffic.lost == []
    assert [one for one in heard if one.status == 0], "no event of the stream was heard"
    web.tick_now(hers, TICKS - LOOKED_AT)
    entitled = Entitled(json.loads(hers.export()), hers.faction)
    assert any("order" in what for what in entitled.secrets.values())
    for answer in heard:
        assert WHISPER not in answer.text
        entitled.check(answer)
    asked = {answer.path.split("?")[0].rsplit("/", 1)[-1] for answer in heard}
    assert {"view", "options", "orders", "messages", "stream", str(LOOKED_AT - 1)} <= asked


def plot(seat: Seat, ally: str, tick: int) -> None:
    """A rival's secrets: recruits, a march, an offer, a letter."""
    options = seat.options()
    hold = next(row for row in options["holds"] if row["own"])
    if hold["recruit"][0]["most"]:
        seat.file(tick, {"kind": "recruit", "hold": hold["hold"], "unit": "militia", "count": 1})
    if hold["move"]["ends"] and hold["move"]["units"].get("militia", 0) > 1:
        path = hold["move"]["ends"][tick % len(hold["move"]["ends"])]["path"]
        seat.file(tick, {"kind": "move", "origin": hold["hold"], "path": path, "units": {"militia": 1}})
    if tick == 1:
        seat.file(tick, {"kind": "propose", "to": ally})
    seat.send([ally], f"{WHISPER} {tick}")


def order_something(seat: Seat, tick: int) -> None:
    hold = next(row for row in seat.options()["holds"] if row["own"] and row["move"]["ends"])
    path = hold["move"]["ends"][0]["path"]
    if hold["move"]["units"].get("militia", 0) > 2:
        seat.file(tick, {"kind": "move", "origin": hold["hold"], "path": path, "units": {"militia": 2}})


def look_at_everything(screen: Screen, seat: Seat, tick: int) -> None:
    """Every panel, and the tick before."""
    page = screen.page
    if tick == 1:
        screen.open("match", seat.match)
    for panel in PANELS:
        page.get_by_role("tab", name=panel.capitalize()).click()
        expect(page.get_by_role("tabpanel")).to_be_visible()
        if panel == "messages" and tick == 1:
            page.get_by_role("button", name=re.compile("unread")).click()
            expect(page.get_by_role("log")).to_contain_text(GREETING)
    if tick > 1:
        slider = page.get_by_role("slider")
        slider.focus()
        slider.press("ArrowLeft")
        expect(page.get_by_text(f"after tick {tick - 2}").first).to_be_visible()
        slider.press("End")
    if tick == LOOKED_AT:
        another = screen.new_tab("match", seat.match)
        expect(another.get_by_role("tab", name="Orders")).to_be_visible()
