"""Column types that mean the same on PostgreSQL and SQLite."""

from datetime import UTC, datetime

import sqlalchemy as sa


class UTCDateTime(sa.types.TypeDecorator[datetime]):
    """An instant: aware in, aware UTC out. SQLite stores it without an offset, so that texts sort as times do."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"an instant needs an offset: {value!r}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


BigId = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""A counted primary key. SQLite counts only INTEGER ones by itself."""
