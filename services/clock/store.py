"""clock's tables: the calendar, who leads, and when due ticks could be fired."""

import sqlalchemy as sa

from shared.storage import event_tables, presence
from shared.storage.types import UTCDateTime

metadata = sa.MetaData()
event_tables.attach(metadata)

OPENING, WAITING, DUE, PAUSED, ENDED = "opening", "waiting", "due", "paused", "ended"

calendar = sa.Table(
    "calendar",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("cadence_seconds", sa.Integer, nullable=False),
    sa.Column("started_at", UTCDateTime, nullable=False),
    sa.Column("opened_at", UTCDateTime, nullable=False),
    sa.Column("deadline", UTCDateTime),
    sa.Column("moved_from", UTCDateTime),
    sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
    sa.Column("answered", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("next_at", UTCDateTime),
    sa.Column("announcements", sa.Integer, nullable=False),
    sa.Column("announced_at", UTCDateTime),
    sa.Index(
        "calendar_next",
        "next_at",
        postgresql_where=sa.text("next_at IS NOT NULL"),
        sqlite_where=sa.text("next_at IS NOT NULL"),
    ),
)
"""``tick`` is the one not resolved yet, open for orders since ``opened_at``. ``next_at`` is when the row wants to
be looked at: at the deadline while it waits, for the next announcement once it is due; null for the other states.
``revision`` counts how often the tick's deadline came forward; ``answered`` if everyone has answered the tick."""

leadership = sa.Table(
    "leadership",
    metadata,
    sa.Column("office", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("holder", sa.Text, nullable=False),
    sa.Column("fence", sa.Integer, nullable=False),
    sa.Column("lease_until", UTCDateTime, nullable=False),
)
"""One row."""

firing_spans = presence.spans_table(metadata, "firing_spans")
"""When due ticks could be fired."""
