"""How an event travels: the payload in an envelope that says what it is, and many envelopes in a message."""

import importlib
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Annotated, Any

import msgspec

from shared.contracts.base import Event, Payload

Name = Annotated[str, msgspec.Meta(pattern=r"^[!-~]{1,128}$")]


class Envelope(Payload):
    """``event`` is ``source.name``. ``match`` and ``tick`` repeat the payload's, for logs. Unknown fields are refused."""

    id: Name
    event: Name
    version: int
    at: datetime
    payload: msgspec.Raw
    correlation: Annotated[str, msgspec.Meta(pattern=r"^[!-~]{0,64}$")] = ""
    match: Name | None = None
    tick: int | None = None


class Unreadable(Exception):
    """A message that no handler can take: malformed, foreign, or of a later version."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Envelope)
_batch_decoder = msgspec.json.Decoder(list[msgspec.Raw])


def full_name(event: type[Event]) -> str:
    return f"{event.source()}.{event.event_name()}"


def seal(event: Event, *, id: str, at: datetime, correlation: str = "") -> Envelope:
    """Put an event in its envelope."""
    return Envelope(
        id=id,
        event=full_name(type(event)),
        version=event.version,
        at=at,
        payload=msgspec.Raw(_encoder.encode(event)),
        correlation=correlation,
        match=getattr(event, "match", None),
        tick=getattr(event, "tick", None),
    )


def encode(envelope: Envelope) -> str:
    return _encoder.encode(envelope).decode()


def decode(text: str | bytes) -> Envelope:
    """Raises ``Unreadable``."""
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Unreadable(f"not an envelope: {error}") from error


def encode_batch(envelopes: Iterable[str]) -> str:
    """One message's body, of envelopes that are encoded already."""
    return "[" + ",".join(envelopes) + "]"


def split_batch(body: object) -> list[str]:
    """The envelopes of a message, still encoded. Raises ``Unreadable``."""
    if not isinstance(body, str):
        raise Unreadable("a message's body is text")
    try:
        return [bytes(item).decode() for item in _batch_decoder.decode(body)]
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Unreadable(f"not a list of envelopes: {error}") from error


def open_as(kind: type[Event], envelope: Envelope) -> Any:
    """The event in ``envelope``, which must be a ``kind``. Raises ``Unreadable``."""
    if envelope.event != full_name(kind):
        raise Unreadable(f"{envelope.event} came where {full_name(kind)} is handled")
    if envelope.version != kind.version:
        raise Unreadable(f"{envelope.event} of version {envelope.version}; this process knows {kind.version}")
    try:
        return msgspec.json.decode(envelope.payload, type=kind)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Unreadable(f"{envelope.event}: {error}") from error


@cache
def event_type(name: str) -> type[Event]:
    """The contract of ``source.name``. Raises ``Unreadable`` for one that no contract has."""
    source, _, event = name.partition(".")
    if not source.isidentifier():
        raise Unreadable(f"no such event: {name}")
    try:
        contracts = importlib.import_module(f"shared.contracts.{source}")
    except ModuleNotFoundError as error:
        raise Unreadable(f"no such event: {name}") from error
    for kind in vars(contracts).values():
        if (
            isinstance(kind, type)
            and issubclass(kind, Event)
            and kind is not Event
            and full_name(kind) == name
        ):
            return kind
    raise Unreadable(f"no such event: {event} of {source}")
