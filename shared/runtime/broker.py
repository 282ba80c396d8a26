"""Connections to the broker for publishing and calling, and the names of exchanges and queues on it.

A ``Line`` is one connection, used by one at a time and thrown away after any error, for what is on its way on a
connection that failed is anybody's guess (reliability 11). Nothing here knows nameko or eventlet: gateways use it
with threads, services with greenlets.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any, Generic, TypeVar

import amqp.exceptions
import msgspec
from kombu import Connection, Exchange, Queue
from kombu.exceptions import ChannelError, KombuError

CONNECT_SECONDS = 4.0
CONFIRM_SECONDS = 5.0
SHORTEST_SECONDS = 0.05
PERSISTENT = 2
DEAD_LETTERS = "lastwaters.dead-letters"

BROKER_ERRORS = (amqp.exceptions.AMQPError, KombuError, OSError)
"""Whatever a broken, slow or missing broker may raise."""

RPC_EXCHANGE = Exchange("nameko-rpc", type="topic", durable=True)
DEAD_LETTER_EXCHANGE = Exchange(DEAD_LETTERS, type="fanout", durable=True)
DEAD_LETTER_QUEUE = Queue(DEAD_LETTERS, exchange=DEAD_LETTER_EXCHANGE, durable=True)


def event_exchange(source: str) -> Exchange:
    return Exchange(f"{source}.events", type="topic", durable=True, auto_delete=False)


def event_queue(source: str, event: str, service: str, method: str) -> Queue:
    """One for each method that takes the event, shared by a service's replicas. What the broker gives up on
    goes to the dead letters."""
    return Queue(
        f"evt-{source}-{event}--{service}.{method}",
        exchange=event_exchange(source),
        routing_key=event,
        durable=True,
        queue_arguments={"x-dead-letter-exchange": DEAD_LETTERS},
    )


def call_queue(service: str) -> Queue:
    return Queue(f"rpc-{service}", exchange=RPC_EXCHANGE, routing_key=f"{service}.*", durable=True)


class Unroutable(Exception):
    """No queue takes the message."""


class Line:
    """One connection and one channel with publisher confirms, made in ``seconds``. Raises ``BROKER_ERRORS``."""

    def __init__(self, url: str, seconds: float = CONNECT_SECONDS) -> None:
        self.connection = Connection(
            url,
            connect_timeout=seconds,
            heartbeat=0,
            transport_options={"confirm_publish": True, "max_retries": 1},
        )
        self.connection.connect()
        self._bound_socket(seconds)
        self.channel = self.connection.channel()

    def publish(
        self,
        body: object,
        *,
        exchange: str,
        routing_key: str,
        mandatory: bool = False,
        timeout: float = CONFIRM_SECONDS,
        properties: Mapping[str, Any] | None = None,
    ) -> None:
        """Returns once the broker has the message. ``body`` is JSON's. Raises ``Unroutable`` if ``mandatory``."""
        message = self.channel.prepare_message(
            msgspec.json.encode(body).decode(),
            content_type="application/json",
            content_encoding="utf-8",
            headers={},
            properties={"delivery_mode": PERSISTENT, **(properties or {})},
        )
        self._bound_socket(timeout)
        try:
            self.channel.basic_publish(
                message,
                exchange=exchange,
                routing_key=routing_key,
                mandatory=mandatory,
                confirm_timeout=timeout,
            )
        except ChannelError as error:
            if "NO_ROUTE" in str(error):
                raise Unroutable(routing_key) from error
            raise

    def waiting(self, queue: Queue, timeout: float) -> int:
        """How many messages wait in a queue, as the broker says. Raises ``BROKER_ERRORS``."""
        self._bound_socket(timeout)
        found: int = queue(self.channel).queue_declare(passive=True).message_count
        return found

    @property
    def in_memory(self) -> bool:
        """Nothing there notices that a connection has gone: consumers must be cancelled by hand."""
        return bool(self.connection.transport.driver_type == "memory")

    def usable(self) -> bool:
        """Whether the broker has not closed the connection while it lay idle."""
        try:
            self.connection.drain_events(timeout=0)
        except TimeoutError:
            return True
        except BROKER_ERRORS:
            return False
        return True

    def close(self) -> None:
        """Closes without waiting for the broker, which may not be there."""
        with suppress(*BROKER_ERRORS, AttributeError):
            self.connection.collect(socket_timeout=0.1)
        with suppress(*BROKER_ERRORS, AttributeError):
            self.connection.release()

    def _bound_socket(self, seconds: float) -> None:
        # Not only confirms: a broker that has stopped reading would keep a write, or any answer, for ever.
        transport = getattr(self.connection.connection, "transport", None)
        sock = getattr(transport, "sock", None)
        if sock is not None:
            sock.settimeout(seconds)


L = TypeVar("L", bound=Line)


class Lines(Generic[L]):
    """At most ``size`` lines, kept open between uses."""

    def __init__(self, open_line: type[L], url: str, size: int) -> None:
        self._open_line = open_line
        self._url = url
        self._places = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[L] = []
        self._closed = False

    @contextmanager
    def line(self, timeout: float) -> Iterator[L]:
        """A line for one use. Raises ``TimeoutError`` when all stay in use."""
        deadline = monotonic() + timeout
        if not self._places.acquire(timeout=timeout):
            raise TimeoutError("every connection to the broker is in use")
        try:
            line = self._take(deadline)
            try:
                if monotonic() > deadline:
                    raise TimeoutError("no connection to the broker in time")
                yield line
            except BaseException:
                line.close()
                raise
            self._give_back(line)
        finally:
            self._places.release()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for line in idle:
            line.close()

    def _take(self, deadline: float) -> L:
        while True:
            with self._lock:
                line = self._idle.pop() if self._idle else None
            if line is None:
                seconds = min(CONNECT_SECONDS, max(SHORTEST_SECONDS, deadline - monotonic()))
                return self._open_line(self._url, seconds)
            if line.usable():
                return line
            line.close()

    def _give_back(self, line: L) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(line)
                return
        line.close()
