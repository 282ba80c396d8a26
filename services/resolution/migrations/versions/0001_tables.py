"""Matches with their claims, ticks."""

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
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("seats", sa.LargeBinary, nullable=False),
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("deadline", UTCDateTime),
        sa.Column("fence", sa.Integer, nullable=False),
        sa.Column("lease_until", UTCDateTime),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("stalled_at", UTCDateTime),
        sa.Column("error", sa.Text),
    )
    opening, stalled = sa.text("tick = -1 AND NOT ended"), sa.text("stalled_at IS NOT NULL")
    op.create_index("matches_opening", "matches", ["match"], postgresql_where=opening, sqlite_where=opening)
    op.create_index(
        "matches_stalled", "matches", ["stalled_at"], postgresql_where=stalled, sqlite_where=stalled
    )
    op.create_table(
        "ticks",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("deadline", UTCDateTime),
        sa.Column("ran_at", UTCDateTime, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("proceedings", sa.LargeBinary),
        sa.Column("result", sa.LargeBinary),
    )
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    op.drop_table("ticks")
    op.drop_table("matches")
