"""Who writes and reads in a match. Who has no seat in it is told that there is no such match."""

from dataclasses import dataclass

from services.messaging import store
from services.messaging.store import Row
from shared.contracts.base import Refusal
from shared.storage.database import Transaction
from shared.storage.text import storable


@dataclass(frozen=True)
class Desk:
    """A match as one of its parties sits in it."""

    match: Row
    own: Row
    all: dict[str, Row]

    @property
    def faction(self) -> str:
        faction: str = self.own.faction
        return faction

    def others(self) -> list[Row]:
        return [party for party in self.all.values() if party.faction != self.faction]


def seated(tx: Transaction, account: str, match: str, *, lock: bool = False) -> Desk:
    """Refusals not-found, not-started. ``lock``: nobody else sends in this match until we are done."""
    row = store.match(tx, match, lock=lock) if storable(match) else None
    everybody = store.parties_of(tx, match) if row is not None else {}
    own = next((party for party in everybody.values() if party.account == account), None)
    if row is None or own is None:
        raise Refusal("not-found", "There is no such match.")
    if row.tick < 0:
        raise Refusal("not-started", "The match has not started yet.")
    return Desk(row, own, everybody)


def conversation(factions: set[str]) -> str:
    """What a conversation is called by the party that is not among ``factions``."""
    return ",".join(sorted(factions))
