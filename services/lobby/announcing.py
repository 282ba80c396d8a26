"""Telling everybody at a match that it, or who sits there, has changed."""

from services.lobby import access, detail, store
from shared.contracts.lobby import MatchChanged
from shared.storage.database import Transaction


def announce(tx: Transaction, match: str) -> None:
    """Call with the match's row locked, after the change."""
    row = access.find(tx, match)
    taken = store.seats_of(tx, [match])[match]
    revision = row.revision + 1
    store.change_match(tx, match, revision=revision)
    tx.emit(
        MatchChanged(
            match=match,
            status=detail.SHOWN[row.status],
            seats=detail.seats(row, taken),
            accounts=tuple(seat.account for seat in taken if seat.account is not None),
            revision=revision,
        )
    )
