"""Matches of Warfare through the ruleset's interface, as the platform plays them."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from shared import canonical, proof
from shared.rulesets import Broken, Json, Looked, NewMatch, Resolved, Ruleset, SeatTaken, ruleset

GAME: Ruleset = ruleset("warfare")
SEED = "5a" * 32
BATTLE: dict[str, Any] = {"format": "battle"}
CAMPAIGN: dict[str, Any] = {"format": "campaign", "options": {"seasons": 3}}

Chooses = Callable[[str, list[Json]], list[Json]]
"""Faction and the orders of its computer player, to those it files."""


class Tick(NamedTuple):
    """A tick as it was opened, with what everybody was told, and what it was closed with."""

    number: int
    state: Json
    looked: Looked
    orders: list[Json]
    resolved: Resolved | None


def factions(seats: int) -> list[str]:
    return [f"f{seat}" for seat in range(1, seats + 1)]


def opened(settings: dict[str, Any], seats: int = 2, seed: str = SEED) -> Json:
    return GAME.new_match(
        NewMatch(
            match_id="m1",
            seed=seed,
            seats=tuple(
                SeatTaken(faction=name, seat=seat, name=f"Name {seat}")
                for seat, name in enumerate(factions(seats), 1)
            ),
            settings=GAME.settings(canonical.encode(settings)),
        )
    )


def sealed(body: Any, faction: str, seq: int = 1) -> Json:
    given = body if isinstance(body, bytes) else canonical.encode(body)
    order = GAME.order(given, id=f"{faction}-{seq}", seq=seq, faction=faction)
    assert isinstance(order, bytes), order
    return order


def bodies(state: Json, looked: Looked, faction: str, level: str = "strong") -> list[Json]:
    briefing = GAME.briefing(state, faction)
    return GAME.play(
        level,
        faction=faction,
        view=looked.views[faction],
        options=GAME.options(briefing, []),
        briefing=briefing,
        graph=GAME.graph(state),
        luck=f"luck/{faction}",
    )


def all_of_it(faction: str, filed: list[Json]) -> list[Json]:
    return filed


def played(
    settings: dict[str, Any], seats: int = 2, seed: str = SEED, chooses: Chooses = all_of_it
) -> Iterator[Tick]:
    """Every tick of a match between computer players, the one after the last included."""
    state = opened(settings, seats, seed)
    looked = GAME.look(state, None, None)
    number = 0
    while not GAME.standing(state).ended:
        orders: list[Json] = []
        for name in factions(seats):
            briefing = GAME.briefing(state, name)
            own: list[Json] = []
            for seq, body in enumerate(chooses(name, bodies(state, looked, name)), 1):
                order = sealed(body, name, seq)
                broken = GAME.check(briefing, own, order)
                assert broken is None, (name, body, broken)
                own.append(order)
            orders += own
        orders.sort(key=lambda text: (msgspec.json.decode(text)["seq"], msgspec.json.decode(text)["faction"]))
        resolved = GAME.resolve(state, orders)
        yield Tick(number, state, looked, orders, resolved)
        looked = GAME.look(resolved.state, resolved.record, looked.memory)
        state = resolved.state
        number += 1
    yield Tick(number, state, looked, [], None)


def export(settings: dict[str, Any], ticks: list[Tick], seats: int = 2, seed: str = SEED) -> dict[str, Any]:
    """As the platform exports a match that has ended."""
    entries: list[dict[str, Any]] = []
    previous = ""
    before: Tick | None = None
    for tick in ticks:
        entry: dict[str, Any] = {"tick": tick.number, "snapshot": msgspec.json.decode(tick.state)}
        digests: dict[str, str] = {}
        if before is not None and before.resolved is not None:
            nonces = {name: proof.sha256(f"{tick.number}/{name}") for name in factions(seats)}
            for name in factions(seats):
                own = [o.decode() for o in before.orders if msgspec.json.decode(o)["faction"] == name]
                digests[name] = proof.digest(nonces[name], own)
            entry |= {
                "deadline": "2026-01-01T00:00:00Z",
                "ran_at": "2026-01-01T00:00:00Z",
                "orders": [msgspec.json.decode(order) for order in before.orders],
                "nonces": nonces,
                "digests": digests,
                "results": [
                    {"order": r.order, "faction": r.faction, "status": r.status, "reason": r.reason}
                    for r in before.resolved.results
                ],
                **msgspec.json.decode(before.resolved.chronicle),
            }
        previous = proof.state_hash(tick.state.decode(), previous, digests.values(), GAME.version)
        entries.append({**entry, "hash": previous})
        before = tick
    result = GAME.standing(ticks[-1].state).result
    return {
        "format": 1,
        "ruleset": GAME.id,
        "rules_version": GAME.version,
        "match": {
            "id": "m1",
            "name": "A match",
            "seats": seats,
            "settings": msgspec.json.decode(GAME.settings(canonical.encode(settings))),
            "factions": [f"Name {seat}" for seat in range(1, seats + 1)],
        },
        "seed": seed,
        "commitment": proof.commitment(seed),
        "ticks": entries,
        "result": None if result is None else msgspec.json.decode(result),
    }


def broken(found: Broken | None) -> str | None:
    return None if found is None else found.reason
