"""What a seated player looks at: the map, views, what may be filed now."""

from typing import Any

from gateway.route import SEATED, Reply, Visit, route
from gateway.schemas.matches import AtTick
from gateway.views import entity_tag
from shared.contracts import fog, orders

PAST = "private, max-age=31536000, immutable"
CURRENT = "private, no-cache"
BY_SESSION = "Authorization, Cookie"
TAGGED = {
    "ETag": "of the body, for If-None-Match",
    "Cache-Control": "private; immutable where it never changes",
}
CONDITIONAL = {"If-None-Match": "an ETag: 304 if it still holds"}


def tagged(etag: str, *, past: bool) -> dict[str, str]:
    """Headers of what a browser may keep for one account alone."""
    return {"ETag": etag, "Cache-Control": PAST if past else CURRENT, "Vary": BY_SESSION}


@route(
    "GET",
    "/v1/matches/{match}/map",
    who=SEATED,
    errors=("not-started",),
    answer_note="the ruleset's public graph",
    answer_headers=TAGGED,
    request_headers=CONDITIONAL,
)
def get_map(visit: Visit, match: str) -> Reply[dict[str, Any]]:
    """The map that is public from the start."""
    graph = bytes(visit.call(fog.GetMap(account=visit.account, match=match)).map)
    return Reply(graph, tagged(entity_tag(graph), past=False))


@route(
    "GET",
    "/v1/matches/{match}/view",
    who=SEATED,
    errors=("not-started",),
    answer_note="the ruleset's view of one's own faction",
    answer_headers=TAGGED,
    request_headers=CONDITIONAL,
)
def get_view(visit: Visit, match: str, query: AtTick) -> Reply[dict[str, Any]]:
    """What one's faction sees now, or saw after an earlier tick."""
    seen = visit.parts.views.get(visit.account, match, query.tick)
    return Reply(seen.body, tagged(seen.etag, past=seen.past))


@route(
    "GET",
    "/v1/matches/{match}/options",
    who=SEATED,
    errors=("not-started", "match-ended", "tick-closed"),
    answer_note="the ruleset's options of one's own faction",
)
def get_options(visit: Visit, match: str) -> Reply[dict[str, Any]]:
    """What one may file now, after what is filed: costs, limits, reasons why not."""
    return Reply(bytes(visit.call(orders.GetDesk(account=visit.account, match=match)).options))
