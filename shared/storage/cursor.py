"""Opaque places in a list: where the next page goes on."""

import base64
import binascii

import msgspec

from shared.contracts.base import Refusal


def encode(*parts: str) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode(parts)).rstrip(b"=").decode()


def decode(cursor: str, size: int) -> list[str]:
    """The ``size`` parts of a cursor made here. Refusal malformed for anything else."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parts = msgspec.json.decode(raw, type=list[str])
    except (ValueError, binascii.Error, msgspec.DecodeError) as error:
        raise Refusal("malformed", "This cursor is not one that a list gave.") from error
    if len(parts) != size:
        raise Refusal("malformed", "This cursor is not one that a list gave.")
    return parts
