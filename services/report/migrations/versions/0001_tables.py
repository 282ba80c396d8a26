"""The first tables."""

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
        "matches",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("started", sa.Boolean, nullable=False),
        sa.Column("next_tick", sa.Integer, nullable=False),
    )
    op.create_table(
        "viewers",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("seated", sa.Boolean, nullable=False),
        sa.Column("faction", sa.Text),
        sa.Column("latest", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "ticks",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("deadline", UTCDateTime),
        sa.Column("ran_at", UTCDateTime, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("state_hash", sa.Text, nullable=False),
        sa.Column("digests", sa.Text, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("report", sa.LargeBinary, nullable=False),
        sa.Column("nonce", sa.Text, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "deadlines",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("at", UTCDateTime, nullable=False),
        sa.Column("moved_from", UTCDateTime),
    )
    op.create_table(
        "feed_events",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("n", sa.BigInteger, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", UTCDateTime, nullable=False),
    )
    op.create_index("feed_events_at", "feed_events", ["at"])
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    op.drop_table("feed_events")
    op.drop_table("deadlines")
    op.drop_table("reports")
    op.drop_table("ticks")
    op.drop_table("viewers")
    op.drop_table("matches")
