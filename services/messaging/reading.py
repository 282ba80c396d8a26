"""Reading: messages, conversations, what is unread. Open to all parties for ever (G-04)."""

from services.messaging import limits, store
from services.messaging.parties import Desk, conversation, seated
from services.messaging.store import Row
from shared.contracts.base import Refusal
from shared.contracts.messaging import (
    Conversation,
    Conversations,
    ListConversations,
    ListMessages,
    MarkRead,
    Message,
    MessagePage,
)
from shared.runtime.service import Ports
from shared.storage.database import Transaction
from shared.storage.text import storable

MOST = 200


def list_messages(ports: Ports, request: ListMessages) -> MessagePage:
    """Newest first. A cursor is the id of the last message of the page before, so that it tells nothing new."""
    if not 1 <= request.limit <= MOST:
        raise Refusal("malformed", f"limit is 1 to {MOST}.")
    with ports.database.read() as tx:
        desk = seated(tx, request.account, request.match)
        rows = store.list_copies(
            tx,
            desk.match.id,
            desk.faction,
            conversation=None if request.with_ is None else _named(desk, request.with_),
            after=None if request.after is None else _number(tx, desk, request.after, "after"),
            before=None if request.cursor is None else _number(tx, desk, request.cursor, "cursor"),
            limit=request.limit + 1,
        )
    page = rows[: request.limit]
    return MessagePage(
        items=tuple(_message(row) for row in page),
        next_cursor=page[-1].id if len(rows) > request.limit else None,
    )


def list_conversations(ports: Ports, request: ListConversations) -> Conversations:
    with ports.database.read() as tx:
        desk = seated(tx, request.account, request.match)
        rows = store.conversations_of(tx, desk.match.id, desk.faction)
        sent = store.sent_since(tx, desk.match.id, desk.faction, tx.now() - limits.WINDOW)
    return Conversations(
        items=tuple(
            Conversation(with_=row.conversation, last_at=row.last_at, unread=row.unread) for row in rows
        ),
        allowance=limits.allowance(desk, sent),
        off=desk.own.off,
    )


def mark_read(ports: Ports, request: MarkRead) -> None:
    with ports.database.begin() as tx:
        desk = seated(tx, request.account, request.match)
        copy = _copy(tx, desk, request.up_to)
        if copy is None or copy.conversation != conversation(set(request.with_.split(","))):
            raise Refusal("not-found", "There is no such message in this conversation.")
        store.move_read_mark(tx, desk.match.id, desk.faction, copy.conversation, copy.n)


def _named(desk: Desk, with_: str) -> str:
    factions = set(with_.split(","))
    if desk.faction in factions or not factions <= desk.all.keys():
        raise Refusal("malformed", "with names the other factions of a conversation, joined by commas.")
    return conversation(factions)


def _number(tx: Transaction, desk: Desk, message: str, what: str) -> int:
    copy = _copy(tx, desk, message)
    if copy is None:
        raise Refusal("malformed", f"{what} is not one of your messages.")
    number: int = copy.n
    return number


def _copy(tx: Transaction, desk: Desk, message: str) -> Row | None:
    return store.copy_of(tx, desk.match.id, desk.faction, message) if storable(message) else None


def _message(row: Row) -> Message:
    return Message(
        id=row.id,
        sender=row.sender,
        to=tuple(row.recipients.split(",")),
        with_=row.conversation,
        text=row.text,
        sent_at=row.sent_at,
        tick=row.tick,
    )
