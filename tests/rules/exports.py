"""Whole matches as exports, made as the server makes them."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from shared import proof
from shared.lastwaters.mapgen import generate
from shared.lastwaters.orders import canonical
from shared.lastwaters.tick import adjudicate
from shared.lastwaters.world import encode
from tests.rules.playout import orders_of_all


def export(seed: int, seats: int, tick_cap: int, holds_per_seat: int = 4) -> dict[str, Any]:
    """Decoded JSON of a match played to its end."""
    chance = random.Random(seed)
    names = [f"Faction {number}" for number in range(1, seats + 1)]
    snapshot = generate(f"{seed:064x}", seats, holds_per_seat, tick_cap, "m17", names)
    hash_ = proof.state_hash(encode(snapshot).decode(), "", (), 1)
    ticks: list[dict[str, Any]] = [{"tick": 0, "snapshot": snapshot, "hash": hash_}]
    while snapshot.result is None:
        seat = {faction.id: faction.seat for faction in snapshot.factions}
        orders = [order for order in orders_of_all(chance, snapshot, wild=False) if order.body]
        orders.sort(key=lambda order: (order.seq, seat[order.faction]))
        texts = {order.id: canonical(order).decode() for order in orders}
        nonces = {faction: f"{chance.getrandbits(256):064x}" for faction in seat}
        digests = {
            faction: proof.digest(
                nonces[faction], [texts[order.id] for order in orders if order.faction == faction]
            )
            for faction in seat
        }
        done = adjudicate(snapshot, orders)
        snapshot = done.snapshot
        hash_ = proof.state_hash(encode(snapshot).decode(), hash_, digests.values(), 1)
        ticks.append(
            {
                "tick": snapshot.tick,
                "deadline": _instant(snapshot.tick),
                "ran_at": _instant(snapshot.tick, chance.randrange(10**6)),
                "orders": [msgspec.json.decode(texts[order.id]) for order in orders],
                "nonces": nonces,
                "digests": digests,
                "snapshot": snapshot,
                "hash": hash_,
                "results": done.record.results,
                "battles": done.record.battles,
                "captures": done.record.captures,
            }
        )
    whole: dict[str, Any] = {
        "format": 1,
        "ruleset": "last-waters",
        "rules_version": 1,
        "match": {
            "id": "m17",
            "name": "Match 17",
            "seats": seats,
            "settings": {"holds_per_seat": holds_per_seat, "tick_cap": tick_cap},
            "factions": names,
        },
        "seed": f"{seed:064x}",
        "commitment": proof.commitment(f"{seed:064x}"),
        "ticks": ticks,
        "result": snapshot.result,
    }
    decoded: dict[str, Any] = msgspec.json.decode(encode(whole))
    return {**decoded, "checksums": proof.export_checksums(decoded)}


def _instant(tick: int, late: int = 0) -> str:
    """Deadlines a day apart; ``late`` in microseconds."""
    at = datetime(2031, 4, 30, 12, tzinfo=UTC) + timedelta(days=tick, microseconds=late)
    return at.isoformat().replace("+00:00", "Z")
