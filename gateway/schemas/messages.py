"""Private messages."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from gateway.schemas.text import DEFAULT_PAGE, Cursor, Id, MessageText, PageSize, Parties
from shared.contracts import messaging


class NewMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``to``: faction ids."""

    to: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=49)]
    text: MessageText


class Allowance(msgspec.Struct, frozen=True):
    """What one may still send within the hour, and to each player (rules G-02)."""

    hour_left: int
    per_player: dict[str, int]


class MessageAnswer(msgspec.Struct, frozen=True, kw_only=True, rename={"sender": "from", "with_": "with"}):
    """``with`` is the conversation: the other parties' faction ids, sorted, joined by commas."""

    id: str
    sender: str
    to: tuple[str, ...]
    with_: str
    text: str
    sent_at: datetime
    tick: int


class SentAnswer(MessageAnswer, frozen=True, kw_only=True, rename={"sender": "from", "with_": "with"}):
    """The message, and what may still be sent."""

    allowance: Allowance


class MessageQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """``with``: only this conversation. ``after``: only messages later than this message id."""

    with_: Parties | None = None
    after: Id | None = None
    limit: PageSize = DEFAULT_PAGE
    cursor: Cursor | None = None


class MessagePage(msgspec.Struct, frozen=True):
    """Newest first."""

    items: tuple[MessageAnswer, ...]
    next_cursor: str | None


class ConversationAnswer(msgspec.Struct, frozen=True, rename={"with_": "with"}):
    """``unread`` leaves out one's own."""

    with_: str
    last_at: datetime
    unread: int


class ConversationsAnswer(msgspec.Struct, frozen=True):
    """Whole, not paged. ``off``: one has switched messages off for this match."""

    items: tuple[ConversationAnswer, ...]
    allowance: Allowance
    off: bool
    next_cursor: Literal[None] = None


class ReadUpTo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"with_": "with"}):
    """Everything of the conversation up to and including message ``up_to`` is read."""

    with_: Parties
    up_to: Id


class Switch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    off: bool


def allowance_answer(found: messaging.Allowance) -> Allowance:
    return Allowance(hour_left=found.hour_left, per_player=found.per_player)


def message_answer(found: messaging.Message) -> MessageAnswer:
    return MessageAnswer(
        id=found.id,
        sender=found.sender,
        to=found.to,
        with_=found.with_,
        text=found.text,
        sent_at=found.sent_at,
        tick=found.tick,
    )


def sent_answer(found: messaging.Sent) -> SentAnswer:
    message = found.message
    return SentAnswer(
        id=message.id,
        sender=message.sender,
        to=message.to,
        with_=message.with_,
        text=message.text,
        sent_at=message.sent_at,
        tick=message.tick,
        allowance=allowance_answer(found.allowance),
    )
