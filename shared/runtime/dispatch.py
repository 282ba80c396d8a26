"""Runs one call or one message against a service: text in, text out. Every host goes through here."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import structlog

from shared.contracts.base import Event, Refusal, Request
from shared.runtime import metrics, replies
from shared.runtime.envelope import Unreadable, decode, full_name, open_as
from shared.runtime.service import Answering, Handling, Service, entrypoints
from shared.storage import inbox
from shared.storage.database import Transaction
from shared.storage.inbox import Handle, Handler, Outcome

log = structlog.get_logger()


def answer(service: Service, method: str, body: object, correlation: str = "") -> str:
    """The reply to a call of ``method``; a ``Refusal`` is a reply too.

    Raises ``Unreadable`` for a body that no caller of ours sends, and whatever else the method raises.
    """
    mark = entrypoints(type(service)).get(method)
    if not isinstance(mark, Answering):
        raise Unreadable(f"{service.name} answers no call {method}")
    if not isinstance(body, str):
        raise Unreadable("a call's body is text")
    try:
        request = msgspec.json.decode(body, type=mark.request)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Unreadable(f"{service.name}.{method}: {error}") from error
    with _bound(request, correlation, service.name), metrics.timed_call(service.name, method) as outcome:
        try:
            result = getattr(service, method)(request)
        except Refusal as refusal:
            outcome.result = "refused"
            return replies.encode_refusal(refusal)
        return replies.encode_answer(result)


def handlers(service: Service) -> dict[str, Handler]:
    """What the service's inbox takes, by event name. Raises ``TypeError`` where two methods take one event."""
    found: dict[str, Handler] = {}
    for method, mark in entrypoints(type(service)).items():
        if isinstance(mark, Handling) and mark.inbox:
            name = full_name(mark.event)
            if name in found:
                raise TypeError(f"{service.name} handles {name} twice")
            handle = getattr(service, method)
            if not mark.together:
                handle = _one_by_one(handle)
            found[name] = Handler(mark.event, _timed(service.name, name, handle), mark.together)
    return found


def deliver(service: Service, envelopes: Sequence[str]) -> Outcome:
    """Hands a message's events to the methods marked ``handles``, through the inbox."""
    with structlog.contextvars.bound_contextvars(service=service.name):
        outcome = inbox.deliver(service.database, handlers(service), envelopes)
    _count(service.name, outcome)
    return outcome


def retry_due(service: Service) -> Outcome:
    """Tries again the events that wait in the inbox and are due."""
    with structlog.contextvars.bound_contextvars(service=service.name):
        outcome = inbox.retry_due(service.database, handlers(service))
    _count(service.name, outcome)
    return outcome


def hear(service: Service, method: str, envelopes: Sequence[str]) -> None:
    """Hands a message's events to a method marked ``hears``, each for itself.

    A failure is logged and let go: who emits such an event emits it again until the work is done.
    """
    mark = entrypoints(type(service))[method]
    assert isinstance(mark, Handling)
    name = full_name(mark.event)
    for text in envelopes:
        try:
            envelope = decode(text)
            event = open_as(mark.event, envelope)
        except Unreadable as error:
            inbox.park(service.database, name, text, str(error))
            continue
        with (
            _bound(event, envelope.correlation, service.name),
            metrics.timed_event(service.name, name) as outcome,
        ):
            try:
                getattr(service, method)(event)
            except Exception as error:
                outcome.result = "failed"
                log.error("event failed", event_name=name, event_id=envelope.id, exc_info=error)


def _one_by_one(handle: Callable[[Event, Transaction], None]) -> Handle:
    def handle_each(events: Sequence[Event], tx: Transaction) -> None:
        for event in events:
            handle(event, tx)

    return handle_each


def _timed(service: str, name: str, handle: Handle) -> Handle:
    def handle_timed(events: Sequence[Event], tx: Transaction) -> None:
        with metrics.timed_event(service, name):
            handle(events, tx)

    return handle_timed


def _bound(payload: Request[Any] | Event, correlation: str, service: str) -> Any:
    return structlog.contextvars.bound_contextvars(
        service=service,
        correlation=correlation,
        match=getattr(payload, "match", None),
        tick=getattr(payload, "tick", None),
    )


def _count(service: str, outcome: Outcome) -> None:
    for result in ("handled", "repeated", "waiting", "failed", "parked"):
        metrics.EVENTS.labels(service, result).inc(getattr(outcome, result))
