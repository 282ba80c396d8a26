"""How standing policies answer the optional spends (section 19): momentum to pay, 0 for none."""

from collections.abc import Callable
from typing import Final

from shared.warfare.battle import targets
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.statuses import sealed
from shared.warfare.battle.work import Happening, Work
from shared.warfare.effects import On
from shared.warfare.policy import Policy

Switch = Callable[[Work, Fighter, Policy, Happening], bool]


def spend(work: Work, me: Fighter, on: On, what: Happening) -> int:
    """What ``me`` pays for the reaction ``on`` to ``what``; a spend it cannot afford is skipped."""
    if not work.can_pay(me, on.cost, on.switch):
        return 0
    policy = work.policy(me)
    if on.switch == "restore":
        return _restore(work, me, policy)
    return on.cost if SWITCHES[on.switch](work, me, policy, what) else 0


def _redirect(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-01
    strike, aim = what.strike, what.aim
    if strike is None or aim is None or aim.redirected or policy.redirect == "never":
        return False
    if policy.redirect == "lethal" and me.active > strike.pool // 2:
        return False
    return targets.stand_in(work, me, strike, policy) is not None


def _intercept(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-02
    strike, aim = what.strike, what.aim
    if strike is None or aim is None or aim.redirected or policy.intercept == "never":
        return False
    if policy.intercept != "always" and aim.declared.id not in policy.intercept:
        return False
    return me.id not in targets.aimed_at(strike)


def _dervish(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-03
    return policy.dervish == "always" or (policy.dervish == "auto" and me.momentum >= 2)


def _counter(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-06
    attacker = what.actor
    return (
        policy.counter == "auto" and attacker is not None and attacker.stand == "line" and attacker.active > 0
    )


def _flight(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-07
    return policy.flight == "always" or (policy.flight == "auto" and me.statuses.get("flying", 0) <= 1)


def _surge(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-08
    return policy.surge == "always" or (policy.surge == "auto" and not me.statuses.get("flying", 0))


def _chill(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-09
    if policy.chill in ("never", "always"):
        return policy.chill == "always"
    if what.subject is None or what.subject.side == me.side:
        return False
    if policy.chill == "auto" and what.strike is not None:
        if me.id in what.strike.chilled:
            return False
        what.strike.chilled.append(me.id)
    return True


def _bond(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-10
    return targets.to_bind(work, me, what.goal, policy) is not None


def _taunt(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-11
    if policy.taunt == "if_unhurt":
        return not any(unit.wounds and unit.state == "active" for unit in me.units)
    return policy.taunt == "always"


def _restore(work: Work, me: Fighter, policy: Policy) -> int:  # WF-INT-12
    missing = me.armor_max - me.armor
    if policy.restore == "never" or missing <= 0 or sealed(me):
        return 0
    wanted = (missing + 1) // 2 if policy.restore == "auto" else int(policy.restore)
    return max(0, min(wanted, me.momentum - policy.keep.get("restore", 0)))


def _lift(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-13
    return policy.lift == "always" or (policy.lift == "auto" and me.statuses.get("flying", 0) <= 1)


def _pass(work: Work, me: Fighter, policy: Policy, what: Happening) -> bool:  # WF-INT-14
    return bool(policy.pass_)


SWITCHES: Final[dict[str, Switch]] = {
    "redirect": _redirect,
    "intercept": _intercept,
    "dervish": _dervish,
    "tortoise": lambda work, me, policy, what: policy.tortoise == "auto",  # WF-INT-04
    "counter": _counter,
    "flight": _flight,
    "surge": _surge,
    "chill": _chill,
    "bond": _bond,
    "taunt": _taunt,
    "lift": _lift,
    "pass": _pass,
}
"""By switch; ``restore`` says how much, the others whether."""
