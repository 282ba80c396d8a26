"""``@rule("WF-...")``: which rules of RULES.md a test holds."""

import pytest

MOST = 6


def rule(*ids: str) -> pytest.MarkDecorator:
    """The mark of a test that fails when one of ``ids`` is not applied."""
    if not 1 <= len(ids) <= MOST:
        raise ValueError(f"a test is marked with one to {MOST} rules, not {len(ids)}")
    return pytest.mark.rule(*ids)
