"""The tiny game that is played in every simulated world."""

from collections.abc import Iterator

import pytest

from tests.services import tiny_ruleset


@pytest.fixture(autouse=True)
def lone_numbers() -> Iterator[tiny_ruleset.LoneNumbers]:
    with tiny_ruleset.installed() as game:
        yield game
