"""report's tables: matches, who may read what in them, ticks and their proof, reports, deadlines, feeds."""

import sqlalchemy as sa

from shared.storage import event_tables
from shared.storage.types import UTCDateTime

metadata = sa.MetaData()
event_tables.attach(metadata)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("started", sa.Boolean, nullable=False),
    sa.Column("next_tick", sa.Integer, nullable=False),
)
"""``revision`` of the latest news from the lobby; ``started`` since the seats are final; ``next_tick`` is the first
tick that is not told yet."""

viewers = sa.Table(
    "viewers",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("seated", sa.Boolean, nullable=False),
    sa.Column("faction", sa.Text),
    sa.Column("latest", sa.BigInteger, nullable=False),
)
"""Accounts of people, and the number of the latest event of each one's feed, which never starts over: whoever
leaves a lobby and comes back goes on counting. ``faction`` from the start of the match on."""

ticks = sa.Table(
    "ticks",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("deadline", UTCDateTime),
    sa.Column("ran_at", UTCDateTime, nullable=False),
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("state_hash", sa.Text, nullable=False),
    sa.Column("digests", sa.Text, nullable=False),
)
"""What every report of the tick says; ``digests`` is JSON, by faction."""

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("report", sa.LargeBinary, nullable=False),
    sa.Column("nonce", sa.Text, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
)
"""What only its faction reads: the ruleset's report and ``sealed``, a JSON list of canonical texts; both deflated."""

deadlines = sa.Table(
    "deadlines",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, primary_key=True),
    sa.Column("at", UTCDateTime, nullable=False),
    sa.Column("moved_from", UTCDateTime),
    sa.Column("revision", sa.Integer, nullable=False, server_default="0"),
)
"""The newest deadline of each tick, and the first one where it was moved to a later time (K-03)."""

feed_events = sa.Table(
    "feed_events",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("n", sa.BigInteger, primary_key=True),
    sa.Column("event", sa.Text, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("at", UTCDateTime, nullable=False),
    sa.Index("feed_events_at", "at"),
)
