"""The feed behind the event stream: numbered events per (match, account), kept a day.

Numbers count from 1 without gaps. Whoever writes takes them under a lock on the reader's row that it holds until
its commit, so an event is only ever readable when all before it are. An account's numbers count what that account
may know and nothing else: no number tells that something hidden happened.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

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
    """``told``: data (JSON) by account. Accounts that hold no seat in the match as people are passed over.

    The match is locked, so that two writers never wait for each other's readers.
    """
    numbers = next_numbers(tx, match, viewers.c.account.in_(told))
    if numbers:
        at = tx.now()
        rows = [
            {"match": match, "account": account, "n": n, "event": kind, "data": told[account], "at": at}
            for account, n in numbers.items()
        ]
        tx.execute(sa.insert(feed_events), rows)
        publish_later(tx, match, numbers, fanout)


def tell_all(tx: Transaction, match: str, kind: str, data: object, fanout: Fanout) -> None:
    """The same to every person seated in the match, which is locked."""
    numbers = next_numbers(tx, match)
    if numbers:
        event = {"event": kind, "data": canonical.text(data), "at": tx.now()}
        columns = [sa.bindparam(name, value, feed_events.c[name].type) for name, value in event.items()]
        tx.execute(
            sa.insert(feed_events).from_select(
                ["match", "account", "n", *event],
                sa.select(viewers.c.match, viewers.c.account, viewers.c.latest, *columns).where(
                    viewers.c.match == match, viewers.c.seated
                ),
            )
        )
        publish_later(tx, match, numbers, fanout)


def next_numbers(tx: Transaction, match: str, *which: sa.ColumnElement[bool]) -> dict[str, int]:
    """Takes the next number of each person seated in the match (of ``which``); by account."""
    taken = (
        sa.update(viewers)
        .where(viewers.c.match == match, viewers.c.seated, *which)
        .values(latest=viewers.c.latest + 1)
        .returning(viewers.c.account, viewers.c.latest)
    )
    return {row.account: row.latest for row in tx.all(taken)}


def publish_later(tx: Transaction, match: str, numbers: Mapping[str, int], fanout: Fanout) -> None:
    for account, latest in sorted(numbers.items()):
        tx.after_commit(partial(fanout.publish, match, account, latest))


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
