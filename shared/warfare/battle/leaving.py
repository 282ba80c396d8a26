"""Leaving the field alive, by retreat or surrender."""

from shared.warfare.battle.damage import dissipate
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Work


def leave(work: Work, fighter: Fighter, *, surrender: bool = False) -> None:
    """Off the field alive (WF-RND-26, WF-GEN-08)."""
    fighter.stand = "left"
    fighter.withdrew = "surrender" if surrender else "retreat"
    fighter.statuses.clear()
    fighter.bonds.clear()
    fighter.momentum = 0
    dissipate(work, fighter)
    work.emit("left", army=fighter.id, how=fighter.withdrew)
