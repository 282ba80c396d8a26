"""Which turns are to be played: one a seat for each open list, gone with the next tick."""

from typing import Any

import sqlalchemy as sa

from services.bots.store import matches, seats, turns
from shared.contracts.lobby import MatchClosed, MatchStarted, SeatResigned
from shared.contracts.report import TickReported
from shared.runtime.service import NotYet
from shared.storage.database import Transaction
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


def plan(tx: Transaction, event: TickReported) -> None:
    """A tick is told, so the lists of the next one are open: older turns are too late, new ones begin.

    News of a tick that is not the latest is passed over. Raises ``NotYet`` before the match's start.
    """
    match = lock(tx, event.match)
    open_tick = event.tick + 1
    if match.ended or open_tick <= match.open_tick:
        return
    tx.execute(sa.delete(turns).where(turns.c.match == event.match))
    tx.execute(
        sa.update(matches)
        .where(matches.c.match == event.match)
        .values(open_tick=open_tick, ended=event.ended)
    )
    if event.ended:
        return
    due_at = tx.now()
    new = [
        {"match": event.match, "tick": open_tick, "faction": faction, "attempts": 0, "due_at": due_at}
        for (faction,) in tx.all(sa.select(seats.c.faction).where(seats.c.match == event.match))
    ]
    if new:
        tx.execute(sa.insert(turns), new)


def close(tx: Transaction, event: MatchClosed) -> None:
    lock(tx, event.match)
    tx.execute(sa.update(matches).where(matches.c.match == event.match).values(ended=True))
    tx.execute(sa.delete(turns).where(turns.c.match == event.match))


def lock(tx: Transaction, match: str) -> sa.Row[Any]:
    """The match's (open_tick, ended), locked. Raises ``NotYet`` before its start."""
    row = tx.one(
        sa.select(matches.c.open_tick, matches.c.ended).where(matches.c.match == match).with_for_update()
    )
    if row is None:
        raise NotYet(f"match {match} has not started here")
    return row
