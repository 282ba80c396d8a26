"""P6: RabbitMQ, PostgreSQL and Redis may go and come back at any point of a tick; nobody has to lend a hand."""

import time
from datetime import UTC, datetime
from itertools import product

import pytest

from shared.runtime import crashpoints
from tests.drills.players import at_sea
from tests.drills.promises import check_kept, check_once, lateness, wait_for_ticks
from tests.drills.sampling import amount, chance, sample
from tests.drills.yard import PATIENCE, Yard

SERVERS = ("postgresql", "rabbitmq", "redis")
FAULTS = ("sigterm", "sigkill", "stop", "cut")
POINTS = (
    crashpoints.MESSAGE_GOT,
    crashpoints.SEALED,
    crashpoints.MID_PHASES,
    crashpoints.BEFORE_COMMIT,
    crashpoints.MID_RELAY,
)
STOPPED_SECONDS = amount(8, 45)
CUT_SECONDS = amount(4, 15)
MATCHES = amount(3, 10)


def cases() -> list[tuple[str, str, str]]:
    """A sample has each server once."""
    grid = [sample(f"p06 {server}", list(product([server], FAULTS, POINTS)), 1) for server in SERVERS]
    return [case for part in grid for case in part]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("server", "fault", "point"), cases())
def test_a_server_goes_and_comes_back(yard: Yard, server: str, fault: str, point: str) -> None:
    luck = chance("p06", server, fault, point)
    with at_sea(yard, luck, matches=MATCHES) as (matches, ledger):
        since = datetime.now(UTC)
        with yard.standing_at(point):
            begin(yard, server, fault)
        end(yard, server, fault)
        returned = datetime.now(UTC)
        wait_for_ticks(yard, matches, 2, 2 * PATIENCE)
    assert lateness(yard, matches, since, returned) < PATIENCE
    check_once(yard, matches)
    check_kept(yard, matches, ledger)


def begin(yard: Yard, server: str, fault: str) -> None:
    if fault == "sigterm":
        yard.server(server).stop()
    elif fault == "sigkill":
        yard.server(server).kill()
    elif fault == "stop":
        yard.server(server).pause()
    else:
        yard.proxies[server].cut()


def end(yard: Yard, server: str, fault: str) -> None:
    """Returns when the server is there again."""
    if fault == "stop":
        time.sleep(STOPPED_SECONDS)
        yard.server(server).resume()
    elif fault == "cut":
        time.sleep(CUT_SECONDS)
        yard.proxies[server].restore()
    else:
        yard.server(server).restart()
