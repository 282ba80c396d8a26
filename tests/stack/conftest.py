"""The stacks of a session, each started when the first test asks, and the match played on the real one."""

import os
import random
from collections.abc import Iterator

import pytest

from tests.servers import Servers
from tests.stack.playing import Played, play
from tests.stack.stacks import Running, embedded_stack, real_stack

SEED = int(os.environ.get("LASTWATERS_TEST_SEED") or random.SystemRandom().randrange(1 << 32))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"stack: seed {SEED}; again with LASTWATERS_TEST_SEED={SEED}")


@pytest.fixture(scope="session")
def seed() -> int:
    return SEED


@pytest.fixture(scope="session")
def real(servers: Servers) -> Iterator[Running]:
    with real_stack(servers) as running:
        yield running


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with embedded_stack(tmp_path_factory.mktemp("embedded")) as running:
        yield running


@pytest.fixture(params=["real", "embedded"])
def running(request: pytest.FixtureRequest) -> Running:
    """Each stack in turn."""
    found: Running = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="session")
def played(real: Running, seed: int) -> Played:
    """One match of eight on the real stack with three workers."""
    return play(real, seed)
