"""A snapshot drawn as an SVG map: routes, holds with their owner's colour and letter, garrisons, names.

Text in, text out, the same everywhere. An owner is told by colour and by letters, so that colour is never needed.
Only what every SVG reader knows is used. The map grows with its number of holds, so that a large one stays legible.
"""

import colorsys
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import isqrt
from typing import NamedTuple

from shared.lastwaters.tables import BUILDINGS
from shared.lastwaters.world import Faction, Hold, Snapshot

MARGIN = 60
RADIUS = 15
SQUARE = RADIUS + 4
"""Half a side of the square around a fortified hold."""
MIN_WIDTH = 640
SPACING = 160
"""Between holds, on average."""
MIN_GAP = 60
"""Between the two closest holds, unless that would blow the map up to more than ``MAX_GROWTH`` times its width."""
MAX_GROWTH = 2
NAME_SIZE = 11
LETTER_WIDTH = 7
"""Of a name, roughly."""
LEGEND_ROW = 22
LEGEND_WIDTH = 340

PAPER = "#f7f3ea"
INK = "#3a3428"
ROUTE = "#b3ab9a"
NOBODY = "#dcd6c8"
COLOURS = (
    "#b5332a", "#1f6fb4", "#d9920a", "#2e8b57", "#7d4fb0", "#0f8f94",
    "#c2528b", "#6b7a1e", "#8a5a33", "#4a5a78", "#e0653a", "#5aa9dd",
)  # fmt: skip
"""Of the first seats; the others' are worked out."""


class Point(NamedTuple):
    x: int
    y: int


class Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int


def svg(snapshot: Snapshot) -> str:
    """A whole SVG document."""
    place, map_width, map_height = _placing(snapshot.holds)
    colours = {faction.id: _colour(faction.seat) for faction in snapshot.factions}
    letters = {faction.id: _letters(faction.seat) for faction in snapshot.factions}
    width = map_width + LEGEND_WIDTH
    height = max(map_height, 2 * MARGIN + LEGEND_ROW * (len(snapshot.factions) + 3))
    title = f"Last Waters {snapshot.match_id}, tick {snapshot.tick}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">',
        f"<title>{_plain(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<g stroke="{ROUTE}" stroke-width="3" stroke-linecap="round">',
        *(_route(place[one], place[other]) for one, other in snapshot.routes),
        "</g>",
    ]
    crowd = _Crowd(place.values())
    for hold in snapshot.holds:
        lines += _hold(hold, place[hold.id], crowd, colours, letters)
    lines += _legend(snapshot, title, map_width, colours, letters)
    return "\n".join((*lines, "</svg>", ""))


