"""Which turns are to be played: one a seat for each open list, gone with the next tick."""

from collections.abc import Sequence

import sqlalchemy as sa

from services.bots.store import matches, seats, turns
from shared.contracts.lobby import MatchClosed, MatchStarted, SeatResigned
from shared.contracts.report import TickReported
from shared.storage.database import Transaction
from shared.storage.match_rows import lock_matches
from shared.storage.upsert import insert_or_ignore


def start(tx: Transaction, event: MatchStarted) -> None:
    new = {"match": event.match, "ruleset": event.ruleset, "open_tick": 0, "ended": False}
    tx.execute(insert_or_ignore(matches, new))
    held = [
        {"match": event.match, "faction": seat.faction, "account": seat.account, "level": seat.bot}
        for seat in event.seats
        if seat.bot is not None
    ]
    if held:
        tx.execute(insert_or_ignore(seats, held))


def take_over(tx: Transaction, event: SeatResigned) -> None:
    """What the resigned player filed for the open tick stays; the computer player starts with the next list."""
    row = {
        "match": event.match,
        "faction": event.faction,
        "account": event.account,
        "level": event.level,
    }
    tx.execute(insert_or_ignore(seats, row))


def plan(tx: Transaction, events: Sequence[TickReported]) -> None:
    """A tick is told, so the lists of the next one are open: older turns are too late, new ones begin.

    News of a tick that is not the latest is passed over. Raises ``NotYet`` before a match's start.
    """
    known = lock_matches(tx, matches, [event.match for event in events])
    latest = [
        event
        for event in events
        if not known[event.match].ended and event.tick >= known[event.match].open_tick
    ]
    if not latest:
        return
    tx.execute(sa.delete(turns).where(turns.c.match.in_([event.match for event in latest])))
    tx.execute(
        _OPEN,
        [{"the_match": event.match, "the_tick": event.tick + 1, "over": event.ended} for event in latest],
    )
    open_ticks = {event.match: event.tick + 1 for event in latest if not event.ended}
    held = tx.all(sa.select(seats.c.match, seats.c.faction).where(seats.c.match.in_(open_ticks)))
    if held:
        due_at = tx.now()
        new = [
            {
                "match": seat.match,
                "tick": open_ticks[seat.match],
                "faction": seat.faction,
                "attempts": 0,
                "due_at": due_at,
            }
            for seat in held
        ]
        tx.execute(sa.insert(turns), new)


_OPEN = (
    sa.update(matches)
    .where(matches.c.match == sa.bindparam("the_match"))
    .values(open_tick=sa.bindparam("the_tick"), ended=sa.bindparam("over"))
)


def close(tx: Transaction, event: MatchClosed) -> None:
    lock_matches(tx, matches, [event.match])
    tx.execute(sa.update(matches).where(matches.c.match == event.match).values(ended=True))
    tx.execute(sa.delete(turns).where(turns.c.match == event.match))
