"""How smoothly a page moves, and how soon it shows.

A machine that does other work meanwhile makes any one try slow; it cannot make one fast. So a figure is the best of
some tries (``best``).
"""

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Protocol, TypeVar

from playwright.sync_api import Locator, Page

COUNT = """() => {
  const times = [];
  let on = true;
  const step = (time) => {
    times.push(time);
    if (on) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  return { stop() { on = false; return times; } };
}"""
LONG_TASKS = """() => new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => resolve(list.getEntries().map((entry) => entry.duration)));
  observer.observe({ type: "longtask", buffered: true });
  setTimeout(() => resolve([]), 300);
})"""
# Looks once a frame in the page itself: the way to the test's process and back counts for nothing.
SEEN = """(() => {
  const look = () => {
    const box = document.querySelector(SELECTOR)?.getBoundingClientRect();
    if (box?.width && box.height) window.seenAt ??= performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
MOVE_MS = 1000 / 60
SEEN_AT = """() => new Promise((resolve) => {
  const look = () => (window.seenAt ? resolve(window.seenAt) : requestAnimationFrame(look));
  look();
})"""
TRIES = 3


class Figure(Protocol):
    """What is measured; smaller is better."""

    @property
    def worst(self) -> float: ...


Measured = TypeVar("Measured", bound=Figure)


@dataclass
class Frames:
    """Milliseconds from each frame to the next."""

    gaps: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return median(self.gaps)

    @property
    def worst(self) -> float:
        return max(self.gaps)


@dataclass(frozen=True)
class FirstView:
    """``seconds`` until the thing looked for was seen; ``tasks``: milliseconds of each task over 50 until then."""

    seconds: float
    tasks: tuple[float, ...]

    @property
    def worst(self) -> float:
        return self.seconds


def best(measure: Callable[[], Measured], enough: Callable[[Measured], bool], tries: int = TRIES) -> Measured:
    """The first that is enough, else the one with the smallest worst."""
    found: list[Measured] = []
    for _ in range(tries):
        found.append(measure())
        if enough(found[-1]):
            return found[-1]
    return min(found, key=lambda each: each.worst)


@contextmanager
def frames(page: Page) -> Iterator[Frames]:
    """Counts the frames of what is done inside; filled in afterwards."""
    found = Frames()
    counter = page.evaluate_handle(COUNT)
    yield found
    times: list[float] = counter.evaluate("(counter) => counter.stop()")
    found.gaps = [later - earlier for earlier, later in pairwise(times)]


def first_view(page: Page, url: str, seen: str) -> FirstView:
    """Loads ``url`` anew and waits for the selector ``seen`` to be visible."""
    page.goto("about:blank")
    page.add_init_script(SEEN.replace("SELECTOR", json.dumps(seen)))
    page.goto(url, wait_until="commit")
    page.wait_for_selector(seen)
    milliseconds: float = page.evaluate(SEEN_AT)
    return FirstView(milliseconds / 1000, tuple(page.evaluate(LONG_TASKS)))


def pan(page: Page, area: Locator, seconds: float = 2.0) -> None:
    """Drags the area in circles."""
    x, y, radius = _middle(area)
    page.mouse.move(x + radius, y)
    page.mouse.down()
    for turn in _turns(page, seconds):
        page.mouse.move(x + radius * math.cos(turn), y + radius * math.sin(turn))
    page.mouse.up()


def zoom(page: Page, area: Locator, seconds: float = 2.0) -> None:
    """Turns the wheel over the middle of the area: in, and out again."""
    x, y, _ = _middle(area)
    page.mouse.move(x, y)
    for turn in _turns(page, seconds):
        page.mouse.wheel(0, -60 if turn < math.pi else 60)


def _middle(area: Locator) -> tuple[float, float, float]:
    box = area.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, min(box["width"], box["height"]) / 4


def _turns(page: Page, seconds: float) -> Iterator[float]:
    """Angles from 0 to a full turn, about one a frame."""
    started = time.perf_counter()
    while (passed := time.perf_counter() - started) < seconds:
        yield 2 * math.pi * passed / seconds
        page.wait_for_timeout(MOVE_MS)
