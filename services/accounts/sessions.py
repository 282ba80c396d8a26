"""Signing in and out. A session is known by its token's digest alone."""

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from services.accounts import handles, store
from services.accounts.passwords import Passwords
from shared.contracts.accounts import Session, SessionsEnded, SignIn
from shared.contracts.base import Refusal
from shared.runtime.service import Ports
from shared.storage.database import Transaction
from shared.storage.text import storable

LOOKS = 3
"""At an account's password while others keep changing its hash."""


def sign_in(ports: Ports, passwords: Passwords, request: SignIn) -> Session:
    """Does the same work whether there is such an account or not, so that its time does not tell."""
    with ports.database.read() as tx:
        row = store.by_handle(tx, request.handle) if handles.well_formed(request.handle) else None
    for _ in range(LOOKS):
        right = passwords.verify(row.password_hash if row else None, request.password)
        if row is None or not right or row.disabled_at is not None:
            break
        checked = row
        fresh = passwords.hash(request.password) if passwords.outdated(row.password_hash) else None
        now = ports.clock.now()
        with ports.database.begin() as tx:
            row = store.by_id(tx, checked.id, lock=True)
            # A password changed since we looked must not leave a session of the old one behind.
            unchanged = row is not None and row.password_hash == checked.password_hash
            if row is not None and unchanged and row.disabled_at is None:
                if fresh is not None:
                    store.change_account(tx, row.id, password_hash=fresh)
                return _session(_opened(tx, ports, row.id, request, now))
        # Another sign-in may just have hashed the same password anew: what is there now decides.
    raise _unauthenticated("The handle or the password is wrong.")


def authenticate(ports: Ports, token_digest: str) -> Session:
    with ports.database.read() as tx:
        row = store.session(tx, token_digest, ports.clock.now()) if storable(token_digest) else None
    if row is None:
        raise _unauthenticated("Sign in first.")
    return _session(row)


def sign_out(ports: Ports, token_digest: str) -> None:
    if storable(token_digest):
        with ports.database.begin() as tx:
            end(tx, store.sessions.c.token_digest == token_digest)


def end_all(tx: Transaction, account: str, *, but: str | None = None) -> None:
    sessions = store.sessions.c
    end(tx, (sessions.account == account) & (sessions.token_digest != (but or "")))


def end(tx: Transaction, condition: sa.ColumnElement[bool]) -> None:
    """Ends sessions and tells the gateways, which keep some in mind and may have streams open."""
    for account, token_digests in store.end_sessions(tx, condition).items():
        tx.emit(SessionsEnded(account=account, token_digests=token_digests))


def sweep(ports: Ports) -> None:
    """Forgets what has expired; nobody can use it any more, but a stream of it may be open."""
    with ports.database.begin() as tx:
        end(tx, store.sessions.c.expires_at <= ports.clock.now())


def _opened(tx: Transaction, ports: Ports, account: str, request: SignIn, now: datetime) -> sa.Row[Any]:
    store.add_session(
        tx,
        {
            "token_digest": request.token_digest,
            "account": account,
            "csrf": ports.ids.secret(32).hex(),
            "cookie": request.cookie,
            "created_at": now,
            "expires_at": now + timedelta(days=ports.settings.session_days),
        },
    )
    session = store.session(tx, request.token_digest, now)
    if session is None or session.account != account:
        raise _unauthenticated("This token is not one to sign in with.")
    return session


def _session(row: sa.Row[Any]) -> Session:
    return Session(
        account=row.account,
        handle=row.handle,
        token_digest=row.token_digest,
        csrf=row.csrf,
        cookie=row.cookie,
        expires_at=row.expires_at,
    )


def _unauthenticated(detail: str) -> Refusal:
    return Refusal("unauthenticated", detail)
