"""Accounts, sessions, blocks."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec

from gateway.schemas.text import GivenPassword, Handle, Password


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    handle: Handle
    password: Password


class AccountAnswer(msgspec.Struct, frozen=True):
    id: str
    handle: str
    created_at: datetime


class NewSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``cookie``: sign a browser in by a cookie instead of answering a token."""

    handle: Annotated[str, msgspec.Meta(max_length=64)]
    password: GivenPassword
    cookie: bool = False


class TokenAnswer(msgspec.Struct, frozen=True):
    """Send the token as ``Authorization: Bearer``. It is shown once."""

    token: str
    expires_at: datetime


class CookieAnswer(msgspec.Struct, frozen=True):
    """The cookie ``session`` is set; send ``csrf_token`` as X-CSRF-Token with unsafe methods."""

    csrf_token: str
    expires_at: datetime


class Me(msgspec.Struct, frozen=True, omit_defaults=True):
    """``csrf_token`` only where a cookie signed in."""

    id: str
    handle: str
    expires_at: datetime
    csrf_token: str | msgspec.UnsetType = msgspec.UNSET


class PasswordChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    current: GivenPassword
    new: Password


class Farewell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: GivenPassword


class BlockedHandle(msgspec.Struct, frozen=True):
    handle: str


class Blocks(msgspec.Struct, frozen=True):
    """Whole, not paged."""

    items: tuple[BlockedHandle, ...]
    next_cursor: Literal[None] = None
