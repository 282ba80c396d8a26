"""Writes resolved ticks: state, chain, events and the end of the claim together, or nothing of a tick (P1)."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import msgspec
import sqlalchemy as sa
import structlog

from services.resolution.adjudication import Adjudged
from services.resolution.claims import Claim
from services.resolution.store import matches, ticks
from shared.contracts.resolution import TickOutcome, TickResolved
from shared.runtime import metrics
from shared.storage.database import Transaction

log = structlog.get_logger()

Work = tuple[Claim, Adjudged]


def commit(tx: Transaction, works: Sequence[Work]) -> int:
    """How many were still ours to write: a claim taken over by another changes no row and writes nothing."""
    ran_at = tx.now()
    written = 0
    for claim, adjudged in works:
        ours = tx.execute(
            sa.update(matches)
            .where(
                matches.c.match == claim.match,
                matches.c.tick == claim.tick - 1,
                matches.c.fence == claim.fence,
                sa.not_(matches.c.ended),
            )
            .values(
                tick=claim.tick,
                hash=adjudged.hash,
                ended=adjudged.standing.ended,
                lease_until=None,
                attempts=0,
                stalled_at=None,
                error=None,
            )
        )
        if ours.rowcount != 1:
            log.warning("claim lost", match=claim.match, tick=claim.tick, fence=claim.fence)
            continue
        written += 1
        result = adjudged.standing.result
        tx.execute(
            sa.insert(ticks).values(
                match=claim.match,
                tick=claim.tick,
                deadline=claim.deadline,
                ran_at=ran_at,
                rules_version=adjudged.rules_version,
                hash=adjudged.hash,
                state=adjudged.kept_state,
                proceedings=adjudged.proceedings,
                result=result,
            )
        )
        tx.emit(
            TickOutcome(
                match=claim.match,
                tick=claim.tick,
                ruleset=claim.ruleset,
                rules_version=adjudged.rules_version,
                deadline=claim.deadline,
                ran_at=ran_at,
                state=msgspec.Raw(adjudged.state),
                record=None if adjudged.record is None else msgspec.Raw(adjudged.record),
                results=dict(adjudged.results),
                sealed=dict(adjudged.sealed),
                nonces=dict(adjudged.nonces),
                digests=dict(adjudged.digests),
                state_hash=adjudged.hash,
                public=msgspec.Raw(adjudged.public),
                result=None if result is None else msgspec.Raw(result),
                ended=adjudged.standing.ended,
            )
        )
        tx.emit(
            TickResolved(
                match=claim.match,
                tick=claim.tick,
                deadline=claim.deadline,
                ran_at=ran_at,
                ended=adjudged.standing.ended,
                live=adjudged.standing.live,
                allowances=dict(adjudged.allowances),
                per_player=adjudged.per_player,
                windows_close_early=adjudged.closes_early,
            )
        )
        tx.after_commit(partial(_told, claim, ran_at))
    return written


def _told(claim: Claim, ran_at: datetime) -> None:
    late = None if claim.deadline is None else (ran_at - claim.deadline).total_seconds()
    if late is not None:
        metrics.TICK_LATENESS.observe(late)
    log.info("tick resolved", match=claim.match, tick=claim.tick, late_seconds=late)
