"""Takes stored events to the broker: right after the commit, and in a sweep for what was left over."""

import time
from collections.abc import Callable, Sequence

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
PUBLISH_SECONDS = 8.0
"""How long a transaction publishes at most, but for its last message: PostgreSQL ends one that idles for 20 s
(``IDLE_IN_TRANSACTION_TIMEOUT_MS``), and then nothing is marked and all of it goes out again."""
OTHERS_TURN_SECONDS = 0.02
"""At least, between two looks whether another process still publishes."""
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
        """Publishes until nothing is left, or another process does it; how many events.

        Raises the broker's and the database's errors.
        """
        total = 0
        while self._something_waits():
            found = self._publish_some()
            if found is None:
                # It looks again after its round and so takes what is ours too; if it fails, our next sweep does.
                # Who waited here instead would sleep through the wake-up of an event that it leaves to us.
                time.sleep(OTHERS_TURN_SECONDS)
                break
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
            enough = time.monotonic() + PUBLISH_SECONDS
            crashpoints.reach(crashpoints.BEFORE_RELAY)
            try:
                with self._lines.line(CONFIRM_SECONDS) as line:
                    for event, group in messages(rows):
                        self._publish(line, event, [row.envelope for row in group])
                        published += [row.seq for row in group]
                        crashpoints.reach(crashpoints.MID_RELAY)
                        if time.monotonic() >= enough:
                            break
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


def messages(rows: Sequence[Unpublished]) -> list[tuple[str, list[Unpublished]]]:
    """Groups rows of one event type into messages of bounded size; the order within a type stays.

    The message with the oldest row comes first, so that what a round leaves over is next in the following one.
    """
    made: list[tuple[str, list[Unpublished]]] = []
    filling: dict[str, list[Unpublished]] = {}
    sizes: dict[str, int] = {}
    for row in rows:
        most = 1 if row.event in ALONE else MOST_IN_MESSAGE
        size = sizes.get(row.event, 0) + len(row.envelope)
        message = filling.get(row.event)
        if message is None or len(message) >= most or size > MOST_BYTES:
            message, size = [], len(row.envelope)
            made.append((row.event, message))
        message.append(row)
        filling[row.event], sizes[row.event] = message, size
    return made
