"""Ends that no tick brings: called off, closed by an operator, forgotten."""

from datetime import timedelta

from services.lobby import access, store
from services.lobby.announcing import announce
from shared.contracts.base import Refusal
from shared.contracts.lobby import CallOffMatch, MatchClosed
from shared.runtime.service import Ports

SWEPT_AT_ONCE = 50


def call_off(ports: Ports, request: CallOffMatch) -> None:
    with ports.database.begin() as tx:
        row = access.lock_as_creator(tx, request.account, request.match)
        access.check_open(row)
        store.change_match(tx, row.id, status=store.ENDED, ended_at=ports.clock.now())
        announce(tx, row.id)


def close(ports: Ports, match: str) -> None:
    """For operators. Other services know of a match only from its start on."""
    with ports.database.begin() as tx:
        row = access.find(tx, match, lock=True)
        if row.status == store.ENDED:
            raise Refusal("match-ended", "The match has ended.")
        now = ports.clock.now()
        store.change_match(tx, row.id, status=store.ENDED, ended_at=now)
        if row.status != store.LOBBY:
            tx.emit(MatchClosed(match=row.id, at=now))
        announce(tx, row.id)


def end_unused(ports: Ports) -> None:
    """Lobbies that nobody joined, left or filled for days end."""
    now = ports.clock.now()
    with ports.database.begin() as tx:
        before = now - timedelta(days=ports.settings.lobby_days)
        for row in store.unused_lobbies(tx, before, SWEPT_AT_ONCE):
            store.change_match(tx, row.id, status=store.ENDED, ended_at=now)
            announce(tx, row.id)
