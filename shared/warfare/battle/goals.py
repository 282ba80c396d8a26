"""The goals of a battle: laid out when it opens, won and rewarded at the end of each round (section 11)."""

from collections.abc import Callable
from typing import Final

from shared.warfare.answers import GmGoal, Proposal
from shared.warfare.battle import statuses, triggers
from shared.warfare.battle.conditions import walls
from shared.warfare.battle.damage import destroy
from shared.warfare.battle.presence import in_play
from shared.warfare.battle.state import Battle, Goal
from shared.warfare.battle.work import Happening, Work
from shared.warfare.content.goals import BASE, CATALOGUE, GOALS, WALL_THRESHOLDS, WALLS, GoalRow
from shared.warfare.content.statuses import STATUSES


def lay_out(work: Work, gm: tuple[GmGoal, ...] | None) -> None:
    """Walls, the base goals, and what captains proposed or a game master set (WF-SET-07, WF-SET-08)."""
    battle = work.battle
    first = battle.defender  # who takes the second column (WF-GOAL-07)
    goals: list[Goal] = []
    rank = wall_rank(battle)
    if rank and first is not None:
        wall = _goal("walls", "walls", WALLS, [side != first for side in range(len(battle.sides))])
        wall.rank = rank
        if battle.options.wall_threshold_by_rank:
            attacker = WALL_THRESHOLDS[rank]
            wall.thresholds = [
                attacker if side != first else wall.thresholds[side] for side in range(len(battle.sides))
            ]
        goals.append(wall)
    roles = [side != first for side in range(len(battle.sides))]
    goals += [_goal(name, name, row, roles) for name, row in BASE.items()]
    if gm is None:
        for side in battle.order:
            captain = battle.sides[side].captain
            for proposal in work.contender(captain).proposals if captain else ():
                goal = proposed(work, side, proposal)
                if goal is not None and not any(_same(goal, other) for other in goals):
                    if any(goal.id == other.id for other in goals):
                        goal.id += f":{side}"
                    goals.append(goal)
    else:
        goals += [_ruled(battle, goal) for goal in gm]
    battle.goals = goals
    for goal in goals:
        work.emit("goal", goal=goal.id, thresholds=goal.thresholds, text=goal.text)


def wall_rank(battle: Battle) -> int:
    """Of the defender's site: 1 wooden, 2 stone, 3 layered; 0 for none (WF-SET-07, WF-GOAL-12)."""
    if battle.defender is None:
        return 0
    owners = battle.sides[battle.defender].powers
    return max((site.wall for site in battle.sites if site.owner in owners), default=0)


def _goal(id: str, template: str, row: GoalRow, first: list[bool], target: str | None = None) -> Goal:
    """``first`` says by side who has the first role."""
    return Goal(
        id=id,
        template=template,
        text=row.title,
        thresholds=[row.thresholds[0 if role else 1] for role in first],
        rewards=[list(row.rewards[0 if role else 1]) for role in first],
        tags=list(row.tags),
        order=row.order,
        target=target,
    )


def proposed(work: Work, side: int, proposal: Proposal) -> Goal | None:
    """A captain's proposal from the catalogue as a goal; None if it names nothing that is here (WF-GOAL-16)."""
    row = CATALOGUE.get(proposal.goal)
    if row is None or not target_legal(work, side, proposal):
        return None
    symmetric = row.thresholds[0] == row.thresholds[1] and row.rewards[0] == row.rewards[1]
    name = proposal.goal
    if row.needs in ("champion", "army"):
        name += f":{proposal.target}"
    elif not symmetric:
        name += f":{side}"
    target = proposal.target if row.needs in ("champion", "army") else None
    sides = range(len(work.battle.sides))
    goal = _goal(name, proposal.goal, row, [other == side for other in sides], target)
    if row.needs == "champion":  # WF-GOAL-14: only the hunters and the target's side have a part
        guarding = side_of_target(work, proposal.target)
        goal.thresholds = [
            threshold if other in (side, guarding) else None
            for other, threshold in enumerate(goal.thresholds)
        ]
    goal.proposer = side
    return goal


def target_legal(work: Work, side: int, proposal: Proposal, *, involved: bool = True) -> bool:
    """``involved``: a champion must have declared its involvement, as it has by the reveal."""
    needs = CATALOGUE[proposal.goal].needs
    battle = work.battle
    if needs == "champion":
        guarding = side_of_target(work, proposal.target, involved=involved)
        return guarding is not None and guarding != side
    if needs == "army":
        army = work.by_id.get(proposal.target or "")
        return army is not None and army.side != side and army.stand in ("here", "line", "reserve")
    if needs == "site":
        mine = battle.sides[side].powers
        others = [power for one in battle.sides for power in one.powers if power not in mine]
        return any(site.owner in others for site in battle.sites)
    return proposal.target is None


def side_of_target(work: Work, target: str | None, *, involved: bool = True) -> int | None:
    """The side of a champion (by its power) or of a host-listed leader."""
    for power in work.battle.powers:
        if power.id == target and (power.involved or (power.champion and not involved)):
            return power.side
    for leader in work.battle.leaders:
        if leader.id == target and not leader.slain:
            return work.contender(leader.power).side
    return None


def _same(goal: Goal, other: Goal) -> bool:
    """Identical proposals merge (WF-SET-08)."""
    return goal.id == other.id and goal.thresholds == other.thresholds


