"""The Deployment phase: reserves and arrivals, and what armies deploy with (WF-RND-02, RND-03, SET-19)."""

from collections.abc import Iterable
from typing import Any

from shared.warfare.answers import Deploy
from shared.warfare.battle import ending, statuses, triggers
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.window import Replies, Window, asked
from shared.warfare.battle.work import Happening, Work
from shared.warfare.errors import Refusal
from shared.warfare.policy import FromRound


def _waiting(work: Work, power: str) -> list[Fighter]:
    """A power's reserves and arrivals, in the order filed."""
    side = work.battle.sides[work.contender(power).side]
    found = (work.by_id[name] for name in side.bench)
    return [fighter for fighter in found if fighter.power == power and fighter.stand == "reserve"]


def keys(work: Work) -> list[str]:
    return [name for name in asked(work, work.battle.powers) if _waiting(work, name)]


def question(work: Work, power: str) -> dict[str, Any]:
    return {"round": work.battle.round, "deploy": [fighter.id for fighter in _waiting(work, power)]}


def check(work: Work, power: str, answer: Deploy) -> Refusal | None:
    legal = [fighter.id for fighter in _waiting(work, power)]
    for name in answer.deploy:
        if name not in legal or answer.deploy.count(name) > 1:
            return Refusal(rule="WF-RND-02", what="cannot be deployed now", army=name, legal=", ".join(legal))
    return None


def close(work: Work, replies: Replies) -> None:
    arrived: list[Fighter] = []
    for contender in work.battle.powers:
        waiting = _waiting(work, contender.id)
        answer: Deploy | None = replies.get(contender.id)
        named = answer.deploy if answer is not None else _by_policy(work, waiting)
        for name in named:
            arrived.append(_to_line(work, work.by_id[name]))
    arrived += never_empty(work)
    work.reordered()
    arrive(work, arrived)
    begin_round(work)


def _by_policy(work: Work, waiting: Iterable[Fighter]) -> list[str]:
    """WF-INT-27."""
    now = work.battle.round
    return [
        fighter.id
        for fighter in waiting
        if not isinstance(when := work.policy(fighter).deploy, FromRound) or now >= when.from_round
    ]


def _to_line(work: Work, fighter: Fighter) -> Fighter:
    side = work.battle.sides[fighter.side]
    side.bench.remove(fighter.id)
    side.line.append(fighter.id)
    fighter.stand = "line"
    return fighter


def never_empty(work: Work) -> list[Fighter]:
    """A side with none deployed must send its first reserve (WF-SET-11)."""
    sent: list[Fighter] = []
    for index, side in enumerate(work.battle.sides):
        reserves = [work.by_id[name] for name in side.bench if work.by_id[name].stand == "reserve"]
        if reserves and not work.line(index):
            sent.append(_to_line(work, reserves[0]))
    return sent


def arrive(work: Work, arrived: list[Fighter]) -> None:
    """What armies deploy with; a line that terror or disgust has emptied is filled again (WF-SET-11)."""
    while arrived:
        _bring_on(work, arrived)
        if ending.over(work):
            return
        arrived = never_empty(work)
        work.reordered()


def _bring_on(work: Work, arrived: list[Fighter]) -> None:
    """Each kind of effect for all of them before the next (WF-SET-19)."""
    ids = {fighter.id for fighter in arrived}
    arriving = [fighter for fighter in work.deployed() if fighter.id in ids]
    for fighter in arriving:
        fighter.armor = fighter.armor_max  # WF-CARD-07, WF-EQP-04
        fighter.deployed_with = fighter.active
        work.emit("deployed", army=fighter.id, power=fighter.power, side=fighter.side)
    for fighter in arriving:
        triggers.happen(work, Happening("deploying", fighter))
        work.gain(fighter, _fed(work, fighter))
    for fighter in arriving:
        triggers.happen(work, Happening("deployed", fighter))
        _ruled_statuses(work, fighter)
    for point in ("beside", "against"):
        for fighter in arriving:
            if fighter.stand == "line":
                triggers.happen(work, Happening(point, fighter))


def _fed(work: Work, fighter: Fighter) -> int:
    """Momentum from Cooks on its side, however many there are (WF-KEY-25)."""
    return max(
        (work.trait(ally, "feeds") for ally in work.line(fighter.side) if ally is not fighter), default=0
    )


def _ruled_statuses(work: Work, fighter: Fighter) -> None:
    for effect in work.battle.effects:
        if effect.status is not None and effect.army == fighter.id:
            statuses.give(work, fighter, effect.status, effect.x)


def begin_round(work: Work) -> None:
    """After arrivals: the Deployment phase's gains, then the start of the round (WF-RND-03)."""
    if ending.over(work):
        return
    work.emit("round", round=work.battle.round)
    triggers.happen(work, Happening("deployment"))
    triggers.happen(work, Happening("round-start"))
    if not ending.over(work):
        work.battle.phase = "spell"


WINDOW = Window("D-09", keys, question, check, close)
