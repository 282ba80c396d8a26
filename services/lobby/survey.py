"""Matches of every visibility, for operators."""

from services.lobby import detail, store
from shared.contracts.lobby import MatchRow, MatchRows, SurveyMatches
from shared.runtime.service import Ports


def survey(ports: Ports, request: SurveyMatches) -> MatchRows:
    with ports.database.read() as tx:
        rows = store.survey(tx, detail.stored_statuses(request.status), request.limit)
    return MatchRows(
        items=tuple(
            MatchRow(
                id=row.id,
                name=row.name,
                ruleset=row.ruleset,
                status=detail.SHOWN[row.status],
                seats=row.taken,
                tick=row.tick,
                next_deadline=detail.next_deadline(row),
            )
            for row in rows
        )
    )
