"""Service tests play the tests' own ruleset beside the installed ones."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import harness, tiny_ruleset


@pytest.fixture(autouse=True)
def lone_numbers() -> Iterator[tiny_ruleset.LoneNumbers]:
    with tiny_ruleset.installed() as game:
        yield game


@pytest.fixture(autouse=True)
def closed_engines() -> Iterator[None]:
    yield
    harness.close_all()


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    """As ``harness.build`` takes it: a folder for SQLite; an empty PostgreSQL database if a test asks for that."""
    kind = getattr(request, "param", "sqlite")
    yield tmp_path if kind == "sqlite" else request.getfixturevalue("database")
    harness.close_all()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | str]:
    """Both databases in turn, as ``harness.build`` takes them."""
    yield tmp_path if request.param == "sqlite" else request.getfixturevalue("database")
    harness.close_all()
