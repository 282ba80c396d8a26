"""A broker inside the process, for the embedded stack: kombu's memory transport, mended to behave as RabbitMQ does.

Consumers are woken instead of polling; prefetch counts per consumer; a mandatory message without a queue comes
back; each queue gets its own copy; a reply queue goes with its consumer. One eventlet hub only, and what is queued
dies with the process: what must survive is in an outbox. ``register()``, then connect to ``URL``.
"""

import uuid
import weakref
from collections import Counter, defaultdict
from queue import Empty
from time import monotonic
from typing import Any, ClassVar

from eventlet.semaphore import Semaphore
from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, memory, virtual

URL = "lastwaters://localhost"
STOP_POLL_SECONDS = 0.02

_transports: "weakref.WeakSet[Transport]" = weakref.WeakSet()
_stopping = False


def register() -> None:
    """Makes ``URL`` known to kombu; forgets an earlier ``stopping``."""
    global _stopping
    _stopping = False
    TRANSPORT_ALIASES["lastwaters"] = f"{__name__}:Transport"


def stopping() -> None:
    """Call just before the services stop: a consumer then sees that it is cancelled within milliseconds."""
    global _stopping
    _stopping = True
    for transport in list(_transports):
        transport.wake()


def forget() -> None:
    """Drops every queue and binding. For tests that start another broker in the same process."""
    Channel.queues.clear()
    Channel.consumers_of.clear()
    Transport.global_state.clear()


class Message(virtual.Message):  # type: ignore[misc]
    """Carries its content type where nameko's reply looks for it."""

    def __init__(self, payload: Any, channel: Any = None, **options: Any) -> None:
        super().__init__(payload, channel=channel, **options)
        self.properties["content_type"] = self.content_type
        self.properties["content_encoding"] = self.content_encoding


class Channel(memory.Channel):  # type: ignore[misc]
    Message = Message
    queues: ClassVar[dict[str, Any]] = {}
    consumers_of: ClassVar[dict[str, set["Transport"]]] = defaultdict(set)
    body_encoding = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._unacknowledged: Counter[str] = Counter()
        self._queue_of_tag: dict[str, str] = {}
        self._without_ack: set[str] = set()

    def _put(self, queue: str, message: dict[str, Any], **_options: Any) -> None:
        properties = dict(message["properties"], delivery_tag=uuid.uuid4().hex)
        self._queue_for(queue).put(dict(message, properties=properties))
        for transport in tuple(self.consumers_of.get(queue, ())):
            transport.wake()

    def _put_fanout(self, exchange: str, message: dict[str, Any], routing_key: str, **options: Any) -> None:
        for queue in self._lookup(exchange, routing_key):
            self._put(queue, message, **options)

    def basic_publish(
        self, message: Any, exchange: str, routing_key: str, mandatory: bool = False, **options: Any
    ) -> Any:
        if mandatory and exchange and not self._lookup(exchange, routing_key):
            raise ChannelError("NO_ROUTE")
        return super().basic_publish(message, exchange, routing_key, **options)

    def drain_events(self, timeout: float | None = None, callback: Any = None) -> Any:
        if not self._consumers:
            raise Empty()
        return self._poll(self.cycle, callback or self.connection._deliver, timeout=timeout)

    def _get_and_deliver(self, queue: str, callback: Any) -> None:
        limit = self.qos.prefetch_count
        if limit and self._unacknowledged[queue] >= limit:
            raise Empty()
        message = self._get(queue)
        if queue not in self._without_ack:
            self._unacknowledged[queue] += 1
            self._queue_of_tag[message["properties"]["delivery_tag"]] = queue
        callback(message, queue)

    def _settled(self, tag: str) -> None:
        queue = self._queue_of_tag.pop(tag, None)
        if queue is not None:
            self._unacknowledged[queue] -= 1
            if self.connection is not None:
                self.connection.wake()

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        super().basic_ack(delivery_tag, multiple)
        self._settled(delivery_tag)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().basic_reject(delivery_tag, requeue)
        self._settled(delivery_tag)

    def basic_consume(self, queue: str, no_ack: bool, *args: Any, **options: Any) -> None:
        super().basic_consume(queue, no_ack, *args, **options)
        if no_ack:
            self._without_ack.add(queue)
        self.consumers_of[queue].add(self.connection)
        self.connection.wake()

    def basic_cancel(self, consumer_tag: str) -> None:
        queue, transport = self._tag_to_queue.get(consumer_tag), self.connection
        super().basic_cancel(consumer_tag)
        if queue and queue not in self._active_queues:
            self.consumers_of[queue].discard(transport)
            if not self.consumers_of[queue]:
                del self.consumers_of[queue]
            if queue.startswith("rpc.reply-"):
                self.queue_delete(queue)

    def queue_delete(
        self, queue: str, if_unused: bool = False, if_empty: bool = False, **options: Any
    ) -> None:
        super().queue_delete(queue, if_unused, if_empty, **options)
        self.queues.pop(queue, None)
        for (
            exchange
        ) in self.state.exchanges.values():  # kombu leaves dead rows, and every publish reads them all
            exchange["table"][:] = [row for row in exchange["table"] if row[2] != queue]

    def close(self) -> None:
        virtual.Channel.close(self)  # memory.Channel's would hide the queues all channels share


class Transport(memory.Transport):  # type: ignore[misc]
    Channel = Channel
    global_state = virtual.BrokerState()
    channel_errors = ()  # kombu would try again what has no route

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self._woken = Semaphore(0)
        _transports.add(self)

    def wake(self) -> None:
        if self._woken.counter < 1:
            self._woken.release()

    def drain_events(self, connection: Any, timeout: float | None = None) -> Any:
        end = None if timeout is None else monotonic() + timeout
        while True:
            try:
                return self.cycle.get(self._deliver, timeout=timeout)
            except Empty:
                left = None if end is None else end - monotonic()
                if left is not None and left <= 0:
                    raise TimeoutError() from None
                if not _stopping:
                    self._woken.acquire(timeout=left)
                elif not self._woken.acquire(timeout=STOP_POLL_SECONDS):
                    raise TimeoutError() from None
