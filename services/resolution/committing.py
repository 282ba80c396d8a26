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


class ClaimLost(Exception):
    """Another worker has taken a tick over since, or its match was closed."""


def commit(tx: Transaction, works: Sequence[Work]) -> None:
    """All of them. Raises ``ClaimLost`` if one of them is not ours to write any more: then none may be."""
    ran_at = tx.now()
    ours = tx.execute(
        _RESOLVE,
        [
            {
                "the_match": claim.match,
                "the_fence": claim.fence,
                "tick_before": claim.tick - 1,
                "the_tick": claim.tick,
                "the_hash": adjudged.hash,
                "over": adjudged.standing.ended,
            }
            for claim, adjudged in works
        ],
    )
    if ours.rowcount != len(works):
        raise ClaimLost
    tx.execute(
        sa.insert(ticks),
        [
            {
                "match": claim.match,
                "tick": claim.tick,
                "deadline": claim.deadline,
                "ran_at": ran_at,
                "rules_version": adjudged.rules_version,
                "hash": adjudged.hash,
                "state": adjudged.kept_state,
                "proceedings": adjudged.proceedings,
                "result": adjudged.standing.result,
            }
            for claim, adjudged in works
        ],
    )
    for claim, adjudged in works:
        tx.emit(_outcome(claim, adjudged, ran_at))
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


_RESOLVE = (
    sa.update(matches)
    .where(
        matches.c.match == sa.bindparam("the_match"),
        matches.c.tick == sa.bindparam("tick_before"),
        matches.c.fence == sa.bindparam("the_fence"),
        sa.not_(matches.c.ended),
    )
    .values(
        tick=sa.bindparam("the_tick"),
        hash=sa.bindparam("the_hash"),
        ended=sa.bindparam("over"),
        lease_until=None,
        attempts=0,
        stalled_at=None,
        error=None,
    )
)


def _outcome(claim: Claim, adjudged: Adjudged, ran_at: datetime) -> TickOutcome:
    result = adjudged.standing.result
    return TickOutcome(
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


def _told(claim: Claim, ran_at: datetime) -> None:
    late = None if claim.deadline is None else (ran_at - claim.deadline).total_seconds()
    if late is not None:
        metrics.TICK_LATENESS.observe(late)
    log.info("tick resolved", match=claim.match, tick=claim.tick, late_seconds=late)
