"""Tables of messaging, and the queries on them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from shared.storage import event_tables, idempotency
from shared.storage.database import Transaction
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore

metadata = sa.MetaData()
event_tables.attach(metadata)
idempotency.attach(metadata)

matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("tick", sa.Integer, nullable=False),
    sa.Column("ended", sa.Boolean, nullable=False),
    sa.Column("per_player", sa.Integer, nullable=False),
    sa.Column("sent", sa.Integer, nullable=False),
)
"""``tick`` is -1 until tick 0 is resolved; ``sent`` counts the match's messages and numbers them."""

parties = sa.Table(
    "parties",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("live", sa.Boolean, nullable=False),
    sa.Column("hour", sa.Integer, nullable=False),
    sa.Column("off", sa.Boolean, nullable=False),
    sa.Column("received", sa.Integer, nullable=False),
    sa.UniqueConstraint("match", "account", name="parties_match_account_key"),
)
"""Who may write to whom. ``hour``: messages allowed within an hour; ``off``: wants none in this match;
``received``: how many it has ever got."""

messages = sa.Table(
    "messages",
    metadata,
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
    sa.Index("messages_refused", "refused", "sent_at"),
)
"""``recipients``: faction ids joined by commas. A ``refused`` one was undeliverable: it counts for nothing, nobody
ever sees it, and it goes within the hour; it is there so that refusing costs what accepting costs (G-03)."""

copies = sa.Table(
    "copies",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("conversation", sa.Text, nullable=False),
    sa.Column("sender", sa.Text, nullable=False),
    sa.Column("sent_at", UTCDateTime, nullable=False),
    sa.Column("refused", sa.Boolean, nullable=False),
    sa.Column("received", sa.Integer),
    sa.Index("copies_sent", "match", "sender", "refused", "sent_at"),
    sa.Index("copies_received", "match", "faction", "received"),
    sa.Index("copies_conversation", "match", "faction", "conversation", "n"),
)
"""A message as each of its parties has it, its sender included. ``conversation``: the other parties' faction ids,
sorted and joined by commas. ``received``: the how many-th message that ``faction`` has got; null for those it sent
and for refused ones."""

read_marks = sa.Table(
    "read_marks",
    metadata,
    sa.Column("match", sa.Text, primary_key=True),
    sa.Column("faction", sa.Text, primary_key=True),
    sa.Column("conversation", sa.Text, primary_key=True),
    sa.Column("n", sa.Integer, nullable=False),
)

blocks = sa.Table(
    "blocks",
    metadata,
    sa.Column("account", sa.Text, primary_key=True),
    sa.Column("blocked", sa.Text, primary_key=True),
    sa.Column("at", UTCDateTime, nullable=False),
    sa.Index("blocks_blocked", "blocked"),
)

Row = sa.Row[Any]


def match(tx: Transaction, id: str, *, lock: bool = False) -> Row | None:
    query = sa.select(matches).where(matches.c.id == id)
    return tx.one(query.with_for_update() if lock else query)


def lock_matches(tx: Transaction, ids: Sequence[str]) -> dict[str, Row]:
    """Those of ``ids`` that there are, by id."""
    query = sa.select(matches).where(matches.c.id.in_(ids)).order_by(matches.c.id).with_for_update()
    return {row.id: row for row in tx.all(query)}


def parties_of_all(tx: Transaction, ids: Iterable[str]) -> list[Row]:
    """Of many matches, in order of match and faction."""
    query = sa.select(parties).where(parties.c.match.in_(list(ids)))
    return tx.all(query.order_by(parties.c.match, parties.c.faction))


def parties_of(tx: Transaction, match: str) -> dict[str, Row]:
    """By faction id, in order."""
    query = sa.select(parties).where(parties.c.match == match).order_by(parties.c.faction)
    return {row.faction: row for row in tx.all(query)}


def add_match(tx: Transaction, id: str, rows: list[dict[str, Any]]) -> None:
    new = {"id": id, "tick": -1, "ended": False, "per_player": 0, "sent": 0}
    if tx.execute(insert_or_ignore(matches, new)).rowcount == 1:
        tx.execute(sa.insert(parties), rows)


def change_match(tx: Transaction, id: str, **values: Any) -> None:
    tx.execute(sa.update(matches).where(matches.c.id == id).values(**values))


def change_party(tx: Transaction, match: str, faction: str, **values: Any) -> None:
    tx.execute(
        sa.update(parties).where(parties.c.match == match, parties.c.faction == faction).values(**values)
    )


def sent_since(tx: Transaction, match: str, sender: str, since: datetime) -> dict[str, int]:
    """How many messages of ``sender`` each faction has got; under its own id how many it has sent."""
    query = (
        sa.select(copies.c.faction, sa.func.count().label("sent"))
        .where(*_sent(match, sender, since))
        .group_by(copies.c.faction)
    )
    return {row.faction: row.sent for row in tx.all(query)}


def sent_times(tx: Transaction, match: str, sender: str, faction: str, since: datetime) -> list[datetime]:
    """When ``faction`` got messages of ``sender``, oldest first."""
    query = sa.select(copies.c.sent_at).where(*_sent(match, sender, since), copies.c.faction == faction)
    return [row.sent_at for row in tx.all(query.order_by(copies.c.sent_at))]


