"""Tables of accounts, and the queries on them."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from shared.storage import event_tables
from shared.storage.database import Transaction
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

metadata = sa.MetaData()
event_tables.attach(metadata)

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("handle", sa.Text, nullable=False),
    sa.Column("wish", sa.Text),
    sa.Column("password_hash", sa.Text),
    sa.Column("created_at", UTCDateTime, nullable=False),
    sa.Column("disabled_at", UTCDateTime),
    sa.Column("deleted_at", UTCDateTime),
    sa.UniqueConstraint("handle", name="accounts_handle_key"),
    sa.UniqueConstraint("wish", name="accounts_wish_key"),
)
"""A deleted account keeps its row without a password, so that nobody else can take its handle and seem to be it.
``wish`` is the key of the call that made it, for a day."""

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("token_digest", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("csrf", sa.Text, nullable=False),
    sa.Column("cookie", sa.Boolean, nullable=False),
    sa.Column("created_at", UTCDateTime, nullable=False),
    sa.Column("expires_at", UTCDateTime, nullable=False),
    sa.Index("sessions_account", "account"),
    sa.Index("sessions_expires_at", "expires_at"),
)


def add_account(tx: Transaction, row: dict[str, object]) -> bool:
    """False if the handle has ever been given or the wish has been fulfilled."""
    return tx.execute(insert_or_ignore(accounts, row)).rowcount == 1


def by_handle(tx: Transaction, handle: str, *, lock: bool = False) -> sa.Row[Any] | None:
    """The account, unless it is deleted."""
    return _account(tx, accounts.c.handle == handle, lock)


def by_id(tx: Transaction, account: str, *, lock: bool = False) -> sa.Row[Any] | None:
    """The account, unless it is deleted."""
    return _account(tx, accounts.c.id == account, lock)


def _account(tx: Transaction, condition: sa.ColumnElement[bool], lock: bool) -> sa.Row[Any] | None:
    query = sa.select(accounts).where(condition, accounts.c.deleted_at.is_(None))
    return tx.one(query.with_for_update() if lock else query)


def wished(tx: Transaction, wish: str) -> sa.Row[Any] | None:
    """The account that this wish made."""
    return tx.one(sa.select(accounts).where(accounts.c.wish == wish))


def forget_wishes(tx: Transaction, before: datetime) -> None:
    old = sa.update(accounts).where(accounts.c.wish.is_not(None), accounts.c.created_at < before)
    tx.execute(old.values(wish=None))


def names(tx: Transaction, ids: tuple[str, ...]) -> dict[str, str | None]:
    """Handle by id; null for deleted accounts, ids that never were are left out."""
    query = sa.select(accounts.c.id, accounts.c.handle, accounts.c.deleted_at).where(accounts.c.id.in_(ids))
    return {row.id: None if row.deleted_at else row.handle for row in tx.all(query)}


def change_account(tx: Transaction, account: str, **values: object) -> None:
    tx.execute(sa.update(accounts).where(accounts.c.id == account).values(**values))


def add_session(tx: Transaction, row: dict[str, object]) -> None:
    """Leaves a session alone that already has this token."""
    tx.execute(insert_or_ignore(sessions, row))


def session(tx: Transaction, token_digest: str, now: datetime) -> sa.Row[Any] | None:
    """The session with its account's ``handle``, while it has not expired and the account may sign in."""
    query = (
        sa.select(sessions, accounts.c.handle)
        .join(accounts, accounts.c.id == sessions.c.account)
        .where(
            sessions.c.token_digest == token_digest,
            sessions.c.expires_at > now,
            accounts.c.deleted_at.is_(None),
            accounts.c.disabled_at.is_(None),
        )
    )
    return tx.one(query)


def end_sessions(tx: Transaction, condition: sa.ColumnElement[bool]) -> dict[str, tuple[str, ...]]:
    """Deletes them; token digests by account."""
    ended: dict[str, tuple[str, ...]] = {}
    gone = sa.delete(sessions).where(condition).returning(sessions.c.account, sessions.c.token_digest)
    for account, token_digest in sorted(tuple(row) for row in tx.all(gone)):
        ended[account] = (*ended.get(account, ()), token_digest)
    return ended
