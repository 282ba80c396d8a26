"""Pacts, proposals, breaks and truces (WF-CMP-07)."""

from collections.abc import Sequence
from typing import NamedTuple

from shared.warfare.errors import Refusal
from shared.warfare.season.orders import Accept, Break, Propose
from shared.warfare.season.state import Proposed, TruceUntil
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work

PACTS = 3
TRUCE = 1
"""Seasons that a truce holds after that of the break."""
Diplomatic = Propose | Accept | Break


class Filed(NamedTuple):
    power: str
    number: int
    order: Diplomatic


def check(work: Work, power: str, order: Diplomatic) -> Refusal | None:
    """At filing. What others may still do before it resolves is not refused."""
    others = [name for name in work.seats() if name != power]
    if order.power not in others:
        return _no(f"no power {order.power!r} to deal with", listed(others))
    if isinstance(order, Propose) and work.partners(power, order.power):
        return _no(f"{order.power} is a partner already", "another power")
    return None


def _no(what: str, legal: str = "") -> Refusal:
    return Refusal(rule="WF-CMP-07", what=what, legal=legal)


def resolve(work: Work, filed: Sequence[Filed]) -> list[tuple[Filed, Refusal | None]]:
    """All proposals, then withdrawals, then acceptances, then breaks; each by seat and order filed. Breaks free no
    place under the cap this season."""
    before = set(work.pacts)
    told = [(one, _propose(work, one)) for one in filed if isinstance(one.order, Propose)]
    breaks = [one for one in filed if isinstance(one.order, Break)]
    withdrawals = [one for one in breaks if _pair(one) not in before]
    told += [(one, _withdraw(work, one)) for one in withdrawals]
    told += [(one, _accept(work, one)) for one in filed if isinstance(one.order, Accept)]
    broken: set[tuple[str, str]] = set()
    for one in breaks:
        if one not in withdrawals:
            told.append((one, _break(work, one, broken)))
    return told


def _pair(one: Filed) -> frozenset[str]:
    return frozenset((one.power, one.order.power))


def _full(work: Work, power: str) -> bool:
    return sum(power in pact for pact in work.pacts) >= PACTS


def _propose(work: Work, one: Filed) -> Refusal | None:
    power, to = one.power, one.order.power
    if refusal := check(work, power, one.order):
        return refusal
    if Proposed(power, to) in work.season.proposals:
        return _no(f"a proposal to {to} is open already")
    if _full(work, power):
        return _no(f"has {PACTS} pacts already")
    work.season.proposals.append(Proposed(power, to))
    work.emit("proposed", (power, to), by=power, to=to)
    return None


def _close(work: Work, a: str, b: str) -> bool:
    """Ends the open proposals between two, in both directions; whether there were any."""
    still = [one for one in work.season.proposals if {one.by, one.to} != {a, b}]
    closed = len(still) < len(work.season.proposals)
    work.season.proposals = still
    return closed


def _withdraw(work: Work, one: Filed) -> Refusal | None:
    if not _close(work, one.power, one.order.power):
        return _no("nothing to break")
    work.emit("withdrawn", (one.power, one.order.power), by=one.power, to=one.order.power)
    return None


def _accept(work: Work, one: Filed) -> Refusal | None:
    power, by = one.power, one.order.power
    if Proposed(by, power) not in work.season.proposals:
        return _no(f"no open proposal of {by}")
    if _full(work, power) or _full(work, by):
        return _no(f"one of the two has {PACTS} pacts already")
    _close(work, power, by)
    work.pacts.add(frozenset((power, by)))
    work.emit("pact", None, powers=sorted((power, by)))
    return None


def _break(work: Work, one: Filed, broken: set[tuple[str, str]]) -> Refusal | None:
    power, other = one.power, one.order.power
    if (power, other) in broken:
        return _no("nothing to break")
    broken.add((power, other))
    work.pacts.discard(_pair(one))
    season = work.season.season
    truce = TruceUntil(min(power, other), max(power, other), season + TRUCE)
    if truce not in work.season.truces:
        work.season.truces.append(truce)
    work.emit("broken", None, by=power, powers=sorted((power, other)))
    return None


def leave(work: Work, power: str) -> None:
    """An eliminated power's pacts, truces and proposals end."""
    work.pacts = {pact for pact in work.pacts if power not in pact}
    work.season.truces = [one for one in work.season.truces if power not in (one.a, one.b)]
    work.season.proposals = [one for one in work.season.proposals if power not in (one.by, one.to)]
