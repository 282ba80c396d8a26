"""resolution's tables: matches with their claim, and every resolved tick.

States and proceedings are canonical JSON, deflated.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from shared import canonical
from shared.contracts.lobby import MatchStarted, Seat
from shared.rulesets import Json
from shared.storage import event_tables
from shared.storage.database import Transaction
from shared.storage.deflate import inflate
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

metadata = sa.MetaData()
event_tables.attach(metadata)

OPENING = -1
"""``matches.tick`` of a match that has no tick 0 yet."""

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("settings", sa.LargeBinary, nullable=False),
    sa.Column("seed", sa.Text, nullable=False),
    sa.Column("seats", sa.LargeBinary, nullable=False),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("ended", sa.Boolean, nullable=False),
    sa.Column("deadline", UTCDateTime),
    sa.Column("fence", sa.Integer, nullable=False),
    sa.Column("lease_until", UTCDateTime),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("stalled_at", UTCDateTime),
    sa.Column("error", sa.Text),
    sa.Index(
        "matches_opening",
        "match",
        postgresql_where=sa.text("tick = -1 AND NOT ended"),
        sqlite_where=sa.text("tick = -1 AND NOT ended"),
    ),
    sa.Index(
        "matches_stalled",
        "stalled_at",
        postgresql_where=sa.text("stalled_at IS NOT NULL"),
        sqlite_where=sa.text("stalled_at IS NOT NULL"),
    ),
)
"""``tick`` and ``hash`` are of the last resolved tick. The rest is the claim of the next one: ``deadline`` as
announced, ``fence`` counts claims, nobody else works on it before ``lease_until``, ``attempts`` were begun."""

ticks = sa.Table(
    "ticks",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("deadline", UTCDateTime),
    sa.Column("ran_at", UTCDateTime, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("proceedings", sa.LargeBinary),
    sa.Column("result", sa.LargeBinary),
)
"""``proceedings``: the export's fields of a tick that are neither times, state nor hash; null at tick 0."""


def add_match(tx: Transaction, event: MatchStarted) -> None:
    row = {
        "match": event.match,
        "name": event.name,
        "ruleset": event.ruleset,
        "settings": bytes(event.settings),
        "seed": event.seed,
        "seats": canonical.encode(event.seats),
        "tick": OPENING,
        "hash": "",
        "ended": False,
        "fence": 0,
        "attempts": 0,
    }
    tx.execute(insert_or_ignore(matches, row))


def match(tx: Transaction, name: str) -> sa.Row[Any] | None:
    return tx.one(sa.select(matches).where(matches.c.match == name))


def seats(row: sa.Row[Any]) -> tuple[Seat, ...]:
    """The seats of a row of ``matches``."""
    return msgspec.json.decode(row.seats, type=tuple[Seat, ...])


def states(tx: Transaction, names: Iterable[tuple[str, int]]) -> dict[str, Json]:
    """The state of a tick of each match, by match."""
    rows = tx.all(
        sa.select(ticks.c.match, ticks.c.state).where(sa.tuple_(ticks.c.match, ticks.c.tick).in_(list(names)))
    )
    return {row.match: inflate(row.state) for row in rows}


def tick(tx: Transaction, name: str, number: int) -> sa.Row[Any] | None:
    return tx.one(sa.select(ticks).where(ticks.c.match == name, ticks.c.tick == number))


def tick_times(tx: Transaction, name: str) -> list[tuple[datetime | None, datetime]]:
    """Deadline and ran_at of every tick in order, 0 included."""
    rows = tx.all(
        sa.select(ticks.c.deadline, ticks.c.ran_at).where(ticks.c.match == name).order_by(ticks.c.tick)
    )
    return [(row.deadline, row.ran_at) for row in rows]
