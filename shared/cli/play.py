"""``lastwaters play``: the embedded stack with a match against computer players, ready to be played.

The sign-in and the match are kept beside the databases; the next start goes on with the same match, or opens a
new one where that has ended.
"""

import threading
from typing import Annotated

import typer

from shared.cli.failures import CheckFailed


def register(app: typer.Typer) -> None:
    app.command()(play)


def play(
    cadence: Annotated[int, typer.Option(min=2, help="seconds between two ticks")] = 30,
    seats: Annotated[int, typer.Option(min=2, max=50, help="you and so many less one computer players")] = 6,
    level: Annotated[str, typer.Option(help="how well they play")] = "sound",
) -> None:
    """Play a match on this machine: every service and the gateway in one process."""
    from gateway.web_files import WebFiles
    from shared.cli.play_match import Opening, Player, watch
    from shared.runtime import logs
    from shared.runtime.embedded import DataInUse, Embedded
    from shared.runtime.health import PortTaken
    from shared.runtime.process import StopSignal
    from shared.runtime.settings import read_settings

    settings = read_settings()
    cadences = {each.strip() for each in settings.trial_cadences.split(",")} - {""} | {str(cadence)}
    settings = settings.model_copy(update={"trial_cadences": ",".join(sorted(cadences))})
    settings.embedded_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    stop = StopSignal()
    with (settings.embedded_dir / "lastwaters.log").open("a", buffering=1) as log:
        logs.configure(settings.log_level, log)
        try:
            stack = Embedded(settings)
        except DataInUse as error:
            raise CheckFailed(f"already running: {error}") from error
        except PortTaken as error:
            raise CheckFailed(f"the port is taken: {error}") from error
        if problem := WebFiles().problem():
            print(problem, flush=True)
        stopping = threading.Event()

        def guide() -> None:
            player = Player(stack.address, settings.embedded_dir / "play.json")
            watch(player, Opening(cadence, seats, level), stopping)

        guided = threading.Thread(target=guide, name="guide", daemon=True)
        try:
            stack.serve(stop, guided.start, stopping.set)
        finally:
            stack.close()
    print("Left. The next `make play` goes on with this match.", flush=True)
