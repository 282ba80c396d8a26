"""Handles: how they look, whose they are."""

import re

from services.accounts import store
from shared.contracts.accounts import AccountName, AccountNames
from shared.contracts.base import Refusal
from shared.storage.database import Database
from shared.storage.text import storable

FORM = re.compile(r"[a-z0-9_-]{3,32}")


def well_formed(handle: str) -> bool:
    return FORM.fullmatch(handle) is not None


def check_form(handle: str) -> None:
    if not well_formed(handle):
        raise Refusal("malformed", "A handle has 3 to 32 of a-z, 0-9, _ and -.")


def nobody() -> Refusal:
    return Refusal("not-found", "Nobody has this handle.")


def find(database: Database, handle: str) -> AccountName:
    with database.read() as tx:
        row = store.by_handle(tx, handle) if well_formed(handle) else None
    if row is None:
        raise nobody()
    return AccountName(id=row.id, handle=row.handle)


def name(database: Database, ids: tuple[str, ...]) -> AccountNames:
    """In the order asked; ids that never were have no handle either."""
    with database.read() as tx:
        names = store.names(tx, tuple(id for id in ids if storable(id)))
    return AccountNames(items=tuple(AccountName(id=id, handle=names.get(id)) for id in ids))
