"""Who is seated in a match: from the lobby on for the feed, with a faction from the start on for reports.

Computer players read no feed. An account that resigned its seat keeps reading.
"""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from services.report.store import matches, viewers
from shared.contracts.base import Refusal
from shared.contracts.lobby import MatchChanged, MatchStarted, Seat
from shared.runtime.service import NotYet
from shared.storage.database import Transaction
from shared.storage.upsert import insert_or_ignore, upsert


def is_person(seat: Seat) -> bool:
    return seat.bot is None or seat.resigned


def start(tx: Transaction, event: MatchStarted) -> None:
    """The seats are final: each person's faction is known."""
    lock(tx, event.match)
    tx.execute(sa.update(matches).where(matches.c.match == event.match).values(started=True))
    seat_people(tx, event.match, {seat.account: seat.faction for seat in event.seats if is_person(seat)})


def change(tx: Transaction, event: MatchChanged) -> bool:
    """Takes over the seats, until the match starts. False if later news came before."""
    match = lock(tx, event.match)
    if event.revision < match.revision:
        return False
    tx.execute(sa.update(matches).where(matches.c.match == event.match).values(revision=event.revision))
    if not match.started:
        seat_people(tx, event.match, {seat.account: None for seat in event.seats if is_person(seat)})
    return True


def seat_people(tx: Transaction, match: str, factions: Mapping[str, str | None]) -> None:
    """Exactly these accounts are seated, each with its faction if it is known."""
    tx.execute(
        sa.update(viewers)
        .where(viewers.c.match == match, viewers.c.seated, viewers.c.account.not_in(factions))
        .values(seated=False)
    )
    rows = [
        {"match": match, "account": account, "seated": True, "faction": faction, "latest": 0}
        for account, faction in sorted(factions.items())
    ]
    if rows:
        tx.execute(upsert(viewers, rows, key=("match", "account"), update=("seated", "faction")))


def lock(tx: Transaction, match: str) -> sa.Row[int, bool]:
    """The match's (revision, started), made if it is new, locked."""
    known = sa.select(matches.c.revision, matches.c.started).where(matches.c.match == match).with_for_update()
    found = tx.connection.execute(known).one_or_none()
    if found is None:
        new = {"match": match, "revision": 0, "started": False, "next_tick": 0}
        tx.execute(insert_or_ignore(matches, new))
        found = tx.connection.execute(known).one()
    return found


def lock_started(tx: Transaction, names: Sequence[str]) -> dict[str, int]:
    """The first tick that is not told yet, by match, with the matches locked. Raises ``NotYet`` before one's start."""
    rows = tx.all(
        sa.select(matches.c.match, matches.c.next_tick)
        .where(matches.c.match.in_(names), matches.c.started)
        .order_by(matches.c.match)
        .with_for_update()
    )
    found = {row.match: row.next_tick for row in rows}
    if missing := set(names) - set(found):
        raise NotYet(f"{', '.join(sorted(missing))} has not started here")
    return found


def advance(tx: Transaction, ticks: Mapping[str, int]) -> set[str]:
    """Locks the matches and counts a tick of each as told; the matches whose tick was not told before.

    Raises ``NotYet`` before one's turn.
    """
    told = set()
    for match, next_tick in lock_started(tx, list(ticks)).items():
        if ticks[match] > next_tick:
            raise NotYet(f"tick {next_tick} of match {match} comes first")
        if ticks[match] == next_tick:
            told.add(match)
    if told:
        counted = sa.update(matches).where(matches.c.match.in_(told))
        tx.execute(counted.values(next_tick=matches.c.next_tick + 1))
    return told


def reader(tx: Transaction, match: str, account: str) -> str:
    """The faction whose reports ``account`` may read. Refusals: not-found (no such match or no seat), not-started."""
    row = tx.one(
        sa.select(viewers.c.faction, matches.c.next_tick)
        .join(matches, matches.c.match == viewers.c.match)
        .where(viewers.c.match == match, viewers.c.account == account, viewers.c.seated)
    )
    if row is None:
        raise Refusal("not-found", "There is no such match.")
    if row.faction is None or row.next_tick == 0:
        raise Refusal("not-started", "The match has not started.")
    faction: str = row.faction
    return faction
