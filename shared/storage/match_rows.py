"""The rows that a service keeps of its matches, locked while an event changes them."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from shared.storage.database import Transaction
from shared.storage.inbox import NotYet


def lock_matches(tx: Transaction, table: sa.Table, names: Sequence[str]) -> dict[str, sa.Row[Any]]:
    """The rows by ``match``, locked in one order for everybody. Raises ``NotYet`` where one has not started here."""
    rows = tx.all(sa.select(table).where(table.c.match.in_(names)).order_by(table.c.match).with_for_update())
    found = {row.match: row for row in rows}
    if missing := set(names) - set(found):
        raise NotYet(f"{', '.join(sorted(missing))} has not started here")
    return found
