"""What a seated account may read: its own faction's reports."""

import msgspec
import sqlalchemy as sa

from services.report.seating import reader
from services.report.store import deadlines, reports, ticks
from shared.contracts.base import Refusal
from shared.contracts.report import GetReport, ListReports, Report, ReportPage, ReportSummary
from shared.storage import cursor
from shared.storage.database import Transaction
from shared.storage.deflate import inflate

SAME_TICK = sa.and_(ticks.c.match == reports.c.match, ticks.c.tick == reports.c.tick)
ITS_DEADLINE = sa.and_(deadlines.c.match == reports.c.match, deadlines.c.tick == reports.c.tick)


def report(tx: Transaction, request: GetReport) -> Report:
    """Refusals: not-found (no such match, no seat in it, no such report), not-started."""
    faction = reader(tx, request.match, request.account)
    row = tx.one(
        sa.select(ticks, reports.c.report, reports.c.nonce, reports.c.sealed, deadlines.c.moved_from)
        .select_from(reports.join(ticks, SAME_TICK).outerjoin(deadlines, ITS_DEADLINE))
        .where(
            reports.c.match == request.match,
            reports.c.faction == faction,
            reports.c.tick == request.tick,
        )
    )
    if row is None:
        raise Refusal("not-found", "There is no report of this tick.")
    return Report(
        match=request.match,
        tick=request.tick,
        faction=faction,
        deadline=row.deadline,
        moved_from=row.moved_from,
        ran_at=row.ran_at,
        rules_version=row.rules_version,
        state_hash=row.state_hash,
        digests=msgspec.json.decode(row.digests, type=dict[str, str]),
        nonce=row.nonce,
        sealed=msgspec.json.decode(inflate(row.sealed), type=tuple[str, ...]),
        report=msgspec.Raw(inflate(row.report)),
    )


def page(tx: Transaction, request: ListReports) -> ReportPage:
    """Newest first; the cursor is the last tick of the page before. Refusals: not-found, not-started, malformed."""
    before = cursor_tick(request.cursor)
    faction = reader(tx, request.match, request.account)
    query = (
        sa.select(ticks.c.tick, ticks.c.ran_at, ticks.c.state_hash)
        .select_from(reports.join(ticks, SAME_TICK))
        .where(reports.c.match == request.match, reports.c.faction == faction)
        .order_by(reports.c.tick.desc())
        .limit(request.limit + 1)
    )
    if before is not None:
        query = query.where(reports.c.tick < before)
    rows = tx.all(query)
    items = tuple(
        ReportSummary(tick=row.tick, ran_at=row.ran_at, state_hash=row.state_hash)
        for row in rows[: request.limit]
    )
    more = len(rows) > len(items)
    return ReportPage(items=items, next_cursor=cursor.encode(str(items[-1].tick)) if more else None)


def cursor_tick(text: str | None) -> int | None:
    """Refusal malformed for a cursor that no page of reports gave."""
    if text is None:
        return None
    (tick,) = cursor.decode(text, 1)
    if not (tick.isascii() and tick.isdecimal() and len(tick) <= 9):
        raise Refusal("malformed", "This cursor is not one that a list gave.")
    return int(tick)
