"""What messaging learns of a match: its parties, who is still live, what each may send, its end."""

from services.messaging import store
from services.messaging.store import Row
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.resolution import TickResolved
from shared.runtime.service import NotYet
from shared.storage.database import Transaction


def match_started(tx: Transaction, event: MatchStarted) -> None:
    store.add_match(
        tx,
        event.match,
        [
            {
                "match": event.match,
                "faction": seat.faction,
                "account": seat.account,
                "live": True,
                "hour": 0,
                "off": False,
                "received": 0,
            }
            for seat in event.seats
        ],
    )


def tick_resolved(tx: Transaction, event: TickResolved) -> None:
    """The latest tick decides, in whatever order they come."""
    row = _lock(tx, event.match)
    if event.tick <= row.tick:
        return
    store.change_match(
        tx,
        row.id,
        tick=event.tick,
        ended=row.ended or event.ended,
        per_player=event.per_player,
    )
    for faction, party in store.parties_of(tx, row.id).items():
        live, hour = faction in event.live, event.allowances.get(faction, 0)
        if (live, hour) != (party.live, party.hour):
            store.change_party(tx, row.id, faction, live=live, hour=hour)


def match_closed(tx: Transaction, event: MatchClosed) -> None:
    store.change_match(tx, _lock(tx, event.match).id, ended=True)


def _lock(tx: Transaction, match: str) -> Row:
    row = store.match(tx, match, lock=True)
    if row is None:
        raise NotYet
    return row
