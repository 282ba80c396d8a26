"""Gestures of a touch screen beyond the tap, which is ``page.touchscreen.tap`` or ``locator.tap``."""

from collections.abc import Sequence

from playwright.sync_api import Page

STEPS = 12
Point = tuple[float, float]


def drag(page: Page, start: Point, end: Point) -> None:
    """One finger, put down at ``start`` and lifted at ``end``."""
    _move(page, [(start, end)])


def pinch(page: Page, middle: Point, factor: float, spread: float = 60) -> None:
    """Two fingers beside ``middle``: apart with a ``factor`` over 1, together below."""
    x, y = middle
    far = spread * factor
    _move(page, [((x - spread, y), (x - far, y)), ((x + spread, y), (x + far, y))])


def _move(page: Page, ways: Sequence[tuple[Point, Point]]) -> None:
    session = page.context.new_cdp_session(page)

    def send(kind: str, share: float | None) -> None:
        points = [] if share is None else [_point(number, way, share) for number, way in enumerate(ways)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0.0)
    for step in range(1, STEPS + 1):
        send("touchMove", step / STEPS)
    send("touchEnd", None)
    session.detach()


def _point(number: int, way: tuple[Point, Point], share: float) -> dict[str, float]:
    (x, y), (to_x, to_y) = way
    return {"id": number, "x": x + (to_x - x) * share, "y": y + (to_y - y) * share}
