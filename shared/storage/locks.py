"""Waiting for rows that another transaction has locked: for how long, and how it shows that it was too long.

On SQLite nobody locks a row: one writes at a time.
"""

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from shared.storage.database import Transaction

NOT_AVAILABLE = "55P03"


def wait_at_most(tx: Transaction, milliseconds: int) -> None:
    """For each lock that ``tx`` asks for from now on."""
    if tx.postgresql:
        tx.execute(sa.select(sa.func.set_config("lock_timeout", str(milliseconds), True)))


def waited_too_long(error: DBAPIError) -> bool:
    return getattr(error.orig, "sqlstate", None) == NOT_AVAILABLE
