"""From points of damage to wounds, slain units and routs (WF-ATK-11 to ATK-22, section 3)."""

from shared.warfare.battle import triggers
from shared.warfare.battle.allocation import lethal, rout_order, wound_order
from shared.warfare.battle.checks import morale
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Happening, Strike, Work
from shared.warfare.content.ancestries import ELEMENTS
from shared.warfare.policy import Allocation
from shared.warfare.profile import elements


class Points:
    """Damage on its way in: packets of one point, or of two with Slayer; each packet wounds one unit (WF-ATK-16)."""

    __slots__ = ("packets",)

    def __init__(self, count: int, size: int = 1) -> None:
        self.packets = [size] * count

    @property
    def left(self) -> int:
        return sum(self.packets)

    def use(self, count: int) -> None:
        """Points taken away in order."""
        while count > 0 and self.packets:
            used = min(count, self.packets[0])
            count -= used
            self.packets[0] -= used
            if not self.packets[0]:
                self.packets.pop(0)


def resist(work: Work, target: Fighter, points: Points, type_: str) -> None:
    """WF-CARD-11, WF-ATK-12."""
    profile = work.profile(target)
    if any(ELEMENTS[name] == type_ for name in elements(profile.element)):
        points.use(profile.resists)


def absorb(
    work: Work, target: Fighter, points: Points, type_: str, attacker: Fighter | None, breaks: int = 1
) -> None:
    """WF-CARD-07, WF-ATK-13: each point takes up to ``breaks`` armor."""
    if type_ != "untyped" and not work.trait(target, "armor-stops-all"):
        return
    had = target.armor
    while target.armor > 0 and points.left:
        target.armor = max(0, target.armor - breaks)
        points.use(1)
    if target.armor < had:
        work.emit("armor", army=target.id, by=target.armor - had, now=target.armor)
        if not target.armor:  # WF-CARD-08
            triggers.happen(work, Happening("armor-broken", target, attacker))


def dodge(
    work: Work, target: Fighter, points: Points, allocation: Allocation, *, wounding: bool = True
) -> None:
    """WF-KEY-01, WF-ATK-15, WF-INT-05. Not ``wounding``: points that will rout slay nobody."""
    policy = work.policy(target)
    budget = target.momentum - policy.keep.get("agile", 0)
    if not work.trait(target, "dodges") or policy.agile == "never" or budget <= 0 or not points.left:
        return
    if policy.agile == "slain":
        spent = _dodge_the_lethal(work, target, points, allocation, budget) if wounding else 0
    elif policy.agile == "full" and points.left > budget:
        spent = 0
    else:
        spent = min(budget, points.left)
        points.use(spent)
    if spent:
        work.pay(target, spent)
        work.emit("dodged", army=target.id, points=spent)


def _dodge_the_lethal(
    work: Work, target: Fighter, points: Points, allocation: Allocation, budget: int
) -> int:
    capacity = work.profile(target).capacity
    wounds = [unit.wounds if unit.state == "active" else None for unit in target.units]
    fresh = [unit.new_wounds for unit in target.units]
    kept: list[int] = []
    spent = 0
    for packet in points.packets:
        while packet and spent < budget and lethal(wounds, fresh, packet, capacity, allocation):
            packet -= 1
            spent += 1
        if packet:
            kept.append(packet)
            index = wound_order(wounds, fresh, packet, capacity, allocation)
            if index is not None:
                total = (wounds[index] or 0) + packet
                fresh[index] += packet
                wounds[index] = total if total < capacity else None
    points.packets = kept
    return spent


def wound(
    work: Work,
    target: Fighter,
    points: Points,
    allocation: Allocation,
    *,
    attacker: Fighter | None = None,
    strike: Strike | None = None,
) -> bool:
    """Places wounds (WF-ATK-18 to ATK-20, WF-ATK-25); whether Bloodied rose."""
    capacity = work.profile(target).capacity
    units = target.units
    slain: list[int] = []
    placed = 0
    for packet in points.packets:
        wounds = [unit.wounds if unit.state == "active" else None for unit in units]
        index = wound_order(wounds, [unit.new_wounds for unit in units], packet, capacity, allocation)
        if index is None:
            break
        unit = units[index]
        taken = min(packet, capacity - unit.wounds)  # a pair's second wound is lost on a unit the first slays
        unit.wounds += taken
        unit.new_wounds += taken
        placed += taken
        if unit.wounds >= capacity:
            unit.state = "slain"
            slain.append(index)
    if not placed:
        return False
    target.hurt = True
    bloodied = max(unit.new_wounds for unit in units)
    rose = bloodied > target.bloodied
    target.bloodied = max(bloodied, target.bloodied)
    work.emit("wounded", army=target.id, wounds=placed, slain=slain, bloodied=target.bloodied)
    if slain:
        target.slain = True  # WF-END-04
        work.cap(target)
        for _ in slain:  # WF-ATK-19
            triggers.happen(work, Happening("slain", target, attacker, strike=strike))
    return rose


def rout(work: Work, target: Fighter, count: int) -> int:
    """Routs up to ``count`` units as the army's policy says (WF-ATK-21, WF-ATK-26); how many."""
    order = rout_order(target.units, work.policy(target).routs)[: max(0, count)]
    rout_units(work, target, order)
    return len(order)


def rout_units(work: Work, target: Fighter, indexes: list[int]) -> None:
    for index in indexes:
        target.units[index].state = "routed"
    if indexes:
        target.hurt = True
        work.cap(target)
        work.emit("routed", army=target.id, units=indexes)
        for _ in indexes:
            triggers.happen(work, Happening("routed", target))


def challenge(work: Work, target: Fighter, purpose: str, rank: int, stake: int | None = None) -> int:
    """A morale challenge; how many units rout (WF-DICE-09). The stake is half the Size unless one is named, Size
    without Juggernaut's part (WF-CARD-04)."""
    at_stake = target.active // 2 if stake is None else stake
    if at_stake <= 0:
        return 0
    routed = rout(work, target, at_stake - morale(work, target, purpose, rank))
    fall(work, target)
    return routed


def bloodied(work: Work, target: Fighter, attacker: Fighter | None) -> None:
    """Bloodied rose and units remain: what that sets off."""
    triggers.happen(work, Happening("bloodied", target, attacker))


def fall(work: Work, target: Fighter) -> bool:
    """Whether the army is destroyed, which takes it off the field (WF-ATK-22)."""
    if target.stand != "line" or target.active:
        return target.stand == "lost"
    destroy(work, target)
    return True


def destroy(work: Work, target: Fighter) -> None:
    """Off the field for good; nothing of the battle stays with it (WF-GEN-08)."""
    target.stand = "lost"
    target.momentum = 0
    target.statuses.clear()
    target.bonds.clear()
    dissipate(work, target)
    work.emit("destroyed", army=target.id, routed=sum(unit.state == "routed" for unit in target.units))


def dissipate(work: Work, fighter: Fighter) -> None:
    """Its presence is gone (WF-GOAL-04)."""
    for goal in work.battle.goals:
        if goal.presence:
            goal.presence = [record for record in goal.presence if record.army != fighter.id]
