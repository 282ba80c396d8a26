"""What a battle leaves to the host: cards, coin, truces, dispersed armies, damage (section 12, 2.3)."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.warfare.army import Army, Unit
from shared.warfare.battle.state import Battle, Fighter, Truce
from shared.warfare.world import ROGUES

End = Literal["kept", "retreated", "surrendered", "dispersed", "destroyed", "reforms", "absent"]
"""``reforms``: a champion's body with routed units, back at season's end (WF-GOAL-15). ``absent``: never deployed
and left untouched."""


class Fate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One army after the battle. ``army`` is its card with what the battle left of it, slain tokens gone; for a
    dispersed one the units that fled."""

    id: str
    power: str
    end: End
    army: Army
    fought: bool
    """It deployed: it owes its fee (WF-SET-14)."""
    reinforced: bool
    """It came from another hex, so it has moved as well."""
    slain: int
    routed: int
    yielded_to: str | None = None


class Outcome(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``coin`` is the change by power; ``damage`` the damage counts of ``wall`` and other features by goal."""

    battle: str
    winner: int | None
    sides: tuple[tuple[str, ...], ...]
    rounds: int
    defender: int | None
    experience: int
    """Rank of the asset each survivor gained; 0 for none (WF-END-04, WF-END-05)."""
    fates: tuple[Fate, ...]
    coin: dict[str, int]
    truces: tuple[Truce, ...] = ()
    champions_slain: tuple[str, ...] = ()
    leaders_slain: tuple[str, ...] = ()
    damage: dict[str, int] = {}
    assets_used: dict[str, tuple[str, ...]] = {}
    """By power: assets that are spent."""


def outcome(battle: Battle) -> Outcome:
    """Of an ended battle. ValueError if it has not ended."""
    if battle.phase != "ended":
        raise ValueError(f"{battle.id} has not ended")
    bloody = sum(fighter.slain for fighter in battle.fighters)  # WF-END-04
    fates = tuple(_fate(fighter, bloody) for fighter in battle.fighters)
    slain = {power.id for power in battle.powers if power.champion_slain}
    slain |= {
        power.id
        for power in battle.powers
        for fate in fates
        if fate.id == power.personal and fate.end == "destroyed"  # WF-GOAL-15
    }
    return Outcome(
        battle=battle.id,
        winner=battle.winner,
        sides=tuple(tuple(side.powers) for side in battle.sides),
        rounds=battle.round,
        defender=battle.defender,
        experience=bloody,
        fates=fates,
        coin={power.id: power.gained for power in battle.powers if power.gained and power.id != ROGUES},
        truces=tuple(battle.truces),
        champions_slain=tuple(sorted(slain)),
        leaders_slain=tuple(leader.id for leader in battle.leaders if leader.slain),
        damage={goal.id: goal.damage for goal in battle.goals if goal.damage},
        assets_used={power.id: tuple(power.spent) for power in battle.powers if power.spent},
    )


def _fate(fighter: Fighter, bloody: int) -> Fate:
    fought = fighter.deployed_with > 0
    left = tuple(unit for unit in fighter.units if unit.state != "slain")
    routed = sum(unit.state == "routed" for unit in left)
    end = _end(fighter, routed)
    alive = end not in ("dispersed", "destroyed", "reforms")
    card = replace(fighter.card, units=tuple(Unit(unit.wounds, 0, unit.state) for unit in left))  # WF-END-06
    if bloody and fought and alive:  # WF-END-05
        card = replace(card, experience=(*card.experience, bloody))
    if fighter.yielded_to is not None:  # WF-RND-18: loyal to nobody
        new = None if fighter.yielded_to == ROGUES else fighter.yielded_to
        card = replace(card, controller=new, loyal_to=None)
    return Fate(
        id=fighter.id,
        power=fighter.power,
        end=end,
        army=card,
        fought=fought,
        reinforced=fought and fighter.reinforces,
        slain=len(fighter.units) - len(left),
        routed=routed,
        yielded_to=fighter.yielded_to,
    )


def _end(fighter: Fighter, routed: int) -> End:
    if fighter.stand == "lost":  # WF-END-03
        if not routed:
            return "destroyed"
        return "reforms" if fighter.card.personal else "dispersed"
    if fighter.stand == "left":
        return "surrendered" if fighter.withdrew == "surrender" else "retreated"
    return "kept" if fighter.deployed_with else "absent"
