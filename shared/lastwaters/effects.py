"""What a faction's technologies come to: the tech table summed up for one set of known techs (S-05)."""

from functools import lru_cache
from typing import NamedTuple

from shared.lastwaters.tables import BUILDINGS, RESOURCES, TECHS, UNITS, Cost


class Effects(NamedTuple):
    """Finished numbers, by unit or building; ``yield_percent`` is the whole (100 without any tech)."""

    attack: dict[str, int]
    defence: dict[str, int]
    speed: dict[str, int]
    yield_percent: Cost
    building_yields: dict[str, Cost]
    """Buildings that yield nothing are left out."""
    fortification: dict[str, int]
    """Defence per unit, of the buildings that give any."""
    hop_discount: int
    sight: int
    building_sight: dict[str, int]
    """Of the buildings that give any."""
    research_cut: int
    pact_cap: int
    message_factor: int
    truce_shorter: int


@lru_cache(maxsize=8192)
def effects(techs: tuple[str, ...]) -> Effects:
    """The effects of ``techs`` together; effects on one number add (S-05)."""
    known = [TECHS[name] for name in techs]
    attack = {name: unit.attack for name, unit in UNITS.items()}
    defence = {name: unit.defence for name, unit in UNITS.items()}
    speed = {name: unit.speed for name, unit in UNITS.items()}
    fortification = {name: building.defence for name, building in BUILDINGS.items() if building.defence}
    building_sight = {name: building.sight for name, building in BUILDINGS.items() if building.sight}
    factors: dict[str, int] = {}
    message_factor = 1
    for tech in known:
        for numbers, bonuses in (
            (attack, tech.attack),
            (defence, tech.defence),
            (speed, tech.speed),
            (fortification, tech.fortification),
        ):
            for name, bonus in bonuses:
                numbers[name] += bonus
        for name, factor in tech.sight_factor:
            building_sight[name] *= factor
        for name, factor in tech.building_yields:
            factors[name] = factors.get(name, 1) * factor
        message_factor *= tech.message_factor
    return Effects(
        attack=attack,
        defence=defence,
        speed=speed,
        yield_percent=Cost(
            *(100 + sum(tech.yield_percent[i] for tech in known) for i in range(len(RESOURCES)))
        ),
        building_yields={
            name: building.yields.times(factors.get(name, 1))
            for name, building in BUILDINGS.items()
            if any(building.yields)
        },
        fortification=fortification,
        hop_discount=sum(tech.hop_discount for tech in known),
        sight=sum(tech.sight for tech in known),
        building_sight=building_sight,
        research_cut=sum(tech.research_cut for tech in known),
        pact_cap=sum(tech.pact_cap for tech in known),
        message_factor=message_factor,
        truce_shorter=sum(tech.truce_shorter for tech in known),
    )


NONE = effects(())
"""The effects of no technology: neutral militia fight with these."""
