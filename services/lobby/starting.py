"""The start of a match (K-02)."""

import msgspec

from services.lobby import access, detail, store
from services.lobby.announcing import announce
from services.lobby.store import Row
from shared import rulesets
from shared.contracts.base import Refusal
from shared.contracts.lobby import MatchDetail, MatchStarted, StartMatch
from shared.runtime.service import Ports
from shared.storage.database import Transaction


def start(ports: Ports, request: StartMatch) -> MatchDetail:
    with ports.database.begin() as tx:
        row = access.lock_as_creator(tx, request.account, request.match)
        access.check_open(row)
        fewest = rulesets.ruleset(row.ruleset).seats[0]
        if len(store.seats_of(tx, [row.id])[row.id]) < fewest:
            raise Refusal("not-enough-seats", f"At least {fewest} seats must be taken.")
        begin_match(tx, row)
        announce(tx, row.id)
        return detail.stored_detail(tx, row.id, request.account, ports.clock.now())


def begin_match(tx: Transaction, row: Row) -> None:
    """Free seats vanish, the others are numbered in order of joining. Call with the match's row locked."""
    in_order = sorted(store.seats_of(tx, [row.id])[row.id], key=lambda seat: seat.joined)
    store.replace_seats(
        tx, row.id, [{**seat._mapping, "seat": number} for number, seat in enumerate(in_order, start=1)]
    )
    started_at = tx.now()
    store.change_match(tx, row.id, status=store.STARTING, seats_total=len(in_order), started_at=started_at)
    begun = access.find(tx, row.id)
    tx.emit(
        MatchStarted(
            match=begun.id,
            name=begun.name,
            ruleset=begun.ruleset,
            settings=msgspec.Raw(begun.settings),
            seed=begun.seed,
            practice=begun.practice,
            cadence_seconds=begun.cadence_seconds,
            started_at=started_at,
            seats=detail.seats(begun, store.seats_of(tx, [begun.id])[begun.id]),
        )
    )
