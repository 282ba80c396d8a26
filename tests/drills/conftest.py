"""The stack and the seed that the drills of a session share."""

from collections.abc import Iterator

import pytest

from tests.drills import yard as yards
from tests.drills.sampling import FULL, SEED, SEED_VARIABLE
from tests.drills.yard import Yard
from tests.servers import Servers
from tests.services import tiny_ruleset


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    scope = "the full grids" if FULL else "a sample of each grid"
    terminalreporter.write_line(f"drills: {scope}, seed {SEED}; again with {SEED_VARIABLE}={SEED}")


@pytest.fixture(scope="session")
def shared_yard(servers: Servers) -> Iterator[Yard]:
    with yards.started(servers) as yard:
        yield yard


@pytest.fixture
def yard(shared_yard: Yard) -> Iterator[Yard]:
    """The running stack, everything ready."""
    shared_yard.wait_until_ready()
    yield shared_yard
    shared_yard.close_matches()


@pytest.fixture(autouse=True)
def lone_numbers() -> Iterator[tiny_ruleset.LoneNumbers]:
    with tiny_ruleset.installed() as game:
        yield game
