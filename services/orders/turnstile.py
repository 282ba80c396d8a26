"""A queue in front of a tick's row on PostgreSQL.

A row that some hold shared is given to each newcomer that asks to share it, ahead of whoever waits to have it
alone: a stream of orders would keep the seal waiting for as long as it flows. Advisory locks are given in turn.
The row's lock decides what is sealed; this only decides who is next.
"""

import hashlib
from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import array

from shared.storage.database import Transaction

BYTES = 8


def share(tx: Transaction, match: str, tick: int) -> None:
    """Before locking the row of one tick shared."""
    if tx.postgresql:
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock_shared(_place(match, tick))))


def alone(tx: Transaction, names: Iterable[tuple[str, int]]) -> None:
    """Before locking the rows of many ticks alone."""
    if tx.postgresql:
        # Always in one order, so that two seals never wait for each other in a ring.
        places = sorted({_place(match, tick) for match, tick in names})
        one = sa.func.unnest(array(places, type_=sa.BigInteger)).column_valued("place")
        tx.execute(sa.select(sa.func.pg_advisory_xact_lock(one)))


def _place(match: str, tick: int) -> int:
    name = f"orders/{match}/{tick}".encode()
    return int.from_bytes(hashlib.blake2b(name, digest_size=BYTES).digest(), "big", signed=True)
