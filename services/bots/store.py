"""bots' tables: matches, the seats computer players hold, turns still to be played."""

import sqlalchemy as sa

from shared.storage import event_tables
from shared.storage.types import UTCDateTime

metadata = sa.MetaData()
event_tables.attach(metadata)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("open_tick", sa.Integer, nullable=False),
    sa.Column("ended", sa.Boolean, nullable=False),
)
"""``open_tick`` is the tick whose lists are open; 0 before the first are."""

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("level", sa.Text, nullable=False),
)
"""``account`` is the one that files: the computer player's own, or that of whoever resigned."""

turns = sa.Table(
    "turns",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("due_at", UTCDateTime, nullable=False),
    sa.Index("turns_due", "due_at"),
)
"""A row as long as the list of ``tick`` is to be filed. A worker that plays it puts ``due_at`` past its lease,
so that a turn whose worker died comes back; ``attempts`` is the fencing number."""
