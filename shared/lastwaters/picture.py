"""A snapshot drawn as an SVG map: routes, holds with their owner's colour and letter, garrison totals, names.

Text in, text out, the same everywhere. An owner is told by colour and by letters, so that colour is never needed.
"""

from collections.abc import Iterator
from html import escape

from shared.lastwaters.tables import BUILDINGS, NEUTRAL
from shared.lastwaters.world import Faction, Hold, Snapshot

SIZE = 1200
"""Width of the map in SVG units, the legend aside."""
MARGIN = 60
RADIUS = 15
LEGEND_ROW = 22
LEGEND_WIDTH = 320
NOBODY = "#d8d2c4"


def svg(snapshot: Snapshot) -> str:
    """A whole SVG document."""
    place, height = _placing(snapshot)
    legend_height = MARGIN + LEGEND_ROW * (len(snapshot.factions) + 2)
    colours = {faction.id: _colour(faction.seat) for faction in snapshot.factions}
    letters = {faction.id: _letters(faction.seat) for faction in snapshot.factions}
    width, height = SIZE + LEGEND_WIDTH, max(height, legend_height)
    title = f"Last Waters {snapshot.match_id}, tick {snapshot.tick}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#f7f3ea"/>',
        '<g stroke="#8a8272" stroke-width="2">',
        *(_route(place[one], place[other]) for one, other in snapshot.routes),
        "</g>",
    ]
    for hold in snapshot.holds:
        lines += _hold(hold, place[hold.id], colours, letters)
    lines += _legend(snapshot, title, colours, letters)
    return "\n".join((*lines, "</svg>", ""))


def _placing(snapshot: Snapshot) -> tuple[dict[str, tuple[int, int]], int]:
    """Where each hold is drawn, and the height that takes."""
    xs = [hold.x for hold in snapshot.holds] or [0]
    ys = [hold.y for hold in snapshot.holds] or [0]
    span = max(1, max(xs) - min(xs), max(ys) - min(ys))
    inner = SIZE - 2 * MARGIN
    place = {
        hold.id: (
            MARGIN + (hold.x - min(xs)) * inner // span,
            MARGIN + (hold.y - min(ys)) * inner // span,
        )
        for hold in snapshot.holds
    }
    return place, 2 * MARGIN + (max(ys) - min(ys)) * inner // span


def _colour(seat: int) -> str:
    """Hues a golden angle apart, so that near seats look far apart."""
    lightness = (45, 60, 35)[seat % 3]
    return f"hsl({seat * 137 % 360},60%,{lightness}%)"


def _letters(seat: int) -> str:
    """A to Z, then AA, AB and so on."""
    text = ""
    while seat:
        seat, place = divmod(seat - 1, 26)
        text = chr(ord("A") + place) + text
    return text


def _route(one: tuple[int, int], other: tuple[int, int]) -> str:
    return f'<line x1="{one[0]}" y1="{one[1]}" x2="{other[0]}" y2="{other[1]}"/>'


def _hold(hold: Hold, at: tuple[int, int], colours: dict[str, str], letters: dict[str, str]) -> Iterator[str]:
    x, y = at
    fill = NOBODY if hold.owner is None else colours[hold.owner]
    fortified = any(BUILDINGS[building].defence for building in hold.buildings)
    units = sum(sum(side.values()) for side in hold.garrison.values())
    sides = ", ".join(f"{side}: {_units(side_units)}" for side, side_units in sorted(hold.garrison.items()))
    about = (
        f"{hold.name} ({hold.id}); {hold.owner or 'nobody'}; {sides or 'empty'}; {', '.join(hold.buildings)}"
    )
    yield f"<g><title>{escape(about)}</title>"
    if fortified:
        edge = RADIUS + 4
        yield (
            f'<rect x="{x - edge}" y="{y - edge}" width="{2 * edge}" height="{2 * edge}" '
            f'fill="none" stroke="#3a3428" stroke-width="2"/>'
        )
    yield f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="#3a3428" stroke-width="1.5"/>'
    if hold.owner is not None:
        yield _text(x, y - RADIUS - 8, letters[hold.owner], 12, "middle", bold=True)
    if units:
        ink = "#3a3428" if hold.owner is None else "#ffffff"
        yield _text(x, y + 5, str(units), 13, "middle", ink, bold=NEUTRAL not in hold.garrison)
    yield _text(x, y + RADIUS + 16, hold.name, 11, "middle")
    yield "</g>"


def _units(units: dict[str, int]) -> str:
    return ", ".join(f"{count} {unit}" for unit, count in sorted(units.items()))


def _legend(
    snapshot: Snapshot, title: str, colours: dict[str, str], letters: dict[str, str]
) -> Iterator[str]:
    x, y = SIZE + 10, MARGIN
    yield _text(x, y, title, 15, "start", bold=True)
    for faction in snapshot.factions:
        y += LEGEND_ROW
        held = sum(hold.owner == faction.id for hold in snapshot.holds)
        yield f'<circle cx="{x + 8}" cy="{y - 5}" r="8" fill="{colours[faction.id]}" stroke="#3a3428"/>'
        yield _text(
            x + 24, y, f"{letters[faction.id]}  {faction.name}, {_standing(faction, held)}", 13, "start"
        )
    yield _text(x, y + LEGEND_ROW, "Square: fortified. Number: units.", 12, "start")


def _standing(faction: Faction, held: int) -> str:
    if faction.eliminated_tick is not None:
        return f"eliminated in tick {faction.eliminated_tick}"
    return f"{held} hold" if held == 1 else f"{held} holds"


def _text(
    x: int, y: int, text: str, size: int, anchor: str, ink: str = "#3a3428", *, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{ink}"{weight}>{escape(text)}</text>'
