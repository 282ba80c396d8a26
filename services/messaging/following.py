"""What messaging learns of a match: its parties, who is still live, what each may send, its end."""

from collections.abc import Sequence

import sqlalchemy as sa

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


def ticks_resolved(tx: Transaction, events: Sequence[TickResolved]) -> None:
    """The latest tick decides, in whatever order they come."""
    rows = _lock(tx, [event.match for event in events])
    latest = {event.match: event for event in events if event.tick > rows[event.match].tick}
    if not latest:
        return
    tx.execute(
        _TAKE_TICK,
        [
            {
                "the_match": match,
                "the_tick": event.tick,
                "over": rows[match].ended or event.ended,
                "most": event.per_player,
            }
            for match, event in latest.items()
        ],
    )
    for party in store.parties_of_all(tx, latest):
        event = latest[party.match]
        live, hour = party.faction in event.live, event.allowances.get(party.faction, 0)
        if (live, hour) != (party.live, party.hour):
            store.change_party(tx, party.match, party.faction, live=live, hour=hour)


def match_closed(tx: Transaction, event: MatchClosed) -> None:
    _lock(tx, [event.match])
    store.change_match(tx, event.match, ended=True)


def _lock(tx: Transaction, ids: Sequence[str]) -> dict[str, Row]:
    """By match. Raises ``NotYet`` where one has not started here."""
    rows = store.lock_matches(tx, ids)
    if missing := set(ids) - set(rows):
        raise NotYet(f"{', '.join(sorted(missing))} has not started here")
    return rows


_TAKE_TICK = (
    sa.update(store.matches)
    .where(store.matches.c.id == sa.bindparam("the_match"))
    .values(tick=sa.bindparam("the_tick"), ended=sa.bindparam("over"), per_player=sa.bindparam("most"))
)
