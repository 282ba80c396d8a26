"""The text of calls and of their replies.

A reply is ``{"ok": ...}`` or ``{"refused": {"code", "detail", "extra"}}``: the caller's fault crosses the bus as a
value. Payloads may hold JSON that nobody on the way looks into.
"""

from typing import Any, TypeVar

import msgspec

from shared.contracts.base import Nothing, Payload, Refusal, Request
from shared.runtime.envelope import Unreadable

Answer = TypeVar("Answer")


class Refused(Payload):
    code: str
    detail: str
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


class Reply(Payload):
    ok: msgspec.Raw = msgspec.Raw(b"")
    refused: Refused | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Reply)


def encode_request(request: Request[Any]) -> str:
    return _encoder.encode(request).decode()


def encode_answer(result: Any) -> str:
    """A reply that carries ``result``; a method that returns nothing answers ``Nothing``."""
    return _encoder.encode({"ok": Nothing() if result is None else result}).decode()


def encode_refusal(refusal: Refusal) -> str:
    refused = Refused(code=refusal.code, detail=refusal.detail, extra=dict(refusal.extra))
    return _encoder.encode({"refused": refused}).decode()


def read(request: Request[Answer], body: object) -> Answer:
    """The answer to ``request``, or the ``Refusal`` it carries, raised. Raises ``Unreadable``."""
    if not isinstance(body, str):
        raise Unreadable("a reply's body is text")
    try:
        reply = _decoder.decode(body)
        if reply.refused is not None:
            raise Refusal(reply.refused.code, reply.refused.detail, **reply.refused.extra)
        if not bytes(reply.ok):
            raise Unreadable("a reply without an answer")
        found: Answer = msgspec.json.decode(reply.ok, type=request.answer_type())
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise Unreadable(f"answer of {request.receiver()}.{request.method()}: {error}") from error
    return found
