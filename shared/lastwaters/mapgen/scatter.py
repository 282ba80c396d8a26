"""Where the holds lie: points spread evenly but without pattern over land broken by waters (W-10).

Nothing here knows what a hold will be, so positions tell a start from other ground to nobody.
"""

from math import isqrt

from shared.lastwaters.mapgen.chance import Chance

Point = tuple[int, int]

SPACING = 100  # side of the square of land that one hold has on average
MARGIN = 60  # empty border round the drawing
CANDIDATES = 8  # places weighed for each hold; the one farthest from its neighbours is taken
HOLDS_PER_WATER = 30  # land holds for each stretch of open water


def scatter(chance: Chance, count: int) -> list[Point]:
    """`count` different points, sorted by (x, y); both coordinates are 0 or more."""
    radii = [SPACING + chance(SPACING, "water", i) for i in range(count // HOLDS_PER_WATER)]
    area = count * SPACING * SPACING + sum(3 * radius * radius for radius in radii)
    width = isqrt(area * 7 // 5)
    height = area // width
    waters = _waters(chance, radii, width, height)
    taken: dict[Point, list[Point]] = {}
    points: list[Point] = []
    tries = 0
    while len(points) < count:
        best: Point | None = None
        best_room = 0
        weighed = 0
        while weighed < CANDIDATES:
            tries += 1
            place = chance(width * height, "place", tries)
            point = (place % width, place // width)
            if _wet(waters, point):
                continue
            weighed += 1
            room = _room(taken, point)
            if room > best_room:
                best, best_room = point, room
                if room == _FAR:
                    break
        if best is not None:
            points.append(best)
            taken.setdefault(_cell(best), []).append(best)
    return sorted((x + MARGIN, y + MARGIN) for x, y in points)


_FAR = 4 * SPACING * SPACING  # beyond two cells a neighbour no longer matters


def _room(taken: dict[Point, list[Point]], point: Point) -> int:
    """Squared distance to the nearest point taken, at most `_FAR`."""
    x, y = point
    column, row = _cell(point)
    room = _FAR
    for c in range(column - 2, column + 3):
        for r in range(row - 2, row + 3):
            for px, py in taken.get((c, r), ()):
                room = min(room, (px - x) * (px - x) + (py - y) * (py - y))
    return room


def _cell(point: Point) -> Point:
    return point[0] // SPACING, point[1] // SPACING


Waters = dict[Point, list[tuple[int, int, int]]]


def _waters(chance: Chance, radii: list[int], width: int, height: int) -> Waters:
    """Round waters (x, y, radius), listed under every cell they may touch."""
    waters: Waters = {}
    for i, radius in enumerate(radii):
        x, y = chance(width, "water", i, "x"), chance(height, "water", i, "y")
        for column in range((x - radius) // SPACING, (x + radius) // SPACING + 1):
            for row in range((y - radius) // SPACING, (y + radius) // SPACING + 1):
                waters.setdefault((column, row), []).append((x, y, radius))
    return waters


def _wet(waters: Waters, point: Point) -> bool:
    x, y = point
    return any(
        (wx - x) * (wx - x) + (wy - y) * (wy - y) < radius * radius
        for wx, wy, radius in waters.get(_cell(point), ())
    )
