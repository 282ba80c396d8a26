"""After each tick: every faction's report with its proof, stored once and told onwards."""

from collections.abc import Sequence

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
from shared.storage.deflate import deflate


def tell(tx: Transaction, events: Sequence[TickFogged], offload: Offload, fanout: Fanout) -> None:
    """Stores the reports, feeds ``tick`` to everybody seated and emits ``TickReported``; for each match.

    A tick that is already told is passed over. Raises ``NotYet`` while the one before it is missing, so that
    everybody hears of ticks in their order.
    """
    new = seating.advance(tx, {event.match: event.tick for event in events})
    due = [event for event in events if event.match in new]
    add_ticks(tx, [event for event in due if event.record is not None and event.entitled is not None])
    rows = offload(lambda: [row for event in due for row in written(event)])
    if rows:
        tx.execute(sa.insert(reports), rows)
    feed.tell_all(tx, "tick", {event.match: {"tick": event.tick} for event in due}, fanout)
    for event in due:
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


def add_ticks(tx: Transaction, events: Sequence[TickFogged]) -> None:
    """What every report of the tick says."""
    rows = [
        {
            "match": event.match,
            "tick": event.tick,
            "deadline": event.deadline,
            "ran_at": event.ran_at,
            "rules_version": event.rules_version,
            "state_hash": event.state_hash,
            "digests": canonical.text(event.digests),
        }
        for event in events
    ]
    if rows:
        tx.execute(sa.insert(ticks), rows)


def written(event: TickFogged) -> list[dict[str, object]]:
    """One row a faction, with its own nonce and sealed list and nobody else's (P-04). None for tick 0."""
    if event.record is None or event.entitled is None:
        return []
    texts = ruleset(event.ruleset).reports(bytes(event.record), bytes(event.entitled))
    return [
        {
            "match": event.match,
            "faction": faction,
            "tick": event.tick,
            "report": deflate(texts[faction]),
            "nonce": nonce,
            "sealed": deflate(msgspec.json.encode(event.sealed.get(faction, ()))),
        }
        for faction, nonce in event.nonces.items()
        if faction in texts
    ]
