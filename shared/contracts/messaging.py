"""Private messages between the factions of a match, their limits and silent blocks (rules section 13)."""

from datetime import datetime

from shared.contracts.base import Event, Nothing, Payload, Request


class Allowance(Payload):
    """What the sender may still send within the hour."""

    hour_left: int
    per_player: dict[str, int]


class Message(Payload):
    """``with_`` is the conversation for this reader: the other parties' faction ids, sorted, joined by commas."""

    id: str
    sender: str
    to: tuple[str, ...]
    with_: str
    text: str
    sent_at: datetime
    tick: int


class Sent(Payload):
    message: Message
    allowance: Allowance


class MessagePage(Payload):
    items: tuple[Message, ...]
    next_cursor: str | None


class Conversation(Payload):
    with_: str
    last_at: datetime
    unread: int


class Conversations(Payload):
    items: tuple[Conversation, ...]
    allowance: Allowance
    off: bool


class BlockedAccounts(Payload):
    ids: tuple[str, ...]


class SendMessage(Request[Sent]):
    """``key``: drawn by the caller for this wish; the same wish again sends nothing and gives the same answer.

    Refusals: malformed, not-found, not-started, match-ended, eliminated, unknown-faction, self, message-limit
    (``scope``: hour or player, ``retry_after`` in seconds), undeliverable.
    """

    account: str
    match: str
    to: tuple[str, ...]
    text: str
    key: str | None = None


class ListMessages(Request[MessagePage]):
    """Newest first; ``after``: only messages later than that message id. Refusals: not-found, not-started, malformed."""

    account: str
    match: str
    with_: str | None
    after: str | None
    limit: int
    cursor: str | None


class ListConversations(Request[Conversations]):
    """Refusals: not-found, not-started."""

    account: str
    match: str


class MarkRead(Request[Nothing]):
    """Read up to and including message ``up_to``. Refusals: not-found, not-started."""

    account: str
    match: str
    with_: str
    up_to: str


class SwitchOff(Request[Nothing]):
    """Refusals: not-found, not-started."""

    account: str
    match: str
    off: bool


class BlockAccount(Request[Nothing]):
    """Refusals: self."""

    account: str
    blocked: str


class UnblockAccount(Request[Nothing]):
    account: str
    blocked: str


class ListBlocks(Request[BlockedAccounts]):
    account: str


class MessageSent(Event):
    """``readers``: account of each party and the conversation as that party names it.

    A message refused as undeliverable costs the same writes and so emits this too, with no readers.
    """

    match: str
    message: str
    readers: dict[str, str]
