"""Which services there are, which events each takes, and the queues that must be there before anyone publishes.

Every process declares all of them before it starts, so that no event is lost because its consumer has never run
(reliability 4).
"""

import importlib
from dataclasses import dataclass
from functools import cache

from kombu import Queue

from shared.runtime.broker import (
    DEAD_LETTER_EXCHANGE,
    DEAD_LETTER_QUEUE,
    RPC_EXCHANGE,
    Line,
    call_queue,
    event_exchange,
    event_queue,
)
from shared.runtime.envelope import full_name
from shared.runtime.service import Handling, Service, entrypoints

NAMES = ("accounts", "lobby", "orders", "messaging", "resolution", "fog", "clock", "report", "bots")


@dataclass(frozen=True)
class Taking:
    """A method of a service that takes an event."""

    service: str
    method: str
    mark: Handling

    @property
    def event(self) -> str:
        return full_name(self.mark.event)

    @property
    def queue(self) -> Queue:
        event = self.mark.event
        return event_queue(event.source(), event.event_name(), self.service, self.method)


@cache
def service_class(name: str) -> type[Service]:
    """The class in ``services.<name>.service``. Raises ``LookupError`` for a name that is not a service."""
    if name not in NAMES:
        raise LookupError(f"no service {name!r}; there are {', '.join(NAMES)}")
    module = importlib.import_module(f"services.{name}.service")
    for kind in vars(module).values():
        if isinstance(kind, type) and issubclass(kind, Service) and getattr(kind, "name", None) == name:
            return kind
    raise LookupError(f"services.{name}.service has no Service called {name!r}")


def all_services() -> list[type[Service]]:
    return [service_class(name) for name in NAMES]


def taking(service: type[Service]) -> list[Taking]:
    """Every method of ``service`` that takes events."""
    return [
        Taking(service.name, method, mark)
        for method, mark in entrypoints(service).items()
        if isinstance(mark, Handling)
    ]


def taken_events(services: list[type[Service]]) -> frozenset[str]:
    """Full names of the events that some service takes."""
    return frozenset(take.event for service in services for take in taking(service))


def declare(line: Line, services: list[type[Service]]) -> None:
    """Makes every exchange and queue that is not there yet."""
    entities = [RPC_EXCHANGE, DEAD_LETTER_EXCHANGE, DEAD_LETTER_QUEUE]
    for service in services:
        entities += [event_exchange(service.name), call_queue(service.name)]
        entities += [take.queue for take in taking(service)]
    for entity in entities:
        entity(line.channel).declare()
