"""How much a faction may send and receive (G-02, G-03), counted from the messages that are stored."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from services.messaging import store
from services.messaging.parties import Desk
from services.messaging.store import Row
from shared.contracts.base import Refusal
from shared.contracts.messaging import Allowance
from shared.storage.database import Transaction

WINDOW = timedelta(seconds=3600)
INBOX = 60
"""Messages a player gets within the window; more cannot be delivered."""


def check(tx: Transaction, desk: Desk, to: Sequence[str], sent: Mapping[str, int], now: datetime) -> None:
    """Refusal message-limit, unless one more message to ``to`` is within the sender's limits.

    A group message counts once for the hour and once for each recipient. ``sent``: see ``store.sent_since``.
    """
    if sent.get(desk.faction, 0) >= desk.own.hour:
        raise _limit(tx, desk, "hour", {desk.faction: desk.own.hour}, now)
    full = {faction: desk.match.per_player for faction in to if sent.get(faction, 0) >= desk.match.per_player}
    if full:
        raise _limit(tx, desk, "player", full, now)


def full_inboxes(tx: Transaction, match: str, recipients: Sequence[Row], now: datetime) -> list[str]:
    """Those whose sixtieth message, counted from the latest, came within the window.

    Looks at one message an inbox and counts none: a full inbox answers as quickly as an empty one.
    """
    wanted = {party.faction: party.received - INBOX + 1 for party in recipients}
    return store.received_since(tx, match, wanted, now - WINDOW)


def allowance(desk: Desk, sent: Mapping[str, int]) -> Allowance:
    """What is left; nothing for who may not send any more."""
    may_send = desk.own.live and not desk.match.ended
    return Allowance(
        hour_left=max(0, desk.own.hour - sent.get(desk.faction, 0)) if may_send else 0,
        per_player={
            party.faction: max(0, desk.match.per_player - sent.get(party.faction, 0)) if may_send else 0
            for party in desk.others()
            if party.live
        },
    )


def _limit(tx: Transaction, desk: Desk, scope: str, full: Mapping[str, int], now: datetime) -> Refusal:
    """``full``: how many messages each of these may have got of the sender within the window."""
    waits = [
        _free_at(store.sent_times(tx, desk.match.id, desk.faction, faction, now - WINDOW), allowed, now) - now
        for faction, allowed in full.items()
    ]
    return Refusal(
        "message-limit",
        "You have sent as many messages as you may within an hour"
        + (" to one of these players." if scope == "player" else "."),
        scope=scope,
        retry_after=max(1, math.ceil(max(waits).total_seconds())),
    )


def _free_at(times: Sequence[datetime], allowed: int, now: datetime) -> datetime:
    """When so many have left the window that one more is allowed."""
    return (times[len(times) - allowed] if allowed > 0 else now) + WINDOW
