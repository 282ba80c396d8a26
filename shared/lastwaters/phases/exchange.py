"""The arithmetic of an assault: powers, variation, losses and how they are spread (C-05 to C-10).

A pool is a list of cells, one a (side, unit type), by seat and then in the unit table's order.
"""

from collections.abc import Sequence

from shared.lastwaters.draws import draw
from shared.lastwaters.effects import NONE
from shared.lastwaters.record import Assault, Exchange, Losses
from shared.lastwaters.tables import (
    NEUTRAL,
    POWER_SCALE,
    SIEGE_SCALE,
    UNITS,
    VARIATION_BASE,
    VARIATION_DRAW,
    VARIATION_ONE,
)
from shared.lastwaters.turn import Turn


class Cell:
    """``weight`` is the doubled power of one unit."""

    __slots__ = ("count", "side", "unit", "weight")

    def __init__(self, side: str, unit: str, count: int, weight: int) -> None:
        self.side = side
        self.unit = unit
        self.count = count
        self.weight = weight


Pool = list[Cell]


def attack_power(turn: Turn, side: str, units: dict[str, int]) -> int:
    """Attack with techs, without siege and not doubled: for the chief attacker and for captures."""
    attack = (NONE if side == NEUTRAL else turn.effects[side]).attack
    return sum(count * attack[unit] for unit, count in units.items())


def fight(
    turn: Turn,
    hold: str,
    defender: str,
    defenders: tuple[str, ...],
    attackers: tuple[str, ...],
    fortified: bool,
    number: int,
) -> Assault:
    """Exchange blows until one pool is gone (C-09); the garrison of ``hold`` is left with the survivors."""
    attack = _attackers(turn, hold, attackers, fortified)
    defence = _defenders(turn, hold, defenders)
    exchanges: list[Exchange] = []
    while _size(attack) and _size(defence):
        exchanges.append(_exchange(turn, hold, attack, defence, number, len(exchanges) + 1))
    garrison = turn.garrison(hold)
    for side in (*attackers, *defenders):
        del garrison[side]
    for cell in (*attack, *defence):
        if cell.count:
            garrison.setdefault(cell.side, {})[cell.unit] = cell.count
    return Assault(defender, defenders, attackers, tuple(exchanges))


def _attackers(turn: Turn, hold: str, sides: Sequence[str], fortified: bool) -> Pool:
    garrison = turn.garrison(hold)
    return [
        Cell(
            side,
            unit,
            garrison[side][unit],
            (SIEGE_SCALE if fortified and figures.siege else POWER_SCALE)
            * turn.effects[side].attack[unit],  # C-06
        )
        for side in sides
        for unit, figures in UNITS.items()
        if unit in garrison[side]
    ]


def _defenders(turn: Turn, hold: str, sides: Sequence[str]) -> Pool:
    garrison = turn.garrison(hold)
    buildings = turn.buildings_of(hold)
    pool = []
    for side in sides:
        known = NONE if side == NEUTRAL else turn.effects[side]
        walls = sum(known.fortification.get(building, 0) for building in buildings)  # C-05
        units = garrison[side]
        pool += [
            Cell(side, unit, units[unit], POWER_SCALE * (known.defence[unit] + walls))
            for unit in UNITS
            if unit in units
        ]
    return pool


def _size(pool: Pool) -> int:
    return sum(cell.count for cell in pool)


def _power(pool: Pool) -> int:
    return sum(cell.count * cell.weight for cell in pool)


def _variation(turn: Turn, hold: str, assault: int, exchange: int, side: str) -> int:
    label = (turn.tick, hold, assault, exchange, side)
    return VARIATION_BASE + draw(turn.snapshot.seed, VARIATION_DRAW, *label)


def _exchange(turn: Turn, hold: str, attack: Pool, defence: Pool, assault: int, number: int) -> Exchange:
    attack_strength, defence_strength = _power(attack), _power(defence)
    attack_variation = _variation(turn, hold, assault, number, "attack")
    defence_variation = _variation(turn, hold, assault, number, "defence")
    attack_damage = attack_strength * attack_variation
    defence_damage = defence_strength * defence_variation
    attack_spread = _spread(attack, _losses(_size(attack), attack_strength, defence_damage))
    defence_spread = _spread(defence, _losses(_size(defence), defence_strength, attack_damage))
    if sum(attack_spread) == _size(attack) and sum(defence_spread) == _size(defence):  # C-07: never both gone
        survivor, spread = (
            (attack, attack_spread) if attack_damage > defence_damage else (defence, defence_spread)
        )
        spread[max(place for place, cell in enumerate(survivor) if cell.count)] -= 1
    return Exchange(
        attack_strength,
        defence_strength,
        attack_variation,
        defence_variation,
        _fall(attack, attack_spread),
        _fall(defence, defence_spread),
    )


def _losses(units: int, power: int, damage: int) -> int:
    """Units lost to ``damage``: rounded half up, at least one, at most all (C-07)."""
    whole = VARIATION_ONE * power
    return min(units, max(1, (2 * units * damage + whole) // (2 * whole)))


def _spread(pool: Pool, lost: int) -> list[int]:
    """``lost`` over the cells in proportion to their counts, the remainder to the largest fractions (C-08)."""
    size = _size(pool)
    shares = [divmod(lost * cell.count, size) for cell in pool]
    spread = [whole for whole, _ in shares]
    fractions = sorted(range(len(pool)), key=lambda place: (-shares[place][1], place))
    for place in fractions[: lost - sum(spread)]:
        spread[place] += 1
    return spread


def _fall(pool: Pool, spread: list[int]) -> Losses:
    fallen: Losses = {}
    for cell, lost in zip(pool, spread, strict=True):
        if lost:
            cell.count -= lost
            fallen.setdefault(cell.side, {})[cell.unit] = lost
    return fallen
