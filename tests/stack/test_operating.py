"""What operators do, on both stacks: accounts without mail, matches closed, paused, exported and followed."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path

from deploy.stack import LASTWATERS
from tests.stack.client import PASSWORD, Seat, wait_for
from tests.stack.stacks import ROOT, Running, environment, lastwaters

SESSIONS_END = 5.0
CADENCE = 4
SLOW = 3600


def some_match(running: Running, cadence: int) -> Seat:
    """A running match of a person and a computer player."""
    seat = running.player("alone").open_match(name="Of two", seats=2, cadence_seconds=cadence)
    seat.add_bots(1, "harmless")
    seat.wait_for_status("running")
    return seat


def row(running: Running, match: str, *words: str) -> str:
    """The match's line of ``ops matches``; empty if there is none."""
    listed = running.ops("matches", *words)
    assert listed.returncode == 0, listed.stderr
    return next((line for line in listed.stdout.splitlines() if line.startswith(match)), "")


def test_a_password_is_reset_without_mail(running: Running) -> None:
    person = running.player("forgetful")
    handle = person.get("/v1/me")["handle"]
    done = running.ops("account", handle, "--reset-password")
    told = re.fullmatch(rf"{handle}: the password is now (\S+)\n", done.stdout)
    assert done.returncode == 0 and told, done
    wait_for(lambda: person.ask("GET", "/v1/me").status, lambda status: status == 401, SESSIONS_END)
    visitor = running.visitor()
    old = visitor.ask("POST", "/v1/sessions", {"handle": handle, "password": PASSWORD})
    assert (old.status, old.code) == (401, "unauthenticated")
    assert visitor.sign_in(handle, told[1]).get("/v1/me")["handle"] == handle


def test_a_disabled_account_is_out_until_its_password_is_reset(running: Running) -> None:
    person = running.player("unwanted")
    handle = person.get("/v1/me")["handle"]
    done = running.ops("account", handle, "--disable")
    assert (done.returncode, done.stdout) == (0, f"{handle}: disabled\n"), done
    wait_for(lambda: person.ask("GET", "/v1/me").status, lambda status: status == 401, SESSIONS_END)
    visitor = running.visitor()
    refused = visitor.ask("POST", "/v1/sessions", {"handle": handle, "password": PASSWORD})
    wrong = visitor.ask("POST", "/v1/sessions", {"handle": handle, "password": "wrong" * 3})
    assert refused.status == 401 and refused.body == wrong.body
    password = running.ops("account", handle, "--reset-password").stdout.split()[-1]
    assert visitor.sign_in(handle, password).get("/v1/me")["handle"] == handle


def test_a_match_is_closed_and_its_export_still_verifies(running: Running, tmp_path: Path) -> None:
    seat = some_match(running, SLOW)
    assert " running " in row(running, seat.match)
    too_early = running.ops("export", seat.match)
    assert (too_early.returncode, too_early.stdout) == (1, "") and "not-ended" in too_early.stderr
    done = running.ops("match", seat.match, "--close")
    assert (done.returncode, done.stdout) == (0, f"{seat.match}: closed\n"), done
    ended = seat.wait_for_status("ended")
    assert ended["result"] is None and ended["next_deadline"] is None
    wait_for(
        lambda: seat.try_order(1, {"kind": "research", "tech": "iron-ranks"}).code,
        lambda code: code == "match-ended",
    )
    assert row(running, seat.match) == "" and " ended " in row(running, seat.match, "--all")
    exported = wait_for(lambda: running.ops("export", seat.match), lambda done: done.returncode == 0)
    file = tmp_path / "closed.json"
    file.write_text(exported.stdout)
    assert json.loads(exported.stdout) == json.loads(seat.export())
    verified = lastwaters(environment({}), "verify", str(file))
    assert (verified.returncode, verified.stderr) == (0, "")


def test_a_paused_match_waits_and_goes_on(running: Running) -> None:
    seat = some_match(running, CADENCE)
    # While a tick is being resolved it cannot be paused: then the next one is.
    paused = wait_for(lambda: running.ops("pause", seat.match), lambda done: done.returncode == 0)
    assert paused.stdout == f"{seat.match}: paused\n"
    assert "  paused  " in row(running, seat.match)
    tick = wait_for_rest(seat)
    time.sleep(1.5 * CADENCE)
    assert seat.detail()["tick"] == tick
    filed = seat.file(tick + 1, {"kind": "propose", "to": "f2"})
    assert filed["tick"] == tick + 1
    resumed = running.ops("resume", seat.match)
    assert (resumed.returncode, resumed.stdout) == (0, f"{seat.match}: goes on\n")
    announced = running.ops("reannounce", seat.match)
    assert (announced.returncode, announced.stdout) == (0, f"{seat.match}: announced\n")
    seat.wait_for_tick(tick + 2)
    assert [order["id"] for order in seat.orders(tick + 1)["items"]] == [filed["id"]]
    running.ops("match", seat.match, "--close")


def wait_for_rest(seat: Seat) -> int:
    """The tick the match rests at: one that was told before the pause may still be on its way."""
    tick: int = seat.detail()["tick"]
    while True:
        time.sleep(1.0)
        now: int = seat.detail()["tick"]
        if now == tick:
            return tick
        tick = now


def test_what_operators_get_wrong_is_said_in_a_line(running: Running) -> None:
    for words in (
        ("account", "nobody-of-that-name", "--disable"),
        ("match", "no-such-match", "--close"),
        ("pause", "no-such-match"),
        ("retry", "no-such-match"),
        ("export", "no-such-match"),
        ("unpark", "report", "no-such-event"),
        ("drop", "report", "no-such-event"),
    ):
        done = running.ops(*words)
        assert (done.returncode, done.stdout) == (1, ""), done
        (line,) = done.stderr.splitlines()
        assert "not-found" in line
    seat = some_match(running, SLOW)
    assert seat.match not in running.ops("stalled").stdout
    assert running.ops("retry", seat.match).returncode == 1
    nothing = running.ops("parked")
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert running.ops("unpark", "fog").stdout == "fog: 0 tried again\n"
    unknown = running.ops("unpark", "no-such-service")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (1, 1)
    assert "no-such-service" in unknown.stderr
    assert running.ops("account", "somebody").returncode == 2
    running.ops("match", seat.match, "--close")


def test_what_happens_is_followed(running: Running) -> None:
    follower = subprocess.Popen(
        [LASTWATERS, "ops", "follow"],
        cwd=ROOT,
        env=dict(running.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A run in the background is born deaf to Ctrl-C, and what it starts too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert follower.stdout is not None and follower.stderr is not None
    try:
        seat = some_match(running, CADENCE)
        lines = iter(follower.stdout.readline, "")
        assert any(f"{seat.match}  running, tick" in line for line in lines)
        assert any(f"{seat.match}  running, tick 2, next at" in line for line in lines)
        running.ops("match", seat.match, "--close")
        assert any(f"{seat.match}  ended" in line for line in lines)
        follower.send_signal(signal.SIGINT)
        assert follower.wait(timeout=30) == 0
        assert follower.stderr.read() == ""
    finally:
        follower.kill()
        follower.wait()
        follower.stdout.close()
        follower.stderr.close()
