"""Reports of ticks."""

from datetime import datetime

import msgspec

from gateway.schemas.matches import Opaque, opaque
from gateway.schemas.text import DEFAULT_PAGE, Cursor, PageSize
from shared.contracts import report


class PageQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: PageSize = DEFAULT_PAGE
    cursor: Cursor | None = None


class ReportSummary(msgspec.Struct, frozen=True):
    tick: int
    ran_at: datetime
    state_hash: str


class ReportPage(msgspec.Struct, frozen=True):
    """Newest first."""

    items: tuple[ReportSummary, ...]
    next_cursor: str | None


class ReportAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One's own report of a tick. ``digests`` are everybody's; ``nonce`` and ``sealed`` (canonical texts) one's own
    (rules P-04); ``state_hash`` chains the ticks (P-05); ``moved_from`` tells a deadline that was moved (K-03)."""

    match: str
    tick: int
    faction: str
    deadline: datetime | None
    moved_from: datetime | None
    ran_at: datetime
    rules_version: int
    state_hash: str
    digests: dict[str, str]
    nonce: str
    sealed: tuple[str, ...]
    report: Opaque


def report_answer(found: report.Report) -> ReportAnswer:
    return ReportAnswer(
        match=found.match,
        tick=found.tick,
        faction=found.faction,
        deadline=found.deadline,
        moved_from=found.moved_from,
        ran_at=found.ran_at,
        rules_version=found.rules_version,
        state_hash=found.state_hash,
        digests=found.digests,
        nonce=found.nonce,
        sealed=found.sealed,
        report=opaque(found.report),
    )
