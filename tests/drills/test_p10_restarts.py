"""P10: everything is restarted under load, in order and by force; what was answered stands, and no tick is missed."""

import signal

import pytest

from tests.drills.players import at_sea
from tests.drills.promises import check_kept, check_once, wait_for_ticks
from tests.drills.sampling import FULL, amount, chance, sample
from tests.drills.yard import Yard

MATCHES = amount(3, 20)


@pytest.mark.timeout(3600)
def test_everything_restarts_in_turn_and_in_order(yard: Yard) -> None:
    luck = chance("p10", "rolling")
    names = sample("p10 rolling", [one.name for one in yard.programs], 2)
    luck.shuffle(names)
    with at_sea(yard, luck, matches=MATCHES) as (matches, ledger):
        for name in names:
            yard.restart(name, signal.SIGTERM)
        wait_for_ticks(yard, matches, 2)
    check_once(yard, matches)
    check_kept(yard, matches, ledger)


@pytest.mark.timeout(3600)
def test_everything_is_killed_in_turn(yard: Yard) -> None:
    luck = chance("p10", "killed")
    names = [one.name for one in yard.programs]
    if not FULL:  # one process of each service
        names = list({one.service: one.name for one in yard.programs}.values())
    luck.shuffle(names)
    with at_sea(yard, luck, matches=MATCHES) as (matches, ledger):
        for name in names:
            yard.restart(name, signal.SIGKILL)
        wait_for_ticks(yard, matches, 2)
    check_once(yard, matches)
    check_kept(yard, matches, ledger)
