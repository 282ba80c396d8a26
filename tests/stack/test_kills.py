"""``lastwaters play`` killed in mid-tick again and again: nothing accepted is lost, and the match goes on."""

import json
import random
import re
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import requests

from deploy.ports import free_port
from deploy.stack import LASTWATERS
from tests.stack.client import Client, Json, Refused, Seat, wait_for
from tests.stack.stacks import environment, started

KILLS = 4
CADENCE = 2
GENEROUS_SECONDS = 60


class Play:
    """One start of ``lastwaters play``; ``seconds`` until the match is there."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        began = time.monotonic()
        assert process.stdout is not None
        text = ""
        while not (found := re.search(r"Match (\S+) (is open|goes on)", text)):
            line = process.stdout.readline()
            assert line, text
            text += line
        self.seconds = time.monotonic() - began
        self.match, self.words = found.groups()
        # What it goes on to say must not fill the pipe.
        threading.Thread(target=process.stdout.read, daemon=True).start()


def test_nothing_accepted_is_lost_by_kills_in_mid_tick(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    print(f"seed {seed}")
    port = free_port()
    environ = environment(
        {
            "LASTWATERS_DATA_DIR": str(tmp_path / "data"),
            "LASTWATERS_PORT": str(port),
            "LASTWATERS_OPS_PORT": str(free_port()),
            "LASTWATERS_LIMITS_FACTOR": "1000",
        }
    )
    client = Client(f"http://127.0.0.1:{port}")
    accepted: list[Json] = []
    match = ""
    for number in range(KILLS):
        with started(command(), environ, tmp_path / "stderr") as process:
            play = Play(process)
            assert play.words == ("goes on" if number else "is open")
            assert play.match == (match or play.match)
            match = play.match
            print(f"start {number + 1}: {play.seconds:.1f} s")
            assert play.seconds < GENEROUS_SECONDS
            seat = sign_in(client, tmp_path, match)
            due = wait_for(seat.detail, lambda found: found["next_deadline"] is not None)
            filer = threading.Thread(target=file_until_gone, args=(seat, accepted, random.Random(number)))
            filer.start()
            seat.wait_for_tick(due["tick"] + 1)
            time.sleep(chance.uniform(0, CADENCE))
            process.kill()
            process.wait()
            filer.join()
    with started(command(), environ, tmp_path / "stderr") as process:
        assert Play(process).match == match
        seat = sign_in(client, tmp_path, match)
        last = max(filed["tick"] for filed in accepted)
        seat.wait_for_tick(last + 1)
        listed = {
            order["id"]: (tick, order["receipt"]["text"], "result" in order)
            for tick in range(1, last + 1)
            for order in seat.orders(tick)["items"]
        }
        for filed in accepted:
            assert listed[filed["id"]] == (filed["tick"], filed["receipt"]["text"], True)
        for tick in range(1, last + 1):
            assert seat.report(tick)["tick"] == tick
    assert len(accepted) > KILLS
    assert "Traceback" not in (tmp_path / "stderr").read_text()
    print(f"{len(accepted)} orders accepted, {last} ticks")


def command() -> list[str | Path]:
    return [LASTWATERS, "play", "--cadence", str(CADENCE), "--seats", "4"]


def sign_in(client: Client, directory: Path, match: str) -> Seat:
    kept: Mapping[str, str] = json.loads((directory / "data" / "embedded" / "play.json").read_text())
    return Seat(client.sign_in(kept["handle"], kept["password"]), match)


def file_until_gone(seat: Seat, accepted: list[Json], chance: random.Random) -> None:
    """Files what may be filed, until the server is killed."""
    while True:
        try:
            tick = seat.detail()["tick"] + 1
            view = seat.view()
            holds = [hold["id"] for hold in view["holds"] if hold.get("owner") == view["faction"]]
            order = {"kind": "recruit", "hold": chance.choice(holds), "unit": "militia", "count": 1}
            answer = seat.try_order(tick, order)
        except (requests.ConnectionError, Refused):
            return
        if answer.status == 201:
            accepted.append(answer.body)
        time.sleep(0.02)
