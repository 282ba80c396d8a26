"""One tick of one match as a value: what the ruleset makes of state and sealed orders, with its place in the chain.

Pure, so that it may run in a thread of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from shared import canonical, proof
from shared.contracts.orders import OrderResult, SealedTick
from shared.rulesets import Json, NewMatch, Result, Ruleset, Standing, ruleset
from shared.storage.deflate import deflate


@dataclass(frozen=True)
class Adjudged:
    """A tick worked out and not yet written. ``kept_state`` and ``proceedings`` as they are stored."""

    tick: int
    rules_version: int
    state: Json
    kept_state: bytes
    hash: str
    record: Json | None
    proceedings: bytes | None
    results: Mapping[str, OrderResult]
    sealed: Mapping[str, tuple[str, ...]]
    nonces: Mapping[str, str]
    digests: Mapping[str, str]
    standing: Standing
    public: Json
    allowances: Mapping[str, int]
    per_player: int
    closes_early: bool


class _Filed(msgspec.Struct):
    faction: str


def opened(name: str, new: NewMatch) -> Adjudged:
    """Tick 0."""
    rules = ruleset(name)
    return _adjudged(rules, 0, rules.new_match(new), "", None)


def resolved(name: str, state: Json, previous_hash: str, sealed: SealedTick) -> Adjudged:
    """The tick after ``state`` with the sealed orders. Raises what the ruleset raises."""
    rules = ruleset(name)
    return _adjudged(rules, sealed.tick, state, previous_hash, sealed)


def _adjudged(
    rules: Ruleset, tick: int, state: Json, previous_hash: str, sealed: SealedTick | None
) -> Adjudged:
    record, proceedings, results = None, None, ()  # type: Json | None, bytes | None, tuple[Result, ...]
    if sealed is not None:
        outcome = rules.resolve(state, [text.encode() for text in sealed.orders])
        state, record, results = outcome.state, outcome.record, outcome.results
        proceedings = deflate(_proceedings(sealed, results, outcome.chronicle))
    digests = {} if sealed is None else sealed.digests
    allowances = rules.allowances(state)
    return Adjudged(
        tick=tick,
        rules_version=rules.version,
        state=state,
        kept_state=deflate(state),
        # A faction's id tells its seat, zero-padded to one width; so their order is that of the seats (P-05).
        hash=proof.state_hash(
            state.decode(), previous_hash, (digests[faction] for faction in sorted(digests)), rules.version
        ),
        record=record,
        proceedings=proceedings,
        results={
            each.order: OrderResult(status=each.status, reason=each.reason, words=each.words)
            for each in results
        },
        sealed={} if sealed is None else _by_faction(sealed),
        nonces={} if sealed is None else sealed.nonces,
        digests=digests,
        standing=rules.standing(state),
        public=rules.public(state),
        allowances={faction: allowance.hour for faction, allowance in allowances.items()},
        per_player=max((allowance.per_player for allowance in allowances.values()), default=0),
        closes_early=any(window.needed for window in rules.windows(state)),
    )


def _by_faction(sealed: SealedTick) -> dict[str, tuple[str, ...]]:
    """Each faction's sealed texts by seq, none left out."""
    found: dict[str, list[str]] = {faction: [] for faction in sealed.nonces}
    for text in sealed.orders:
        found[msgspec.json.decode(text, type=_Filed).faction].append(text)
    return {faction: tuple(texts) for faction, texts in found.items()}


def _proceedings(sealed: SealedTick, results: tuple[Result, ...], chronicle: Json) -> Json:
    """What the export of the match tells of the tick beside times, snapshot and hash (contract.md)."""
    told = [
        {"order": each.order, "faction": each.faction, "status": each.status, "reason": each.reason}
        for each in results
    ]
    return canonical.joined(
        {
            "orders": f"[{','.join(sealed.orders)}]".encode(),
            "nonces": canonical.encode(sealed.nonces),
            "digests": canonical.encode(sealed.digests),
            "results": canonical.encode(told),
            **msgspec.json.decode(chronicle, type=dict[str, msgspec.Raw]),
        }
    )
