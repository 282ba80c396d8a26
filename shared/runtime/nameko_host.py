"""nameko's part: its containers consume the queues and spawn the workers; everything else is the ``Host``'s.

One nameko service class is made for each of our services. What nameko would do without a deadline, or lose, is
overridden here and nowhere else.
"""

import os
from contextlib import suppress
from typing import Any

os.environ.setdefault("EVENTLET_THREADPOOL_SIZE", "2")  # read once, when eventlet.tpool is imported

import eventlet.semaphore
import eventlet.tpool
import structlog
from nameko.extensions import DependencyProvider
from nameko.messaging import Consumer, QueueConsumer
from nameko.rpc import Rpc, RpcConsumer
from nameko.runners import ServiceRunner

from shared.runtime import metrics
from shared.runtime.broker import BROKER_ERRORS, CONFIRM_SECONDS, RPC_EXCHANGE, Line, Lines, call_queue
from shared.runtime.hosting import Host
from shared.runtime.service import Answering, entrypoints
from shared.runtime.topology import taking

HEARTBEAT_SECONDS = 30
OFFLOADED_AT_ONCE = 2

log = structlog.get_logger()
_offloaded = eventlet.semaphore.Semaphore(OFFLOADED_AT_ONCE)


def offload(work: Any, *args: Any) -> Any:
    """``shared.runtime.service.Offload``: a real thread, two at most, while the hub goes on."""
    with _offloaded:
        return eventlet.tpool.execute(work, *args)


def runner(hosts: list[Host], url: str, workers: int) -> ServiceRunner:
    """A runner that serves every host; ``workers`` calls and messages at once for each."""
    found = ServiceRunner(
        {
            "AMQP_URI": url,
            "serializer": "json",
            "ACCEPT": ["json"],
            "HEARTBEAT": HEARTBEAT_SECONDS,
            "max_workers": workers,
        }
    )
    for host in hosts:
        found.add_service(nameko_class(host))
    return found


def nameko_class(host: Host) -> type:
    """The class that nameko serves for the host's service."""
    service = type(host.service)
    attributes: dict[str, Any] = {"name": service.name, "around": Around(host)}
    for method, mark in entrypoints(service).items():
        if isinstance(mark, Answering):
            attributes[method] = AnswerCalls.decorator(host)(_answering(host, method))
    for take in taking(service):
        attributes[take.method] = TakeEvents.decorator(queue=take.queue)(
            _taking(host, take.method, take.mark)
        )
    return type(service.name, (), attributes)


def _answering(host: Host, method: str) -> Any:
    def answer(_worker: object, body: object, correlation: object = "") -> str:
        return host.answer(method, body, correlation)

    return answer


def _taking(host: Host, method: str, mark: Any) -> Any:
    def take(_worker: object, body: object) -> None:
        host.take(method, mark, body)

    return take


class Around(DependencyProvider):  # type: ignore[misc]
    """The host's jobs start before the first message and end after the last worker."""

    def __init__(self, host: Host) -> None:
        self.host = host

    def setup(self) -> None:
        # nameko starts everything at once, but only after everything is set up.
        self.host.start()

    def stop(self) -> None:
        self.host.stop()


class SturdyQueueConsumer(QueueConsumer):  # type: ignore[misc]
    """An acknowledgement that no longer reaches the broker is nothing to die of: the message comes again."""

    def ack_message(self, message: Any) -> None:
        with suppress(*BROKER_ERRORS):
            super().ack_message(message)

    def requeue_message(self, message: Any) -> None:
        with suppress(*BROKER_ERRORS):
            super().requeue_message(message)

    def on_decode_error(self, message: Any, exc: Exception) -> None:
        """Not JSON: to the dead letters, or away where there are none (calls)."""
        metrics.FAILURES.labels(self.container.service_name, "undecodable").inc()
        log.error("message not decodable", service=self.container.service_name, error=type(exc).__name__)
        with suppress(*BROKER_ERRORS):
            message.reject()


class TakeEvents(Consumer):  # type: ignore[misc]
    """Acknowledges what the host has taken, and gives the rest back."""

    queue_consumer = SturdyQueueConsumer()

    def __init__(self, queue: Any, **options: Any) -> None:
        super().__init__(queue, requeue_on_error=True, **options)


class CallConsumer(RpcConsumer):  # type: ignore[misc]
    queue_consumer = SturdyQueueConsumer()
    queue: Any

    def setup(self) -> None:
        if self.queue is None:
            self.queue = call_queue(self.container.service_name)
            self.queue_consumer.register_provider(self)

    def handle_result(self, message: Any, result: Any, exc_info: Any) -> tuple[Any, Any]:
        """Replies, within a deadline. Of an error only its kind crosses the bus."""
        reply_to = message.properties.get("reply_to")
        error = None
        if exc_info is not None:
            error = {"exc_type": type(exc_info[1]).__name__, "exc_path": "", "exc_args": [], "value": ""}
        if reply_to:
            try:
                with self._lines.line(CONFIRM_SECONDS) as line:
                    line.publish(
                        {"result": result if error is None else None, "error": error},
                        exchange=RPC_EXCHANGE.name,
                        routing_key=reply_to,
                        properties={"correlation_id": message.properties.get("correlation_id")},
                    )
            except BROKER_ERRORS as problem:
                # The caller gives up at its deadline and may ask again.
                metrics.FAILURES.labels(self.container.service_name, "reply").inc()
                log.warning(
                    "reply not sent", service=self.container.service_name, error=type(problem).__name__
                )
        self.queue_consumer.ack_message(message)
        return result, exc_info

    def register_provider(self, provider: Any) -> None:
        # Kept beside the providers, which leave before the last worker has replied.
        self._lines: Lines[Line] = provider.host.lines
        super().register_provider(provider)


class AnswerCalls(Rpc):  # type: ignore[misc]
    rpc_consumer = CallConsumer()

    def __init__(self, host: Host, **options: Any) -> None:
        # What a method raises was logged by the host; nameko need not do it again.
        super().__init__(expected_exceptions=(Exception,), **options)
        self.host = host
