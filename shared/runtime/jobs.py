"""Work that runs again and again beside calls and events.

Built on ``threading``: threads in a plain process, greenlets in one that eventlet has patched.
"""

import threading
from collections.abc import Callable
from time import monotonic

import structlog

from shared.runtime import metrics

LONGEST_PAUSE = 30.0
LEAST_OFTEN = 1.0
"""While it fails, what should run more often goes on at this pace, and what should not at its own: rounds of a second
tell how long an outage was (K-03), and a longer pause would be charged to it."""

log = structlog.get_logger()


class Job:
    """Runs ``work`` every ``seconds``, never twice at once; ``wake`` has it run at once.

    A failure is logged and counted, and makes short pauses longer until it works again.
    """

    def __init__(self, service: str, name: str, seconds: float, work: Callable[[], object]) -> None:
        self.name = name
        self._service = service
        self._seconds = seconds
        self._work = work
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._failures = 0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name=f"{self._service}-{self.name}", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        self._woken.set()

    def end(self) -> None:
        """No further round begins."""
        self._stopping.set()
        self._woken.set()

    def stop(self) -> None:
        """Returns once the round at hand, if any, has ended."""
        self.end()
        if self._thread is not None:
            self._thread.join()

    def once(self) -> bool:
        """One round, now; whether it went well."""
        try:
            with structlog.contextvars.bound_contextvars(service=self._service):
                self._work()
        except Exception as error:
            self._failures += 1
            metrics.FAILURES.labels(self._service, self.name).inc()
            log.error(
                "job failed",
                service=self._service,
                job=self.name,
                error=type(error).__name__,
                # Of many in a row one is enough.
                exc_info=error if self._failures == 1 else None,
            )
            return False
        self._failures = 0
        return True

    def _pause(self) -> float:
        """After a failure."""
        longest = max(LEAST_OFTEN, min(LONGEST_PAUSE, self._seconds))
        doublings = min(self._failures, 10)  # after a thousand a float overflows
        return min(longest, self._seconds * 2.0**doublings)

    def _run(self) -> None:
        due = monotonic() + self._seconds
        while True:
            if self._failures:
                self._stopping.wait(self._pause())
            else:
                self._woken.wait(max(0.0, due - monotonic()))
            if self._stopping.is_set():
                return
            self._woken.clear()
            due = monotonic() + self._seconds
            self.once()
