"""Opening an account."""

from gateway.ratelimits import SIGN_UP
from gateway.route import ANYONE, Reply, Visit, route
from gateway.schemas.accounts import AccountAnswer, NewAccount
from shared.contracts import accounts

HASHING_SECONDS = 15.0
"""Calls that hash a password wait for a free core."""


@route(
    "POST",
    "/v1/accounts",
    who=ANYONE,
    status=201,
    limit=SIGN_UP,
    creates=True,
    errors=("handle-taken",),
)
def create_account(visit: Visit, body: NewAccount) -> Reply[AccountAnswer]:
    """Open an account.

    Sign in with it through POST /v1/sessions.
    """
    made = visit.call(
        accounts.CreateAccount(handle=body.handle, password=body.password, key=visit.key),
        timeout=HASHING_SECONDS,
    )
    answer = AccountAnswer(id=made.id, handle=made.handle, created_at=made.created_at)
    return Reply(answer, {"Location": "/v1/me"})
