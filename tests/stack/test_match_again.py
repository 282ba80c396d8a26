"""The match of the real stack, played again from its export on the embedded one: the same to the byte."""

import json
from collections import defaultdict
from pathlib import Path

from tests.stack.client import Json, Refused, Seat
from tests.stack.playing import Played
from tests.stack.replaying import Calendar, Filing, file_tick, filings, without_times
from tests.stack.stacks import Running, embedded_stack

SLOW = 3600
TICK_SECONDS = 60


def seat_everybody(running: Running, export: Json) -> dict[str, Seat]:
    """The same seats in the same order, all of them people; the match starts with the last."""
    match, factions = export["match"], export["ticks"][0]["snapshot"]["factions"]
    creator = running.player("again").open_match(
        name=match["name"],
        seats=match["seats"],
        cadence_seconds=SLOW,
        settings=match["settings"],
        seed=export["seed"],
    )
    seats = {factions[0]["id"]: creator}
    for faction in factions[1:]:
        seats[faction["id"]] = running.player("again").join(creator.match, faction_name=faction["name"])
    creator.wait_for_status("running")
    return seats


def test_the_embedded_stack_makes_the_same_match(played: Played, tmp_path: Path) -> None:
    export = json.loads(played.export)
    given = tmp_path / "export.json"
    given.write_text(played.export)
    by_tick: dict[int, list[Filing]] = defaultdict(list)
    for filing in filings(export):
        by_tick[filing.tick].append(filing)
    with embedded_stack(tmp_path / "data", str(given)) as running:
        seats = seat_everybody(running, export)
        first = next(iter(seats.values()))
        assert first.match == played.match
        calendar = Calendar(tmp_path / "data" / "embedded")
        last = len(export["ticks"]) - 1
        for tick in range(last + 1):
            if tick > 0:
                file_tick(seats, by_tick[tick])
                calendar.fire(played.match, tick)
                first.wait_for_tick(tick, TICK_SECONDS)
            for faction, seat in seats.items():
                compare(played, seat, faction, tick)
        calendar.close()
        first.wait_for_status("ended")
        again = json.loads(first.export())
    for entry, original in zip(again["ticks"], export["ticks"], strict=True):
        assert without_times(entry) == without_times(original)
    assert without_times(again) == without_times(export)
    assert len(played.views) == (last + 1) * len(seats) and len(played.reports) == last * len(seats)


def compare(played: Played, seat: Seat, faction: str, tick: int) -> None:
    """View, report and results of a seat, as they are told on both stacks."""
    view = seat.client.ask("GET", f"{seat.path}/view?tick={tick}")
    assert view.text == played.views[faction, tick]
    if tick == 0:
        return
    try:
        report = without_times(seat.report(tick))
    except Refused as refused:
        assert refused.code == "not-found"
        report = None
    assert report == without_times(played.reports[faction, tick])
    if (faction, tick) in played.own_orders:
        assert without_receipts(seat.orders(tick)["items"]) == without_receipts(
            played.own_orders[faction, tick]
        )


def without_receipts(orders: list[Json]) -> list[Json]:
    return [{name: value for name, value in order.items() if name != "receipt"} for order in orders]
