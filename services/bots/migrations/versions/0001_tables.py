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
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("open_tick", sa.Integer, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
    )
    op.create_table(
        "turns",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", UTCDateTime, nullable=False),
    )
    op.create_index("turns_due", "turns", ["due_at"])
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    op.drop_table("turns")
    op.drop_table("seats")
    op.drop_table("matches")
