"""Which databases a service test runs on: SQLite, or both."""

import pytest

ON_BOTH = pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
"""For tests whose service is built in the fixture ``place``, which else is a folder for SQLite files."""
