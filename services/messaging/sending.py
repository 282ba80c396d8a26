"""Sending a message (G-01 to G-03).

The match's row is locked from the first read on. That covers the sender, whose limits are counted, the inboxes
it fills, and the tick or end that might come between; so all of them hold exactly, whoever sends at once.

Whether a message is accepted or cannot be delivered, the statements are the same and touch as many rows: a refused
one is stored too, marked, and emits an event without readers. Its sender learns nothing from cost or time.
"""

from collections.abc import Sequence
from datetime import datetime

from services.messaging import limits, store
from services.messaging.parties import Desk, conversation, seated
from shared.contracts.base import Refusal
from shared.contracts.messaging import Message, MessageSent, SendMessage, Sent
from shared.runtime.service import Ports
from shared.storage import idempotency
from shared.storage.database import Transaction
from shared.storage.text import storable

LONGEST = 2_000
REFUSED = ""
"""The id told of a message that cannot be delivered. Nobody outside ever sees it."""


def send(ports: Ports, request: SendMessage) -> Sent:
    text = _check_form(request)
    with ports.database.begin() as tx:
        sent = idempotency.first_answer(tx, request, lambda: _send(ports, tx, request, text))
    if sent.message.id == REFUSED:
        raise Refusal("undeliverable", "This message cannot be delivered now.")
    return sent


def _check_form(request: SendMessage) -> str:
    text = request.text.strip()
    if not 1 <= len(text) <= LONGEST:
        raise Refusal("malformed", f"A message has 1 to {LONGEST} characters.")
    if not storable(text):
        raise Refusal("malformed", "A message holds neither NUL nor lone surrogates.")
    if not request.to or len(set(request.to)) != len(request.to):
        raise Refusal("malformed", "A message names one or more recipients, each once.")
    return text


def _send(ports: Ports, tx: Transaction, request: SendMessage, text: str) -> Sent:
    desk = seated(tx, request.account, request.match, lock=True)
    to = sorted(request.to)
    _check_parties(desk, to)
    now = tx.now()
    sent = store.sent_since(tx, desk.match.id, desk.faction, now - limits.WINDOW)
    limits.check(tx, desk, to, sent, now)
    deliverable = _deliverable(tx, desk, to, now)

    message = Message(
        id=ports.ids.new("msg"),
        sender=desk.faction,
        to=tuple(to),
        with_=conversation(set(to)),
        text=text,
        sent_at=now,
        tick=desk.match.tick,
    )
    _store(tx, desk, message, refused=not deliverable)
    counted = [desk.faction, *to]
    return Sent(
        message=message if deliverable else _unnamed(message),
        allowance=limits.allowance(desk, {**sent, **{one: sent.get(one, 0) + 1 for one in counted}}),
    )


def _check_parties(desk: Desk, to: Sequence[str]) -> None:
    if desk.match.ended:
        raise Refusal("match-ended", "The match has ended; its messages can still be read.")  # G-04
    if not desk.own.live:
        raise Refusal("eliminated", "You are out of the match and can only read.")  # G-04
    if any(faction not in desk.all for faction in to):
        raise Refusal("unknown-faction", "There is no such faction in this match.")
    if desk.faction in to:
        raise Refusal("self", "A message goes to others.")
    if not all(desk.all[faction].live for faction in to):
        raise Refusal("eliminated", "One of these factions is out of the match.")


def _deliverable(tx: Transaction, desk: Desk, to: Sequence[str], now: datetime) -> bool:
    """G-03. All is asked of all recipients before anything is decided, so that no reason is quicker than another."""
    recipients = [desk.all[faction] for faction in to]
    full = limits.full_inboxes(tx, desk.match.id, recipients, now)
    blocking = store.blocking(tx, [party.account for party in recipients], desk.own.account)
    off = [party for party in recipients if party.off]
    return not (full or off or blocking)


def _store(tx: Transaction, desk: Desk, message: Message, *, refused: bool) -> None:
    everybody = {message.sender, *message.to}
    names = {faction: conversation(everybody - {faction}) for faction in sorted(everybody)}
    number = desk.match.sent + 1
    store.add_message(
        tx,
        {
            "id": message.id,
            "match": desk.match.id,
            "n": number,
            "sender": message.sender,
            "recipients": ",".join(message.to),
            "text": message.text,
            "tick": message.tick,
            "sent_at": message.sent_at,
            "refused": refused,
        },
        [
            {
                "match": desk.match.id,
                "faction": faction,
                "n": number,
                "conversation": name,
                "sender": message.sender,
                "sent_at": message.sent_at,
                "refused": refused,
                "received": (
                    None if refused or faction == message.sender else desk.all[faction].received + 1
                ),
            }
            for faction, name in names.items()
        ],
    )
    readers = {desk.all[faction].account: name for faction, name in names.items()}
    tx.emit(MessageSent(match=desk.match.id, message=message.id, readers={} if refused else readers))


def _unnamed(message: Message) -> Message:
    return Message(
        id=REFUSED,
        sender=message.sender,
        to=message.to,
        with_=message.with_,
        text=message.text,
        sent_at=message.sent_at,
        tick=message.tick,
    )
