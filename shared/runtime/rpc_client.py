"""Calls to services, in nameko's wire format, each with a deadline.

Used alike by the gateway's threads, by services and by the operators' command.
"""

from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar
from uuid import uuid4

import structlog
from kombu import Consumer, Message, Queue

from shared.contracts.base import Refusal, Request
from shared.runtime import correlation, metrics, replies
from shared.runtime.broker import BROKER_ERRORS, CONNECT_SECONDS, RPC_EXCHANGE, Line, Lines, Unroutable
from shared.runtime.envelope import Unreadable
from shared.runtime.service import Unavailable
from shared.storage.database import in_transaction

Answer = TypeVar("Answer")

POOL_SIZE = 16

log = structlog.get_logger()


class CallLine(Line):
    """A line with a reply queue of its own, which goes when the line does."""

    def __init__(self, url: str, seconds: float = CONNECT_SECONDS) -> None:
        super().__init__(url, seconds)
        self._key = str(uuid4())
        self._waiting_for = ""
        self._reply: Any = None
        queue = Queue(
            f"rpc.reply-{self._key}",
            exchange=RPC_EXCHANGE,
            routing_key=self._key,
            exclusive=True,
            auto_delete=True,
            durable=False,
        )
        self._consumer = Consumer(
            self.channel, [queue], callbacks=[self._received], no_ack=True, accept=["json"]
        )
        try:
            self._consumer.consume()
        except BaseException:
            super().close()
            raise

    def call(self, service: str, method: str, body: str, timeout: float) -> Any:
        """The reply's body. Raises ``Unroutable``, ``TimeoutError``, ``BROKER_ERRORS``."""
        deadline = monotonic() + timeout
        self._waiting_for = str(uuid4())
        self._reply = None
        self.publish(
            {"args": [body], "kwargs": {"correlation": correlation.current()}},
            exchange=RPC_EXCHANGE.name,
            routing_key=f"{service}.{method}",
            mandatory=True,
            timeout=timeout,
            properties={
                "reply_to": self._key,
                "correlation_id": self._waiting_for,
                # A call that waits longer in the queue than its caller does is nobody's any more.
                "expiration": str(max(1, int(timeout * 1000))),
            },
        )
        while self._reply is None:
            left = deadline - monotonic()
            if left <= 0:
                raise TimeoutError(f"no answer in {timeout:g} s")
            with suppress(TimeoutError):
                self.connection.drain_events(timeout=left)
        return self._reply

    def close(self) -> None:
        if self.in_memory:
            self._consumer.cancel()
        super().close()

    def _received(self, body: Any, message: Message) -> None:
        if message.properties.get("correlation_id") == self._waiting_for:
            self._reply = body


class RpcClient:
    """``client(request)`` is ``shared.runtime.service.Caller``, safe to share between threads or greenlets."""

    def __init__(self, url: str, size: int = POOL_SIZE) -> None:
        self._lines = Lines(CallLine, url, size)

    def __call__(self, request: Request[Answer], timeout: float = 5.0) -> Answer:
        """Raises ``Refusal`` as the callee did, ``Unavailable`` for everything else."""
        if in_transaction():
            raise RuntimeError("a call inside a transaction would hold its locks while it waits")
        service, method = request.receiver(), request.method()
        with metrics.timed_call_made(service, method) as outcome:
            try:
                reply = self.ask(service, method, replies.encode_request(request), timeout)
                return replies.read(request, reply)
            except Refusal:
                outcome.result = "refused"
                raise
            except Unreadable as error:
                log.error("answer not understood", to=service, method=method, reason=str(error))
                raise Unavailable(service, "its answer was not understood") from error

    def close(self) -> None:
        self._lines.close()

    def ask(self, service: str, method: str, body: str, timeout: float) -> Any:
        """The text of the reply to a request's text. Raises ``Unavailable``."""
        deadline = monotonic() + timeout
        try:
            with self._lines.line(timeout) as line:
                reply = line.call(service, method, body, max(0.01, deadline - monotonic()))
        except Unroutable as error:
            raise Unavailable(service, "no such service has ever started") from error
        except TimeoutError as error:
            raise Unavailable(service, f"no answer in {timeout:g} s") from error
        except BROKER_ERRORS as error:
            log.warning("broker failed a call", to=service, method=method, error=type(error).__name__)
            raise Unavailable(service, "the broker is not reachable") from error
        if not isinstance(reply, dict) or reply.get("error"):
            error_type = reply.get("error", {}).get("exc_type") if isinstance(reply, dict) else "malformed"
            log.error("call failed there", to=service, method=method, error=error_type)
            raise Unavailable(service, "it failed")
        return reply.get("result")
