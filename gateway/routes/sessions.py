"""Signing in and out."""

from gateway import auth
from gateway.ratelimits import WRITE
from gateway.route import ACCOUNT, ANYONE, Reply, Visit, route
from gateway.routes.accounts import HASHING_SECONDS
from gateway.schemas.accounts import CookieAnswer, NewSession, TokenAnswer
from shared.contracts import accounts


@route("POST", "/v1/sessions", who=ANYONE, status=201, limit=WRITE, errors=("unauthenticated",))
def sign_in(visit: Visit, body: NewSession) -> Reply[TokenAnswer | CookieAnswer]:
    """Sign in.

    Answers a bearer token, or with `cookie` sets the cookie `session` and answers its CSRF token. Wrong handle and
    wrong password are told apart by nothing. Failures are limited by address, and by address and handle.
    """
    token = auth.new_token(visit.parts.ports.ids)
    request = accounts.SignIn(
        handle=body.handle, password=body.password, token_digest=auth.token_digest(token), cookie=body.cookie
    )
    with visit.parts.limiter.guess(visit.address, body.handle, wrong="unauthenticated"):
        session = visit.call(request, timeout=HASHING_SECONDS)
    headers = {"Location": "/v1/sessions/current"}
    if not body.cookie:
        return Reply(TokenAnswer(token=token, expires_at=session.expires_at), headers)
    seconds = int((session.expires_at - visit.parts.ports.clock.now()).total_seconds())
    headers["Set-Cookie"] = visit.cookie(token, max(1, seconds))
    return Reply(CookieAnswer(csrf_token=session.csrf, expires_at=session.expires_at), headers)


@route("DELETE", "/v1/sessions/current", who=ACCOUNT, status=204, limit=WRITE)
def sign_out(visit: Visit) -> Reply[None]:
    """Sign out: the token is dead at once."""
    digest = visit.session.token_digest
    visit.call(accounts.SignOut(token_digest=digest))
    visit.parts.ports.hub.sessions_ended([digest])
    if not visit.session.cookie:
        return Reply()
    return Reply(headers={"Set-Cookie": visit.cookie("", seconds=0)})
