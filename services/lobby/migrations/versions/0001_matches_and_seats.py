"""Matches, their seats, and the players that take them."""

import sqlalchemy as sa
from alembic import op

from shared.storage import event_tables, idempotency
from shared.storage.types import UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("visibility", sa.Text, nullable=False),
        sa.Column("practice", sa.Boolean, nullable=False),
        sa.Column("seats_total", sa.Integer, nullable=False),
        sa.Column("cadence_seconds", sa.Integer, nullable=False),
        sa.Column("settings", sa.LargeBinary, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("creator", sa.Text),
        sa.Column("invite_code", sa.Text),
        sa.Column("joins", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created_at", UTCDateTime, nullable=False),
        sa.Column("touched_at", UTCDateTime, nullable=False),
        sa.Column("started_at", UTCDateTime),
        sa.Column("ended_at", UTCDateTime),
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("deadline_tick", sa.Integer, nullable=False),
        sa.Column("deadline", UTCDateTime),
        sa.Column("public", sa.LargeBinary, nullable=False),
        sa.Column("result", sa.LargeBinary),
        sa.UniqueConstraint("invite_code", name="matches_invite_code_key"),
    )
    op.create_index("matches_newest", "matches", ["created_at", "id"])
    op.create_index("matches_status_touched", "matches", ["status", "touched_at"])
    op.create_table(
        "seats",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("joined", sa.Integer, nullable=False),
        sa.Column("account", sa.Text),
        sa.Column("handle", sa.Text),
        sa.Column("faction_name", sa.Text, nullable=False),
        sa.Column("folded_name", sa.Text, nullable=False),
        sa.Column("bot", sa.Text),
        sa.Column("resigned", sa.Boolean, nullable=False),
        sa.UniqueConstraint("match", "account", name="seats_match_account_key"),
        sa.UniqueConstraint("match", "folded_name", name="seats_match_folded_name_key"),
    )
    op.create_index("seats_account", "seats", ["account"])
    op.create_table(
        "players",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("gone", sa.Boolean, nullable=False),
    )
    event_tables.create(op)
    idempotency.create(op)


def downgrade() -> None:
    idempotency.drop(op)
    event_tables.drop(op)
    op.drop_table("players")
    op.drop_table("seats")
    op.drop_table("matches")
