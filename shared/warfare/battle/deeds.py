"""What a reaction does (``effects.Do``), one function a kind."""

from collections.abc import Callable
from typing import Any, Final

from shared.warfare.battle import attack, damage, statuses, targets, triggers
from shared.warfare.battle.amounts import amount
from shared.warfare.battle.checks import morale
from shared.warfare.battle.state import Bond, Fighter
from shared.warfare.battle.work import Happening, Work
from shared.warfare.effects import (
    Appal,
    Bind,
    Breach,
    Coin,
    Counter,
    Drain,
    Gain,
    Gets,
    Guard,
    Inflicts,
    Intercept,
    On,
    Pass,
    Redirect,
    Restore,
    Terrify,
)


def perform(work: Work, me: Fighter, on: On, what: Happening, spend: int) -> None:
    """Pays ``spend`` and does what the row says. Passing momentum on is itself the payment."""
    if spend and not isinstance(on.do[0], Pass):
        work.pay(me, spend)
    for deed in on.do:
        DEEDS[type(deed)](work, me, deed, what, spend)


def _gain(work: Work, me: Fighter, deed: Gain, what: Happening, spend: int) -> None:
    work.gain(me, amount(deed.amount, work, me))


def _drain(work: Work, me: Fighter, deed: Drain, what: Happening, spend: int) -> None:
    work.pay(me, me.momentum)


def _gets(work: Work, me: Fighter, deed: Gets, what: Happening, spend: int) -> None:
    statuses.give(work, me, deed.status, deed.stacks)


def _inflicts(work: Work, me: Fighter, deed: Inflicts, what: Happening, spend: int) -> None:
    if what.subject is not None and what.subject.stand == "line" and what.subject.active:
        statuses.give(work, what.subject, deed.status, deed.stacks)


def _guard(work: Work, me: Fighter, deed: Guard, what: Happening, spend: int) -> None:
    by = amount(deed.amount, work, me)
    if deed.until == "round":
        me.guard += by
    elif what.aim is not None:
        what.aim.guard += by
    work.emit("guarded", army=me.id, by=by, until=deed.until)


def _counter(work: Work, me: Fighter, deed: Counter, what: Happening, spend: int) -> None:
    if what.actor is not None:
        with triggers.apart(work):
            attack.counterattack(work, me, what.actor)


def _redirect(work: Work, me: Fighter, deed: Redirect, what: Happening, spend: int) -> None:
    if what.strike is not None and what.aim is not None:
        other = targets.stand_in(work, me, what.strike, work.policy(me))
        if other is not None:
            attack.move_to(work, what.strike, what.aim, other)


def _intercept(work: Work, me: Fighter, deed: Intercept, what: Happening, spend: int) -> None:
    statuses.lose(me, "flying")
    if what.strike is not None and what.aim is not None:
        attack.move_to(work, what.strike, what.aim, me)


def _restore(work: Work, me: Fighter, deed: Restore, what: Happening, spend: int) -> None:
    statuses.restore(work, me, deed.armor_per_momentum * spend)


def _pass(work: Work, me: Fighter, deed: Pass, what: Happening, spend: int) -> None:
    policy = work.policy(me)
    for name, wanted in policy.pass_:
        ally = work.by_id.get(name)
        if ally is None or ally is me or ally.side != me.side or ally.stand != "line":
            continue
        given = min(wanted, me.momentum - policy.keep.get("pass", 0))
        work.pay(me, work.gain(ally, given))  # what does not fit stays


def _bind(work: Work, me: Fighter, deed: Bind, what: Happening, spend: int) -> None:
    enemy = targets.to_bind(work, me, what.goal, work.policy(me))
    if enemy is None or what.goal is None:
        return
    statuses.give(work, enemy, deed.status, deed.stacks)
    if enemy.statuses.get(deed.status, 0):
        bond = Bond(me.id, what.goal.id)
        if bond not in enemy.bonds:
            enemy.bonds.append(bond)
        work.emit("bonded", army=enemy.id, to=me.id, goal=what.goal.id)


def _breach(work: Work, me: Fighter, deed: Breach, what: Happening, spend: int) -> None:
    goal = what.goal
    if goal is None:
        return
    now = goal.thresholds[me.side]
    if now is not None:
        goal.thresholds[me.side] = max(1, now - deed.by)
    goal.damage += deed.by
    work.emit("breached", goal=goal.id, side=me.side, threshold=goal.thresholds[me.side])


def _coin(work: Work, me: Fighter, deed: Coin, what: Happening, spend: int) -> None:
    work.contender(me.power).gained += deed.amount
    work.emit("coin", power=me.power, army=me.id, by=deed.amount)


def _appal(work: Work, me: Fighter, deed: Appal, what: Happening, spend: int) -> None:
    for ally in work.deployed():
        if (
            ally.side == me.side
            and ally is not me
            and not ally.appalled
            and work.profile(ally).mortal
            and not work.trait(ally, "repulsive")
        ):
            ally.appalled = True
            damage.challenge(work, ally, "morale.repulsive", deed.rank)


def _terrify(work: Work, me: Fighter, deed: Terrify, what: Happening, spend: int) -> None:
    opposed = [enemy for enemy in work.deployed() if enemy.side != me.side and work.profile(enemy).mortal]
    for enemy in opposed:
        if enemy.active:
            missing = enemy.active - morale(work, enemy, f"morale.terror:{me.id}", deed.threshold)
            damage.rout(work, enemy, missing)  # WF-DICE-10
            damage.fall(work, enemy)


Deed = Callable[[Work, Fighter, Any, Happening, int], None]
DEEDS: Final[dict[type, Deed]] = {
    Gain: _gain,
    Drain: _drain,
    Gets: _gets,
    Inflicts: _inflicts,
    Guard: _guard,
    Counter: _counter,
    Redirect: _redirect,
    Intercept: _intercept,
    Restore: _restore,
    Pass: _pass,
    Bind: _bind,
    Breach: _breach,
    Coin: _coin,
    Appal: _appal,
    Terrify: _terrify,
}
