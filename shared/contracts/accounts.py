"""Accounts, sessions, passwords. Tokens never cross the bus: only their SHA-256 (``token_digest``, hex)."""

from datetime import datetime

from shared.contracts.base import Event, Nothing, Payload, Request


class Account(Payload):
    id: str
    handle: str
    created_at: datetime


class Session(Payload):
    """A signed-in session; ``csrf`` is what browsers send back in ``X-CSRF-Token``."""

    account: str
    handle: str
    token_digest: str
    csrf: str
    cookie: bool
    expires_at: datetime


class AccountName(Payload):
    """``handle`` is null once the account is deleted."""

    id: str
    handle: str | None


class AccountNames(Payload):
    items: tuple[AccountName, ...]


class NewPassword(Payload):
    handle: str
    password: str


class CreateAccount(Request[Account]):
    """``key``: drawn by the caller for this wish; the same wish again gives the same account.

    Refusals: malformed, handle-taken (also by a deleted account: handles are never given twice).
    """

    handle: str
    password: str
    key: str | None = None


class SignIn(Request[Session]):
    """The gateway draws the token and hands over its digest. Refusals: unauthenticated (same time either way)."""

    handle: str
    password: str
    token_digest: str
    cookie: bool = False


class Authenticate(Request[Session]):
    """Refusals: unauthenticated (unknown, expired, ended, or the account is gone or disabled)."""

    token_digest: str


class SignOut(Request[Nothing]):
    token_digest: str


class ChangePassword(Request[Nothing]):
    """Ends all sessions but ``token_digest``. Refusals: malformed, forbidden (``current`` is wrong)."""

    account: str
    current: str
    new: str
    token_digest: str


class DeleteAccount(Request[Nothing]):
    """Refusals: forbidden (wrong password)."""

    account: str
    password: str


class FindHandle(Request[AccountName]):
    """Refusals: not-found."""

    handle: str


class NameAccounts(Request[AccountNames]):
    ids: tuple[str, ...]


class ResetPassword(Request[NewPassword]):
    """For operators: a new password, every session ended, a disabled account may sign in again.

    ``password``: drawn by the caller, so that a repeated call changes nothing; else drawn here.
    Refusals: not-found, malformed.
    """

    handle: str
    password: str | None = None


class DisableAccount(Request[Nothing]):
    """For operators: no sign-in any more, every session ended. Refusals: not-found."""

    handle: str


class SessionsEnded(Event):
    """These sessions are dead: gateways forget them and end their streams."""

    account: str
    token_digests: tuple[str, ...]


class AccountDeleted(Event):
    account: str
