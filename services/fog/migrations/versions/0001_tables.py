"""The first tables."""

import sqlalchemy as sa
from alembic import op

from shared.storage import event_tables

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("next_tick", sa.Integer, nullable=False),
        sa.Column("memory", sa.LargeBinary),
        sa.Column("map", sa.LargeBinary),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("faction", sa.Text, nullable=False),
    )
    op.create_table(
        "views",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("viewer", sa.Text, primary_key=True),
        sa.Column("view", sa.LargeBinary, nullable=False),
    )
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    op.drop_table("views")
    op.drop_table("seats")
    op.drop_table("matches")
