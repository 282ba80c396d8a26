"""Phase 6: proposals, withdrawals, acceptances and breaks, in this order, each by seat, then seq (D-02)."""

from shared.lastwaters.orders import Accept, Break, Order, Propose
from shared.lastwaters.record import Offer, PactBroken
from shared.lastwaters.tables import PACT_CAP, PACT_CAP_MAX, TRUCE_TICKS
from shared.lastwaters.turn import Pair, Turn
from shared.lastwaters.world import Pact, Proposal, Truce


def pact_cap(techs_bonus: int) -> int:
    return min(PACT_CAP_MAX, PACT_CAP + techs_bonus)  # D-04


def members(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def run(turn: Turn) -> None:
    def by_seat(filed: tuple[Order, object]) -> tuple[int, int]:
        return turn.seat[filed[0].faction], filed[0].seq

    breaks = sorted(turn.of_kind(Break), key=by_seat)
    standing = set(turn.pacts)  # in the snapshot
    for order, propose in sorted(turn.of_kind(Propose), key=by_seat):
        turn.settle(
            order, _named(turn, order.faction, propose.to) or _propose(turn, order.faction, propose.to)
        )
    for order, withdrawal in breaks:
        if members(order.faction, withdrawal.with_) not in standing:
            turn.settle(
                order,
                _named(turn, order.faction, withdrawal.with_)
                or _withdraw(turn, order.faction, withdrawal.with_),
            )
    for order, accept in sorted(turn.of_kind(Accept), key=by_seat):
        turn.settle(
            order, _named(turn, order.faction, accept.from_) or _accept(turn, order.faction, accept.from_)
        )
    _break_pacts(
        turn, [(order, body) for order, body in breaks if members(order.faction, body.with_) in standing]
    )


def _named(turn: Turn, faction: str, other: str) -> str | None:
    """What is wrong with the faction named; these reasons stand first in P-03."""
    if other not in turn.factions:
        return "unknown-faction"
    if other == faction:
        return "self"
    return "eliminated" if turn.factions[other].eliminated_tick is not None else None


def _full(turn: Turn, faction: str) -> bool:
    return turn.pacts_held[faction] >= pact_cap(turn.effects[faction].pact_cap)


def _propose(turn: Turn, faction: str, to: str) -> str | None:
    if members(faction, to) in turn.pacts:
        return "pact-exists"
    if _full(turn, faction):
        return "pact-cap"
    if (faction, to) in turn.proposals:
        return "already-proposed"
    turn.proposals[faction, to] = Proposal(from_=faction, to=to, tick=turn.tick)
    turn.proposed.append(Offer(from_=faction, to=to))
    return None


def _withdraw(turn: Turn, faction: str, other: str) -> str | None:
    open_ = [pair for pair in ((faction, other), (other, faction)) if pair in turn.proposals]
    if not open_:
        return "nothing-to-break"
    for from_, to in open_:  # D-03
        del turn.proposals[from_, to]
        turn.withdrawn.append(Offer(from_=from_, to=to))
    return None


def _accept(turn: Turn, faction: str, from_: str) -> str | None:
    pair = members(faction, from_)
    if pair in turn.pacts:
        return "pact-exists"
    if (from_, faction) not in turn.proposals:
        return "no-proposal"
    if _full(turn, faction) or _full(turn, from_):
        return "pact-cap"
    turn.pacts[pair] = Pact(pair, turn.tick)
    turn.pacts_formed.append(pair)
    for member in pair:
        turn.pacts_held[member] += 1
    turn.proposals.pop((faction, from_), None)  # D-03
    del turn.proposals[from_, faction]
    return None


def _break_pacts(turn: Turn, breaks: list[tuple[Order, Break]]) -> None:
    breakers: dict[Pair, list[str]] = {}
    for order, body in breaks:
        pair = members(order.faction, body.with_)
        by = breakers.setdefault(pair, [])
        reason = _named(turn, order.faction, body.with_)
        if reason is None and order.faction in by:
            reason = "nothing-to-break"  # D-07: the second of one's own
        turn.settle(order, reason)
        if reason is None:
            by.append(order.faction)
    for pair, by in sorted(breakers.items()):
        if not by:
            continue
        del turn.pacts[pair]
        turn.pacts_broken.append(PactBroken(pair, tuple(by)))
        shorter = max(turn.effects[faction].truce_shorter for faction in by)
        last = turn.tick + TRUCE_TICKS - 1 - shorter
        older = turn.truces.get(pair)
        turn.truces[pair] = Truce(pair, last if older is None else max(last, older.last_tick))
