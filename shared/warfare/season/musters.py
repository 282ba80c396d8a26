"""Muster: armies march, and may take a new garrison (WF-ACT-01 to WF-ACT-05, WF-SEAS-07)."""

from shared.warfare.army import Army, Place
from shared.warfare.card import values
from shared.warfare.errors import Refusal
from shared.warfare.season import garrisons, sight
from shared.warfare.season.marching import march_cost
from shared.warfare.season.orders import Muster
from shared.warfare.season.trials import attempt
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work
from shared.warfare.world import hex_key

REGARRISON = 2  # WF-ACT-04


def check_muster(work: Work, power: str, order: Muster, *, resolving: bool = False) -> Refusal | None:
    """``resolving`` looks at sites out of sight as well."""
    if order.to not in work.hexes:
        return Refusal(rule="WF-ACT-01", what=f"no hex {hex_key(order.to)}", legal="a hex of the map")
    legal = [army.id for army in work.of(power) if army.id not in work.season.created]
    for name in order.armies:
        if name not in legal or order.armies.count(name) > 1:
            return Refusal(
                rule="WF-ACT-01", what="is no army of yours to muster, or named twice", army=name,
                legal=listed(legal),
            )  # fmt: skip
        if work.armies[name].hex == order.to:
            return Refusal(rule="WF-ACT-01", what="is there already", army=name, legal="another hex")
        if march_cost(work, work.armies[name], order.to) is None:
            return Refusal(rule="WF-ACT-03", what=f"has no path to {hex_key(order.to)}", army=name)
    if order.garrison is not None:
        return _check_garrison(work, power, order, order.garrison, resolving)
    return None


def _check_garrison(work: Work, power: str, order: Muster, garrison: str, resolving: bool) -> Refusal | None:
    there = [site.id for site in work.hexes[order.to].sites]
    host = garrison.removeprefix(garrisons.HOUSED)
    if garrison.startswith(garrisons.HOUSED):
        known = host == power or work.partners(power, host)
        if host not in work.powers or not known:
            return Refusal(rule="WF-ACT-05", what=f"{host!r} houses no armies of yours", legal=listed(there))
        champion = work.powers[host].champion
        going = champion is not None and champion.personal in order.armies
        if garrisons.place_of(work, garrison) != order.to and not going:
            return Refusal(rule="WF-ACT-04", what=f"{host} is not there", legal=listed(there))
        return None
    if garrison not in there:
        return Refusal(rule="WF-ACT-04", what=f"no site {garrison!r} there", legal=listed(there))
    looks = resolving or order.to in sight.seen(work, power)
    if looks and not garrisons.open_to(work, power, garrison):
        return Refusal(
            rule="WF-ACT-05", what=f"{garrison} is in other hands", legal="an own, free or partner's site"
        )
    return None


def difficulty(work: Work, order: Muster) -> int:
    """WF-ACT-02, WF-ACT-04."""
    found = 0
    for name in order.armies:
        army = work.armies[name]
        found += max(0, (march_cost(work, army, order.to) or 0) - values(army).mobility)  # WF-CARD-15
        found += REGARRISON if _regarrisons(army, order) else 0
    return found


def _regarrisons(army: Army, order: Muster) -> bool:
    return order.garrison is not None and army.garrison != order.garrison


def muster(work: Work, power: str, index: int, order: Muster, going: dict[str, Place]) -> dict[str, object]:
    """The challenge. Who passes is put down in ``going``; all march at once (``march``)."""
    rolled = attempt(work, power, index, order, difficulty(work, order))
    if rolled.passed:
        for name in order.armies:
            going[name] = order.to
            if order.garrison is not None and _regarrisons(work.armies[name], order):
                work.season.regarrison[name] = order.garrison
    return {"challenge": rolled, "hex": order.to, "armies": list(order.armies)}


def march(work: Work, going: dict[str, Place]) -> None:
    for name, to in sorted(going.items()):
        work.change(name, hex=to)
    work.season.moved = sorted({*work.season.moved, *going})
    garrisons.follow(work)
    sees = {power: sight.seen(work, power) for power in work.seats()}
    for name in sorted(going):
        army = work.armies[name]
        watchers = [power for power in sees if sight.visible(work, power, army, sees[power])]
        work.emit("marched", watchers, **sight.banner(army))
