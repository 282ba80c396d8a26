"""The calendar, the leader, when due ticks could be fired."""

import sqlalchemy as sa
from alembic import op

from shared.storage import event_tables
from shared.storage.types import UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calendar",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("cadence_seconds", sa.Integer, nullable=False),
        sa.Column("started_at", UTCDateTime, nullable=False),
        sa.Column("opened_at", UTCDateTime, nullable=False),
        sa.Column("deadline", UTCDateTime),
        sa.Column("moved_from", UTCDateTime),
        sa.Column("next_at", UTCDateTime),
        sa.Column("announcements", sa.Integer, nullable=False),
        sa.Column("announced_at", UTCDateTime),
    )
    wanted = sa.text("next_at IS NOT NULL")
    op.create_index("calendar_next", "calendar", ["next_at"], postgresql_where=wanted, sqlite_where=wanted)
    op.create_table(
        "leadership",
        sa.Column("office", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("lease_until", UTCDateTime, nullable=False),
    )
    op.create_table(
        "firing_spans",
        sa.Column("start", UTCDateTime, primary_key=True),
        sa.Column("end", UTCDateTime, nullable=False),
    )
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    for table in ("firing_spans", "leadership", "calendar"):
        op.drop_table(table)
