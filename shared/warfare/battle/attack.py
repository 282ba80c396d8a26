"""An attack, step by step (section 10). ``damage`` does what follows from its successes."""

from collections.abc import Sequence
from typing import NamedTuple

from shared.warfare.answers import Entry
from shared.warfare.battle import damage, targets, triggers
from shared.warfare.battle.checks import pool, roll, static, threshold
from shared.warfare.battle.conditions import holds
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Aim, Happening, Strike, Work
from shared.warfare.content.ancestries import ELEMENTS
from shared.warfare.effects import Deals
from shared.warfare.policy import Policy
from shared.warfare.profile import elements


class Plan(NamedTuple):
    """How an attack is to be made; what is left out follows the army's policy."""

    targets: Sequence[str] = ()
    """Best first; the first valid one is taken (WF-CMD-09)."""
    second: Sequence[str] = ()
    mode: str | None = None
    static: int = 0
    type: str | None = None
    charging: bool = False
    asset: str | None = None
    special: str | None = None
    """The damage type of a special command, which asks nothing of the army."""


def plan_of(entry: Entry | None, static: int, *, charging: bool = False) -> Plan:
    if entry is None:
        return Plan(static=static, charging=charging)
    return Plan(entry.targets, entry.second, None, static, entry.type, charging, entry.asset)


def make(work: Work, me: Fighter, plan: Plan) -> bool:
    """An attack from a command or special, at the best valid target. False if there is none."""
    mode = plan.mode or targets.mode_of(work, me)
    must = targets.valid(work, me, mode)
    if not must:
        return False
    named = {target.id: target for target in must}
    first = next((named[name] for name in plan.targets if name in named), None)
    if first is None:
        first = targets.by_preference(work, me, must)[0]
    strike = Strike(me, mode, plan.static, counter=False, charging=plan.charging)
    aimed = [first]
    second = _second(work, me, mode, plan, first)
    if second is not None:
        aimed.append(second)
    _run(work, strike, aimed, plan)
    return True


def _second(work: Work, me: Fighter, mode: str, plan: Plan, first: Fighter) -> Fighter | None:
    """The second target, if the army may and would have one (WF-CLS-02, WF-INT-21)."""
    may = work.profile(me).options.get("two")
    if may is None or work.policy(me).two != "always":
        return None
    rest = [target for target in targets.within_reach(work, me, mode) if target is not first]
    named = {target.id: target for target in rest}
    for name in (*plan.second, *plan.targets):
        if name in named:
            return named[name]
    preferred = targets.by_preference(work, me, rest)
    return preferred[0] if preferred else None


def counterattack(work: Work, me: Fighter, attacker: Fighter) -> None:
    """WF-ATK-24: melee whatever flies, no command's bonus, never answered by another."""
    strike = Strike(me, "melee", 0, counter=True, charging=False)
    _run(work, strike, [attacker], Plan())


def move_to(work: Work, strike: Strike, aim: Aim, other: Fighter) -> None:
    """A redirect: ``other`` is attacked in the target's place (WF-ATK-06)."""
    aim.redirected = True
    aim.final = other
    work.emit("redirected", army=aim.declared.id, to=other.id)
    triggers.happen(work, Happening("attacked", other, strike.attacker, strike=strike, aim=aim))


def _run(work: Work, strike: Strike, aimed: list[Fighter], plan: Plan) -> None:
    me = strike.attacker
    policy = work.policy(me)
    strike.aims = [Aim(target) for target in aimed]
    what = Happening("attacks", aimed[0], me, strike=strike)
    declared = _declare(work, strike, plan, policy, what)
    triggers.happen(work, what)  # WF-ATK-05: gains may pay for the attack; a counterattack's too (WF-ANC-32)
    _pay(work, strike, declared)
    for aim in strike.aims:
        triggers.happen(work, Happening("attacked", aim.final, me, strike=strike, aim=aim))
    for aim in strike.aims:
        triggers.happen(work, Happening("redirect", aim.final, me, strike=strike, aim=aim))
    for aim in strike.aims:
        triggers.happen(work, Happening("defence", aim.final, me, strike=strike, aim=aim))
    _roll(work, strike, plan, what)


class _Declared(NamedTuple):
    """Options to be paid (WF-ATK-04); each dropped if it cannot be."""

    two: bool
    axes: bool
    hammers: bool
    type: str


def _declare(work: Work, strike: Strike, plan: Plan, policy: Policy, what: Happening) -> _Declared:
    me, target = strike.attacker, strike.aims[0].declared
    profile = work.profile(me)
    options = {} if strike.counter else profile.options
    two = len(strike.aims) > 1
    by_type = _type(work, strike, plan, policy, target, what)
    axes = "axes" in options and (policy.axes == "always" or (policy.axes == "auto" and target.armor >= 2))
    hammers = "hammers" in options and (
        policy.hammers == "always"
        or (
            policy.hammers == "auto"
            and target.armor >= 1
            and not _resists(work, target, options["hammers"].type)
        )
    )
    return _Declared(two, axes, hammers, by_type)


def _resists(work: Work, target: Fighter, type_: str) -> bool:
    return any(ELEMENTS[name] == type_ for name in elements(work.profile(target).element))