def _placing(holds: Sequence[Hold]) -> tuple[dict[str, Point], int, int]:
    """Where each hold is drawn, and the width and height that takes."""
    if not holds:
        return {}, MIN_WIDTH, MIN_WIDTH
    left, right = min(hold.x for hold in holds), max(hold.x for hold in holds)
    top, bottom = min(hold.y for hold in holds), max(hold.y for hold in holds)
    span = max(1, right - left, bottom - top)
    width = max(MIN_WIDTH - 2 * MARGIN, SPACING * isqrt(len(holds)))
    width = max(width, min(MAX_GROWTH * width, MIN_GAP * span // _closest(holds, span)))
    place = {
        hold.id: Point(MARGIN + (hold.x - left) * width // span, MARGIN + (hold.y - top) * width // span)
        for hold in holds
    }
    return (
        place,
        2 * MARGIN + (right - left) * width // span,
        2 * MARGIN + (bottom - top) * width // span,
    )


def _closest(holds: Sequence[Hold], most: int) -> int:
    """The smallest distance between two holds, from 1 to ``most``, in the map's own measure."""
    points = sorted((hold.x, hold.y) for hold in holds)
    best = most
    for place, (x, y) in enumerate(points):
        for other_x, other_y in points[place + 1 :]:
            if other_x - x >= best:
                break
            best = min(best, isqrt((other_x - x) ** 2 + (other_y - y) ** 2))
    return max(1, best)


def _colour(seat: int) -> str:
    """From the table, then hues a golden angle apart, so that near seats look far apart."""
    if seat <= len(COLOURS):
        return COLOURS[seat - 1]
    lightness = (45, 58, 34)[seat % 3]
    parts = colorsys.hls_to_rgb(seat * 137 % 360 / 360, lightness / 100, 0.55)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _letters(seat: int) -> str:
    """A to Z, then AA, AB and so on."""
    text = ""
    while seat:
        seat, place = divmod(seat - 1, 26)
        text = chr(ord("A") + place) + text
    return text


def _route(one: Point, other: Point) -> str:
    return f'<line x1="{one.x}" y1="{one.y}" x2="{other.x}" y2="{other.y}"/>'


def _hold(
    hold: Hold, at: Point, crowd: "_Crowd", colours: dict[str, str], letters: dict[str, str]
) -> Iterator[str]:
    x, y = at
    yield f"<g><title>{_plain(_about(hold))}</title>"
    if any(BUILDINGS[building].defence for building in hold.buildings):  # B-04
        yield (
            f'<rect x="{x - SQUARE}" y="{y - SQUARE}" width="{2 * SQUARE}" height="{2 * SQUARE}" '
            f'fill="{PAPER}" stroke="{INK}" stroke-width="2"/>'
        )
    fill = NOBODY if hold.owner is None else colours[hold.owner]
    yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
    garrison = _garrison(hold)
    if garrison:
        ink = INK if hold.owner is None else "#ffffff"
        size = 13 if len(garrison) < 4 else 9
        yield _text(Point(x, y + (5 if size == 13 else 3)), garrison, size, "middle", ink)
    label = hold.name if hold.owner is None else f"{letters[hold.owner]} · {hold.name}"
    yield from _haloed(crowd.name(at, label), _plain(label), "normal" if hold.owner is None else "bold")
    yield "</g>"


def _about(hold: Hold) -> str:
    """What a pointer over the hold shows."""
    sides = "; ".join(
        f"{side}: " + ", ".join(f"{count} {unit}" for unit, count in sorted(units.items()))
        for side, units in sorted(hold.garrison.items())
    )
    yields = f"yields {hold.yields.water} water, {hold.yields.scrap} scrap, {hold.yields.grain} grain"
    parts = (f"{hold.name} ({hold.id})", hold.owner or "nobody's", sides or "empty", *hold.buildings, yields)
    return "\n".join(parts)


def _garrison(hold: Hold) -> str:
    """The owner's (or nobody's) units, and after a plus those of others."""
    sizes = {side: sum(units.values()) for side, units in hold.garrison.items()}
    if hold.owner is None:
        return str(sum(sizes.values())) if sizes else ""
    own = sizes.pop(hold.owner, 0)
    others = sum(sizes.values())
    return f"{own}+{others}" if others else str(own)


class _Crowd:
    """What is drawn already, so that names keep clear of it. Boxes are kept by the squares of a grid they touch."""

    CELL = 2 * SPACING

    def __init__(self, holds: Iterable[Point]) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = {}
        for x, y in holds:
            self._add(Box(x - SQUARE, y - SQUARE, x + SQUARE, y + SQUARE))

    def name(self, at: Point, label: str) -> Point:
        """Where the name of the hold at ``at`` goes: below it, unless there is less in the way above."""
        half = (LETTER_WIDTH * len(label) + 1) // 2
        sides = [at.y + SQUARE + 13, at.y - SQUARE - 5]
        boxes = [Box(at.x - half, line - NAME_SIZE, at.x + half, line + 2) for line in sides]
        counts = [self._overlaps(box) for box in boxes]
        best = counts.index(min(counts))
        self._add(boxes[best])
        return Point(at.x, sides[best])

    def _touched(self, box: Box) -> Iterator[tuple[int, int]]:
        for column in range(box.left // self.CELL, box.right // self.CELL + 1):
            for row in range(box.top // self.CELL, box.bottom // self.CELL + 1):
                yield column, row

    def _add(self, box: Box) -> None:
        for cell in self._touched(box):
            self._cells.setdefault(cell, []).append(box)

    def _overlaps(self, box: Box) -> int:
        near = {other for cell in self._touched(box) for other in self._cells.get(cell, ())}
        return sum(
            other.left < box.right
            and box.left < other.right
            and other.top < box.bottom
            and box.top < other.bottom
            for other in near
        )


def _legend(
    snapshot: Snapshot, title: str, left: int, colours: dict[str, str], letters: dict[str, str]
) -> Iterator[str]:
    x, y = left + 10, MARGIN
    yield _text(Point(x, y), _plain(title), 15, "start", weight="bold")
    for faction in snapshot.factions:
        y += LEGEND_ROW
        held = sum(hold.owner == faction.id for hold in snapshot.holds)
        yield f'<circle cx="{x + 8}" cy="{y - 5}" r="8" fill="{colours[faction.id]}" stroke="{INK}"/>'
        yield _text(Point(x + 24, y), letters[faction.id], 13, "start", weight="bold")
        yield _text(Point(x + 52, y), _plain(f"{faction.name}, {_standing(faction, held)}"), 13, "start")
    yield _text(Point(x, y + LEGEND_ROW + 6), "Square: fortified.", 12, "start")
    yield _text(
        Point(x, y + 2 * LEGEND_ROW), "Number: units of the owner, and + units of others.", 12, "start"
    )


def _standing(faction: Faction, held: int) -> str:
    if faction.eliminated_tick is not None:
        return f"eliminated in tick {faction.eliminated_tick}"
    return f"{held} hold" if held == 1 else f"{held} holds"


def _haloed(at: Point, content: str, weight: str) -> Iterator[str]:
    """A name on a rim of paper, so that no route runs through its letters."""
    yield (
        f'<text x="{at.x}" y="{at.y}" font-size="{NAME_SIZE}" text-anchor="middle" font-weight="{weight}" '
        f'stroke="{PAPER}" stroke-width="4" stroke-linejoin="round" fill="{PAPER}" aria-hidden="true">{content}</text>'
    )
    yield _text(at, content, NAME_SIZE, "middle", weight=weight)


def _plain(text: str) -> str:
    """As markup, without the control characters that XML has no way to write."""
    return escape("".join(letter for letter in text if letter >= " " or letter in "\n\t"))


def _text(at: Point, content: str, size: int, anchor: str, ink: str = INK, *, weight: str = "normal") -> str:
    """``content`` is markup."""
    return (
        f'<text x="{at.x}" y="{at.y}" font-size="{size}" text-anchor="{anchor}" fill="{ink}" '
        f'font-weight="{weight}">{content}</text>'
    )
