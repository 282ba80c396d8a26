"""One's own account."""

from contextlib import AbstractContextManager

import msgspec

from gateway.ratelimits import WRITE
from gateway.route import ACCOUNT, Reply, Visit, route
from gateway.routes.accounts import HASHING_SECONDS
from gateway.schemas.accounts import BlockedHandle, Blocks, Farewell, Me, PasswordChange
from shared.contracts import accounts, messaging


@route("GET", "/v1/me", who=ACCOUNT)
def get_me(visit: Visit) -> Reply[Me]:
    """Who is signed in; a browser's CSRF token again."""
    session = visit.session
    return Reply(
        Me(
            id=session.account,
            handle=session.handle,
            expires_at=session.expires_at,
            csrf_token=session.csrf if session.cookie else msgspec.UNSET,
        )
    )


@route("PUT", "/v1/me/password", who=ACCOUNT, status=204, limit=WRITE, errors=("forbidden",))
def change_password(visit: Visit, body: PasswordChange) -> Reply[None]:
    """Change the password.

    Every other session of the account, and its streams, end within 5 seconds.
    """
    with _guess(visit):
        visit.call(
            accounts.ChangePassword(
                account=visit.account,
                current=body.current,
                new=body.new,
                token_digest=visit.session.token_digest,
            ),
            timeout=HASHING_SECONDS,
        )
    return Reply()


@route("DELETE", "/v1/me", who=ACCOUNT, status=204, limit=WRITE, errors=("forbidden",))
def delete_me(visit: Visit, body: Farewell) -> Reply[None]:
    """Delete the account: its handle shows as gone, its matches go on."""
    with _guess(visit):
        visit.call(
            accounts.DeleteAccount(account=visit.account, password=body.password), timeout=HASHING_SECONDS
        )
    visit.parts.ports.hub.sessions_ended([visit.session.token_digest])
    if not visit.session.cookie:
        return Reply()
    return Reply(headers={"Set-Cookie": visit.cookie("", seconds=0)})


@route("GET", "/v1/me/blocks", who=ACCOUNT)
def list_blocks(visit: Visit) -> Reply[Blocks]:
    """Accounts whose messages do not reach one. Whole, not paged."""
    blocked = visit.call(messaging.ListBlocks(account=visit.account)).ids
    if not blocked:
        return Reply(Blocks(items=()))
    names = visit.call(accounts.NameAccounts(ids=blocked)).items
    handles = sorted(name.handle for name in names if name.handle is not None)
    return Reply(Blocks(items=tuple(BlockedHandle(handle=handle) for handle in handles)))


@route("PUT", "/v1/me/blocks/{handle}", who=ACCOUNT, status=204, limit=WRITE, errors=("self",), rules=True)
def block(visit: Visit, handle: str) -> Reply[None]:
    """Block an account, silently (rules G-03)."""
    found = visit.call(accounts.FindHandle(handle=handle))
    visit.call(messaging.BlockAccount(account=visit.account, blocked=found.id))
    return Reply()


@route("DELETE", "/v1/me/blocks/{handle}", who=ACCOUNT, status=204, limit=WRITE)
def unblock(visit: Visit, handle: str) -> Reply[None]:
    """Lift a block; no block is as good."""
    found = visit.call(accounts.FindHandle(handle=handle))
    visit.call(messaging.UnblockAccount(account=visit.account, blocked=found.id))
    return Reply()


def _guess(visit: Visit) -> AbstractContextManager[None]:
    """A wrong password here counts as a failed sign-in, so that a stolen session cannot guess on."""
    return visit.parts.limiter.guess(visit.address, visit.session.handle, wrong="forbidden")
