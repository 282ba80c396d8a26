"""Hire, and Gather Cowards: armies without a master, and those who ran (WF-ACT-20 to 22, WF-ACT-40)."""

from typing import NamedTuple

from msgspec.structs import replace

from shared.warfare.army import Army, Place, Unit
from shared.warfare.card import values
from shared.warfare.challenge import Challenge
from shared.warfare.errors import Refusal
from shared.warfare.season import garrisons, sight
from shared.warfare.season.orders import Gather, Hire
from shared.warfare.season.state import Bid, Dispersed
from shared.warfare.season.trials import attempt
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work
from shared.warfare.spells import Asset
from shared.warfare.world import distance, hex_key

FORMER_BONUS = 3  # WF-AST-09
HIRE_REACH = 1


def check_hire(work: Work, power: str, order: Hire) -> Refusal | None:
    """As far as the bidder can know: the fee, for one, is not to be seen (WF-VIS-01)."""
    legal = hireable(work, power)
    if order.army not in legal:
        return Refusal(
            rule="WF-ACT-40", what="cannot be hired from here", army=order.army, legal=listed(legal)
        )
    if order.coin > work.powers[power].coin:
        return Refusal(
            rule="WF-ACT-40", what=f"a bid of {order.coin} coin", army=order.army,
            legal=f"up to {work.powers[power].coin}",
        )  # fmt: skip
    return None


def hireable(work: Work, power: str) -> list[str]:
    """Armies in sight that the power can reach: one of its armies, sites, its champion or influence is near. Which
    of them are champions' bodies, no banner tells (WF-VIS-01); a bid for one waits in vain."""
    reach = _reach(work, power)
    return [
        army.id
        for army in sight.shown(work, power)
        if army.controller != power
        and army.hex is not None
        and any(distance(army.hex, at) <= HIRE_REACH for at in reach)
    ]


def _reach(work: Work, power: str) -> list[Place]:
    found = [army.hex for army in work.of(power) if army.hex is not None]
    found += [one.at for _, one in work.claimed(power)]
    influence = work.powers[power].influence
    found += [at for at in work.hexes if influence.get(hex_key(at))]
    champion = work.champion_at(power)
    return [*found, champion] if champion is not None else found


class Offered(NamedTuple):
    power: str
    number: int
    order: Hire


def hire(work: Work, offers: list[Offered]) -> list[tuple[Offered, Refusal | None, dict[str, object]]]:
    """All bids, army by army: the highest takes a rogue, on others they stand (WF-ACT-40)."""
    told: list[tuple[Offered, Refusal | None, dict[str, object]]] = []
    rogues = {name for name, army in work.armies.items() if army.controller is None}
    for name in sorted({offer.order.army for offer in offers}):
        bids = [offer for offer in offers if offer.order.army == name]
        hired = False
        for offer in sorted(bids, key=lambda one: (-one.order.coin, work.seat(one.power), one.number)):
            refusal = _outbid(name) if hired else check_hire(work, offer.power, offer.order)
            refusal = refusal or _enough(work, offer.order)
            if refusal is None and name in rogues:
                work.pay(offer.power, "coin", offer.order.coin)
                _take_service(work, name, offer.power)
                hired = True
            elif refusal is None:
                work.season.bids.append(Bid(power=offer.power, army=name, coin=offer.order.coin))
            told.append((offer, refusal, {"army": name, "hired": hired and refusal is None}))
    return told


def _enough(work: Work, order: Hire) -> Refusal | None:
    fee = values(work.armies[order.army]).fee
    if order.coin >= fee:
        return None
    return Refusal(rule="WF-ACT-40", what=f"{order.coin} coin is less than its fee", army=order.army)


def _outbid(name: str) -> Refusal:
    return Refusal(rule="WF-ACT-40", what="went to a better bid", army=name)


def _take_service(work: Work, name: str, power: str) -> None:
    army = work.change(name, controller=power, loyal_to=None)
    garrisons.settle(work, army, power)


