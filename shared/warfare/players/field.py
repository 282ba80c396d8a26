"""A computer player's answers in the windows of a battle (D-07 to D-14)."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from shared.warfare import answers
from shared.warfare.battle import checks
from shared.warfare.battle.presence import in_play
from shared.warfare.battle.state import Battle, Fighter
from shared.warfare.battle.terms import imperilled
from shared.warfare.battle.work import Work
from shared.warfare.content.statuses import STATUSES
from shared.warfare.decisions import Decision
from shared.warfare.dice import face
from shared.warfare.players import weighing
from shared.warfare.players.styles import Style
from shared.warfare.spells import DoDamage, DoMomentum, DoStatus

GRAIN: Final = 1000
COMMAND_BONUS: Final = {"slay": 1, "hold": 1, "charge": 0}
TAUNT_ARMOR: Final = 2


class Player:
    """One question to one power."""

    def __init__(self, style: Style, known: Battle, decision: Decision, luck: str) -> None:
        self.style = style
        self.work = Work(known)
        self.asked = decision.question
        self.power = decision.power
        self.side = self.work.contender(decision.power).side
        self._luck = f"{luck}|{decision.id}"
        self.strength = weighing.strength(self.work, self.side)

    def guessed(self, worth: float, *labels: str) -> float:
        """A worth as this player misjudges it."""
        if not self.style.guess:
            return worth
        drawn = face("|".join((self._luck, *labels)), GRAIN, 0) / GRAIN
        return worth * (1 + self.style.guess * (2 * drawn - 1))

    @property
    def lost(self) -> bool:
        odds = self.style.yields_at
        return bool(odds) and self.strength.enemy >= odds * max(1.0, self.strength.own)


def answer(style: Style, known: Battle, decision: Decision, luck: str) -> Struct | None:
    """None where policies or the default will do."""
    found = ANSWERS.get(decision.kind)
    return None if found is None else found(Player(style, known, decision, luck))


def setup(me: Player) -> Struct | None:
    style = me.style
    assets = tuple(me.asked["assets"]) if style.commits else ()
    goals: list[answers.Proposal] = []
    if style.proposes:
        for goal in ("disorder", "plunder", "assassinate"):
            row = next((one for one in me.asked["goals"] if one["goal"] == goal), None)
            if row is not None and len(goals) < me.asked["most_goals"]:
                goals.append(answers.Proposal(goal=goal, target=_target(me, row)))
    if not assets and not goals:
        return None
    may_stay_out = tuple(name for name in me.asked["here"] if name in me.asked["may_stay_out"])
    return answers.Setup(
        line=may_stay_out,
        assets=assets,
        goals=tuple(goals),
        use=dict.fromkeys(assets, "first_attack"),
    )


def _target(me: Player, row: dict[str, Any]) -> str | None:
    targets = row.get("targets")
    if not targets:
        return None
    armies = [me.work.by_id[name] for name in targets if name in me.work.by_id]
    best = weighing.strongest(armies)
    return best.id if best is not None else str(targets[0])


def cast(me: Player) -> Struct | None:
    if not me.style.commits:
        return None
    contender = me.work.contender(me.power)
    spells = {spell.id: spell for spell in contender.spells}
    spells |= {f"asset:{one.id}": one.spell for one in contender.committed if one.spell is not None}
    for row in me.asked["spells"]:
        spell = spells.get(row["spell"])
        if spell is None:
            continue
        harms = any(
            isinstance(effect, DoDamage)
            or (isinstance(effect, DoMomentum) and effect.n < 0)
            or (isinstance(effect, DoStatus) and _negative(effect.name))
            for effect in spell.effects
        )
        on = [one for one in me.work.deployed() if (one.side != me.side) is harms]
        best = weighing.strongest(on)
        if not row["targets"]:
            return answers.Cast(spell=row["spell"])
        if best is not None:
            return answers.Cast(spell=row["spell"], targets=(best.id,))
    return None


def _negative(status: str) -> bool:
    return status in STATUSES and STATUSES[status].negative


def commands(me: Player) -> Struct | None:
    dealt: dict[str, float] = {}
    planned: dict[str, float] = {}
    entries: list[answers.Entry] = []
    for choices in me.asked["armies"]:
        entries.append(_entry(me, me.work.by_id[choices["army"]], choices, dealt, planned))
    return answers.Commands(entries=tuple(entries[: me.asked["most_entries"]]))


def _entry(
    me: Player, fighter: Fighter, choices: dict[str, Any], dealt: dict[str, float], planned: dict[str, float]
) -> answers.Entry:
    work, style = me.work, me.style
    rounds = work.battle.options.rounds - work.battle.round
    goals = {goal.id: goal for goal in work.battle.goals if in_play(work, goal)}

    def hits(target: str, extra: int) -> float:
        enemy = work.by_id[target]
        worth = weighing.attack(work, fighter, enemy, extra, dealt.get(target, 0.0))
        return me.guessed(worth, fighter.id, target)

    def stands(goal: str, extra: int) -> float:
        worth = weighing.presence(work, fighter, goals[goal], extra, planned.get(goal, 0.0), rounds)
        return me.guessed(worth * style.goals, fighter.id, goal)

    hurt = {name: hits(name, 1) for name in choices["targets"]}
    held = {name: stands(name, 1) for name in choices["goals"] if name in goals}
    aims = sorted(hurt, key=lambda name: -hurt[name])
    aims_goals = sorted(held, key=lambda name: -held[name])
    worth = {"rest": weighing.rest(work, fighter)}
    if aims:
        worth["slay"] = hurt[aims[0]]
    if aims_goals:
        worth["hold"] = held[aims_goals[0]]
    if "charge" in choices["commands"] and aims and aims_goals:
        worth["charge"] = hits(aims[0], 0) + stands(aims_goals[0], 0) - weighing.MOMENTUM_WORTH
    legal = [name for name in choices["commands"] if name in worth]
    best = max(legal, key=lambda name: worth[name], default="rest")
    if style.shares:
        extra = COMMAND_BONUS.get(best, 0)
        if best in ("slay", "charge"):
            threshold = checks.threshold(work, work.by_id[aims[0]])
            dealt[aims[0]] = dealt.get(aims[0], 0.0) + weighing.successes(
                work, fighter, "attack", threshold, extra
            )
        if best in ("hold", "charge"):
            wanted = goals[aims_goals[0]].thresholds[me.side] or 1
            more = weighing.successes(work, fighter, "presence", wanted, extra)
            planned[aims_goals[0]] = planned.get(aims_goals[0], 0.0) + more
    two = "two" in choices.get("options", ()) and len(aims) > 1
    return answers.Entry(
        army=fighter.id,
        command=best,
        targets=tuple(aims),
        second=tuple(aims[1:]) if two else (),
        goals=tuple(aims_goals),
        two=True if two else None,
        taunt=True if fighter.card.class_ == "infantry" and fighter.armor >= TAUNT_ARMOR else None,
        second_goal=aims_goals[1]
        if "second_goal" in choices.get("options", ()) and len(aims_goals) > 1
        else None,
    )


def offer(me: Player) -> Struct | None:
    if not me.style.proposes:
        return None
    for row in me.asked["to"]:
        enemies = me.work.line(row["side"])
        if enemies and all(imperilled(me.work, enemy) for enemy in enemies):
            return answers.Offer(to=row["side"])
    return None


def reply(me: Player) -> Struct | None:
    return answers.Reply(accept=me.lost and bool(me.asked["can_pay"]))


def withdraw(me: Player) -> Struct | None:
    if not me.lost or not me.asked["retreat"]:
        return None
    return answers.Withdraw(retreat=tuple(me.asked["retreat"]))


ANSWERS: Final[dict[str, Callable[[Player], Struct | None]]] = {
    "D-07": setup,
    "D-10": cast,
    "D-11": commands,
    "D-12": offer,
    "D-13": reply,
    "D-14": withdraw,
}
"""By kind; deployments (D-09) follow policies, rulings (D-08) are no player's."""
