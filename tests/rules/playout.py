"""Matches played out by chance, for tests and benchmarks: every faction files what its options offer.

Pure: the same arguments give the same match. ``wild`` adds orders that mostly fail, of every kind and reason.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from shared.lastwaters import sight
from shared.lastwaters.filing import briefing
from shared.lastwaters.mapgen import generate
from shared.lastwaters.memory import Memory
from shared.lastwaters.options import Options, options
from shared.lastwaters.orders import Order, read_orders
from shared.lastwaters.tables import BUILDINGS, TECHS, UNITS
from shared.lastwaters.tick import Outcome, resolve
from shared.lastwaters.world import Snapshot


class Step(NamedTuple):
    """One tick: what went in, what came out."""

    before: Snapshot
    orders: list[Order]
    memory: Memory
    outcome: Outcome


def playout(
    seed: int, seats: int, ticks: int, holds_per_seat: int = 8, *, wild: bool = True
) -> Iterator[Step]:
    """The steps of one match, at most ``ticks``; it ends early when it is won."""
    chance = random.Random(seed)
    snapshot = generate(f"{seed:x}", seats, holds_per_seat, tick_cap=50)
    memory = sight.first(snapshot).memory
    for _ in range(ticks):
        orders = orders_of_all(chance, snapshot, wild=wild)
        outcome = resolve(snapshot, orders, memory)
        yield Step(snapshot, orders, memory, outcome)
        if outcome.result is not None:
            return
        snapshot, memory = outcome.snapshot, outcome.memory


def orders_of_all(chance: random.Random, snapshot: Snapshot, *, wild: bool = True) -> list[Order]:
    raw: list[dict[str, Any]] = []
    for faction in snapshot.factions:
        if faction.eliminated_tick is None:
            bodies = list(sensible(chance, options(briefing(snapshot, faction.id))))
            if wild:
                bodies += [_wild(chance, snapshot) for _ in range(chance.randrange(3))]
            chance.shuffle(bodies)
            raw += [
                {**body, "id": f"{faction.id}-{seq}", "seq": seq, "faction": faction.id}
                for seq, body in enumerate(bodies, 1)
            ]
    chance.shuffle(raw)
    return read_orders(raw)


def sensible(chance: random.Random, offered: Options) -> Iterator[dict[str, Any]]:
    """Orders that are offered; together they may still be too dear, so some fail."""
    for hold in offered.holds:
        if hold.move.ends and chance.random() < 0.7:
            end = chance.choice(hold.move.ends)
            units = {unit: chance.randint(1, hold.move.units[unit]) for unit in end.units}
            if units:
                yield {"kind": "move", "origin": hold.hold, "path": list(end.path), "units": units}
        for recruit in hold.recruit:
            if recruit.reason is msgspec.UNSET and chance.random() < 0.7:
                count = chance.randint(1, recruit.most)
                yield {"kind": "recruit", "hold": hold.hold, "unit": recruit.unit, "count": count}
        buildable = [build.building for build in hold.build if build.reason is msgspec.UNSET]
        if buildable and chance.random() < 0.5:
            yield {"kind": "build", "hold": hold.hold, "building": chance.choice(buildable)}
    techs = [tech.tech for tech in offered.techs if tech.reason is msgspec.UNSET]
    if techs:
        yield {"kind": "research", "tech": chance.choice(techs)}
    for other in offered.factions:
        if chance.random() < 0.3:
            yield {"kind": "propose", "to": other.faction}
        if other.accept is msgspec.UNSET or chance.random() < 0.1:
            yield {"kind": "accept", "from": other.faction}
        if chance.random() < 0.1:
            yield {"kind": "break", "with": other.faction}


def _wild(chance: random.Random, snapshot: Snapshot) -> dict[str, Any]:
    hold, near = (chance.choice(snapshot.holds).id for _ in range(2))
    other = chance.choice([*(faction.id for faction in snapshot.factions), "nobody"])
    unit, count = chance.choice([*UNITS, "ghost"]), chance.choice([0, 1, 2, 500, 10**6])
    made: dict[str, Any] = chance.choice(
        [
            {"kind": "move", "origin": hold, "path": [near], "units": {unit: count}},
            {"kind": "recruit", "hold": hold, "unit": unit, "count": count},
            {"kind": "build", "hold": hold, "building": chance.choice([*BUILDINGS, "tower"])},
            {"kind": "research", "tech": chance.choice([*TECHS, "flight"])},
            {"kind": "propose", "to": other},
            {"kind": "accept", "from": other},
            {"kind": "break", "with": other},
            {"kind": "dance"},
        ]
    )
    return made
