"""Matches whose tick failed too often: what operators see of them, and how they are set going again."""

import sqlalchemy as sa
from prometheus_client import Gauge

from services.resolution.claims import MOST_ATTEMPTS
from services.resolution.store import matches
from shared.contracts.base import Refusal
from shared.contracts.clock import DueTick
from shared.contracts.resolution import RetryTick, StalledMatch, StalledMatches, SurveyStalled
from shared.storage.database import Transaction

_STALLED = matches.c.stalled_at.is_not(None) & sa.not_(matches.c.ended)
STALLED = Gauge("lastwaters_stalled_matches", "Matches that wait for an operator")


def survey(tx: Transaction, request: SurveyStalled) -> StalledMatches:
    """Longest stalled first."""
    rows = tx.all(
        sa.select(matches)
        .where(_STALLED)
        .order_by(matches.c.stalled_at, matches.c.match)
        .limit(request.limit)
    )
    return StalledMatches(
        items=tuple(
            StalledMatch(
                match=row.match,
                tick=row.tick + 1,
                since=row.stalled_at,
                attempts=row.attempts,
                error=row.error or "",
            )
            for row in rows
        )
    )


def set_going(tx: Transaction, request: RetryTick) -> DueTick | None:
    """One more attempt; if it fails the match is stalled again. The tick to resolve; None if that is tick 0."""
    row = tx.one(sa.select(matches).where(matches.c.match == request.match, _STALLED).with_for_update())
    if row is None:
        raise Refusal("not-found", "No such match is stalled.")
    tx.execute(
        sa.update(matches)
        .where(matches.c.match == row.match)
        .values(stalled_at=None, lease_until=None, attempts=MOST_ATTEMPTS - 1)
    )
    if row.deadline is None:
        return None
    return DueTick(match=row.match, tick=row.tick + 1, deadline=row.deadline)


def count(tx: Transaction) -> None:
    found = tx.scalar(sa.select(sa.func.count()).where(_STALLED))
    STALLED.set(found)
