"""Which routes may be drawn, and a first choice of them (W-02, W-10)."""

from shared.lastwaters.mapgen.chance import Chance
from shared.lastwaters.mapgen.scatter import SPACING, Point

Route = tuple[int, int]
"""Two holds by index, the smaller first."""

Web = list[set[int]]
"""For each hold the holds that routes join to it."""

REACH = 4 * SPACING  # no route is longer


def square(a: Point, b: Point) -> int:
    """Squared distance."""
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])


def drawable(points: list[Point]) -> list[list[int]]:
    """For each point the others, nearest first, that a straight route may join it to.

    A pair qualifies if no third point lies in or on the circle that has the pair for diameter (the Gabriel
    graph with the circle's rim counted in). Two such routes never cross, none runs through a hold, and
    among them is a shortest tree that joins all holds.
    """
    cells: dict[Point, list[int]] = {}
    for i, (x, y) in enumerate(points):
        cells.setdefault((x // REACH, y // REACH), []).append(i)
    near: list[list[int]] = []
    for i, (x, y) in enumerate(points):
        column, row = x // REACH, y // REACH
        around = [
            (square(points[i], points[j]), j)
            for c in (column - 1, column, column + 1)
            for r in (row - 1, row, row + 1)
            for j in cells.get((c, r), ())
            if j != i
        ]
        around = sorted(pair for pair in around if pair[0] <= REACH * REACH)
        joined: list[int] = []
        blockers: list[Point] = []
        for _, j in around:
            px, py = points[j]
            if all((x - bx) * (px - bx) + (y - by) * (py - by) > 0 for bx, by in blockers):
                joined.append(j)
            blockers.append((px, py))
        near.append(joined)
    return near


def lay(
    chance: Chance, points: list[Point], allowed: list[set[int]], fixed: list[Route], count: int
) -> Web | None:
    """A web of about `count` routes out of `allowed` that joins all holds and holds all `fixed` routes.

    First a tree of short routes, then short ways out of dead ends, then further short ones. None if `allowed` does not join all holds.
    """
    web: Web = [set() for _ in points]
    group = list(range(len(points)))

    def leader(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    laid = 0
    weighted: list[tuple[int, int, int]] = []
    kept = set(fixed)
    for i, others in enumerate(allowed):
        for j in sorted(others):
            if i < j:
                length = square(points[i], points[j])
                weighted.append((-1 if (i, j) in kept else length * (60 + chance(81, "tree", i, j)), i, j))
    weighted.sort()
    spare: list[Route] = []
    for weight, i, j in weighted:
        a, b = leader(i), leader(j)
        if a != b or weight < 0:
            group[a] = b
            web[i].add(j)
            web[j].add(i)
            laid += 1
        else:
            spare.append((i, j))
    if len({leader(i) for i in range(len(points))}) > 1:
        return None
    # Dead ends are joined on first, a third of them aside.
    spare.sort(key=lambda r: min(len(web[r[0]]), len(web[r[1]])) > 1 or chance(3, "end", *r) == 0)
    for i, j in spare[: max(0, count - laid)]:
        web[i].add(j)
        web[j].add(i)
    return web


def distances(web: Web, sources: list[int]) -> list[int]:
    """Routes from each hold to the nearest source; the web joins all holds."""
    far = [-1] * len(web)
    for source in sources:
        far[source] = 0
    queue = list(sources)
    for i in queue:
        for j in web[i]:
            if far[j] < 0:
                far[j] = far[i] + 1
                queue.append(j)
    return far
