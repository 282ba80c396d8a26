"""An account's life: created, its password changed or reset, disabled, deleted."""

from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from services.accounts import handles, passwords, sessions, store
from services.accounts.passwords import Passwords
from shared.contracts.accounts import (
    Account,
    AccountDeleted,
    ChangePassword,
    CreateAccount,
    DeleteAccount,
    NewPassword,
    ResetPassword,
)
from shared.contracts.base import Refusal
from shared.runtime.service import Ports
from shared.storage.database import Transaction
from shared.storage.text import storable

KEEP_WISHES = timedelta(hours=24)


def create(ports: Ports, hashing: Passwords, request: CreateAccount) -> Account:
    handles.check_form(request.handle)
    passwords.check_form(request.password)
    if request.key is not None and not storable(request.key):
        raise Refusal("malformed", "A key holds neither NUL nor lone surrogates.")
    password_hash = hashing.hash(request.password)
    row: dict[str, object] = {
        "id": ports.ids.new("acc"),
        "handle": request.handle,
        "wish": request.key,
        "password_hash": password_hash,
        "created_at": ports.clock.now(),
    }
    with ports.database.begin() as tx:
        if store.add_account(tx, row):
            return _account(store.by_handle(tx, request.handle))
        made = store.wished(tx, request.key) if request.key is not None else None
    if made is None:
        raise Refusal("handle-taken", "This handle is or was another account's.")
    if made.handle != request.handle or not hashing.verify(made.password_hash, request.password):
        raise Refusal("idempotency-mismatch", "This Idempotency-Key came with another request before.")
    return _account(made)


def sweep(ports: Ports) -> None:
    with ports.database.begin() as tx:
        store.forget_wishes(tx, ports.clock.now() - KEEP_WISHES)


def change_password(ports: Ports, hashing: Passwords, request: ChangePassword) -> None:
    """Ends every other session. A change that is already made counts as made: the call may come twice."""
    passwords.check_form(request.new)
    row = _existing(ports, request.account)
    if not hashing.verify(row.password_hash, request.current):
        if not hashing.verify(row.password_hash, request.new):
            raise _wrong_password()
        with ports.database.begin() as tx:
            sessions.end_all(tx, row.id, but=request.token_digest)
        return
    password_hash = hashing.hash(request.new)
    with ports.database.begin() as tx:
        _lock_unchanged(tx, row)
        store.change_account(tx, row.id, password_hash=password_hash)
        sessions.end_all(tx, row.id, but=request.token_digest)


def delete(ports: Ports, hashing: Passwords, request: DeleteAccount) -> None:
    with ports.database.read() as tx:
        row = store.by_id(tx, request.account)
    if row is None:
        return
    if not hashing.verify(row.password_hash, request.password):
        raise _wrong_password()
    with ports.database.begin() as tx:
        _lock_unchanged(tx, row)
        store.change_account(tx, row.id, password_hash=None, wish=None, deleted_at=ports.clock.now())
        sessions.end_all(tx, row.id)
        tx.emit(AccountDeleted(account=row.id))


def reset_password(ports: Ports, hashing: Passwords, request: ResetPassword) -> NewPassword:
    """For operators. Also the way back for a disabled account."""
    password = hashing.draw() if request.password is None else request.password
    passwords.check_form(password)
    password_hash = hashing.hash(password)
    with ports.database.begin() as tx:
        row = _by_handle(tx, request.handle)
        store.change_account(tx, row.id, password_hash=password_hash, disabled_at=None)
        sessions.end_all(tx, row.id)
    return NewPassword(handle=request.handle, password=password)


def disable(ports: Ports, handle: str) -> None:
    """For operators: nobody signs in as this account until its password is reset."""
    with ports.database.begin() as tx:
        row = _by_handle(tx, handle)
        store.change_account(tx, row.id, disabled_at=row.disabled_at or ports.clock.now())
        sessions.end_all(tx, row.id)


def _existing(ports: Ports, account: str) -> sa.Row[Any]:
    with ports.database.read() as tx:
        row = store.by_id(tx, account)
    if row is None:
        raise Refusal("unauthenticated", "The account is gone.")
    return row


def _lock_unchanged(tx: Transaction, row: sa.Row[Any]) -> None:
    """The password that was checked outside the transaction must still be the account's."""
    locked = store.by_id(tx, row.id, lock=True)
    if locked is None or locked.password_hash != row.password_hash:
        raise _wrong_password()


def _by_handle(tx: Transaction, handle: str) -> sa.Row[Any]:
    row = store.by_handle(tx, handle, lock=True) if handles.well_formed(handle) else None
    if row is None:
        raise handles.nobody()
    return row


def _wrong_password() -> Refusal:
    return Refusal("forbidden", "The password is wrong.")


def _account(row: sa.Row[Any] | None) -> Account:
    assert row is not None
    return Account(id=row.id, handle=row.handle, created_at=row.created_at)
