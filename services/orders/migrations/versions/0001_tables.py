"""Ticks, lists, orders, snapshots, keys, readiness."""

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
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("closes_early", sa.Boolean, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("deadline_tick", sa.Integer, nullable=False),
        sa.Column("deadline", UTCDateTime),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("faction", sa.Text, nullable=False),
    )
    op.create_table(
        "ticks",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("opened_at", UTCDateTime, nullable=False),
        sa.Column("sealed_at", UTCDateTime),
        sa.Column("sealed", sa.LargeBinary),
        sa.Column("answered", sa.Boolean, nullable=False),
        sa.Column("results", sa.LargeBinary),
    )
    op.create_table(
        "snapshots",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "lists",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
    )
    op.create_table(
        "orders",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("tick", sa.Integer, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("filed_at", UTCDateTime, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
        sa.UniqueConstraint("match", "id", name="orders_id_key"),
    )
    op.create_table(
        "signing_keys",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("public", sa.Text, nullable=False),
        sa.Column("private", sa.LargeBinary),
        sa.Column("created_at", UTCDateTime, nullable=False),
    )
    op.create_table(
        "ready_spans",
        sa.Column("start", UTCDateTime, primary_key=True),
        sa.Column("end", UTCDateTime, nullable=False),
    )
    idempotency.create(op)
    event_tables.create(op)


def downgrade() -> None:
    event_tables.drop(op)
    idempotency.drop(op)
    for table in ("ready_spans", "signing_keys", "orders", "lists", "snapshots", "ticks", "seats", "matches"):
        op.drop_table(table)
