"""Writes the pictures of the client that stand in the README, for a desktop and a phone.

    python -m tests.web.screenshots [NAME ...]     without a name: all of them

Exit status 1 if the client met a problem while it was looked at.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

from tests.stack.client import Seat
from tests.stack.stacks import embedded_stack
from tests.web.chromium import launched
from tests.web.playing import file_well, play_on
from tests.web.screens import DESKTOP, PHONE, Screen
from tests.web.server import WebServer

FOLDER = Path(__file__).parents[2] / "gateway" / "web" / "screenshots"
SIZES = {"desktop": DESKTOP, "phone": PHONE}
STILL = {"reduced_motion": "reduce"}
SETTLED_MS = 600


class Stage:
    """Matches to be looked at through Ada's eyes, each played when the first picture asks for it."""

    def __init__(self, web: WebServer) -> None:
        self._web = web
        self.ada = web.person("ada", exact=True)
        self.ben = web.person("ben", exact=True)

    @cached_property
    def waiting(self) -> Seat:
        """A lobby that fills."""
        seat = self._web.lobby(self.ada, seats=6, name="The long evening", visibility="public")
        seat.add_bots(2, "sound")
        self.ben.client.join(seat.match)
        return seat

    @cached_property
    def grown(self) -> Seat:
        """A match under way, seen as a player sees it who has scouted, fought and lost sight again."""
        seat = self._web.match(self.ada, self.ben, bots=4, name="Grey water", settings={"tick_cap": 40})
        play_on(self._web, seat, 14, level="strong")
        ben = Seat(self.ben.client, seat.match)
        ben.send([seat.faction], "You hold the strait, I hold the isles. Shall we keep it so?")
        seat.send([ben.faction], "Until the winter at least.")
        ben.send([seat.faction], "Then look at what I have proposed.")
        ben.try_order(15, {"kind": "propose", "to": seat.faction})
        file_well(self._web, seat, "strong")
        return seat

    @cached_property
    def ended(self) -> Seat:
        seat = self._web.match(self.ada, bots=3, name="A short tide", settings={"tick_cap": 12})
        play_on(self._web, seat, 12, level="strong")
        return seat


@dataclass(frozen=True)
class Scene:
    """``place``: where it is, of the stage. ``act``: what is done there before the picture."""

    place: Callable[[Stage], Sequence[str]]
    act: Callable[[Page], None] = lambda page: None


def see_the_whole_map(page: Page) -> None:
    """Fog in all its states: seen, a band, remembered, never seen."""
    page.get_by_role("button", name="The whole map").click()


def plan_a_march(page: Page) -> None:
    """From the first hold with idle units to the first end that they reach."""
    page.locator(".hold-row", has_text="idle").first.click()
    page.get_by_role("button", name="March from here").click()
    page.locator(".ends button:not(:has(.why-not))").first.click()
    page.get_by_text("The server would take this march.").wait_for()


SCENES = {
    "lobby": Scene(lambda stage: ()),
    "map": Scene(lambda stage: ("match", stage.grown.match, "hold")),
    "fog": Scene(lambda stage: ("match", stage.grown.match, "hold"), see_the_whole_map),
    "march": Scene(lambda stage: ("match", stage.grown.match, "hold"), plan_a_march),
    "orders": Scene(lambda stage: ("match", stage.grown.match, "orders")),
    "report": Scene(lambda stage: ("match", stage.grown.match, "report")),
    "research": Scene(lambda stage: ("match", stage.grown.match, "research")),
    "end": Scene(lambda stage: ("match", stage.ended.match, "end")),
}


def take(stage: Stage, scene: Scene, screen: Screen, picture: Path) -> None:
    screen.page.goto("about:blank")
    screen.open(*scene.place(stage))
    screen.page.get_by_role("main").first.wait_for()
    screen.page.evaluate("document.fonts.ready.then(() => null)")
    screen.page.wait_for_timeout(SETTLED_MS)
    scene.act(screen.page)
    screen.page.wait_for_timeout(SETTLED_MS)
    screen.page.screenshot(path=picture, scale="css")


def main(names: Sequence[str]) -> int:
    if unknown := [name for name in names if name not in SCENES]:
        print(f"no such picture: {', '.join(unknown)}; there are {', '.join(SCENES)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    problems = []
    with (
        tempfile.TemporaryDirectory(prefix="lastwaters-screenshots-") as directory,
        embedded_stack(Path(directory)) as running,
        sync_playwright() as playwright,
        launched(playwright) as browser,
    ):
        web = WebServer(running, Path(directory))
        stage = Stage(web)
        # The lobby lists what is played in it.
        _ = stage.waiting, stage.grown, stage.ended
        for size, options in SIZES.items():
            screen = Screen(browser, web.url, {**options, **STILL})
            screen.sign_in(stage.ada)
            for name in (name for name in SCENES if not names or name in names):
                picture = FOLDER / f"{name}-{size}.png"
                try:
                    take(stage, SCENES[name], screen, picture)
                except Error as error:
                    problems.append(f"{picture.name}: {error.message}")
                print(picture.relative_to(FOLDER.parents[2]), flush=True)
            problems += screen.close()
        web.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
