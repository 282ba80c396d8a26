"""Levy and Disband: town folk under arms and home again (WF-ACT-25 to WF-ACT-35)."""

from msgspec.structs import replace

from shared.warfare.army import Army, Unit, standing
from shared.warfare.building import levy as new_levy
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.errors import Illegal, Refusal
from shared.warfare.season.orders import Disband, Levy
from shared.warfare.season.state import Record
from shared.warfare.season.trials import attempt
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work, loyal
from shared.warfare.world import Site

QUARTER = 4


def check_levy(work: Work, power: str, order: Levy) -> Refusal | None:
    towns = {site.id: site for site, _ in work.claimed(power) if site.kind == "town"}
    town = towns.get(order.town)
    if town is None:
        return Refusal(rule="WF-ACT-25", what=f"{order.town!r} is no town of yours", legal=listed(towns))
    if town.depopulated:
        legal = [name for name, one in towns.items() if not one.depopulated]
        return Refusal(rule="WF-ACT-25", what=f"{town.id} is depopulated", legal=listed(legal))
    if order.size > town.population:
        return Refusal(rule="WF-ACT-25", what=f"{order.size} units", legal=f"1 to {town.population}")
    if order.record is not None:
        return _check_record(work, power, order, order.record)
    if order.ancestry not in town.ancestries:
        return Refusal(
            rule="WF-ACT-25", what=f"no {order.ancestry!r} live there", legal=listed(town.ancestries)
        )
    if order.bonus is None:
        return Refusal(rule="WF-ACT-25", what="neither bonus nor record", legal="one of them")
    try:
        _recruit(work, power, order, town, "new")
    except Illegal as error:
        return error.refusal
    return None


def _check_record(work: Work, power: str, order: Levy, name: str) -> Refusal | None:
    found = _record(work, power, name)
    if found is None:
        own = [record.army.id for record in work.season.records if record.power == power]
        return Refusal(rule="WF-ACT-27", what=f"no card of {name!r} is recorded", legal=listed(own))
    if order.size > found.size:
        return Refusal(rule="WF-ACT-27", what=f"{order.size} units", army=name, legal=f"1 to {found.size}")
    if order.bonus is not None or order.ancestry is not None:
        return Refusal(
            rule="WF-ACT-27", what="has its ancestry and bonuses", army=name, legal="neither of them"
        )
    return None


def _record(work: Work, power: str, name: str) -> Record | None:
    return next((one for one in work.season.records if one.power == power and one.army.id == name), None)


def _recruit(work: Work, power: str, order: Levy, town: Site, name: str) -> Army:
    if order.record is not None:
        record = _record(work, power, order.record)
        if record is None:
            raise ValueError(f"no record of {order.record}")
        army = replace(record.army, units=tuple(Unit() for _ in range(order.size)))
    elif order.ancestry in ANCESTRIES and order.bonus is not None:
        army = new_levy(
            name, order.ancestry or "", order.size, order.bonus, signature=order.signature,
            name=order.name or town.name or town.id,
        )  # fmt: skip
    else:
        raise ValueError("neither bonus nor record")
    return replace(
        army,
        controller=power,
        loyal_to=power,
        levied=True,
        levied_size=order.size,
        origin_town=town.id,
        garrison=town.id,
        hex=work.site_at[town.id],
        depop_held=order.size // QUARTER,
    )


def raise_levy(work: Work, power: str, index: int, order: Levy) -> dict[str, object]:
    """WF-ACT-26, WF-ACT-27."""
    town = work.site(order.town)
    if town is None:
        raise ValueError(order.town)
    rolled = attempt(work, power, index, order, order.size + town.uprising)
    facts: dict[str, object] = {"challenge": rolled}
    if rolled.passed:
        army = _recruit(work, power, order, town, f"{power}.{work.season.season}.{index}")
        work.season.records = [
            one for one in work.season.records if not (one.power == power and one.army.id == order.record)
        ]
        work.put(army)
        work.season.created.append(army.id)
        work.set_site(town.id, depopulated=town.depopulated + army.depop_held)
        facts["army"] = army.id
    return facts


def check_disband(work: Work, power: str, order: Disband) -> Refusal | None:
    army = work.armies.get(order.army)
    legal = [one.id for one in work.of(power) if may_disband(work, one)]
    if army is None or army.id not in legal:
        return Refusal(
            rule="WF-ACT-30", what="is no loyal levy of yours in its town", army=order.army,
            legal=listed(legal),
        )  # fmt: skip
    return None


def may_disband(work: Work, army: Army) -> bool:
    return loyal(army) and _at_home(work, army)


def _at_home(work: Work, army: Army) -> bool:
    return army.levied and army.origin_town is not None and work.site_at.get(army.origin_town) == army.hex


def disband(work: Work, name: str) -> None:
    """WF-ACT-31 to WF-ACT-33."""
    army = work.remove(name)
    back = standing(army.units)
    power = army.controller or ""
    recorded = False
    if _at_home(work, army) and army.origin_town is not None:
        town = work.site(army.origin_town)
        if town is not None:
            work.set_site(town.id, depopulated=max(0, town.depopulated - back // QUARTER))
        recorded = back > army.levied_size // 2
        if recorded:
            card = replace(army, units=army.units[:0], hex=None, garrison=None, depop_held=0)
            work.season.records.append(Record(power=power, army=card, size=back))
            work.season.records.sort(key=lambda one: (work.seat(one.power), one.army.id))
    work.emit("disbanded", (power,), army=name, units=back, recorded=recorded)


def recover(work: Work) -> None:
    """Season's end: stacks whose levy is no more fall (WF-ACT-35)."""
    held: dict[str, int] = {}
    for army in work.armies.values():
        if army.origin_town is not None:
            held[army.origin_town] = held.get(army.origin_town, 0) + army.depop_held
    for site, _ in work.sites():
        orphaned = site.depopulated - held.get(site.id, 0)
        if orphaned > 0:
            fall = min(orphaned, work.season.options.depop_orphan_recovery)
            work.set_site(site.id, depopulated=site.depopulated - fall)
