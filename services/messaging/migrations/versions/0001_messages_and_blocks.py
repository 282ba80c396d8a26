"""Messages, the matches and parties they belong to, read marks and blocks."""

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
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("per_player", sa.Integer, nullable=False),
        sa.Column("sent", sa.Integer, nullable=False),
    )
    op.create_table(
        "parties",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("live", sa.Boolean, nullable=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("off", sa.Boolean, nullable=False),
        sa.Column("received", sa.Integer, nullable=False),
        sa.UniqueConstraint("match", "account", name="parties_match_account_key"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("recipients", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("tick", sa.Integer, nullable=False),
        sa.Column("sent_at", UTCDateTime, nullable=False),
        sa.Column("refused", sa.Boolean, nullable=False),
        sa.UniqueConstraint("match", "n", name="messages_match_n_key"),
    )
    op.create_index("messages_refused", "messages", ["refused", "sent_at"])
    op.create_table(
        "copies",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("conversation", sa.Text, nullable=False),
        sa.Column("sender", sa.Text, nullable=False),
        sa.Column("sent_at", UTCDateTime, nullable=False),
        sa.Column("refused", sa.Boolean, nullable=False),
        sa.Column("received", sa.Integer),
    )
    op.create_index("copies_sent", "copies", ["match", "sender", "refused", "sent_at"])
    op.create_index("copies_received", "copies", ["match", "faction", "received"])
    op.create_index("copies_conversation", "copies", ["match", "faction", "conversation", "n"])
    op.create_table(
        "read_marks",
        sa.Column("match", sa.Text, primary_key=True),
        sa.Column("faction", sa.Text, primary_key=True),
        sa.Column("conversation", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
    )
    op.create_table(
        "blocks",
        sa.Column("account", sa.Text, primary_key=True),
        sa.Column("blocked", sa.Text, primary_key=True),
        sa.Column("at", UTCDateTime, nullable=False),
    )
    op.create_index("blocks_blocked", "blocks", ["blocked"])
    event_tables.create(op)
    idempotency.create(op)


def downgrade() -> None:
    idempotency.drop(op)
    event_tables.drop(op)
    op.drop_table("blocks")
    op.drop_table("read_marks")
    op.drop_table("copies")
    op.drop_table("messages")
    op.drop_table("parties")
    op.drop_table("matches")
