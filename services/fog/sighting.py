"""After each tick: what everybody sees of the new state, stored once and told onwards.

A match that an operator closes gets no further tick and no result, so nothing lifts the fog of its last views.
"""

import msgspec

from services.fog import store
from shared.contracts.fog import TickFogged
from shared.contracts.lobby import MatchStarted
from shared.contracts.resolution import TickOutcome
from shared.rulesets import Json, ruleset
from shared.runtime.service import NotYet, Offload
from shared.storage.database import Transaction


def seat_players(tx: Transaction, event: MatchStarted) -> None:
    store.add_match(tx, event.match, event.ruleset, {seat.account: seat.faction for seat in event.seats})


def look_around(tx: Transaction, event: TickOutcome, offload: Offload) -> None:
    """Stores one view a viewer and the match's memory, and emits ``TickFogged``.

    A tick that is already there is passed over. Raises ``NotYet`` while the tick before it is missing, since
    memory grows tick by tick (F-07).
    """
    match = store.lock_match(tx, event.match)
    if match is None:
        raise NotYet(f"match {event.match} has not started here")
    if event.tick < match.next_tick:
        return
    if event.tick > match.next_tick:
        raise NotYet(f"tick {match.next_tick} of match {event.match} comes first")
    game = ruleset(match.ruleset)
    state = bytes(event.state)
    looked = offload(game.look, state, opened(event.record), match.memory)
    store.add_views(tx, event.match, event.tick, looked.views)
    store.advance(tx, event.match, event.tick, looked.memory)
    if event.tick == 0:
        store.keep_map(tx, event.match, game.graph(state))
    tx.emit(
        TickFogged(
            match=event.match,
            tick=event.tick,
            ruleset=match.ruleset,
            rules_version=event.rules_version,
            deadline=event.deadline,
            ran_at=event.ran_at,
            record=event.record,
            entitled=None if looked.entitled is None else msgspec.Raw(looked.entitled),
            sealed=event.sealed,
            nonces=event.nonces,
            digests=event.digests,
            state_hash=event.state_hash,
            public=event.public,
            result=event.result,
            ended=event.ended,
        )
    )


def opened(raw: msgspec.Raw | None) -> Json | None:
    return None if raw is None else bytes(raw)
