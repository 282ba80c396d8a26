"""Takes stored events to the broker: right after the commit, and in a sweep for what was left over."""

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import structlog

from shared.contracts.clock import TicksDue
from shared.runtime import crashpoints, envelope, metrics
from shared.runtime.broker import CONFIRM_SECONDS, Line, Lines, Unroutable, event_exchange
from shared.storage import outbox
from shared.storage.database import Database
from shared.storage.outbox import Unpublished

BATCH = 500
MOST_IN_MESSAGE = 100
MOST_BYTES = 512 * 1024
OTHERS_TURN_SECONDS = 0.02
ALONE = frozenset({envelope.full_name(TicksDue)})
"""Events that are a worker's share of work each: in one message they would all go to one worker."""

log = structlog.get_logger()


class Relay:
    """Publishes one service's outbox. Many events of one type travel in one message, in the order of their commits.

    ``taken``: the events that some service takes; for these there must be a queue. ``declare`` makes the queues
    again where a broker has lost them.
    """

    def __init__(
        self,
        service: str,
        database: Database,
        lines: Lines[Line],
        taken: frozenset[str],
        declare: Callable[[Line], None],
    ) -> None:
        self._service = service
        self._database = database
        self._lines = lines
        self._taken = taken
        self._declare = declare

    def publish_all(self) -> int:
        """Publishes until nothing is left; how many events. Raises the broker's and the database's errors."""
        total = 0
        while self._something_waits():
            found = self._publish_some()
            if found is None:
                time.sleep(OTHERS_TURN_SECONDS)
                continue
            total += found
        return total

    def _something_waits(self) -> bool:
        with self._database.read() as tx:
            return outbox.oldest_unpublished(tx) is not None

    def _publish_some(self) -> int | None:
        problem: Exception | None = None
        with self._database.begin() as tx:
            rows = outbox.claim_unpublished(tx, BATCH)
            if not rows:
                return None if rows is None else 0
            published: list[int] = []
            crashpoints.reach(crashpoints.BEFORE_RELAY)
            try:
                with self._lines.line(CONFIRM_SECONDS) as line:
                    for event, group in messages(rows):
                        self._publish(line, event, [row.envelope for row in group])
                        published += [row.seq for row in group]
                        crashpoints.reach(crashpoints.MID_RELAY)
            except Unroutable as error:
                problem = error
            except Exception as error:  # noqa: BLE001 - what was published is marked first, then it is raised
                problem = error
            crashpoints.reach(crashpoints.AFTER_PUBLISH)
            if published:
                outbox.mark_published(tx, published, tx.now())
        if isinstance(problem, Unroutable):
            log.error("event without a queue", routing_key=str(problem))
            with self._lines.line(CONFIRM_SECONDS) as line:
                self._declare(line)
        if problem is not None:
            raise problem
        return len(published)

    def _publish(self, line: Line, event: str, envelopes: Sequence[str]) -> None:
        source, _, name = event.partition(".")
        line.publish(
            envelope.encode_batch(envelopes),
            exchange=event_exchange(source).name,
            routing_key=name,
            mandatory=event in self._taken,
        )
        metrics.MESSAGES.labels(self._service, "out").inc()
        metrics.PUBLISHED.labels(self._service, event).inc(len(envelopes))


def messages(rows: Sequence[Unpublished]) -> Iterator[tuple[str, list[Unpublished]]]:
    """Groups rows of one event type into messages of bounded size; the order within a type stays."""
    for event, group in groupby(sorted(rows, key=lambda row: row.event), key=lambda row: row.event):
        most = 1 if event in ALONE else MOST_IN_MESSAGE
        message: list[Unpublished] = []
        size = 0
        for row in group:
            if message and (len(message) >= most or size + len(row.envelope) > MOST_BYTES):
                yield event, message
                message, size = [], 0
            message.append(row)
            size += len(row.envelope)
        yield event, message
