"""The export of an ended match, for anybody to verify (P-02, contract.md): a head and one entry a tick."""

from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from services.resolution import store
from shared import canonical, proof
from shared.contracts.base import Refusal
from shared.contracts.resolution import ExportHead, ExportTick, GetExportHead, GetExportTick
from shared.rulesets import ruleset
from shared.storage.database import Transaction
from shared.storage.deflate import inflate

FORMAT = 1


def head(tx: Transaction, request: GetExportHead) -> ExportHead:
    row = _ended_match(tx, request)
    seats = store.seats(row)
    last = store.tick(tx, row.match, row.tick)
    if last is None:
        raise Refusal("not-ended", "The match ended before it was opened; there is nothing to export.")
    settings = ruleset(row.ruleset).export_settings(inflate(last.state), row.settings)
    match = {
        "id": row.match,
        "name": row.name,
        "seats": len(seats),
        "settings": msgspec.json.decode(settings),
        "factions": [seat.faction_name for seat in seats],
    }
    times = [_times(deadline, ran_at) for deadline, ran_at in store.tick_times(tx, row.match)]
    fields = {
        "format": FORMAT,
        "ruleset": row.ruleset,
        "rules_version": last.rules_version,
        "match": match,
        "seed": row.seed,
        "commitment": proof.commitment(row.seed),
        "result": None if last.result is None else msgspec.json.decode(last.result),
        "checksums": proof.export_checksums({"match": match, "ticks": times}),
    }
    return ExportHead(head=msgspec.Raw(canonical.encode(fields)), ticks=row.tick)


def entry(tx: Transaction, request: GetExportTick) -> ExportTick:
    match = _ended_match(tx, request)
    row = store.tick(tx, match.match, request.tick)
    if row is None:
        raise Refusal("not-found", "There is no such tick.")
    fields: dict[str, Any] = {
        "tick": row.tick,
        "snapshot": msgspec.json.decode(inflate(row.state)),
        "hash": row.hash,
    }
    if row.proceedings is not None:
        fields |= _times(row.deadline, row.ran_at)
        fields |= msgspec.json.decode(inflate(row.proceedings))
    return ExportTick(entry=msgspec.Raw(canonical.encode(fields)))


def _ended_match(tx: Transaction, request: GetExportHead | GetExportTick) -> sa.Row[Any]:
    row = store.match(tx, request.match)
    seated = row is not None and (
        request.account is None or request.account in {seat.account for seat in store.seats(row)}
    )
    if row is None or not seated:
        raise Refusal("not-found", "There is no such match.")
    if not row.ended:
        raise Refusal("not-ended", "A match is exported once it has ended.")
    return row


def _times(deadline: datetime | None, ran_at: datetime) -> dict[str, Any]:
    return {"deadline": msgspec.to_builtins(deadline), "ran_at": msgspec.to_builtins(ran_at)}