def _deals(work: Work, strike: Strike, what: Happening) -> dict[str, Deals]:
    return {
        deals.type: deals
        for deals in work.profile(strike.attacker).deals
        if holds(deals.where, work, strike.attacker, what)
    }


AUTO_TYPES = ("crush", "burn", "freeze")
"""Shock only if listed (WF-INT-20)."""


def _type(work: Work, strike: Strike, plan: Plan, policy: Policy, target: Fighter, what: Happening) -> str:
    """The damage type, of those the army can deal now (WF-ATK-04, WF-INT-20)."""
    if plan.special is not None:
        return plan.special
    can = _deals(work, strike, what)
    if plan.type is not None and (plan.type in can or plan.type == "untyped"):
        return plan.type
    if policy.type == "auto":
        for type_ in AUTO_TYPES:
            if type_ in can and target.armor >= 1 and not _resists(work, target, type_):
                return type_
        return "untyped"
    return next((type_ for type_ in policy.type if type_ in can or type_ == "untyped"), "untyped")


def _pay(work: Work, strike: Strike, declared: _Declared) -> None:
    me = strike.attacker
    options = work.profile(me).options
    strike.type = declared.type
    if declared.two:
        may = options["two"]
        if work.can_pay(me, may.cost, "two"):
            work.pay(me, may.cost)
            strike.static += may.static
        else:
            del strike.aims[1:]
    if declared.axes and work.can_pay(me, options["axes"].cost, "axes"):
        work.pay(me, options["axes"].cost)
        strike.breaks = options["axes"].breaks
    if declared.hammers and work.can_pay(me, options["hammers"].cost, "hammers"):
        work.pay(me, options["hammers"].cost)
        strike.type = options["hammers"].type
    what = Happening("attacks", strike.aims[0].declared, me, strike=strike)
    deals = _deals(work, strike, what).get(strike.type)
    base = None
    if deals is not None and deals.pool == "wounded":  # WF-KEY-29
        base = sum(unit.wounds > 0 and unit.state == "active" for unit in me.units)
    strike.pool = pool(work, me, "attack", base)
    _weigh(work, strike, what)


def _weigh(work: Work, strike: Strike, what: Happening) -> None:
    """Whether Needler or Slayer is used, against the declared target as it stands (WF-INT-18, WF-INT-19)."""
    me = strike.attacker
    policy, traits = work.policy(me), work.profile(me).traits
    if "halves" not in traits and "doubles" not in traits:
        return
    full = threshold(work, strike.aims[0].declared)
    by = static(work, me, "attack", strike.static, what)

    def meets(needed: int) -> int:
        return min(me.attack.die, max(0, me.attack.die + by - needed + 1))

    if "halves" in traits:
        better = meets(max(1, full // 2)) > 2 * meets(full)
        strike.halves = policy.needler == "always" or (policy.needler == "auto" and better)
    else:
        better = 2 * meets(full * 2) > meets(full)
        strike.doubles = policy.slayer == "always" or (policy.slayer == "auto" and better)


def _roll(work: Work, strike: Strike, plan: Plan, what: Happening) -> None:
    me = strike.attacker
    for aim in strike.aims:  # WF-ATK-08
        needed = threshold(work, aim.final, aim.guard)
        if strike.halves:
            needed = max(1, needed // 2)
        elif strike.doubles:
            needed *= 2
        aim.threshold = needed
    rolled = roll(
        work, me, "attack", "counter" if strike.counter else "attack",
        dice=strike.pool, static=static(work, me, "attack", strike.static, what), named=plan.asset,
    )  # fmt: skip
    counts = [rolled.successes(aim.threshold) for aim in strike.aims]
    if strike.halves:
        counts = [count // 2 for count in counts]  # WF-ATK-10
    work.emit(
        "attack", army=me.id, mode=strike.mode, counter=strike.counter, type=strike.type,
        targets=[aim.final.id for aim in strike.aims], faces=rolled.faces, static=rolled.static,
        thresholds=[aim.threshold for aim in strike.aims], successes=counts,
        needler=strike.halves, slayer=strike.doubles,
    )  # fmt: skip
    for aim, count in zip(strike.aims, counts, strict=True):
        _strike_home(work, strike, aim.final, count)


def _strike_home(work: Work, strike: Strike, target: Fighter, count: int) -> None:
    """WF-ATK-11 to ATK-23 for one target, handled completely before the next."""
    me = strike.attacker
    points = damage.Points(count, 2 if strike.doubles else 1)
    damage.resist(work, target, points, strike.type)
    damage.absorb(work, target, points, strike.type, me, strike.breaks)
    whose = work.policy(me).bloodlust if work.trait(me, "allocates") else work.policy(target).wounds
    routs = work.trait(me, "routs") > 0  # WF-ATK-17
    damage.dodge(work, target, points, whose, wounding=not routs)
    if routs:
        damage.rout(work, target, points.left)
    elif damage.wound(work, target, points, whose, attacker=me, strike=strike) and target.active:
        damage.bloodied(work, target, me)
        if not work.trait(target, "unshaken"):  # WF-KEY-31
            stake = target.active if work.trait(me, "whole-stake") else None
            damage.challenge(work, target, "morale.bloodied", me.card.rank, stake)
    if damage.fall(work, target):
        return
    target.attacked += 1  # WF-ATK-23
    triggers.happen(work, Happening("after-attacked", target, me, strike=strike))
