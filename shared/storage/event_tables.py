"""The outbox and inbox tables that stand beside a service's own.

In a service's ``store.py``::

    from shared.storage import event_tables

    metadata = sa.MetaData()
    event_tables.attach(metadata)

and in its first migration ``event_tables.create(op)`` (see ``shared.storage.migrations``).
"""

from typing import Any

import sqlalchemy as sa

from shared.storage.types import BigId, UTCDateTime

NAMES = ("outbox", "inbox")
PARKED = "parked_at IS NOT NULL"


def attach(metadata: sa.MetaData) -> None:
    """Adds both tables to ``metadata``."""
    sa.Table("outbox", metadata, *_outbox())
    sa.Table("inbox", metadata, *_inbox())


def create(op: Any) -> None:
    """Creates both tables in a migration; ``op`` is Alembic's."""
    metadata = sa.MetaData()
    attach(metadata)
    for name in NAMES:
        table = metadata.tables[name]
        op.create_table(name, *(column.copy() for column in table.columns), *_constraints(table))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            op.create_index(
                index.name,
                name,
                [column.name for column in index.columns],
                **dict(index.dialect_kwargs),
            )


def index_parked(op: Any) -> None:
    """For tables that ``create`` made before it made this index."""
    op.create_index("inbox_parked", "inbox", ["parked_at"], if_not_exists=True, **_where(PARKED))


def drop(op: Any) -> None:
    """Undoes ``create``."""
    for name in reversed(NAMES):
        op.drop_table(name)


def _constraints(table: sa.Table) -> list[sa.UniqueConstraint]:
    return [
        sa.UniqueConstraint(*(column.name for column in constraint.columns), name=str(constraint.name))
        for constraint in table.constraints
        if isinstance(constraint, sa.UniqueConstraint)
    ]


def _where(condition: str) -> dict[str, Any]:
    return {"postgresql_where": sa.text(condition), "sqlite_where": sa.text(condition)}


def _outbox() -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("seq", BigId, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("envelope", sa.Text, nullable=False),
        sa.Column("created_at", UTCDateTime, nullable=False),
        sa.Column("published_at", UTCDateTime),
        sa.UniqueConstraint("id", name="outbox_id_key"),
        sa.Index("outbox_unpublished", "seq", **_where("published_at IS NULL")),
        sa.Index("outbox_published", "published_at", **_where("published_at IS NOT NULL")),
    ]


def _inbox() -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("envelope", sa.Text),
        sa.Column("received_at", UTCDateTime, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_at", UTCDateTime),
        sa.Column("done_at", UTCDateTime),
        sa.Column("parked_at", UTCDateTime),
        sa.Column("error", sa.Text),
        sa.Index("inbox_waiting", "next_at", **_where("next_at IS NOT NULL")),
        sa.Index("inbox_parked", "parked_at", **_where(PARKED)),
        sa.Index("inbox_done", "done_at", **_where("done_at IS NOT NULL")),
    ]
