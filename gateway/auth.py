"""Who sends a request: a bearer token, or a browser's cookie with its CSRF token."""

import base64
import hashlib
import hmac
import ipaddress
import re
from collections.abc import Callable, Iterable

from flask import Request

from gateway.cache import Cache
from shared.contracts.accounts import Authenticate, Session
from shared.contracts.base import Refusal
from shared.runtime.ids import Ids
from shared.runtime.service import Caller

COOKIE = "session"
CSRF_HEADER = "X-CSRF-Token"
TOKEN_BYTES = 32
REMEMBERED_SECONDS = 2.0
"""How long an answer of accounts is believed without asking again, should word of the session's end be lost."""
MOST_REMEMBERED = 20_000

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)
_BEARER = re.compile(r"Bearer +([A-Za-z0-9_-]{43})", re.ASCII | re.IGNORECASE)


def unauthenticated() -> Refusal:
    return Refusal("unauthenticated", "")


def new_token(ids: Ids) -> str:
    return base64.urlsafe_b64encode(ids.secret(TOKEN_BYTES)).rstrip(b"=").decode()


def token_digest(token: str) -> str:
    """What accounts knows a token by: SHA-256 in hex."""
    return hashlib.sha256(token.encode()).hexdigest()


class Sessions:
    """Asks accounts who a token belongs to, and believes the answer for a moment."""

    def __init__(self, call: Caller, now: Callable[[], float]) -> None:
        self._call = call
        self._known: Cache[str, Session] = Cache(most=MOST_REMEMBERED, now=now)

    def of(self, request: Request) -> Session:
        """The session of a request. Refusal unauthenticated."""
        header = request.headers.get("Authorization")
        if header is not None:
            bearer = _BEARER.fullmatch(header)
            token = bearer[1] if bearer else None
        else:
            token = request.cookies.get(COOKIE)
            if token is not None and not _TOKEN.fullmatch(token):
                token = None
        if token is None:
            raise unauthenticated()
        session = self.find(token_digest(token))
        # A browser's token is of no use as a bearer token, and the other way round.
        if session.cookie == (header is not None):
            raise unauthenticated()
        return session

    def find(self, digest: str) -> Session:
        known = self._known.get(digest)
        return known if known is not None else self.ask(digest)

    def ask(self, digest: str) -> Session:
        """As ``find``, but asks accounts now. Refusal unauthenticated."""
        generation = self._known.generation()
        try:
            session = self._call(Authenticate(token_digest=digest))
        except Refusal:
            self._known.drop(digest)
            raise
        self._known.put(digest, session, REMEMBERED_SECONDS, generation=generation)
        return session

    def forget(self, digests: Iterable[str]) -> None:
        for digest in digests:
            self._known.drop(digest)


def check_csrf(request: Request, session: Session) -> None:
    """A browser sends cookies along by itself, so an unsafe request must also carry the session's CSRF token."""
    if not session.cookie:
        return
    given = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(given.encode(), session.csrf.encode()):
        raise Refusal("csrf", "")


def cookie(token: str, *, seconds: int, secure: bool) -> str:
    """The Set-Cookie header that signs a browser in; ``seconds`` 0 signs it out."""
    parts = [f"{COOKIE}={token}", "Path=/", f"Max-Age={seconds}", "HttpOnly", "SameSite=Lax"]
    return "; ".join([*parts, "Secure"] if secure else parts)


def wants_secure_cookie(scheme: str, host: str, insecure_allowed: bool) -> bool:
    """False only for plain http to this very machine, or where the operator allows it."""
    return not insecure_allowed and not (scheme == "http" and _loopback(host))


def _loopback(host: str) -> bool:
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
