"""P2: what was answered 2xx is there after any crash, once and in its tick; what was refused is not."""

import signal

import pytest

from tests.drills.players import at_sea
from tests.drills.promises import check_kept, wait_for_ticks
from tests.drills.sampling import amount, chance
from tests.drills.yard import Yard

MATCHES = amount(3, 20)
KILLS = amount(1, 20)


@pytest.mark.timeout(3600)
def test_nothing_accepted_is_lost_while_those_who_take_it_are_killed(yard: Yard) -> None:
    luck = chance("p02")
    with at_sea(yard, luck, matches=MATCHES) as (matches, ledger):
        for _ in range(KILLS):
            for name in luck.sample(["gateway", "orders", "messaging"], 3):
                before = ledger.count("accepted")
                yard.restart(name, signal.SIGKILL)
                assert ledger.count("accepted") >= before
        wait_for_ticks(yard, matches, 2)
    assert ledger.count("accepted", kinds=["file"])
    assert ledger.count("accepted", kinds=["cancel"])
    check_kept(yard, matches, ledger)
