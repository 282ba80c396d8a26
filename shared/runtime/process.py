"""Leaving a process: one signal, a bounded drain, exit code 0 (reliability 7)."""

import os
import signal
from collections.abc import Callable
from types import FrameType

import eventlet
import eventlet.event
import eventlet.patcher
import structlog

SIGNALS = (signal.SIGTERM, signal.SIGINT)

log = structlog.get_logger()


class StopSignal:
    """Waits for SIGTERM or SIGINT, or for a failure. A second signal changes nothing."""

    def __init__(self) -> None:
        self._event = eventlet.event.Event()
        for number in SIGNALS:
            signal.signal(number, self._received)

    @property
    def given(self) -> bool:
        return bool(self._event.ready())

    def wait(self, seconds: float | None = None) -> bool:
        """True once the process shall leave. Raises what was given to ``fail``."""
        while True:
            try:
                with eventlet.Timeout(seconds, False):
                    self._event.wait()
                    return True
                return False
            except InterruptedError:
                continue

    def fail(self, error: BaseException) -> None:
        if not self.given:
            self._event.send_exception(error)

    def _received(self, _number: int, _frame: FrameType | None) -> None:
        # Only the hub may switch greenlets, and it may be interrupted anywhere.
        eventlet.spawn_n(self._set)

    def _set(self) -> None:
        if not self.given:
            self._event.send(True)


def leave_within(seconds: float) -> Callable[[], None]:
    """Ends the process with code 0 after ``seconds``, even if the hub hangs; call the answer to take it back."""
    threading = eventlet.patcher.original("threading")

    def leave() -> None:
        # Whatever was not done is delivered again or still stands in an outbox.
        os.write(2, b'{"event": "drain took too long", "level": "warning"}\n')
        os._exit(0)

    timer = threading.Timer(seconds, leave)
    timer.daemon = True
    timer.start()
    cancel: Callable[[], None] = timer.cancel
    return cancel
