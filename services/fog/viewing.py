"""What a seated account may read: its own faction's views and the public map.

The faction is always the account's own seat's; no caller names one.
"""

import msgspec

from services.fog import store
from shared.contracts.base import Refusal
from shared.contracts.fog import GetMap, GetView, Map, View
from shared.storage.database import Transaction


def view(tx: Transaction, request: GetView) -> View:
    """Refusals: not-found (no such match, no seat in it, no such tick), not-started."""
    seat = seated(tx, request.account, request.match)
    latest = seat.next_tick - 1
    tick = latest if request.tick is None else request.tick
    found = store.view(tx, request.match, tick, seat.faction)
    if found is None:
        raise Refusal("not-found", "There is no such tick in this match yet.")
    return View(
        match=request.match,
        tick=tick,
        faction=seat.faction,
        current=tick == latest,
        view=msgspec.Raw(found),
    )


def public_map(tx: Transaction, request: GetMap) -> Map:
    """Refusals: not-found (no such match, no seat in it), not-started."""
    seated(tx, request.account, request.match)
    return Map(match=request.match, map=msgspec.Raw(store.public_map(tx, request.match)))


def seated(tx: Transaction, account: str, match: str) -> store.Seated:
    seat = store.seat(tx, match, account)
    if seat is None:
        raise Refusal("not-found", "There is no such match.")
    if seat.next_tick == 0:
        raise Refusal("not-started", "The match is about to start.")
    return seat
