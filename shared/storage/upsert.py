"""Inserts that may meet a row that is already there. PostgreSQL's construct also compiles for SQLite."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import Insert, insert

Values = Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""Many rows are better given to ``execute`` beside the statement, which then is compiled once and not each time."""


def insert_or_ignore(table: sa.Table, values: Values | None = None) -> sa.Insert:
    """An INSERT that leaves rows alone that a primary or unique key already knows.

    ``rowcount`` of its result (of one row) and ``.returning(...)`` (of many) tell which were new.
    """
    return _insert(table, values).on_conflict_do_nothing()


def upsert(
    table: sa.Table, values: Values | None = None, *, key: Iterable[str], update: Iterable[str]
) -> sa.Insert:
    """An INSERT that, where a row has the same ``key`` columns, sets its ``update`` columns to the new values."""
    statement = _insert(table, values)
    return statement.on_conflict_do_update(
        index_elements=list(key), set_={column: statement.excluded[column] for column in update}
    )


def _insert(table: sa.Table, values: Values | None) -> Insert:
    return insert(table) if values is None else insert(table).values(values)
