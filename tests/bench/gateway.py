"""The gateway: how much of the bare server's speed is left for who looks at a match."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import sqlalchemy as sa

from deploy.ports import free_port
from services.bots.store import turns
from shared.cli.play_match import Opening, Player
from tests.bench.figure import Figure
from tests.bench.http_load import requests_per_second
from tests.bench.real_stack import PATIENCE_SECONDS, RealStack, real_stack

ROOT = Path(__file__).parents[2]
CADENCE_SECONDS, SEATS = 3_600, 8
ROUNDS, SECONDS = 3, 3.0


def view() -> Iterator[Figure]:
    """GET view requests a second, of one player of eight, against a bare Flask route of the same size."""
    settings = {"trial_cadences": str(CADENCE_SECONDS), "limits_factor": "1000000"}
    with real_stack(**settings) as real, TemporaryDirectory() as directory:
        player = Player(real.url, Path(directory) / "player.json")
        player.sign_in()
        match = player.open_match(Opening(CADENCE_SECONDS, SEATS, "harmless"))
        wait_for_computer_players(real)
        sign_in = {"handle": player.handle, "password": player.password}
        headers = {"Authorization": f"Bearer {player.request('POST', '/v1/sessions', sign_in)['token']}"}
        path = f"/v1/matches/{match['id']}/view"
        body = Path(directory) / "view.json"
        body.write_text(json.dumps(player.request("GET", path), separators=(",", ":")))
        gateway = urlsplit(real.url)
        assert gateway.hostname is not None and gateway.port is not None
        with bare_server(body) as port:
            rounds = [
                (
                    requests_per_second(gateway.hostname, gateway.port, path, headers, SECONDS),
                    requests_per_second("127.0.0.1", port, "/", {}, SECONDS),
                )
                for _ in range(ROUNDS)
            ]
        size = body.stat().st_size
    yield Figure(
        "gateway.view",
        median(ours / bare for ours, bare in rounds),
        0.5,
        "higher",
        {
            "views_per_second": median(ours for ours, _ in rounds),
            "bare_answers_per_second": median(bare for _, bare in rounds),
            "bytes": size,
        },
    )


def wait_for_computer_players(real: RealStack) -> None:
    """Until each has filed, so that nothing else is at work."""
    engine = real.engine("bots")
    until = time.monotonic() + PATIENCE_SECONDS
    with engine.connect() as connection:
        while connection.scalar(sa.select(sa.func.count()).select_from(turns)):
            if time.monotonic() > until:
                raise RuntimeError("the computer players do not file")
            time.sleep(0.2)
            connection.rollback()
    engine.dispose()


@contextmanager
def bare_server(body: Path) -> Iterator[int]:
    """The port of a server that runs while the block does."""
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "tests.bench.bare_server", str(port), body], cwd=ROOT)
    try:
        wait_for_answer(f"http://127.0.0.1:{port}/")
        yield port
    finally:
        server.terminate()
        server.wait(timeout=60)


def wait_for_answer(url: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            if time.monotonic() > until:
                raise
        time.sleep(0.1)
