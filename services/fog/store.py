"""fog's tables: matches with the memory of their last tick, seats, views of all ticks.

Views, memory and maps are the ruleset's canonical JSON, deflated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from shared.rulesets import Json, Viewer
from shared.storage import event_tables
from shared.storage.database import Transaction
from shared.storage.deflate import deflate, inflate
from shared.storage.upsert import insert_or_ignore

metadata = sa.MetaData()
event_tables.attach(metadata)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("next_tick", sa.Integer, nullable=False),
    sa.Column("memory", sa.LargeBinary),
    sa.Column("map", sa.LargeBinary),
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("faction", sa.Text, nullable=False),
)

views = sa.Table(
    "views",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("viewer", sa.Text, primary_key=True),
    sa.Column("view", sa.LargeBinary, nullable=False),
)


@dataclass(frozen=True)
class LockedMatch:
    """``next_tick`` is the first tick without views; ``memory`` is of the tick before it."""

    ruleset: str
    next_tick: int
    memory: Json | None


@dataclass(frozen=True)
class Seen:
    """One tick's views, by viewer, and memory; deflated."""

    match: str
    tick: int
    views: Mapping[Viewer, bytes]
    memory: bytes


@dataclass(frozen=True)
class Seated:
    faction: str
    next_tick: int


def add_match(tx: Transaction, match: str, ruleset: str, factions: Mapping[str, str]) -> None:
    """``factions`` by account."""
    tx.execute(insert_or_ignore(matches, {"match": match, "ruleset": ruleset, "next_tick": 0}))
    rows = [{"match": match, "account": account, "faction": faction} for account, faction in factions.items()]
    tx.execute(insert_or_ignore(seats, rows))


def lock_matches(tx: Transaction, names: Sequence[str]) -> dict[str, LockedMatch]:
    """Those of ``names`` that there are, by match."""
    rows = tx.all(
        sa.select(matches.c.match, matches.c.ruleset, matches.c.next_tick, matches.c.memory)
        .where(matches.c.match.in_(names))
        .order_by(matches.c.match)
        .with_for_update()
    )
    return {
        row.match: LockedMatch(
            ruleset=row.ruleset,
            next_tick=row.next_tick,
            memory=None if row.memory is None else inflate(row.memory),
        )
        for row in rows
    }


def add_views(tx: Transaction, seen: Sequence[Seen]) -> None:
    tx.execute(
        sa.insert(views),
        [
            {"match": one.match, "tick": one.tick, "viewer": viewer, "view": view}
            for one in seen
            for viewer, view in one.views.items()
        ],
    )


def advance(tx: Transaction, seen: Sequence[Seen]) -> None:
    """These ticks are told: the next ones build on their memory."""
    tx.execute(
        _ADVANCE,
        [{"the_match": one.match, "the_next": one.tick + 1, "the_memory": one.memory} for one in seen],
    )


_ADVANCE = (
    sa.update(matches)
    .where(matches.c.match == sa.bindparam("the_match"))
    .values(next_tick=sa.bindparam("the_next"), memory=sa.bindparam("the_memory"))
)


def keep_map(tx: Transaction, match: str, graph: Json) -> None:
    tx.execute(sa.update(matches).where(matches.c.match == match).values(map=deflate(graph)))


def seat(tx: Transaction, match: str, account: str) -> Seated | None:
    row = tx.one(
        sa.select(seats.c.faction, matches.c.next_tick)
        .join(matches, matches.c.match == seats.c.match)
        .where(seats.c.match == match, seats.c.account == account)
    )
    return None if row is None else Seated(faction=row.faction, next_tick=row.next_tick)


def view(tx: Transaction, match: str, tick: int, viewer: Viewer) -> Json | None:
    found: bytes | None = tx.scalar(
        sa.select(views.c.view).where(views.c.match == match, views.c.tick == tick, views.c.viewer == viewer)
    )
    return None if found is None else inflate(found)


def public_map(tx: Transaction, match: str) -> Json:
    """Only for a match whose tick 0 is told."""
    found: bytes = tx.scalar(sa.select(matches.c.map).where(matches.c.match == match))
    return inflate(found)
