"""Events that a service has set aside for people, since they keep failing. Every service answers these calls."""

from datetime import datetime

from shared.contracts.base import Nothing, Payload, Request


class ParkedEvent(Payload):
    """``event``: its full name, ``source.event``. ``match``: null where the event is of none, or cannot be read."""

    id: str
    event: str
    match: str | None
    received_at: datetime
    parked_at: datetime
    attempts: int
    error: str


class ParkedEvents(Payload):
    """``items``: the longest parked first. ``count``: all of them, also those beyond the first."""

    items: tuple[ParkedEvent, ...]
    count: int


class SurveyParked(Request[ParkedEvents]):
    at: str

    def receiver(self) -> str:
        return self.at


class Unparked(Payload):
    count: int


class UnparkEvents(Request[Unparked]):
    """They are tried again from the beginning: all, or the one named. Refusal: ``not-found``."""

    at: str
    id: str | None = None

    def receiver(self) -> str:
        return self.at


class DropParked(Request[Nothing]):
    """It is never handled, as if it had been. Refusal: ``not-found``."""

    at: str
    id: str

    def receiver(self) -> str:
        return self.at
