"""The same wish twice has one effect: the first answer is kept beside the effect, in its own transaction.

A creating call carries ``key`` (``None``: not asked for). A service wraps its work::

    with self.database.begin() as tx:
        return idempotency.first_answer(tx, request, lambda: self._file(tx, request))

and brings the table along: ``idempotency.attach(metadata)`` in ``store.py``, ``idempotency.create(op)`` in a
migration. A call that is refused stores nothing, so its key stays free. Not for requests with a password in
them: what is kept must not help to guess one.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from shared.contracts.base import Refusal, Request
from shared.storage.database import Transaction
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

Answer = TypeVar("Answer")

KEEP = timedelta(hours=24)
SWEPT_AT_ONCE = 20
NAME = "first_answers"


def attach(metadata: sa.MetaData) -> None:
    """Adds the table of first answers to ``metadata``."""
    sa.Table(
        NAME,
        metadata,
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("answer", sa.LargeBinary),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.Index("first_answers_at", "at"),
    )


def create(op: Any) -> None:
    """Creates the table in a migration; ``op`` is Alembic's."""
    op.create_table(NAME, *(column.copy() for column in _answers.columns))
    op.create_index("first_answers_at", NAME, ["at"])


def drop(op: Any) -> None:
    """Undoes ``create``."""
    op.drop_table(NAME)


_metadata = sa.MetaData()
attach(_metadata)
_answers = _metadata.tables[NAME]


def first_answer(tx: Transaction, request: Request[Answer], work: Callable[[], Answer]) -> Answer:
    """What ``work`` gave the first time ``request``'s key came; else ``work()``, kept for 24 hours.

    A second call with the key waits until the first has committed. Refusal idempotency-mismatch if the first one
    asked for something else.
    """
    key: str | None = getattr(request, "key", None)
    if key is None:
        return work()
    now = tx.now()
    stale = sa.select(_answers.c.key).where(_answers.c.at < now - KEEP).order_by(_answers.c.at)
    tx.execute(
        sa.delete(_answers).where(
            _answers.c.key.in_(stale.limit(SWEPT_AT_ONCE).with_for_update(skip_locked=True))
            | ((_answers.c.key == key) & (_answers.c.at < now - KEEP))
        )
    )
    wanted = digest(request)
    row = {"key": key, "digest": wanted, "answer": None, "at": now}
    if tx.execute(insert_or_ignore(_answers, row)).rowcount == 1:
        answer = work()
        kept = sa.update(_answers).where(_answers.c.key == key)
        tx.execute(kept.values(answer=msgspec.json.encode(answer)))
        return answer
    first = tx.one(sa.select(_answers.c.digest, _answers.c.answer).where(_answers.c.key == key))
    if first is None or first.answer is None:
        raise Refusal(
            "idempotency-in-progress", "The first request with this Idempotency-Key is not done yet."
        )
    if first.digest != wanted:
        raise Refusal("idempotency-mismatch", "This Idempotency-Key came with another request before.")
    found: Answer = msgspec.json.decode(first.answer, type=type(request).answer_type())
    return found


def digest(request: Request[Any]) -> str:
    """What a request asks for, its key aside, as a SHA-256 in hex."""
    asked = {name: getattr(request, name) for name in request.__struct_fields__ if name != "key"}
    return hashlib.sha256(msgspec.json.encode(asked, order="sorted")).hexdigest()
