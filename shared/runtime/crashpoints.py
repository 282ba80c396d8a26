"""Named moments at which a process may be killed on purpose, to show that nothing is lost (reliability P1).

``reach`` does nothing unless ``LASTWATERS_CRASH_AT`` names the point: ``sealed`` kills the process the first time
it gets there, ``sealed:3`` the third time. The deterministic simulation puts its own ``on_reach`` in.
"""

import os
import signal
from collections.abc import Callable

VARIABLE = "LASTWATERS_CRASH_AT"

MESSAGE_GOT = "message-got"
CLAIMED = "claimed"
SEALED = "sealed"
MID_PHASES = "mid-phases"
BEFORE_COMMIT = "before-commit"
AFTER_COMMIT = "after-commit"
"""Committed, the message not yet acknowledged."""
BEFORE_RELAY = "before-relay"
MID_RELAY = "mid-relay"
AFTER_PUBLISH = "after-publish"
"""Published, the outbox row not yet marked."""

POINTS = (
    MESSAGE_GOT,
    CLAIMED,
    SEALED,
    MID_PHASES,
    BEFORE_COMMIT,
    AFTER_COMMIT,
    BEFORE_RELAY,
    MID_RELAY,
    AFTER_PUBLISH,
)


def reach(point: str) -> None:
    on_reach(point)


def from_environment(setting: str | None) -> Callable[[str], None]:
    """What ``reach`` does under ``setting``. ValueError for a point that nobody reaches."""
    if not setting:
        return _go_on
    named, _, times = setting.partition(":")
    if named not in POINTS:
        raise ValueError(f"{VARIABLE}: no such point: {named}; there are {', '.join(POINTS)}")
    left = int(times or 1)

    def count_down(point: str) -> None:
        nonlocal left
        if point == named:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return count_down


def _go_on(point: str) -> None:
    pass


on_reach: Callable[[str], None] = from_environment(os.environ.get(VARIABLE))
