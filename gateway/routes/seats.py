"""Seats: taking, leaving, giving to computer players, resigning."""

from gateway.ratelimits import WRITE
from gateway.route import ACCOUNT, CREATOR, SEATED, Reply, Visit, route
from gateway.schemas.matches import Joining, MatchAnswer, NewBots, match_answer
from shared.contracts import lobby


@route(
    "POST",
    "/v1/matches/{match}/seats",
    who=ACCOUNT,
    status=201,
    limit=WRITE,
    creates=True,
    errors=(
        "match-started",
        "match-ended",
        "already-seated",
        "match-full",
        "seat-taken",
        "name-taken",
        "too-many-matches",
    ),
)
def join_match(visit: Visit, match: str, body: Joining) -> Reply[MatchAnswer]:
    """Take a seat. The match starts by itself when the last one is taken."""
    joined = visit.call(
        lobby.JoinMatch(
            account=visit.account,
            handle=visit.session.handle,
            match=match,
            invite_code=body.invite_code,
            faction_name=body.faction_name,
            key=visit.key,
        )
    )
    return Reply(match_answer(joined), {"Location": f"/v1/matches/{match}"})


@route(
    "DELETE",
    "/v1/matches/{match}/seats/me",
    who=SEATED,
    status=204,
    limit=WRITE,
    errors=("match-started", "match-ended"),
)
def leave_match(visit: Visit, match: str) -> Reply[None]:
    """Leave a lobby. If the creator leaves, the earliest seated player becomes creator."""
    visit.call(lobby.LeaveMatch(account=visit.account, match=match))
    return Reply()


@route(
    "DELETE",
    "/v1/matches/{match}/seats/{seat}",
    who=CREATOR,
    status=204,
    limit=WRITE,
    errors=("forbidden", "match-started", "match-ended"),
)
def remove_seat(visit: Visit, match: str, seat: int) -> Reply[None]:
    """Remove a player or a computer player before the start."""
    visit.call(lobby.RemoveSeat(account=visit.account, match=match, seat=seat))
    return Reply()


@route(
    "POST",
    "/v1/matches/{match}/seats/bots",
    who=CREATOR,
    status=201,
    limit=WRITE,
    creates=True,
    errors=("forbidden", "match-started", "match-ended", "match-full"),
)
def add_bots(visit: Visit, match: str, body: NewBots) -> Reply[MatchAnswer]:
    """Fill seats with computer players: all that are asked for or none."""
    filled = visit.call(
        lobby.AddBots(account=visit.account, match=match, count=body.count, level=body.level, key=visit.key)
    )
    return Reply(match_answer(filled), {"Location": f"/v1/matches/{match}"})


@route(
    "POST",
    "/v1/matches/{match}/resign",
    who=SEATED,
    limit=WRITE,
    errors=("not-started", "match-ended"),
)
def resign_seat(visit: Visit, match: str) -> Reply[MatchAnswer]:
    """From the next tick on a computer player files for the seat; everyone is told."""
    return Reply(match_answer(visit.call(lobby.ResignSeat(account=visit.account, match=match))))
