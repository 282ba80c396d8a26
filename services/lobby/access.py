"""Who may know of a match, and who may change it. A match one may not know of is not found, like one that never was."""

from collections.abc import Sequence

from services.lobby import store
from services.lobby.store import Row
from shared.contracts.base import Refusal
from shared.storage.database import Transaction
from shared.storage.text import storable


def unknown() -> Refusal:
    return Refusal("not-found", "There is no such match.")


def known(tx: Transaction, account: str, match: str, *, lock: bool = False) -> Row:
    """The match, if ``account`` may know of it; else it is not found."""
    row = find(tx, match, lock=lock)
    if row.visibility != "public" and seat_of(store.seats_of(tx, [match])[match], account) is None:
        raise unknown()
    return row


def find(tx: Transaction, match: str, *, lock: bool = False) -> Row:
    row = store.match(tx, match, lock=lock) if storable(match) else None
    if row is None:
        raise unknown()
    return row


def seat_of(taken: Sequence[Row], account: str) -> Row | None:
    return next((row for row in taken if row.account == account), None)


def lock_as_creator(tx: Transaction, account: str, match: str) -> Row:
    row = known(tx, account, match, lock=True)
    if row.creator != account:
        raise Refusal("forbidden", "Only the match's creator may do this.")
    return row


def check_open(row: Row) -> None:
    """Refuses what only an open lobby allows."""
    if row.status == store.ENDED:
        raise Refusal("match-ended", "The match has ended.")
    if row.status != store.LOBBY:
        raise Refusal("match-started", "The match has started.")
