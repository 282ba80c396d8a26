"""A ruleset as data, and the server's keys."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec


class RulesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """``tables``: every number a client needs. ``settings`` and ``order_kinds``: JSON Schema. ``reasons``: refusal
    codes in plain words. ``pages``: Markdown by name; ``rules`` is the rulebook. ``paces``: cadences in seconds."""

    id: str
    version: int
    title: str
    seats: Annotated[tuple[int, ...], msgspec.Meta(min_length=2, max_length=2, description="fewest and most")]
    paces: tuple[int, ...]
    levels: tuple[str, ...]
    roles: tuple[str, ...]
    tables: dict[str, Any]
    settings: dict[str, Any]
    order_kinds: dict[str, Any]
    reasons: dict[str, str]
    pages: dict[str, str]


class KeyAnswer(msgspec.Struct, frozen=True):
    """An Ed25519 public key, raw, in base64."""

    id: str
    algorithm: Literal["Ed25519"]
    public_key: str
    created_at: datetime


class KeysAnswer(msgspec.Struct, frozen=True):
    """Newest first; whole, not paged."""

    items: tuple[KeyAnswer, ...]
    next_cursor: Literal[None] = None
