"""Says which seed the random battles and seasons had."""

import pytest

from tests.warfare.chance import SEED, SEED_VARIABLE


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"warfare: seed {SEED}; again with {SEED_VARIABLE}={SEED}")
