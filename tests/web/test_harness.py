"""The harness itself sees what it is there to see."""

import pytest
from playwright.sync_api import Browser

from tests.web import frames
from tests.web.playing import file_well, play_on
from tests.web.screens import DESKTOP, Screen
from tests.web.server import WebServer

INLINE = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
}"""
UNREADABLE = """() => {
  document.body.insertAdjacentHTML("beforeend", "<main><p id='pale'>Hardly to be seen</p><img src='/web/style/icon.svg'></main>");
  document.getElementById("pale").style.setProperty("color", "#333");
  document.getElementById("pale").style.setProperty("background", "#222");
}"""


@pytest.fixture
def screen(chromium: Browser, web: WebServer) -> Screen:
    """Its problems are the test's to look at."""
    return Screen(chromium, web.url, DESKTOP)


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("() => console.error('canary')", "console error: canary"),
        ("() => { setTimeout(() => { throw new Error('canary'); }); }", "page error: "),
        ("() => fetch('/v1/me')", "answer: 401 GET /v1/me"),
        ("() => fetch('https://elsewhere.example/x').catch(() => null)", "console error: "),
        ("() => { location.href = 'http://elsewhere.example/'; }", "foreign: http://elsewhere.example/"),
        (INLINE, "policy script-src-elem violated by inline"),
    ],
)
def test_problems_are_met(screen: Screen, code: str, problem: str) -> None:
    screen.open()
    screen.page.evaluate(code)
    screen.page.wait_for_timeout(200)
    assert any(problem in line for line in screen.close()), problem


def test_problems_that_are_brought_about_are_allowed(screen: Screen) -> None:
    screen.open()
    screen.page.evaluate("fetch('/v1/me')")
    screen.allow(r"answer: 401 GET /v1/me$")
    with screen.offline():
        screen.page.evaluate("fetch('/v1/me').catch(() => null)")
    assert screen.close() == []


def test_barriers_are_found_under_the_pages_own_policy(screen: Screen) -> None:
    screen.open()
    screen.page.get_by_role("heading").first.wait_for()
    screen.page.evaluate(UNREADABLE)
    with pytest.raises(AssertionError, match=r"(?s)color-contrast.*#pale") as raised:
        screen.axe()
    assert "image-alt" in str(raised.value)
    assert screen.close() == []


def test_ticks_come_when_they_are_wanted_and_traffic_is_heard(web: WebServer, desktop: Screen) -> None:
    ada, ben = web.person("ada"), web.person("ben")
    seat = web.match(ada, ben, bots=2)
    desktop.sign_in(ada)
    traffic = desktop.record()
    desktop.page.evaluate(
        f"""() => new Promise((resolve) => {{
          window.source = new EventSource("{seat.path}/stream");
          window.source.onopen = resolve;
        }})"""
    )
    assert web.tick_now(seat) == 1
    assert web.tick_now(seat, 2) == 3
    assert seat.report(3)["tick"] == 3
    filed = [order for order in seat.detail()["seats"] if order["bot"]]
    assert len(filed) == 2
    desktop.page.evaluate(f"fetch('{seat.path}/view?tick=3').then((answer) => answer.text())")
    desktop.page.wait_for_timeout(200)
    heard = traffic.heard
    assert any(each.path == f"{seat.path}/view?tick=3" and '"tick":3' in each.text for each in heard)
    assert any(each.status == 0 and '"tick":3' in each.text for each in heard)
    assert traffic.lost == []


def test_frames_are_counted_and_a_long_one_shows(desktop: Screen) -> None:
    desktop.open()
    desktop.page.get_by_role("heading").first.wait_for()
    with frames.frames(desktop.page) as found:
        desktop.page.wait_for_timeout(300)
        desktop.page.evaluate(
            "() => { const end = performance.now() + 400; while (performance.now() < end); }"
        )
        desktop.page.wait_for_timeout(100)
    assert len(found.gaps) > 3
    assert found.worst >= 250 > found.median


def test_the_first_view_is_timed(web: WebServer, desktop: Screen) -> None:
    view = frames.best(
        lambda: frames.first_view(desktop.page, f"{web.url}/#/sign-in", "h1"), lambda found: found.seconds < 1
    )
    assert 0 < view.seconds < 30


def test_a_match_can_be_played_well(web: WebServer) -> None:
    seat = web.match(web.person("ada"), bots=1)
    assert file_well(web, seat, "strong")
    assert play_on(web, seat, 2, level="strong") == 2
