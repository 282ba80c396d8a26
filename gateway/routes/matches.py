"""Matches: opening, finding, starting, calling off."""

import time

import msgspec

from gateway.ratelimits import WRITE
from gateway.reading import malformed
from gateway.route import ACCOUNT, CREATOR, Reply, Visit, route
from gateway.schemas.matches import MatchAnswer, MatchPage, MatchQuery, NewMatch, match_answer
from shared import canonical, rulesets
from shared.contracts import lobby

HOUR = 3_600
DEFAULT_HOURS = 24
START_SECONDS = 10.0
START_POLL_SECONDS = 0.1


@route(
    "POST", "/v1/matches", who=ACCOUNT, status=201, limit=WRITE, creates=True, errors=("too-many-matches",)
)
def create_match(visit: Visit, body: NewMatch) -> Reply[MatchAnswer]:
    """Open a match; one takes seat 1. A private match answers its `invite_code`."""
    if body.ruleset not in rulesets.installed():
        raise malformed(
            f"There is no such ruleset; there are: {', '.join(rulesets.installed())}. - at `$.ruleset`"
        )
    if body.seed is not None and not visit.parts.ports.settings.trial_seeds:
        raise malformed("This server draws the seed itself. - at `$.seed`")
    made = visit.call(
        lobby.CreateMatch(
            account=visit.account,
            handle=visit.session.handle,
            name=body.name,
            seats=body.seats,
            cadence_seconds=_cadence(visit, body),
            ruleset=body.ruleset,
            visibility=body.visibility,
            settings=msgspec.Raw(canonical.encode(body.settings)),
            seed=body.seed,
            key=visit.key,
        )
    )
    return Reply(match_answer(made), {"Location": f"/v1/matches/{made.id}"})


def _cadence(visit: Visit, body: NewMatch) -> int:
    """Seconds between ticks (K-01)."""
    if body.cadence_hours is not None and body.cadence_seconds is not None:
        raise malformed("Give cadence_hours or cadence_seconds, not both.")
    if body.cadence_seconds is None:
        return (body.cadence_hours or DEFAULT_HOURS) * HOUR
    trial = visit.parts.ports.settings.trial_cadences.split(",")
    allowed = {int(seconds) for seconds in trial if seconds.strip()} | set(
        rulesets.ruleset(body.ruleset).paces
    )
    if body.cadence_seconds not in allowed:
        raise malformed(
            f"Cadences here: {', '.join(map(str, sorted(allowed)))} seconds. - at `$.cadence_seconds`"
        )
    return body.cadence_seconds


@route("GET", "/v1/matches", who=ACCOUNT)
def list_matches(visit: Visit, query: MatchQuery) -> Reply[MatchPage]:
    """Public matches and one's own, newest first."""
    page = visit.call(
        lobby.ListMatches(
            account=visit.account,
            status=query.status,
            mine=query.mine,
            limit=query.limit,
            cursor=query.cursor,
        )
    )
    return Reply(MatchPage(tuple(match_answer(match) for match in page.items), page.next_cursor))


@route("GET", "/v1/matches/{match}", who=ACCOUNT)
def get_match(visit: Visit, match: str) -> Reply[MatchAnswer]:
    """A match. One that the account may not know of is not found."""
    return Reply(match_answer(visit.call(lobby.GetMatch(account=visit.account, match=match))))


@route("GET", "/v1/invites/{code}", who=ACCOUNT)
def get_invite(visit: Visit, code: str) -> Reply[MatchAnswer]:
    """The match that an invite code leads to."""
    return Reply(match_answer(visit.call(lobby.GetInvite(account=visit.account, code=code)), invite=False))


@route(
    "POST",
    "/v1/matches/{match}/start",
    who=CREATOR,
    limit=WRITE,
    errors=("forbidden", "not-enough-seats", "match-started", "match-ended"),
)
def start_match(visit: Visit, match: str) -> Reply[MatchAnswer]:
    """Start: free seats vanish, the map is made, the first deadline is one cadence away.

    Answers once the match is running, or after ten seconds with what it is then.
    """
    started = visit.call(lobby.StartMatch(account=visit.account, match=match))
    give_up = time.monotonic() + START_SECONDS
    while started.status == "lobby" and time.monotonic() < give_up:
        visit.parts.ports.sleep(START_POLL_SECONDS)
        started = visit.call(lobby.GetMatch(account=visit.account, match=match))
    return Reply(match_answer(started))


@route(
    "DELETE",
    "/v1/matches/{match}",
    who=CREATOR,
    status=204,
    limit=WRITE,
    errors=("forbidden", "match-started", "match-ended"),
)
def call_off_match(visit: Visit, match: str) -> Reply[None]:
    """Call off a lobby."""
    visit.call(lobby.CallOffMatch(account=visit.account, match=match))
    return Reply()
