"""What the rest of the match tells: seats, the next list after each tick, deadlines, the end."""

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from services.orders import store
from services.orders.store import matches, snapshots, ticks
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchClosed, MatchStarted, SeatResigned
from shared.contracts.resolution import TickOutcome
from shared.rulesets import ruleset
from shared.storage.database import Transaction
from shared.storage.deflate import deflate
from shared.storage.match_rows import lock_matches
from shared.storage.upsert import insert_or_ignore, upsert


def seat_players(tx: Transaction, event: MatchStarted) -> None:
    seated = [(seat.account, seat.seat, seat.faction) for seat in event.seats]
    store.add_match(tx, event.match, event.ruleset, seated)


def resign(tx: Transaction, event: SeatResigned) -> None:
    """Raises ``NotYet`` before the match's start."""
    lock_matches(tx, matches, [event.match])
    store.resign(tx, event.match, event.account)


def turn_pages(tx: Transaction, events: Sequence[TickOutcome]) -> None:
    """Keeps the results of each tick and opens the list of the next, unless the match is over."""
    known = lock_matches(tx, matches, [event.match for event in events])
    results = [
        {
            "the_match": event.match,
            "the_tick": event.tick,
            "the_results": deflate(msgspec.json.encode(event.results)),
        }
        for event in events
        if event.tick > 0
    ]
    if results:
        tx.execute(_KEEP_RESULTS, results)
    for event in events:
        if event.ended:
            end(tx, event.match)
    open_lists(
        tx,
        [
            event
            for event in events
            if not event.ended and not known[event.match].ended and known[event.match].tick <= event.tick
        ],
    )


def open_lists(tx: Transaction, events: Sequence[TickOutcome]) -> None:
    """Each match's list of the tick after the one told."""
    if not events:
        return
    now = tx.now()
    turned = [
        {
            "the_match": event.match,
            "the_tick": event.tick + 1,
            "early": any(window.needed for window in ruleset(event.ruleset).windows(bytes(event.state))),
        }
        for event in events
    ]
    opened = [
        {"match": event.match, "tick": event.tick + 1, "opened_at": now, "answered": False}
        for event in events
    ]
    copies = [
        {"match": event.match, "tick": event.tick + 1, "state": deflate(event.state)} for event in events
    ]
    tx.execute(_TURN, turned)
    tx.execute(_OPEN, opened)
    tx.execute(_KEEP_STATE, copies)


def note_deadlines(tx: Transaction, events: Sequence[DeadlineSet]) -> None:
    """The newest word counts (see ``DeadlineSet``)."""
    known = lock_matches(tx, matches, [event.match for event in events])
    news = [
        {
            "the_match": event.match,
            "the_tick": event.tick,
            "the_revision": event.revision,
            "at": event.at,
        }
        for event in events
        if _is_news(event, known[event.match])
    ]
    if news:
        tx.execute(_NOTE_DEADLINE, news)


def _is_news(event: DeadlineSet, known: sa.Row[Any]) -> bool:
    latest = (known.deadline_tick, known.deadline_revision, known.deadline)
    return known.deadline is None or (event.tick, event.revision, event.at) > latest


def close(tx: Transaction, event: MatchClosed) -> None:
    lock_matches(tx, matches, [event.match])
    end(tx, event.match)


def end(tx: Transaction, match: str) -> None:
    tx.execute(sa.update(matches).where(matches.c.match == match).values(ended=True))
    tx.execute(sa.delete(snapshots).where(snapshots.c.match == match))


_THE_MATCH: sa.BindParameter[str] = sa.bindparam("the_match")
_KEEP_RESULTS = (
    sa.update(ticks)
    .where(ticks.c.match == _THE_MATCH, ticks.c.tick == sa.bindparam("the_tick"))
    .values(results=sa.bindparam("the_results"))
)
_TURN = (
    sa.update(matches)
    .where(matches.c.match == _THE_MATCH)
    .values(tick=sa.bindparam("the_tick"), closes_early=sa.bindparam("early"))
)
_OPEN = insert_or_ignore(ticks)
_KEEP_STATE = upsert(snapshots, key=["match"], update=["tick", "state"])
_NOTE_DEADLINE = (
    sa.update(matches)
    .where(matches.c.match == _THE_MATCH)
    .values(
        deadline_tick=sa.bindparam("the_tick"),
        deadline_revision=sa.bindparam("the_revision"),
        deadline=sa.bindparam("at"),
    )
)
