"""The feed behind the event stream: numbered events per (match, account), kept a day.

Numbers count from 1 without gaps. Whoever writes takes them under a lock on the reader's row that it holds until
its commit, so an event is only ever readable when all before it are. An account's numbers count what that account
may know and nothing else: no number tells that something hidden happened.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
import sqlalchemy as sa

from services.report.store import feed_events, viewers
from shared import canonical
from shared.contracts.base import Refusal
from shared.contracts.report import Feed, FeedEvent, GetFeed
from shared.runtime.service import Fanout
from shared.storage.database import Transaction

KEPT = timedelta(hours=24)


def tell(tx: Transaction, match: str, kind: str, told: Mapping[str, str], fanout: Fanout) -> None:
    """``told``: data (JSON) by account. Accounts that hold no seat in the match as people are passed over."""
    readers = tx.all(people(match).where(viewers.c.account.in_(told)))
    append(tx, match, kind, [(reader, told[reader.account]) for reader in readers], fanout)


def tell_all(tx: Transaction, match: str, kind: str, data: object, fanout: Fanout) -> None:
    """The same to every person seated in the match."""
    text = canonical.text(data)
    append(tx, match, kind, [(reader, text) for reader in tx.all(people(match))], fanout)


def people(match: str) -> sa.Select[str, int]:
    """Those seated in the match, locked one after the other in the same order by all writers."""
    return (
        sa.select(viewers.c.account, viewers.c.latest)
        .where(viewers.c.match == match, viewers.c.seated)
        .order_by(viewers.c.account)
        .with_for_update()
    )


def append(
    tx: Transaction, match: str, kind: str, told: list[tuple[sa.Row[Any], str]], fanout: Fanout
) -> None:
    """The next event of each (account, latest), whose rows are locked, with its data."""
    if not told:
        return
    at = tx.now()
    tx.execute(
        sa.insert(feed_events),
        [
            {
                "match": match,
                "account": reader.account,
                "n": reader.latest + 1,
                "event": kind,
                "data": data,
                "at": at,
            }
            for reader, data in told
        ],
    )
    accounts = [reader.account for reader, _ in told]
    tx.execute(
        sa.update(viewers)
        .where(viewers.c.match == match, viewers.c.account.in_(accounts))
        .values(latest=viewers.c.latest + 1)
    )
    for reader, _ in told:
        tx.after_commit(partial(fanout.publish, match, reader.account, reader.latest + 1))


def read(tx: Transaction, request: GetFeed) -> Feed:
    """Events after number ``after``, oldest first, at most ``limit``; all numbers up to ``latest`` are given out.

    An ``after`` from before the day that is kept gives what is left: a first number above ``after`` + 1, or no
    items while ``after`` < ``latest``, says that events are gone and that the client has to fetch anew. One from
    the future (never given out) gives no items; the reader goes on from ``latest``. Refusals: not-found.
    """
    latest = tx.scalar(
        sa.select(viewers.c.latest).where(
            viewers.c.match == request.match, viewers.c.account == request.account, viewers.c.seated
        )
    )
    if latest is None:
        raise Refusal("not-found", "There is no such match.")
    if request.after is None:
        return Feed(items=(), latest=latest)
    rows = tx.all(
        sa.select(feed_events)
        .where(
            feed_events.c.match == request.match,
            feed_events.c.account == request.account,
            feed_events.c.n > request.after,
            feed_events.c.n <= latest,
        )
        .order_by(feed_events.c.n)
        .limit(request.limit)
    )
    items = tuple(
        FeedEvent(n=row.n, event=row.event, data=msgspec.Raw(row.data.encode()), at=row.at) for row in rows
    )
    return Feed(items=items, latest=latest)


def prune(tx: Transaction) -> None:
    """Forgets events older than a day; safe on every replica at once."""
    tx.execute(sa.delete(feed_events).where(feed_events.c.at < tx.now() - KEPT))
