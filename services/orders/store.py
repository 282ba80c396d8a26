"""orders' tables: open and sealed ticks, the orders filed for them, what filing checks read, keys, readiness."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
import sqlalchemy as sa

from shared.contracts.base import Refusal
from shared.contracts.orders import OrderResult
from shared.rulesets import Json
from shared.storage import event_tables, idempotency, presence
from shared.storage.database import Transaction
from shared.storage.deflate import inflate
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

metadata = sa.MetaData()
event_tables.attach(metadata)
idempotency.attach(metadata)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("closes_early", sa.Boolean, nullable=False),
    sa.Column("ended", sa.Boolean, nullable=False),
    sa.Column("deadline_tick", sa.Integer, nullable=False),
    sa.Column("deadline_revision", sa.Integer, nullable=False, server_default="0"),
    sa.Column("deadline", UTCDateTime),
)
"""``tick`` is that of the newest list, 0 before the first; ``deadline`` is that of ``deadline_tick``."""

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("faction", sa.Text, nullable=False),
    sa.Column("resigned", sa.Boolean, nullable=False),
)
"""A computer player alone files for a seat that was ``resigned``, in its account's name."""

ticks = sa.Table(
    "ticks",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("opened_at", UTCDateTime, nullable=False),
    sa.Column("sealed_at", UTCDateTime),
    sa.Column("sealed", sa.LargeBinary),
    sa.Column("answered", sa.Boolean, nullable=False),
    sa.Column("results", sa.LargeBinary),
)
"""Filing share-locks the row, the seal locks it alone. ``sealed``: the answer that every later seal repeats."""

snapshots = sa.Table(
    "snapshots",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
)
"""The state that orders for ``tick`` are checked against: of the tick before it."""

lists = sa.Table(
    "lists",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("last_seq", sa.Integer, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
)
"""Locked by whoever changes one faction's orders of one tick."""

orders = sa.Table(
    "orders",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("id", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("filed_at", UTCDateTime, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("signature", sa.Text, nullable=False),
    sa.UniqueConstraint("match", "id", name="orders_id_key"),
)
"""``text`` is canonical; ``key`` and ``signature`` are the receipt's."""

signing_keys = sa.Table(
    "signing_keys",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("public", sa.Text, nullable=False),
    sa.Column("private", sa.LargeBinary),
    sa.Column("created_at", UTCDateTime, nullable=False),
)
"""``private`` is null for a key that a setting gives."""

ready_spans = presence.spans_table(metadata, "ready_spans")
"""When orders could be taken."""


@dataclass(frozen=True)
class Player:
    """One account's seat in a running match, and where the match stands."""

    match: str
    faction: str
    resigned: bool
    ruleset: str
    tick: int
    closes_early: bool
    ended: bool
    deadline_tick: int
    deadline: datetime | None

    @property
    def next_deadline(self) -> datetime | None:
        return self.deadline if self.deadline_tick >= self.tick else None


@dataclass(frozen=True)
class Filed:
    """One order as it is kept."""

    id: str
    seq: int
    text: str
    filed_at: datetime
    key: str
    signature: str


def player(tx: Transaction, match: str, account: str) -> Player:
    """Refusal not-found for whoever has no seat there, whether or not there is such a match."""
    row = tx.one(
        sa.select(matches, seats.c.faction, seats.c.resigned)
        .join(seats, seats.c.match == matches.c.match)
        .where(matches.c.match == match, seats.c.account == account)
    )
    if row is None:
        raise Refusal("not-found", "There is no such match.")
    return Player(
        match=match,
        faction=row.faction,
        resigned=row.resigned,
        ruleset=row.ruleset,
        tick=row.tick,
        closes_early=row.closes_early,
        ended=row.ended,
        deadline_tick=row.deadline_tick,
        deadline=row.deadline,
    )


def factions(tx: Transaction, names: Iterable[str]) -> dict[str, list[str]]:
    """Faction ids by seat, of each match named."""
    found: dict[str, list[str]] = {}
    for row in tx.all(
        sa.select(seats.c.match, seats.c.faction)
        .where(seats.c.match.in_(list(names)))
        .order_by(seats.c.match, seats.c.seat)
    ):
        found.setdefault(row.match, []).append(row.faction)
    return found


def add_match(tx: Transaction, match: str, ruleset: str, seated: Sequence[tuple[str, int, str]]) -> None:
    """``seated``: account, seat and faction of each player."""
    row = {
        "match": match,
        "ruleset": ruleset,
        "tick": 0,
        "closes_early": False,
        "ended": False,
        "deadline_tick": 0,
    }
    tx.execute(insert_or_ignore(matches, row))
    rows = [
        {"match": match, "account": a, "seat": seat, "faction": f, "resigned": False} for a, seat, f in seated
    ]
    tx.execute(insert_or_ignore(seats, rows))


def resign(tx: Transaction, match: str, account: str) -> None:
    own = (seats.c.match == match, seats.c.account == account)
    tx.execute(sa.update(seats).where(*own).values(resigned=True))


def snapshot(tx: Transaction, match: str, tick: int) -> Json | None:
    """The state that orders for ``tick`` are checked against, while that list is the newest."""
    found: bytes | None = tx.scalar(
        sa.select(snapshots.c.state).where(snapshots.c.match == match, snapshots.c.tick == tick)
    )
    return None if found is None else inflate(found)


def is_open(tx: Transaction, match: str, tick: int) -> bool:
    """Whether the tick takes orders at this moment, without a lock."""
    found = tx.one(sa.select(ticks.c.sealed_at).where(ticks.c.match == match, ticks.c.tick == tick))
    return found is not None and found.sealed_at is None


def version(tx: Transaction, player: Player, tick: int) -> int:
    """Counts the changes of a list from 0."""
    found: int | None = tx.scalar(sa.select(lists.c.version).where(*_own(lists, player, tick)))
    return found or 0


def filed(tx: Transaction, player: Player, tick: int) -> list[Filed]:
    """One faction's orders of one tick by seq."""
    rows = tx.all(
        sa.select(
            orders.c.id, orders.c.seq, orders.c.text, orders.c.filed_at, orders.c.key, orders.c.signature
        )
        .where(*_own(orders, player, tick))
        .order_by(orders.c.seq)
    )
    return [Filed(**row._mapping) for row in rows]


def results(tx: Transaction, match: str, tick: int) -> dict[str, OrderResult]:
    """What became of everybody's orders, by order id; empty before the tick is resolved."""
    found: bytes | None = tx.scalar(
        sa.select(ticks.c.results).where(ticks.c.match == match, ticks.c.tick == tick)
    )
    return {} if found is None else msgspec.json.decode(inflate(found), type=dict[str, OrderResult])


def _own(table: sa.Table, player: Player, tick: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (table.c.match == player.match, table.c.tick == tick, table.c.faction == player.faction)
