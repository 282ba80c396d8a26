"""Accounts and sessions."""

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
        "accounts",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("wish", sa.Text),
        sa.Column("password_hash", sa.Text),
        sa.Column("created_at", UTCDateTime, nullable=False),
        sa.Column("disabled_at", UTCDateTime),
        sa.Column("deleted_at", UTCDateTime),
        sa.UniqueConstraint("handle", name="accounts_handle_key"),
        sa.UniqueConstraint("wish", name="accounts_wish_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("token_digest", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("csrf", sa.Text, nullable=False),
        sa.Column("cookie", sa.Boolean, nullable=False),
        sa.Column("created_at", UTCDateTime, nullable=False),
        sa.Column("expires_at", UTCDateTime, nullable=False),
    )
    op.create_index("sessions_account", "sessions", ["account"])
    op.create_index("sessions_expires_at", "sessions", ["expires_at"])
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    op.drop_table("sessions")
    op.drop_table("accounts")
