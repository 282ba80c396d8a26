"""Carrying out the vocabulary of special commands, spells and orders of a game master (WF-CMD-07)."""

from collections.abc import Sequence

from shared.warfare.answers import Entry
from shared.warfare.battle import attack, damage, goals, presence, statuses
from shared.warfare.battle.attack import Plan, plan_of
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Work
from shared.warfare.spells import (
    DoArmor,
    DoAttack,
    DoDamage,
    DoEscalation,
    DoMomentum,
    DoPresence,
    DoRally,
    DoRest,
    DoStatus,
    Form,
)


def perform(
    work: Work,
    effects: Sequence[Form],
    *,
    me: Fighter | None,
    side: int | None,
    targets: Sequence[Fighter],
    entry: Entry | None = None,
    charging: bool = False,
    tags: Sequence[str] = (),
) -> None:
    """``me`` is the army commanded, if any; ``tags`` are a spell's: they do nothing to a closed mind."""
    for effect in effects:
        if isinstance(effect, DoAttack | DoPresence | DoRest):
            if me is not None and me.stand == "line":
                _own(work, me, effect, entry, charging)
        elif isinstance(effect, DoEscalation):
            if side is not None:
                one = work.battle.sides[side]
                one.escalation = max(0, one.escalation + effect.n)
                work.emit("escalation", side=side, now=one.escalation)
        else:
            for target in [me] if effect.target == "self" and me is not None else targets:
                open_mind = not tags or not work.trait(target, "closed-mind")  # WF-KEY-31
                if target.stand == "line" and open_mind:
                    _reach(work, target, effect)


def _own(
    work: Work, me: Fighter, effect: DoAttack | DoPresence | DoRest, entry: Entry | None, charging: bool
) -> None:
    if isinstance(effect, DoAttack):
        plan: Plan = plan_of(entry, effect.static, charging=charging)
        if effect.mode is not None:
            plan = plan._replace(mode=effect.mode)
        attack.make(work, me, plan._replace(special=effect.type) if effect.type else plan)
    elif isinstance(effect, DoPresence):
        presence.apply(work, me, effect.static, entry)
    else:
        work.gain(me, effect.momentum)
        statuses.restore(work, me, me.armor_max)  # WF-CMD-04


def _reach(work: Work, target: Fighter, effect: DoStatus | DoMomentum | DoArmor | DoDamage | DoRally) -> None:
    match effect:
        case DoStatus():
            statuses.give(work, target, effect.name, effect.x)
        case DoMomentum():
            if effect.n >= 0:
                work.gain(target, effect.n)
            else:
                work.pay(target, min(-effect.n, target.momentum))
        case DoArmor():
            if effect.n >= 0:
                statuses.restore(work, target, effect.n)
            else:
                strip(work, target, -effect.n)
        case DoDamage():
            hurt(work, target, effect.n, effect.type)
        case DoRally():
            goals.rally(work, target.id, effect.n)


def strip(work: Work, target: Fighter, armor: int) -> None:
    points = damage.Points(min(armor, target.armor))
    damage.absorb(work, target, points, "untyped", None)


def hurt(work: Work, target: Fighter, count: int, type_: str) -> None:
    """Damage that is no attack (WF-RND-08, WF-STA-24): resistance and armor, wounds, Bloodied, no rout step."""
    points = damage.Points(count)
    damage.resist(work, target, points, type_)
    damage.absorb(work, target, points, type_, None)
    if damage.wound(work, target, points, work.policy(target).wounds) and target.active:
        damage.bloodied(work, target, None)
    damage.fall(work, target)
