"""Where the factions start, and the neighbours that each start has to itself (W-10)."""

from shared.lastwaters import tables
from shared.lastwaters.mapgen.chance import Chance, shuffle
from shared.lastwaters.mapgen.routes import square
from shared.lastwaters.mapgen.scatter import Point

ROUNDS = 6  # how often the centres of the regions are moved to the middle of their land
GATES = 3  # neighbours wanted for each start
ROOM = 7  # holds wanted within two routes of a start, were every drawable route laid
MOVES_A_START = 6  # tries at most to better the place of a start, for each start


def choose(chance: Chance, points: list[Point], near: list[list[int]], seats: int) -> list[int]:
    """`seats` holds, each amid a region of its own; the regions are of about equal size."""
    centres = _centres(chance, points, seats)
    for _ in range(ROUNDS):
        sums = [(0, 0, 0)] * seats
        for x, y in points:
            nearest = 0
            shortest = -1
            for k, (cx, cy) in enumerate(centres):
                gap = (cx - x) * (cx - x) + (cy - y) * (cy - y)
                if gap < shortest or shortest < 0:
                    nearest, shortest = k, gap
            sx, sy, members = sums[nearest]
            sums[nearest] = (sx + x, sy + y, members + 1)
        centres = [
            (sx // members, sy // members) if members else centre
            for (sx, sy, members), centre in zip(sums, centres, strict=True)
        ]
    starts: list[int] = []
    for centre in centres:
        beside = {j for start in starts for j in near[start]} | set(starts)
        starts.append(
            min(
                (i for i in range(len(points)) if i not in starts),
                key=lambda i: (len(near[i]) < GATES, i in beside, square(points[i], centre), i),
            )
        )
    return starts


def _centres(chance: Chance, points: list[Point], seats: int) -> list[Point]:
    """A first spread: each centre is the one of a few drawn holds that lies farthest from the others."""
    centres = [points[chance(len(points), "centre", 0)]]
    while len(centres) < seats:
        drawn = [points[chance(len(points), "centre", len(centres), i)] for i in range(8)]
        centres.append(max(drawn, key=lambda p: (min(square(p, c) for c in centres), p)))
    return centres


def settle(
    chance: Chance, points: list[Point], near: list[list[int]], seats: int
) -> tuple[dict[int, list[int]], list[set[int]]] | None:
    """The gates of each start, and for each hold the others that a route may join it to.

    Gates are two or three neighbours that no other start has, so starts are 3 routes apart in every attempt,
    though W-10 would let late ones bring them nearer. A start with
    too little land in reach gives way to a hold nearby while that helps. None if a start is left with fewer
    than two gates.
    """
    starts = choose(chance, points, near, seats)
    order = list(range(seats))
    shuffle(chance, order, "gates")
    best = _gates(near, [starts[k] for k in order])
    best_lack = _lacks(near, best)
    for step in range(MOVES_A_START * seats):
        poor = [start for start in starts if best_lack[start]]
        if not poor:
            break
        old = poor[chance(len(poor), "poor", step)]
        nearby = sorted({k for j in near[old] for k in (j, *near[j])} - set(starts))
        moved = [nearby[chance(len(nearby), "moved", step)] if start == old else start for start in starts]
        held = _gates(near, [moved[k] for k in order])
        lack = _lacks(near, held)
        if sum(lack.values()) <= sum(best_lack.values()):
            starts, best, best_lack = moved, held, lack
    if min(len(held) for held in best.values()) < tables.START_NEIGHBOURS:
        return None
    return best, _allowed(near, best)


def _gates(near: list[list[int]], starts: list[int]) -> dict[int, list[int]]:
    """Every start gets its second gate before any gets a third; to make room a start may be given another
    neighbour instead (augmenting paths of bipartite matching)."""
    starting = set(starts)
    holder: dict[int, int] = {}

    def grant(start: int, asked: set[int]) -> bool:
        for gate in near[start]:
            if gate in starting or gate in asked or holder.get(gate) == start:
                continue
            asked.add(gate)
            if gate not in holder or grant(holder[gate], asked):
                holder[gate] = start
                return True
        return False

    for _ in range(GATES):
        for start in starts:
            grant(start, set())
    held: dict[int, list[int]] = {start: [] for start in starts}
    for gate in sorted(holder):
        held[holder[gate]].append(gate)
    return held


def _lacks(near: list[list[int]], held: dict[int, list[int]]) -> dict[int, int]:
    """For each start, the square of the holds that it lacks within two routes if every route were laid."""
    lacks = {}
    for start, gates in held.items():
        reach = {j for gate in gates for j in near[gate] if j not in held} | set(gates)
        lack = max(0, ROOM - len(reach)) + 10 * max(0, tables.START_NEIGHBOURS - len(gates))
        lacks[start] = lack * lack
    return lacks


def _allowed(near: list[list[int]], held: dict[int, list[int]]) -> list[set[int]]:
    return [
        set(held[i]) if i in held else {j for j in joined if j not in held or i in held[j]}
        for i, joined in enumerate(near)
    ]
