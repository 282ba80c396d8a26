"""A moment of the season at which powers are asked, as a window (WF-DEC-01)."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from shared.warfare.errors import Refusal
from shared.warfare.season.work import Work

Replies = Mapping[str, Any]
"""Answers by key."""


class Window(NamedTuple):
    kind: str
    """Decision id of section 20."""
    keys: Callable[[Work], list[str]]
    """Whom to ask: a power, or a power and ``#`` and what it is asked about. Only those with more than one possible
    answer (WF-DEC-03)."""
    question: Callable[[Work, str], dict[str, Any]]
    check: Callable[[Work, str, Any], Refusal | None]
    close: Callable[[Work, Replies], None]
    """Uses the answers, or defaults, and moves the season to its next phase."""
    default: Callable[[Work, str], Any] = lambda work, key: None
    """The answer that stands when none is given; null where policies answer."""


def power_of(key: str) -> str:
    return key.partition("#")[0]


def about(key: str) -> str:
    return key.partition("#")[2]


def listed(names: Any) -> str:
    """What would be legal, in words."""
    return ", ".join(str(name) for name in names) or "none"
