"""Hears every event of one type, in each process that listens: for gateways. What is sent while it is away is lost."""

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any
from uuid import uuid4

import structlog
from kombu import Consumer, Message, Queue

from shared.contracts.base import Event
from shared.runtime.broker import BROKER_ERRORS, Line, event_exchange
from shared.runtime.envelope import Unreadable, decode, open_as, split_batch

RECONNECT_SECONDS = 2.0
LOOK_SECONDS = 0.5
PROBE_SECONDS = 10.0

log = structlog.get_logger()


class EventEar:
    """Calls ``heard(event)`` for each ``kind`` of event, from a thread of its own."""

    def __init__(self, url: str, kind: type[Event], heard: Callable[[Any], object]) -> None:
        self._url = url
        self._kind = kind
        self._heard = heard
        self._stopping = threading.Event()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"ear-{kind.event_name()}", daemon=True)

    def start(self, wait: float = 0.0) -> bool:
        """Whether it listens within ``wait`` seconds; it goes on trying."""
        self._thread.start()
        return self._listening.wait(wait)

    @property
    def listening(self) -> bool:
        return self._listening.is_set()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(timeout=RECONNECT_SECONDS + 1)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                line = Line(self._url)
                try:
                    self._listen(line)
                finally:
                    self._listening.clear()
                    line.close()
            except BROKER_ERRORS as error:
                log.warning(
                    "events not heard", event_name=self._kind.event_name(), error=type(error).__name__
                )
                self._stopping.wait(RECONNECT_SECONDS)

    def _listen(self, line: Line) -> None:
        source, event = self._kind.source(), self._kind.event_name()
        queue = Queue(
            f"evt-{source}-{event}--gateway-{uuid4()}",
            exchange=event_exchange(source),
            routing_key=event,
            exclusive=True,
            auto_delete=True,
            durable=False,
        )
        consumer = Consumer(line.channel, [queue], callbacks=[self._received], no_ack=True, accept=["json"])
        consumer.consume()
        self._listening.set()
        try:
            probe = monotonic() + PROBE_SECONDS
            while not self._stopping.is_set():
                try:
                    line.connection.drain_events(timeout=LOOK_SECONDS)
                except TimeoutError:
                    if monotonic() > probe:
                        # A broker that has vanished without a word is noticed by asking it something.
                        queue(line.channel).queue_declare(passive=True)
                        probe = monotonic() + PROBE_SECONDS
        finally:
            if line.in_memory:
                consumer.cancel()

    def _received(self, body: Any, _message: Message) -> None:
        try:
            events = [open_as(self._kind, decode(text)) for text in split_batch(body)]
        except Unreadable as error:
            log.error("event not understood", event_name=self._kind.event_name(), reason=str(error))
            return
        for event in events:
            self._heard(event)
