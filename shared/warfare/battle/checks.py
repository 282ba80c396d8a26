"""Combat checks: pools, statics, thresholds and their rolls (section 2.1)."""

from typing import NamedTuple

from shared.warfare.army import Attribute, Check
from shared.warfare.battle.amounts import amount
from shared.warfare.battle.conditions import holds
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Happening, Work
from shared.warfare.content.statuses import STATUSES
from shared.warfare.content.tables import BEST_FACE_COUNTS
from shared.warfare.effects import Number
from shared.warfare.spells import Asset


class Roll(NamedTuple):
    """Faces of a check. Those from ``best_from`` on count twice when they show the highest; ``assured`` successes
    come on top (WF-AST-07)."""

    faces: list[int]
    die: int
    static: int
    best_from: int
    assured: int

    def successes(self, threshold: int) -> int:
        """WF-DICE-03, WF-DICE-04, WF-DICE-07, WF-DICE-08; the same faces may meet several thresholds (WF-DICE-11)."""
        count = self.assured
        for index, face in enumerate(self.faces):
            if face + self.static >= threshold:
                count += BEST_FACE_COUNTS if index >= self.best_from and face == self.die else 1
        return count


def attribute(fighter: Fighter, check: Check) -> Attribute:
    if check == "attack":
        return fighter.attack
    return fighter.presence if check == "presence" else fighter.morale


def pool(work: Work, fighter: Fighter, check: Check, base: int | None = None) -> int:
    """WF-DICE-02."""
    dice = fighter.active if base is None else base
    for name, stacks in fighter.statuses.items():
        for which, by in STATUSES[name].dice:
            if which == check:
                dice += by * stacks
    if check == "presence":
        dice += situational(work, fighter, "presence-dice")  # WF-KEY-32
    return max(0, dice)


def situational(work: Work, fighter: Fighter, number: Number, what: Happening | None = None) -> int:
    """What rows add to a number as things stand (WF-DICE-03)."""
    return sum(
        amount(effect.by, work, fighter)
        for effect in work.profile(fighter).whiles.get(number, ())
        if not effect.where or holds(effect.where, work, fighter, what)
    )


def ruled(work: Work, fighter: Fighter, number: str) -> int:
    """What a game master adds (WF-SET-07)."""
    return sum(
        effect.by
        for effect in work.battle.effects
        if effect.number == number and effect.side in (None, fighter.side)
    )


def static(work: Work, fighter: Fighter, check: Check, extra: int = 0, what: Happening | None = None) -> int:
    """What is added to each face (WF-DICE-03, WF-ATK-09); escalation is an attack's alone (WF-GOAL-06)."""
    total = attribute(fighter, check).static + extra + situational(work, fighter, check, what)
    if work.battle.effects:
        total += ruled(work, fighter, check)
    if check == "attack":
        total += work.battle.sides[fighter.side].escalation
    return total


def threshold(work: Work, target: Fighter, guard: int = 0) -> int:
    """What an attack on ``target`` must meet, before Needler and Slayer (WF-ATK-08, WF-DICE-05)."""
    defense = target.defense + situational(work, target, "defense") + target.guard + guard
    for name in target.statuses:
        defense += STATUSES[name].defense
    if work.battle.effects:
        defense += ruled(work, target, "defense")
    return max(1, defense)


def roll(
    work: Work,
    fighter: Fighter,
    check: Check,
    purpose: str,
    *,
    dice: int,
    static: int,
    named: str | None = None,
) -> Roll:
    """One roll, with a secret asset if one is used on it (WF-AST-07, WF-CMD-10)."""
    die = attribute(fighter, check).die
    asset = _asset(work, fighter, check, named)
    more = asset.bonus if asset and asset.kind != "assured" else 0
    faces = work.rolls.roll(f"army:{fighter.id}", purpose, die, dice + more)
    if asset:
        work.emit(
            "asset", army=fighter.id, power=fighter.power, asset=asset.id, kind=asset.kind, bonus=asset.bonus
        )
    return Roll(
        faces,
        die,
        static,
        best_from=dice if asset and asset.kind == "critical" else len(faces),
        assured=asset.bonus if asset and asset.kind == "assured" else 0,
    )


def _asset(work: Work, fighter: Fighter, check: Check, named: str | None) -> Asset | None:
    contender = work.contender(fighter.power)
    for asset in contender.committed:
        if (
            asset.special is None
            and asset.spell is None
            and (asset.id == named or (named is None and contender.use.get(asset.id) == f"first_{check}"))
        ):
            contender.committed.remove(asset)  # once
            contender.spent.append(asset.id)
            return asset
    return None


def morale(work: Work, fighter: Fighter, purpose: str, rank: int) -> int:
    """Successes of a morale check against ``rank`` (WF-DICE-09, WF-DICE-10)."""
    rolled = roll(
        work, fighter, "morale", purpose,
        dice=pool(work, fighter, "morale"), static=static(work, fighter, "morale"),
    )  # fmt: skip
    successes = rolled.successes(max(1, rank))
    work.emit(
        "morale", army=fighter.id, purpose=purpose, faces=rolled.faces, static=rolled.static,
        threshold=max(1, rank), successes=successes,
    )  # fmt: skip
    return successes
