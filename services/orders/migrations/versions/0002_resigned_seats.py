"""Whose seat was resigned; events that were set aside are found at once."""

import sqlalchemy as sa
from alembic import op

from shared.storage import event_tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("resigned", sa.Boolean, nullable=False, server_default=sa.false()))
    event_tables.index_parked(op)


def downgrade() -> None:
    op.drop_index("inbox_parked", table_name="inbox")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("resigned")
