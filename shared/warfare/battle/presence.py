"""Applying presence to goals (WF-GOAL-01)."""

from collections.abc import Sequence

from shared.warfare.answers import Entry
from shared.warfare.battle import triggers
from shared.warfare.battle.checks import pool, roll, situational, static
from shared.warfare.battle.state import Fighter, Goal, Presence
from shared.warfare.battle.work import Happening, Work


def in_play(work: Work, goal: Goal) -> bool:
    return not goal.removed and goal.back_in <= work.battle.round


def open_to(work: Work, me: Fighter) -> list[Goal]:
    """Goals the army may apply presence to, in listed order; bonds narrow them (WF-CLS-03)."""
    goals = [
        goal for goal in work.battle.goals if in_play(work, goal) and goal.thresholds[me.side] is not None
    ]
    if me.bonds:
        bound = {bond.goal for bond in me.bonds if work.by_id[bond.army].stand == "line"}
        goals = [goal for goal in goals if goal.id in bound] or goals
    return goals


def choose(work: Work, me: Fighter, listed: Sequence[str] = ()) -> Goal | None:
    """The first listed goal that is legal, else the policy's, else any in listed order (WF-INT-26)."""
    goals = open_to(work, me)
    named = {goal.id: goal for goal in goals}
    for name in (*listed, work.policy(me).goal):
        if name in named:
            return named[name]
    return goals[0] if goals else None


def apply(work: Work, me: Fighter, by: int, entry: Entry | None = None) -> bool:
    """A presence check on the best goal, on two if the army pays for it (WF-CLS-17). False if no goal is legal."""
    goal = choose(work, me, entry.goals if entry else ())
    if goal is None:
        return False
    triggers.happen(work, Happening("presence", me, me, goal=goal))
    goals = [goal]
    second = _second(work, me, goal)
    if second is not None:
        goals.append(second)
    _check(work, me, goals, by, entry.asset if entry else None)
    return True


def _second(work: Work, me: Fighter, first: Goal) -> Goal | None:
    may, wanted = work.profile(me).options.get("second_goal"), work.policy(me).second_goal
    if may is None or wanted == "never" or not work.can_pay(me, may.cost, "second_goal"):
        return None
    named = {goal.id: goal for goal in open_to(work, me) if goal is not first}
    for name in wanted:
        if name in named:
            work.pay(me, may.cost)
            return named[name]
    return None


def _check(work: Work, me: Fighter, goals: list[Goal], by: int, asset: str | None) -> None:
    statics = static(work, me, "presence", by)
    # What depends on the goal (Engineers at a wall) is counted for each of two goals apart (WF-DICE-11).
    always = situational(work, me, "presence")
    rolled = roll(
        work, me, "presence", "presence", dice=pool(work, me, "presence"), static=statics, named=asset
    )
    for goal in goals:
        there = situational(work, me, "presence", Happening("presence", me, me, goal=goal)) - always
        threshold = max(1, goal.thresholds[me.side] or 1)
        successes = rolled._replace(static=statics + there).successes(threshold)
        goal.presence.append(Presence(me.id, me.side, successes))
        work.emit(
            "presence", army=me.id, goal=goal.id, faces=rolled.faces, static=statics + there,
            threshold=threshold, successes=successes,
        )  # fmt: skip
    for goal in goals:
        triggers.happen(work, Happening("presence-checked", me, me, goal=goal))
