"""Reports of the ticks."""

import msgspec

from gateway.route import SEATED, Reply, Visit, route
from gateway.routes.play import CONDITIONAL, TAGGED, tagged
from gateway.schemas.reports import PageQuery, ReportAnswer, ReportPage, ReportSummary, report_answer
from gateway.views import entity_tag
from shared.contracts import report


@route("GET", "/v1/matches/{match}/reports", who=SEATED, errors=("not-started",))
def list_reports(visit: Visit, match: str, query: PageQuery) -> Reply[ReportPage]:
    """The ticks that one has a report of, newest first."""
    page = visit.call(
        report.ListReports(account=visit.account, match=match, limit=query.limit, cursor=query.cursor)
    )
    items = tuple(
        ReportSummary(tick=one.tick, ran_at=one.ran_at, state_hash=one.state_hash) for one in page.items
    )
    return Reply(ReportPage(items, page.next_cursor))


@route(
    "GET",
    "/v1/matches/{match}/reports/{tick}",
    who=SEATED,
    errors=("not-started",),
    answer_headers=TAGGED,
    request_headers=CONDITIONAL,
)
def get_report(visit: Visit, match: str, tick: int) -> Reply[ReportAnswer]:
    """One's own report of a tick."""
    found = visit.call(report.GetReport(account=visit.account, match=match, tick=tick))
    body = msgspec.json.encode(report_answer(found))
    return Reply(body, tagged(entity_tag(body), past=True))
