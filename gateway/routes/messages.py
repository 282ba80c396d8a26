"""Private messages between the players of a match (rules section 13)."""

from gateway.ratelimits import WRITE
from gateway.route import SEATED, Reply, Visit, route
from gateway.schemas.messages import (
    ConversationAnswer,
    ConversationsAnswer,
    MessagePage,
    MessageQuery,
    NewMessage,
    ReadUpTo,
    SentAnswer,
    Switch,
    allowance_answer,
    message_answer,
    sent_answer,
)
from shared.contracts import messaging


@route(
    "POST",
    "/v1/matches/{match}/messages",
    who=SEATED,
    status=201,
    limit=WRITE,
    creates=True,
    rules=True,
    errors=(
        "not-started",
        "match-ended",
        "message-limit",
        "undeliverable",
        "unknown-faction",
        "self",
        "eliminated",
    ),
)
def send_message(visit: Visit, match: str, body: NewMessage) -> Reply[SentAnswer]:
    """Send a message to one or more players, as one conversation."""
    sent = visit.call(
        messaging.SendMessage(account=visit.account, match=match, to=body.to, text=body.text, key=visit.key)
    )
    return Reply(sent_answer(sent), {"Location": f"/v1/matches/{match}/messages"})


@route("GET", "/v1/matches/{match}/messages", who=SEATED, errors=("not-started",))
def list_messages(visit: Visit, match: str, query: MessageQuery) -> Reply[MessagePage]:
    """Messages that one sent or got, newest first."""
    page = visit.call(
        messaging.ListMessages(
            account=visit.account,
            match=match,
            with_=query.with_,
            after=query.after,
            limit=query.limit,
            cursor=query.cursor,
        )
    )
    return Reply(MessagePage(tuple(message_answer(one) for one in page.items), page.next_cursor))


@route("GET", "/v1/matches/{match}/conversations", who=SEATED, errors=("not-started",))
def list_conversations(visit: Visit, match: str) -> Reply[ConversationsAnswer]:
    """One's conversations, what is unread in them, and what may still be sent."""
    found = visit.call(messaging.ListConversations(account=visit.account, match=match))
    items = tuple(
        ConversationAnswer(with_=one.with_, last_at=one.last_at, unread=one.unread) for one in found.items
    )
    return Reply(ConversationsAnswer(items, allowance_answer(found.allowance), found.off))


@route(
    "PUT",
    "/v1/matches/{match}/conversations/read",
    who=SEATED,
    status=204,
    limit=WRITE,
    errors=("not-started",),
)
def mark_read(visit: Visit, match: str, body: ReadUpTo) -> Reply[None]:
    """Mark a conversation read up to a message."""
    visit.call(messaging.MarkRead(account=visit.account, match=match, with_=body.with_, up_to=body.up_to))
    return Reply()


@route(
    "PUT", "/v1/matches/{match}/messages/off", who=SEATED, status=204, limit=WRITE, errors=("not-started",)
)
def switch_messages(visit: Visit, match: str, body: Switch) -> Reply[None]:
    """Switch one's messages off or on for this match; nobody is told."""
    visit.call(messaging.SwitchOff(account=visit.account, match=match, off=body.off))
    return Reply()
