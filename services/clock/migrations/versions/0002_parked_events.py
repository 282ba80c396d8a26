"""Events that were set aside are found at once."""

from alembic import op

from shared.storage import event_tables

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    event_tables.index_parked(op)


def downgrade() -> None:
    op.drop_index("inbox_parked", table_name="inbox")