def _ruled(battle: Battle, goal: GmGoal) -> Goal:
    count = len(battle.sides)
    row = GOALS.get(goal.id.partition(":")[0])
    rewards = [list(goal.rewards[side]) if side < len(goal.rewards) else [] for side in range(count)]
    return Goal(
        id=goal.id,
        template=goal.id.partition(":")[0] if row else "free",
        text=goal.text or (row.title if row else goal.id),
        thresholds=[goal.thresholds[side] if side < len(goal.thresholds) else None for side in range(count)],
        rewards=rewards,
        tags=list(goal.tags),
        order=0 if "defence" in goal.tags else 3,
        target=goal.target,
    )


def resolve(work: Work) -> None:
    """Winners first, then rewards, then all presence is gone (WF-GOAL-02 to GOAL-04)."""
    battle = work.battle
    barred = battle.defender if walls(work) is not None else None
    won = [
        (goal, winner)
        for goal in battle.goals
        if in_play(work, goal) and (winner := _winner(work, goal, barred)) is not None
    ]
    for goal, winner in won:
        battle.sides[winner].won.append(goal.id)
        work.emit("goal-won", goal=goal.id, side=winner)
        for side in battle.order:
            if side != winner:  # WF-GOAL-08
                triggers.happen(work, Happening("goal-lost", side=side, goal=goal))
    for goal, winner in sorted(won, key=lambda found: found[0].order):
        for reward, by in goal.rewards[winner]:
            REWARDS[reward](work, goal, winner, by)
    for goal in battle.goals:
        goal.presence = []
        goal.ruled = None


def _winner(work: Work, goal: Goal, barred: int | None) -> int | None:
    """The side with strictly most successes. While walls stand only the defender can win Advance (WF-GOAL-10)."""
    if goal.ruled is not None:
        return goal.ruled if goal.ruled >= 0 else None
    totals = [0] * len(work.battle.sides)
    for record in goal.presence:
        totals[record.side] += record.successes
    most = max(totals)
    if totals.count(most) != 1:
        return None
    winner = totals.index(most)
    return None if goal.id == "advance" and barred is not None and winner != barred else winner


def _initiative(work: Work, goal: Goal, side: int, by: int | str) -> None:  # WF-GOAL-09
    order = work.battle.order
    order.remove(side)
    order.insert(0, side)
    work.reordered()
    work.emit("initiative", order=list(order))


def _escalation(work: Work, goal: Goal, side: int, by: int | str) -> None:
    work.battle.sides[side].escalation += int(by)
    work.emit("escalation", side=side, now=work.battle.sides[side].escalation)


def _remove(work: Work, goal: Goal, side: int, by: int | str) -> None:
    goal.removed = True  # for this battle; the wall itself stands (WF-GOAL-12)
    work.emit("goal-removed", goal=goal.id)


def _absent(work: Work, goal: Goal, side: int, by: int | str) -> None:
    goal.back_in = work.battle.round + int(by) + 1


def _coin(work: Work, goal: Goal, side: int, by: int | str) -> None:
    captain = work.battle.sides[side].captain
    work.contender(captain).gained += int(by)
    work.emit("coin", power=captain, by=by)


def _rally(work: Work, goal: Goal, side: int, by: int | str) -> None:  # WF-GOAL-16
    def routed(army: str) -> list[int]:
        return [index for index, unit in enumerate(work.by_id[army].units) if unit.state == "routed"]

    most = max(work.line(side), key=lambda fighter: len(routed(fighter.id)), default=None)
    if most is not None:
        rally(work, most.id, int(by))


def rally(work: Work, army: str, count: int) -> None:
    """Routed units return, least wounded first."""
    fighter = work.by_id[army]
    routed = [index for index, unit in enumerate(fighter.units) if unit.state == "routed"]
    back = sorted(routed, key=lambda index: (fighter.units[index].wounds, index))[:count]
    for index in back:
        fighter.units[index].state = "active"
    if back:
        work.emit("rallied", army=army, units=back)


def _encircle(work: Work, goal: Goal, side: int, by: int | str) -> None:
    for other, one in enumerate(work.battle.sides):
        if other != side:
            one.hemmed = True
    work.emit("encircled", side=side)


def _status(name: str) -> "Effect":
    def give(work: Work, goal: Goal, side: int, by: int | str) -> None:
        target = work.by_id.get(goal.target or "")
        if target is not None and target.stand == "line":
            statuses.give(work, target, name, int(by))

    return give


def _kill(work: Work, goal: Goal, side: int, by: int | str) -> None:  # WF-GOAL-14, WF-GOAL-15
    goal.removed = True
    for leader in work.battle.leaders:
        if leader.id == goal.target:
            leader.slain = True
    for power in work.battle.powers:
        if power.id == goal.target:
            power.champion_slain = True
            body = work.by_id.get(power.personal or "")
            if body is not None and body.stand in ("line", "reserve", "delayed"):
                _slay(work, body.id)
    work.emit("assassinated", target=goal.target)


def _slay(work: Work, army: str) -> None:
    fighter = work.by_id[army]
    for unit in fighter.units:
        unit.state = "slain"
    fighter.slain = fighter.killed = True
    destroy(work, fighter)


Effect = Callable[[Work, Goal, int, int | str], None]
REWARDS: Final[dict[str, Effect]] = {
    "initiative": _initiative,
    "escalation": _escalation,
    "remove": _remove,
    "absent": _absent,
    "coin": _coin,
    "rally": _rally,
    "encircle": _encircle,
    **{name: _status(name) for name in STATUSES},
    "kill": _kill,
}
"""By the names of ``content.goals``; a game master may use them too."""
