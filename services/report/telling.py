"""After each tick: every faction's report with its proof, stored once and told onwards."""

import zlib

import msgspec
import sqlalchemy as sa

from services.report import feed, seating
from services.report.store import reports, ticks
from shared import canonical
from shared.contracts.fog import TickFogged
from shared.contracts.report import TickReported
from shared.rulesets import ruleset
from shared.runtime.service import Fanout, Offload
from shared.storage.database import Transaction


def tell(tx: Transaction, event: TickFogged, offload: Offload, fanout: Fanout) -> None:
    """Stores the reports, feeds ``tick`` to everybody seated and emits ``TickReported``.

    A tick that is already told is passed over. Raises ``NotYet`` while the one before it is missing, so that
    everybody hears of ticks in their order.
    """
    if not seating.advance(tx, event.match, event.tick):
        return
    if event.record is not None and event.entitled is not None:
        add_reports(tx, event, event.record, event.entitled, offload)
    feed.tell_all(tx, event.match, "tick", {"tick": event.tick}, fanout)
    tx.emit(
        TickReported(
            match=event.match,
            tick=event.tick,
            ran_at=event.ran_at,
            public=event.public,
            result=event.result,
            ended=event.ended,
        )
    )


def add_reports(
    tx: Transaction, event: TickFogged, record: msgspec.Raw, entitled: msgspec.Raw, offload: Offload
) -> None:
    """One row a faction, with its own nonce and sealed list and nobody else's (P-04)."""
    tx.execute(
        sa.insert(ticks).values(
            match=event.match,
            tick=event.tick,
            deadline=event.deadline,
            ran_at=event.ran_at,
            rules_version=event.rules_version,
            state_hash=event.state_hash,
            digests=canonical.text(event.digests),
        )
    )
    written = offload(ruleset(event.ruleset).reports, bytes(record), bytes(entitled))
    rows = [
        {
            "match": event.match,
            "faction": faction,
            "tick": event.tick,
            "report": zlib.compress(written[faction], 1),
            "nonce": nonce,
            "sealed": zlib.compress(canonical.encode(event.sealed.get(faction, ())), 1),
        }
        for faction, nonce in event.nonces.items()
        if faction in written
    ]
    if rows:
        tx.execute(sa.insert(reports), rows)
