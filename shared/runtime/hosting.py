"""One service in a process, whatever hosts it: its ports, its jobs, and how it takes calls and messages."""

import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime

import structlog
from sqlalchemy.exc import DBAPIError

from shared.runtime import dispatch, metrics, topology
from shared.runtime.broker import BROKER_ERRORS, DEAD_LETTER_QUEUE, Line, Lines, call_queue
from shared.runtime.envelope import Unreadable, full_name, split_batch
from shared.runtime.jobs import Job
from shared.runtime.relay import Relay
from shared.runtime.service import Handling, Repeating, Service, Unavailable, entrypoints
from shared.storage import inbox, outbox, parking

SWEEP_SECONDS = 1.0
RETRY_SECONDS = 0.5
CLEAN_SECONDS = 600.0
GAUGE_SECONDS = 5.0
REACH_SECONDS = 1.0
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Between tries to take a message while the database is away; the last one again and again."""

log = structlog.get_logger()


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class Stopping(Exception):
    """The process leaves before the message could be taken: the broker keeps it for another."""


class Host:
    """A service with everything around it. ``start`` before the first call or message, ``stop`` after the last."""

    def __init__(
        self, service: Service, lines: Lines[Line], services: list[type[Service]] | None = None
    ) -> None:
        self.service = service
        self.lines = lines
        self._services = services if services is not None else topology.all_services()
        self._stopping = threading.Event()
        self._dead_letters = 0
        name = service.name
        relay = Relay(
            name,
            service.database,
            lines,
            topology.taken_events(self._services),
            self._declare,
        )
        self._relay = Job(name, "relay", SWEEP_SECONDS, relay.publish_all)
        self._upkeep = [
            Job(name, "retry", RETRY_SECONDS, lambda: dispatch.retry_due(service)),
            Job(name, "clean", CLEAN_SECONDS, self._clean),
            Job(name, "gauges", GAUGE_SECONDS, self._gauge),
        ]
        self._repeating = [
            Job(name, method, mark.seconds, getattr(service, method))
            for method, mark in entrypoints(type(service)).items()
            if isinstance(mark, Repeating)
        ]
        service.database.on_emit = self._relay.wake
        service.reachable = self.reachable

    def start(self) -> None:
        """Declares every queue, then lets the service and its jobs begin."""
        with self.lines.line(PAUSES[-1]) as line:
            self._declare(line)
        self.service.started()
        self._relay.start()
        for job in self._upkeep + self._repeating:
            job.start()

    def drain(self) -> None:
        """From now on nothing new begins by itself, and nothing waits for a database to come back."""
        self._stopping.set()
        for job in self._repeating:
            job.end()

    def rest(self) -> None:
        """Returns once the service's own rounds have ended, which may still call others."""
        for job in self._repeating:
            job.stop()

    def stop(self) -> None:
        """Ends the jobs after their round, and publishes what is left."""
        self.drain()
        self.rest()
        for job in self._upkeep:
            job.stop()
        self._relay.stop()
        self._relay.once()

    def answer(self, method: str, body: object, correlation: object = "") -> str:
        """The reply to a call. Raises whatever fails in the method, after it was logged."""
        metrics.MESSAGES.labels(self.service.name, "call").inc()
        try:
            return dispatch.answer(
                self.service, method, body, correlation if isinstance(correlation, str) else ""
            )
        except Unreadable as error:
            log.warning("call not understood", service=self.service.name, method=method, reason=str(error))
            raise
        except Unavailable as error:
            log.warning("call failed behind", service=self.service.name, method=method, reason=str(error))
            raise
        except Exception as error:
            metrics.FAILURES.labels(self.service.name, "call").inc()
            log.error("call failed", service=self.service.name, method=method, exc_info=error)
            raise

    def take(self, method: str, mark: Handling, body: object) -> None:
        """Takes a message of events. Returns once each is done, kept for later or parked; waits while the
        database is away. Raises ``Stopping``."""
        metrics.MESSAGES.labels(self.service.name, "in").inc()
        try:
            envelopes = split_batch(body)
        except Unreadable as error:
            reason = str(error)
            self._until_stored(lambda: inbox.park(self.service.database, full_name(mark.event), body, reason))
            return
        if mark.inbox:
            self._until_stored(lambda: dispatch.deliver(self.service, envelopes))
        else:
            self._until_stored(lambda: dispatch.hear(self.service, method, envelopes))

    def reachable(self) -> bool:
        """Whether the broker answers about the queue by which calls come in."""
        try:
            with self.lines.line(REACH_SECONDS) as line:
                line.waiting(call_queue(self.service.name), REACH_SECONDS)
        except BROKER_ERRORS:
            return False
        return True

    def broken(self) -> dict[str, str]:
        """What the service needs and does not reach, with the reason."""
        problems = {}
        try:
            with self.service.database.read() as tx:
                outbox.oldest_unpublished(tx)
        except (DBAPIError, TimeoutError) as error:
            problems["database"] = type(error).__name__
        try:
            with self.lines.line(1.0):
                pass
        except BROKER_ERRORS as error:
            problems["broker"] = type(error).__name__
        return problems

    def _until_stored(self, work: Callable[[], object]) -> None:
        for attempt in range(1_000_000):
            try:
                work()
            except (DBAPIError, TimeoutError) as error:
                metrics.FAILURES.labels(self.service.name, "take").inc()
                log.warning("events not stored", service=self.service.name, error=type(error).__name__)
                pause = PAUSES[min(attempt, len(PAUSES) - 1)]
                if self._stopping.wait(pause * random.uniform(0.7, 1.3)):
                    raise Stopping from error
            else:
                return

    def _declare(self, line: Line) -> None:
        topology.declare(line, self._services)

    def _clean(self) -> None:
        for clean in (outbox.clean, inbox.clean):
            more = True
            while more and not self._stopping.is_set():
                with self.service.database.begin() as tx:
                    more = clean(tx, tx.now()) > 0

    def _gauge(self) -> None:
        name = self.service.name
        with self.service.database.read() as tx:
            now = tx.now()
            for gauge, oldest in (
                (metrics.OUTBOX_AGE, outbox.oldest_unpublished(tx)),
                (metrics.INBOX_AGE, inbox.oldest_waiting(tx)),
            ):
                gauge.labels(name).set(max(0.0, (now - oldest).total_seconds()) if oldest else 0.0)
            metrics.PARKED.labels(name).set(parking.count(tx))
        with self.lines.line(REACH_SECONDS) as line:
            count = line.waiting(DEAD_LETTER_QUEUE, REACH_SECONDS)
        metrics.DEAD_LETTERS.set(count)
        if count > self._dead_letters:
            log.error("the broker gave messages up", count=count, queue=DEAD_LETTER_QUEUE.name)
        self._dead_letters = count
