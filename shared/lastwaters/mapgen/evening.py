"""Adds and removes routes until every start has about the same land within two routes (W-10)."""

from shared.lastwaters import tables
from shared.lastwaters.mapgen.chance import Chance
from shared.lastwaters.mapgen.routes import Route, Web, square
from shared.lastwaters.mapgen.scatter import Point

STEPS_A_START = 30  # changes tried at most, for each start
DETOUR = 12  # a route is only removed if its ends stay joined by at most this many routes
EFFECT = 8  # weight of evenness in the choice of a change; the drawn part is below it
DEAD_END = 6  # weight of a removal that leaves a dead end
LENGTH = 4000  # squared length of an added route that weighs 1


def around(web: Web, start: int) -> set[int]:
    """The holds within two routes of a start, itself left out."""
    ball = set(web[start])
    for i in web[start]:
        ball |= web[i]
    ball.discard(start)
    return ball


def even_out(
    chance: Chance, points: list[Point], allowed: list[set[int]], gates: dict[int, list[int]], web: Web
) -> None:
    """Changes `web` in place; it stays within `allowed`, joined, and keeps every start's gates.

    Each step mends one start that is off by the change that brings all starts nearest to one size; holds
    two routes off count double in a size, for their garrisons are larger. It ends when holds and sizes are
    as even as W-10 asks of holds and garrisons.
    """
    start_of = {gate: start for start, held in gates.items() for gate in held}
    counts = {start: len(around(web, start)) for start in gates}
    reach = min(
        len(set(held).union(*(allowed[gate] for gate in held)) - {start}) for start, held in gates.items()
    )
    middle = sorted(counts.values())[(len(counts) - 1) // 2]
    level = max(min(middle, reach), middle - 1)
    size_level = sum(2 * level + 1 - len(held) for held in gates.values()) // len(gates)

    def off(start: int, count: int) -> int:
        size = 2 * count - len(gates[start])
        astray = max(level - count, count - level - 1, 0)
        return 4 * astray * astray + max(abs(size - size_level) - 1, 0) ** 2

    def effect(i: int, j: int) -> int:
        """What changing route i-j does to the sum of what the starts are off by."""
        touched = {start_of[k] for k in (i, j) if k in start_of}
        before = sum(off(start, counts[start]) for start in touched)
        _toggle(web, i, j)
        after = sum(off(start, len(around(web, start))) for start in touched)
        _toggle(web, i, j)
        return after - before

    for step in range(STEPS_A_START * len(gates)):
        if _even([counts[s] for s in gates], tables.FAIR_HOLDS_PERCENT, tables.FAIR_HOLDS_SLACK) and _even(
            [2 * counts[s] - len(gates[s]) for s in gates], tables.FAIR_GARRISON_PERCENT, 1
        ):
            return
        astray = [start for start in gates if off(start, counts[start])]
        if not astray:
            return
        start = astray[chance(len(astray), "even", step)]
        too_many = off(start, counts[start] - 1) < off(start, counts[start] + 1)
        changes = (
            _removals(web, gates[start], start) if too_many else _additions(web, allowed, gates[start], start)
        )
        weighed = []
        for i, j in changes:
            weight = EFFECT * effect(i, j) + chance(EFFECT, "even", step, i, j)
            if j not in web[i]:
                weight += square(points[i], points[j]) // LENGTH
            elif min(len(web[i]), len(web[j])) == 2:
                weight += DEAD_END
            weighed.append((weight, i, j))
        for _, i, j in sorted(weighed):
            if j in web[i] and not _detour(web, i, j):
                continue
            _toggle(web, i, j)
            for touched in {start_of[k] for k in (i, j) if k in start_of}:
                counts[touched] = len(around(web, touched))
            break


def _even(sizes: list[int], percent: int, slack: int) -> bool:
    total, count = sum(sizes), len(sizes)
    room = max(percent * total, 100 * slack * count)
    return all(100 * abs(size * count - total) <= room for size in sizes)


def _toggle(web: Web, i: int, j: int) -> None:
    if j in web[i]:
        web[i].discard(j)
        web[j].discard(i)
    else:
        web[i].add(j)
        web[j].add(i)


def _removals(web: Web, held: list[int], start: int) -> list[Route]:
    """Routes that lead out of a start's gates to holds within two routes of it."""
    return [(gate, j) for gate in held for j in sorted(web[gate]) if j != start and j not in held]


def _additions(web: Web, allowed: list[set[int]], held: list[int], start: int) -> list[Route]:
    """Routes that would bring one more hold within two routes of a start."""
    ball = around(web, start)
    return [(gate, j) for gate in held for j in sorted(allowed[gate]) if j != start and j not in ball]


def _detour(web: Web, i: int, j: int) -> bool:
    """Whether i and j stay joined by a short way without the route between them."""
    seen = {i}
    edge = web[i] - {j}
    for _ in range(DETOUR):
        if j in edge:
            return True
        seen |= edge
        edge = {m for k in edge for m in web[k]} - seen
    return False
