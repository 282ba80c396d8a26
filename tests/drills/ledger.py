"""What clients sent and what they were answered, key by key (P2)."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["accepted", "refused", "unknown"]
Kind = Literal["file", "cancel", "message"]


@dataclass(frozen=True)
class Attempt:
    """One wish of one client. ``mark`` is the number that the order names, of its own in its list, or the
    message's text; ``order`` the id that was answered; ``receipt`` its text."""

    kind: Kind
    match: str
    faction: str
    tick: int
    key: str
    outcome: Outcome
    status: int
    mark: str
    order: str = ""
    receipt: str = ""


class Ledger:
    """Attempts of many clients."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._attempts: list[Attempt] = []

    def note(self, attempt: Attempt) -> None:
        with self._lock:
            self._attempts.append(attempt)

    @property
    def attempts(self) -> list[Attempt]:
        with self._lock:
            return list(self._attempts)

    def count(self, *outcomes: Outcome, kinds: Iterable[Kind] = ("file", "cancel", "message")) -> int:
        kinds = tuple(kinds)
        return sum(one.outcome in outcomes and one.kind in kinds for one in self.attempts)
