"""Gaining, cancelling and losing statuses (section 18)."""

from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Work
from shared.warfare.content.statuses import STATUSES


def give(work: Work, fighter: Fighter, name: str, stacks: int) -> None:
    """``fighter`` gains a status: opposites cancel one for one, the rest adds up (WF-STA-20, WF-STA-21)."""
    if stacks <= 0:
        return
    statuses, opposite = fighter.statuses, STATUSES[name].opposite
    held = statuses.get(opposite, 0) if opposite else 0
    cancelled = min(held, stacks)
    if cancelled:
        _set(fighter, opposite, held - cancelled)
    if stacks > cancelled:
        statuses[name] = statuses.get(name, 0) + stacks - cancelled
    work.emit("status", army=fighter.id, status=name, stacks=stacks, now=statuses.get(name, 0))


def lose(fighter: Fighter, name: str) -> None:
    fighter.statuses.pop(name, None)


def tick(work: Work, fighter: Fighter) -> None:
    """WF-STA-22, WF-KEY-09."""
    faster = work.trait(fighter, "steady")
    for name, stacks in list(fighter.statuses.items()):
        by = faster if faster and STATUSES[name].negative else 1
        _set(fighter, name, stacks - by)


def sealed(fighter: Fighter) -> bool:
    """Cannot gain or restore armor (WF-STA-25)."""
    return any(STATUSES[name].seals_armor for name in fighter.statuses)


def restore(work: Work, fighter: Fighter, armor: int) -> int:
    """Armor restored, at most to its maximum; how much it was."""
    if sealed(fighter):
        return 0
    gained = max(0, min(armor, fighter.armor_max - fighter.armor))
    if gained:
        fighter.armor += gained
        work.emit("armor", army=fighter.id, by=gained, now=fighter.armor)
    return gained


def _set(fighter: Fighter, name: str, stacks: int) -> None:
    if stacks > 0:
        fighter.statuses[name] = stacks
        return
    fighter.statuses.pop(name, None)
    if name == "weakened":
        fighter.bonds.clear()  # WF-STA-21: a bond lasts as long as it