def desert_to(work: Work, name: str) -> str | None:
    """Who gets an army that deserts: the highest standing bid that can be paid, else nobody (WF-PWR-10)."""
    bids = [bid for bid in work.season.bids if bid.army == name and bid.power in work.seats()]
    for bid in sorted(bids, key=lambda one: (-one.coin, work.seat(one.power))):
        if bid.coin <= work.powers[bid.power].coin and bid.power != work.armies[name].controller:
            work.pay(bid.power, "coin", bid.coin)
            return bid.power
    return None


def serve(work: Work, name: str, power: str | None) -> None:
    """An army changes masters, loyal to nobody; null makes it rogue where it is."""
    if power is None:
        work.change(name, controller=None, loyal_to=None, garrison=None)
    else:
        _take_service(work, name, power)


# Gather


def gatherable(work: Work, power: str) -> list[Dispersed]:
    """Dispersed last season, and known to the power: it fought there or they were its own (WF-ACT-20)."""
    season = work.season
    return [
        one
        for one in season.dispersed
        if one.season == season.season - 1 and (one.controller == power or power in one.fought)
    ]


def check_gather(work: Work, power: str, order: Gather) -> Refusal | None:
    legal = [one.army.id for one in gatherable(work, power)]
    if order.army in legal:
        return None
    return Refusal(rule="WF-ACT-20", what="is no dispersed army", army=order.army, legal=listed(legal))


class Gathered(NamedTuple):
    power: str
    number: int
    order: Gather
    rolled: Challenge


def roll_gather(work: Work, power: str, index: int, order: Gather) -> Gathered:
    found = next(one for one in work.season.dispersed if one.army.id == order.army)
    more = (
        (Asset(id="former-controller", bonus=FORMER_BONUS, domains=("heart",), battle=False),)
        if found.controller == power
        else ()
    )
    return Gathered(power, index, order, attempt(work, power, index, order, 0, more=more, always=True))


def gather(work: Work, tries: list[Gathered]) -> dict[tuple[str, int], int]:
    """Most successes takes the army, ties to its former controller, then the lowest seat (WF-ACT-22). Units
    recovered by power and order."""
    won: dict[tuple[str, int], int] = {}
    for name in sorted({one.order.army for one in tries}):
        found = next(one for one in work.season.dispersed if one.army.id == name)
        best = min(
            (one for one in tries if one.order.army == name),
            key=lambda one: (
                -one.rolled.successes,
                one.power != found.controller,
                work.seat(one.power),
                one.number,
            ),
        )
        units = min(best.rolled.successes, len(found.army.units))
        if units:
            _reform(work, found, best.power, units)
            won[best.power, best.number] = units
    return won


def _reform(work: Work, found: Dispersed, power: str, units: int) -> None:
    """WF-ACT-21. The least wounded come back first."""
    back = sorted(found.army.units, key=lambda unit: unit.wounds)[:units]
    own = found.controller == power
    army = replace(
        found.army,
        units=tuple(Unit(unit.wounds) for unit in back),
        controller=power,
        loyal_to=found.army.loyal_to if own else None,
        hex=found.hex,
        depop_held=_held(work, found.army),
    )
    work.put(army)
    work.season.created.append(army.id)
    work.season.dispersed = [one for one in work.season.dispersed if one is not found]
    if own and garrisons.usable(work, power, army.garrison):
        work.change(army.id, hex=garrisons.place_of(work, army.garrison))
    else:
        garrisons.settle(work, army, power)


def _held(work: Work, army: Army) -> int:
    """Of its Depopulated stacks, those that have not fallen meanwhile (WF-ACT-35)."""
    town = work.site(army.origin_town) if army.origin_town is not None else None
    if town is None:
        return 0
    others = sum(one.depop_held for one in work.armies.values() if one.origin_town == town.id)
    return min(army.depop_held, max(0, town.depopulated - others))
