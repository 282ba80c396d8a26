"""After each tick: what everybody sees of the new state, stored once and told onwards.

A match that an operator closes gets no further tick and no result, so nothing lifts the fog of its last views.
"""

from collections.abc import Sequence

import msgspec

from services.fog import store
from services.fog.store import LockedMatch, Seen
from shared.contracts.fog import TickFogged
from shared.contracts.lobby import MatchStarted
from shared.contracts.resolution import TickOutcome
from shared.rulesets import Json, Looked, ruleset
from shared.runtime.service import NotYet, Offload
from shared.storage.database import Transaction
from shared.storage.deflate import deflate


def seat_players(tx: Transaction, event: MatchStarted) -> None:
    store.add_match(tx, event.match, event.ruleset, {seat.account: seat.faction for seat in event.seats})


def look_around(tx: Transaction, events: Sequence[TickOutcome], offload: Offload) -> None:
    """For each match stores one view a viewer and the memory, and emits ``TickFogged``.

    A tick that is already there is passed over. Raises ``NotYet`` while the tick before one is missing, since
    memory grows tick by tick (F-07).
    """
    matches = store.lock_matches(tx, [event.match for event in events])
    new: list[tuple[LockedMatch, TickOutcome]] = []
    for event in events:
        match = matches.get(event.match)
        if match is None:
            raise NotYet(f"match {event.match} has not started here")
        if event.tick > match.next_tick:
            raise NotYet(f"tick {match.next_tick} of match {event.match} comes first")
        if event.tick == match.next_tick:
            new.append((match, event))
    if not new:
        return
    looks = offload(lambda: [look(match, event) for match, event in new])
    store.add_views(tx, [seen for _, seen in looks])
    store.advance(tx, [seen for _, seen in looks])
    for (match, event), (looked, _) in zip(new, looks, strict=True):
        if event.tick == 0:
            store.keep_map(tx, event.match, ruleset(match.ruleset).graph(bytes(event.state)))
        tx.emit(told(event, match.ruleset, looked.entitled))


def look(match: LockedMatch, event: TickOutcome) -> tuple[Looked, Seen]:
    """What is seen, and as it is to be stored."""
    looked = ruleset(match.ruleset).look(bytes(event.state), opened(event.record), match.memory)
    return looked, Seen(
        match=event.match,
        tick=event.tick,
        views={viewer: deflate(view) for viewer, view in looked.views.items()},
        memory=deflate(looked.memory),
    )


def told(event: TickOutcome, name: str, entitled: Json | None) -> TickFogged:
    return TickFogged(
        match=event.match,
        tick=event.tick,
        ruleset=name,
        rules_version=event.rules_version,
        deadline=event.deadline,
        ran_at=event.ran_at,
        record=event.record,
        entitled=None if entitled is None else msgspec.Raw(entitled),
        sealed=event.sealed,
        nonces=event.nonces,
        digests=event.digests,
        state_hash=event.state_hash,
        public=event.public,
        result=event.result,
        ended=event.ended,
    )


def opened(raw: msgspec.Raw | None) -> Json | None:
    return None if raw is None else bytes(raw)
