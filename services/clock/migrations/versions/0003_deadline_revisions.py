"""How often a tick's deadline came forward, and whether everyone has answered."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("calendar", sa.Column("revision", sa.Integer, nullable=False, server_default="0"))
    op.add_column("calendar", sa.Column("answered", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    with op.batch_alter_table("calendar") as calendar:
        calendar.drop_column("answered")
        calendar.drop_column("revision")
