"""Payloads of the contract suite's first service, which calls the second."""

from shared.contracts.base import Event, Nothing, Payload, Request


class Said(Payload):
    text: str


class Ask(Request[Said]):
    """``near`` asks ``far``."""

    text: str


class Deadlock(Request[Said]):
    """Calls its own service."""


class Tell(Request[Nothing]):
    """Emits ``Told`` so many times."""

    count: int
    text: str = "news"


class Told(Event):
    match: str
    number: int