def received_since(tx: Transaction, match: str, wanted: Mapping[str, int], since: datetime) -> list[str]:
    """The factions of ``wanted`` that got their so many-th message after ``since``.

    Looks at one message each, so it takes as long however many there are.
    """
    each = [sa.and_(copies.c.faction == faction, copies.c.received == nth) for faction, nth in wanted.items()]
    query = sa.select(copies.c.faction).where(
        copies.c.match == match, sa.or_(*each), copies.c.sent_at > since
    )
    return [row.faction for row in tx.all(query)]


def blocking(tx: Transaction, accounts: Collection[str], blocked: str) -> list[str]:
    """Those of ``accounts`` that block the account ``blocked``."""
    query = sa.select(blocks.c.account).where(blocks.c.blocked == blocked, blocks.c.account.in_(accounts))
    return [row.account for row in tx.all(query)]


def add_message(tx: Transaction, row: dict[str, Any], own_copies: list[dict[str, Any]]) -> None:
    tx.execute(sa.insert(messages).values(row))
    tx.execute(sa.insert(copies), own_copies)
    change_match(tx, row["match"], sent=row["n"])
    recipients = [copy["faction"] for copy in own_copies if copy["faction"] != row["sender"]]
    inboxes = sa.update(parties).where(parties.c.match == row["match"], parties.c.faction.in_(recipients))
    tx.execute(inboxes.values(received=parties.c.received + (0 if row["refused"] else 1)))


def list_copies(
    tx: Transaction,
    match: str,
    faction: str,
    *,
    conversation: str | None,
    after: int | None,
    before: int | None,
    limit: int,
) -> list[Row]:
    """Messages with their ``conversation`` as ``faction`` has it, newest first."""
    query = _own(match, faction)
    if conversation is not None:
        query = query.where(copies.c.conversation == conversation)
    if after is not None:
        query = query.where(copies.c.n > after)
    if before is not None:
        query = query.where(copies.c.n < before)
    return tx.all(query.order_by(copies.c.n.desc()).limit(limit))


def copy_of(tx: Transaction, match: str, faction: str, message: str) -> Row | None:
    """The message, if ``faction`` is a party to it."""
    return tx.one(_own(match, faction).where(messages.c.id == message))


def conversations_of(tx: Transaction, match: str, faction: str) -> list[Row]:
    """``conversation``, ``last_at`` and ``unread`` of each, the latest first; one's own are never unread."""
    unread = sa.and_(copies.c.sender != faction, copies.c.n > sa.func.coalesce(read_marks.c.n, 0))
    query = (
        sa.select(
            copies.c.conversation,
            sa.func.max(copies.c.sent_at, type_=UTCDateTime).label("last_at"),
            sa.func.sum(sa.case((unread, 1), else_=0)).label("unread"),
        )
        .join(
            read_marks,
            sa.and_(
                read_marks.c.match == copies.c.match,
                read_marks.c.faction == copies.c.faction,
                read_marks.c.conversation == copies.c.conversation,
            ),
            isouter=True,
        )
        .where(copies.c.match == match, copies.c.faction == faction, ~copies.c.refused)
        .group_by(copies.c.conversation)
        .order_by(sa.func.max(copies.c.n).desc())
    )
    return tx.all(query)


def move_read_mark(tx: Transaction, match: str, faction: str, conversation: str, n: int) -> None:
    """Only ever forward."""
    place = {"match": match, "faction": faction, "conversation": conversation}
    tx.execute(insert_or_ignore(read_marks, {**place, "n": n}))
    mark = sa.and_(*(read_marks.c[column] == value for column, value in place.items()))
    tx.execute(sa.update(read_marks).where(mark, read_marks.c.n < n).values(n=n))


def add_block(tx: Transaction, account: str, blocked: str, at: datetime) -> None:
    tx.execute(insert_or_ignore(blocks, {"account": account, "blocked": blocked, "at": at}))


def remove_blocks(tx: Transaction, condition: sa.ColumnElement[bool]) -> None:
    tx.execute(sa.delete(blocks).where(condition))


def blocked_by(tx: Transaction, account: str) -> tuple[str, ...]:
    """Oldest first."""
    query = sa.select(blocks.c.blocked).where(blocks.c.account == account)
    return tuple(row.blocked for row in tx.all(query.order_by(blocks.c.at, blocks.c.blocked)))


def forget_refused(tx: Transaction, before: datetime, limit: int) -> int:
    """Deletes refused messages of before; how many."""
    old = tx.all(
        sa.select(messages.c.match, messages.c.n)
        .where(messages.c.refused, messages.c.sent_at < before)
        .order_by(messages.c.sent_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    for table in (copies, messages):
        _delete_numbered(tx, table, ((row.match, row.n) for row in old))
    return len(old)


def _delete_numbered(tx: Transaction, table: sa.Table, places: Iterable[tuple[str, int]]) -> None:
    tx.execute(sa.delete(table).where(sa.tuple_(table.c.match, table.c.n).in_(list(places))))


def _own(match: str, faction: str) -> sa.Select[Any]:
    return (
        sa.select(messages, copies.c.conversation)
        .join(messages, sa.and_(messages.c.match == copies.c.match, messages.c.n == copies.c.n))
        .where(copies.c.match == match, copies.c.faction == faction, ~copies.c.refused)
    )


def _sent(match: str, sender: str, since: datetime) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        copies.c.match == match,
        copies.c.sender == sender,
        ~copies.c.refused,
        copies.c.sent_at > since,
    )
