"""Tables of the lobby, and the queries on them.

Whatever changes a match or its seats holds the match's row locked. Whoever takes a seat locks the player's own
row first and the match's after it, so that limits of one account hold and no two wait for each other.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from shared.storage import event_tables, idempotency
from shared.storage.database import Transaction
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

LOBBY, STARTING, RUNNING, ENDED = "lobby", "starting", "running", "ended"
"""A match is ``starting`` from its start until tick 0 is told; everyone still sees it in the lobby."""

metadata = sa.MetaData()
event_tables.attach(metadata)
idempotency.attach(metadata)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("visibility", sa.Text, nullable=False),
    sa.Column("practice", sa.Boolean, nullable=False),
    sa.Column("seats_total", sa.Integer, nullable=False),
    sa.Column("cadence_seconds", sa.Integer, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("creator", sa.Text),
    sa.Column("invite_code", sa.Text),
    sa.Column("joins", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("created_at", UTCDateTime, nullable=False),
    sa.Column("touched_at", UTCDateTime, nullable=False),
    sa.Column("started_at", UTCDateTime),
    sa.Column("ended_at", UTCDateTime),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("deadline_tick", sa.Integer, nullable=False),
    sa.Column("deadline_revision", sa.Integer, nullable=False, server_default="0"),
    sa.Column("deadline", UTCDateTime),
    sa.Column("public", sa.LargeBinary, nullable=False),
    sa.Column("result", sa.LargeBinary),
    sa.UniqueConstraint("invite_code", name="matches_invite_code_key"),
    sa.Index("matches_newest", "created_at", "id"),
    sa.Index("matches_status_touched", "status", "touched_at"),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("joined", sa.Integer, nullable=False),
    sa.Column("account", sa.Text),
    sa.Column("handle", sa.Text),
    sa.Column("faction_name", sa.Text, nullable=False),
    sa.Column("folded_name", sa.Text, nullable=False),
    sa.Column("bot", sa.Text),
    sa.Column("resigned", sa.Boolean, nullable=False),
    sa.UniqueConstraint("match", "account", name="seats_match_account_key"),
    sa.UniqueConstraint("match", "folded_name", name="seats_match_folded_name_key"),
    sa.Index("seats_account", "account"),
)
"""``account`` is null for computer players; ``joined`` counts a match's joins and never repeats."""

players = sa.Table(
    "players",
    metadata,
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("gone", sa.Boolean, nullable=False),
)

Row = sa.Row[Any]


def match(tx: Transaction, id: str, *, lock: bool = False) -> Row | None:
    query = sa.select(matches).where(matches.c.id == id)
    return tx.one(query.with_for_update() if lock else query)


def lock_matches(tx: Transaction, ids: Sequence[str]) -> dict[str, Row]:
    """Those of ``ids`` that there are, by id."""
    query = sa.select(matches).where(matches.c.id.in_(ids)).order_by(matches.c.id).with_for_update()
    return {row.id: row for row in tx.all(query)}


def match_of_invite(tx: Transaction, code: str) -> Row | None:
    return tx.one(sa.select(matches).where(matches.c.invite_code == code))


def seats_of(tx: Transaction, ids: Iterable[str]) -> dict[str, list[Row]]:
    """Seats in order of their numbers, by match."""
    found: dict[str, list[Row]] = {id: [] for id in ids}
    query = sa.select(seats).where(seats.c.match.in_(found)).order_by(seats.c.match, seats.c.seat)
    for row in tx.all(query):
        found[row.match].append(row)
    return found


def list_matches(
    tx: Transaction,
    account: str,
    statuses: Sequence[str],
    mine: bool,
    before: tuple[datetime, str] | None,
    limit: int,
) -> list[Row]:
    """Newest first: what ``account`` may know of."""
    own = sa.select(seats.c.match).where(seats.c.account == account)
    known = matches.c.id.in_(own)
    query = sa.select(matches).where(known if mine else sa.or_(matches.c.visibility == "public", known))
    if statuses:
        query = query.where(matches.c.status.in_(statuses))
    if before is not None:
        query = query.where(sa.tuple_(matches.c.created_at, matches.c.id) < sa.tuple_(*_place(before)))
    return tx.all(query.order_by(matches.c.created_at.desc(), matches.c.id.desc()).limit(limit))


def survey(tx: Transaction, statuses: Sequence[str], limit: int) -> list[Row]:
    """Newest first, whatever the visibility, with ``taken``: the number of seats taken."""
    taken = sa.select(sa.func.count()).where(seats.c.match == matches.c.id).scalar_subquery().label("taken")
    query = sa.select(matches, taken)
    if statuses:
        query = query.where(matches.c.status.in_(statuses))
    return tx.all(query.order_by(matches.c.created_at.desc(), matches.c.id.desc()).limit(limit))


def add_match(tx: Transaction, row: dict[str, Any]) -> None:
    tx.execute(sa.insert(matches).values(row))


def change_match(tx: Transaction, id: str, **values: Any) -> None:
    tx.execute(sa.update(matches).where(matches.c.id == id).values(**values))


def add_seats(tx: Transaction, rows: list[dict[str, Any]]) -> None:
    tx.execute(sa.insert(seats), rows)


def remove_seat(tx: Transaction, match: str, seat: int) -> None:
    tx.execute(sa.delete(seats).where(seats.c.match == match, seats.c.seat == seat))


def replace_seats(tx: Transaction, match: str, rows: list[dict[str, Any]]) -> None:
    tx.execute(sa.delete(seats).where(seats.c.match == match))
    add_seats(tx, rows)


def change_seat(tx: Transaction, match: str, seat: int, **values: Any) -> None:
    tx.execute(sa.update(seats).where(seats.c.match == match, seats.c.seat == seat).values(**values))


def lock_player(tx: Transaction, account: str) -> Row:
    """What an account does about seats happens one after the other."""
    tx.execute(insert_or_ignore(players, {"account": account, "gone": False}))
    row = tx.one(sa.select(players).where(players.c.account == account).with_for_update())
    assert row is not None
    return row


def forget_player(tx: Transaction, account: str) -> None:
    tx.execute(sa.update(players).where(players.c.account == account).values(gone=True))


def held(tx: Transaction, account: str) -> dict[str, int]:
    """How many seats an account plays in matches that have not ended, by the match's status."""
    query = (
        sa.select(matches.c.status, sa.func.count().label("seats"))
        .join(seats, seats.c.match == matches.c.id)
        .where(seats.c.account == account, ~seats.c.resigned, matches.c.status != ENDED)
        .group_by(matches.c.status)
    )
    return {row.status: row.seats for row in tx.all(query)}


def matches_of(tx: Transaction, account: str) -> list[str]:
    query = sa.select(seats.c.match).where(seats.c.account == account).order_by(seats.c.match)
    return [row.match for row in tx.all(query)]


def unused_lobbies(tx: Transaction, before: datetime, limit: int) -> list[Row]:
    """Lobbies nobody touched since, locked; what others hold is left for the next round."""
    query = sa.select(matches).where(matches.c.status == LOBBY, matches.c.touched_at < before)
    return tx.all(query.order_by(matches.c.touched_at).limit(limit).with_for_update(skip_locked=True))


def _place(before: tuple[datetime, str]) -> tuple[Any, Any]:
    at, id = before
    return sa.literal(at, UTCDateTime), sa.literal(id, sa.Text)
