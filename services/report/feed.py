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
from shared.runtime.service import Fanout, Grown
from shared.storage.database import Transaction

KEPT = timedelta(hours=24)


def tell(tx: Transaction, match: str, kind: str, told: Mapping[str, str], fanout: Fanout) -> None:
    """``told``: data (JSON) by account. Accounts that hold no seat in the match as people are passed over.

    The match is locked, so that two writers never wait for each other's readers.
    """
    grown = next_numbers(tx, viewers.c.match == match, viewers.c.account.in_(told))
    if grown:
        at = tx.now()
        rows = [
            {
                "match": match,
                "account": one.account,
                "n": one.latest,
                "event": kind,
                "data": told[one.account],
                "at": at,
            }
            for one in grown
        ]
        tx.execute(sa.insert(feed_events), rows)
        tx.after_commit(partial(fanout.publish, grown))


def tell_all(tx: Transaction, kind: str, told: Mapping[str, object], fanout: Fanout) -> None:
    """To every person seated in a match its data. ``told``: by match. The matches are locked."""
    grown = next_numbers(tx, viewers.c.match.in_(told))
    if grown:
        at = tx.now()
        tx.execute(
            _TELL_ALL,
            [
                {"the_match": match, "the_event": kind, "the_data": canonical.text(data), "the_at": at}
                for match, data in told.items()
            ],
        )
        tx.after_commit(partial(fanout.publish, grown))


_TELL_ALL = sa.insert(feed_events).from_select(
    ["match", "account", "n", "event", "data", "at"],
    sa.select(
        viewers.c.match,
        viewers.c.account,
        viewers.c.latest,
        *(sa.bindparam(f"the_{name}", type_=feed_events.c[name].type) for name in ("event", "data", "at")),
    ).where(viewers.c.match == sa.bindparam("the_match"), viewers.c.seated),
)


def next_numbers(tx: Transaction, *which: sa.ColumnElement[bool]) -> list[Grown]:
    """Takes the next number of each seated person of ``which``."""
    taken = (
        sa.update(viewers)
        .where(viewers.c.seated, *which)
        .values(latest=viewers.c.latest + 1)
        .returning(viewers.c.match, viewers.c.account, viewers.c.latest)
    )
    return sorted(Grown(row.match, row.account, row.latest) for row in tx.all(taken))


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
