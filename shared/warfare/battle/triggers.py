"""What happens sets off what rows say (WF-GEN-07)."""

from collections import deque

from shared.warfare.battle import deeds, switches
from shared.warfare.battle.conditions import holds
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Happening, Work
from shared.warfare.effects import On
from shared.warfare.profile import Reaction


def happen(work: Work, happening: Happening) -> None:
    """Something happens; all that follows from it is settled before this returns, unless this itself follows from
    something: then it waits its turn (first in, first out)."""
    if happening.point not in work.listeners:
        return
    work.queue.append(happening)
    if not work.settling:
        settle(work)


def settle(work: Work) -> None:
    work.settling = True
    while work.queue:
        happening = work.queue.popleft()
        reacting = _in_turn(work, happening)
        for optional in (False, True):  # WF-GEN-07: gains before spends
            for fighter in reacting:
                for reaction in work.profile(fighter).reactions[happening.point]:
                    if bool(reaction.on.switch) is optional and fighter.stand == "line":
                        _react(work, fighter, reaction, happening)
    work.settling = False


def apart(work: Work) -> "_Apart":
    """A queue of its own for an attack made in answer to another: its steps cannot wait for the outer ones."""
    return _Apart(work)


class _Apart:
    def __init__(self, work: Work) -> None:
        self.work = work

    def __enter__(self) -> None:
        self.outer = (self.work.queue, self.work.settling)
        self.work.queue, self.work.settling = deque(), False

    def __exit__(self, *_: object) -> None:
        self.work.queue, self.work.settling = self.outer


def _in_turn(work: Work, happening: Happening) -> list[Fighter]:
    """Subject, actor, then the others in canonical order."""
    listening = work.listeners[happening.point]
    if len(listening) > 1:
        ids = {fighter.id for fighter in listening}
        listening = [fighter for fighter in work.deployed() if fighter.id in ids]
    first: list[Fighter] = []
    for fighter in (happening.subject, happening.actor):
        if fighter is not None and all(fighter is not one for one in first):
            first += [one for one in listening if one is fighter]
    if not first:
        return listening
    return [*first, *(fighter for fighter in listening if not any(fighter is one for one in first))]


def _react(work: Work, fighter: Fighter, reaction: Reaction, happening: Happening) -> None:
    on = reaction.on
    if not _concerns(on, fighter, happening) or not fighter.active:
        return
    if on.once and reaction.key in fighter.once:
        return
    if on.where and not holds(on.where, work, fighter, happening):
        return
    if on.switch:  # WF-INT-40: what has no switch is mandatory
        spend = switches.spend(work, fighter, on, happening)
        if not spend:
            return
    else:
        spend = 0
    if on.once:
        fighter.once.append(reaction.key)
    deeds.perform(work, fighter, on, happening, spend)


def _concerns(on: On, fighter: Fighter, happening: Happening) -> bool:
    match on.who:
        case "any":
            return True
        case "subject":
            return fighter is happening.subject
        case "actor":
            return fighter is happening.actor
        case "side":
            return fighter.side == happening.side
    subject = happening.subject
    if subject is None or fighter is subject:
        return False
    return (fighter.side == subject.side) is (on.who == "ally")
