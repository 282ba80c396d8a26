"""A phase of a battle as a window: whom it asks, what, whether an answer may stand, and what closing it does."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from shared.warfare.battle.state import Contender
from shared.warfare.battle.work import Work
from shared.warfare.errors import Refusal

Replies = Mapping[str, Any]
"""Answers by key: the power, with the number of the bid in D-13."""


class Window(NamedTuple):
    kind: str
    """Decision id of section 20."""
    keys: Callable[[Work], list[str]]
    """Whom to ask; only those with more than one possible answer (WF-DEC-03)."""
    question: Callable[[Work, str], dict[str, Any]]
    check: Callable[[Work, str, Any], Refusal | None]
    close: Callable[[Work, Replies], None]
    """Uses the answers, or defaults, and moves the battle to its next phase."""
    default: Callable[[Work, str], Any] = lambda work, key: None
    """The answer that stands when none is given; null where policies answer."""


def power_of(key: str) -> str:
    return key.partition("#")[0]


def asked(work: Work, powers: list[Contender]) -> list[str]:
    return [power.id for power in powers if may_ask(work, power)]


def may_ask(work: Work, power: Contender) -> bool:
    """Rogues are not asked, unless a game master sits (WF-DEC-03, WF-GM-08)."""
    return power.asked or work.battle.options.gm_seat
