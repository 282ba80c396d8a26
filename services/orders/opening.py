"""What the rest of the match tells: seats, the next list after each tick, deadlines, the end."""

import zlib

import msgspec
import sqlalchemy as sa

from services.orders import store
from services.orders.store import matches, snapshots, ticks
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.resolution import TickOutcome
from shared.rulesets import ruleset
from shared.runtime.service import NotYet
from shared.storage.database import Transaction
from shared.storage.upsert import insert_or_ignore, upsert


def seat_players(tx: Transaction, event: MatchStarted) -> None:
    seated = [(seat.account, seat.seat, seat.faction) for seat in event.seats]
    store.add_match(tx, event.match, event.ruleset, seated)


def turn_page(tx: Transaction, event: TickOutcome) -> None:
    """Keeps the results of the tick and opens the list of the next, unless the match is over."""
    _known(tx, event.match)
    if event.tick > 0:
        kept = zlib.compress(msgspec.json.encode(event.results), 1)
        tx.execute(
            sa.update(ticks)
            .where(ticks.c.match == event.match, ticks.c.tick == event.tick)
            .values(results=kept)
        )
    if event.ended:
        end(tx, event.match)
        return
    tick = event.tick + 1
    state = bytes(event.state)
    early = any(window.needed for window in ruleset(event.ruleset).windows(state))
    newer = (matches.c.match == event.match, matches.c.tick < tick, sa.not_(matches.c.ended))
    if tx.execute(sa.update(matches).where(*newer).values(tick=tick, closes_early=early)).rowcount == 0:
        return
    row = {"match": event.match, "tick": tick, "opened_at": tx.now(), "answered": False}
    tx.execute(insert_or_ignore(ticks, row))
    copy = {"match": event.match, "tick": tick, "state": zlib.compress(state, 1)}
    tx.execute(upsert(snapshots, copy, key=["match"], update=["tick", "state"]))


def note_deadline(tx: Transaction, event: DeadlineSet) -> None:
    """Of an earlier tick than known: old news."""
    _known(tx, event.match)
    tx.execute(
        sa.update(matches)
        .where(matches.c.match == event.match, matches.c.deadline_tick <= event.tick)
        .values(deadline_tick=event.tick, deadline=event.at)
    )


def close(tx: Transaction, event: MatchClosed) -> None:
    _known(tx, event.match)
    end(tx, event.match)


def end(tx: Transaction, match: str) -> None:
    tx.execute(sa.update(matches).where(matches.c.match == match).values(ended=True))
    tx.execute(sa.delete(snapshots).where(snapshots.c.match == match))


def _known(tx: Transaction, match: str) -> None:
    if tx.one(sa.select(matches.c.match).where(matches.c.match == match)) is None:
        raise NotYet(f"{match} has not started here")
