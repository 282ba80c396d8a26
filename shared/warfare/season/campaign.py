"""A new campaign: the map, who begins with what, and the rogues between them (WF-CMP-01, WF-ACT-45)."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.warfare.army import Army, Bonus, Place
from shared.warfare.building import controlled_build, forge, levy, random_build
from shared.warfare.content.ancestries import ANCESTRIES, MORTAL
from shared.warfare.decisions import Stepped
from shared.warfare.dice import Rolls
from shared.warfare.options import Options
from shared.warfare.season import machine
from shared.warfare.season.ground import Ground, Start, make_ground, shuffled
from shared.warfare.season.marching import neighbours
from shared.warfare.season.state import Season
from shared.warfare.world import Champion, Power, distance, hex_key

Kind = Literal["city", "conspiracy", "champion"]
FEWEST, MOST = 2, 8
"""Powers in a campaign."""
COIN, LOYALTY, FEAR = 3, 2, 2
CHAMPION_SUPPORT = 6  # WF-CMP-03
CLAIMED = 2
INFLUENCED = 3
GUARD = (("infantry", "Guard"), ("archers", "Bows"))
GUARD_RANK, GUARD_SIZE, GUARD_TIER = 2, 4, 2
CHAMPION_RANK, CHAMPION_SIZE = 3, 4
ROGUE_PER = 12
"""Land hexes."""
BONUSES = (Bonus(4), Bonus(2), Bonus(3))
"""What controlled builds take at each level: Defense, Attack, Morale."""
FIRST_BONUS = Bonus(1)


class Seat(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    seat: int
    name: str = ""
    kind: Kind = "city"


def new_campaign(seed: str, seats: Sequence[Seat], options: Options | None = None) -> Stepped[Season]:
    """The campaign with its first window. A pure function of the three. ValueError for a number of seats that no
    map is made for."""
    if not FEWEST <= len(seats) <= MOST:
        raise ValueError(f"a campaign has {FEWEST} to {MOST} powers, not {len(seats)}")
    return machine.start(lay_down(seed, seats, options))


def lay_down(seed: str, seats: Sequence[Seat], options: Options | None = None) -> Season:
    """Before the first Tidings. Chance is that of season 0."""
    rolls = Rolls(seed, 0, "-", 0, {}, {})
    ground = make_ground(rolls, len(seats))
    powers: list[Power] = []
    armies: list[Army] = []
    for seat, start in zip(sorted(seats, key=lambda one: one.seat), ground.starts, strict=True):
        power = Power(
            id=seat.id, seat=seat.seat, kind=seat.kind, name=seat.name, coin=COIN, loyalty=LOYALTY, fear=FEAR
        )
        if seat.kind == "city":
            armies += _found_city(ground, power, start)
        elif seat.kind == "conspiracy":
            influence = {hex_key(at): 1 for at in sorted(start.towns[:INFLUENCED])}
            power = replace(power, influence=influence)
        else:
            body = _champion(rolls, power, start)
            armies.append(body)
            power = replace(
                power,
                support=CHAMPION_SUPPORT,
                champion=Champion(name=seat.name, at=start.at, personal=body.id),
            )
        powers.append(power)
    armies += _rogues(rolls, ground, armies)
    return Season(
        seed=seed,
        options=options or Options(),
        powers=powers,
        hexes=[ground.hexes[at] for at in sorted(ground.hexes)],
        armies=sorted(armies, key=lambda army: army.id),
    )


def _found_city(ground: Ground, power: Power, start: Start) -> list[Army]:
    """Its two nearest towns with a road between them, and its first armies."""
    for at in start.towns[:CLAIMED]:
        here = ground.hexes[at]
        ground.hexes[at] = replace(here, sites=tuple(replace(site, owner=power.id) for site in here.sites))
    for at in _road(ground, start.towns[0], start.towns[1]):
        ground.hexes[at] = replace(ground.hexes[at], road=True)
    town = ground.hexes[start.at].sites[0]
    return [
        replace(
            forge(
                build(f"{power.id}.{class_}", town.ancestries[0], GUARD_SIZE, GUARD_RANK, class_, name),
                GUARD_TIER,
            ),
            controller=power.id,
            loyal_to=power.id,
            garrison=town.id,
            hex=start.at,
        )
        for class_, name in GUARD
    ]


def build(id: str, ancestry: str, size: int, rank: int, class_: str, name: str = "") -> Army:
    """A controlled build that takes the same three bonuses at every level (WF-LVL-06)."""
    start = levy(id, ancestry, size, FIRST_BONUS, name=name)
    return controlled_build(start, [BONUSES] * (rank - 1), class_=class_)


def _road(ground: Ground, a: Place, b: Place) -> list[Place]:
    """The hexes of a shortest way over land, both ends included."""
    before: dict[Place, Place] = {a: a}
    edge = [a]
    while edge and b not in before:
        found: list[Place] = []
        for at in edge:
            for other in sorted(neighbours(at)):
                here = ground.hexes.get(other)
                if here is not None and here.terrain != "water" and other not in before:
                    before[other] = at
                    found.append(other)
        edge = found
    path = [b]
    while path[-1] != a:
        path.append(before[path[-1]])
    return path


def _champion(rolls: Rolls, power: Power, start: Start) -> Army:
    """Its Personal Army (WF-CMP-01)."""
    mortal = sorted(name for name, row in ANCESTRIES.items() if row.group == MORTAL)
    ancestry = mortal[rolls.roll(f"power:{power.id}", "build.ancestry", len(mortal), 1)[0] - 1]
    body = build(f"{power.id}.body", ancestry, CHAMPION_SIZE, CHAMPION_RANK, "infantry", power.name)
    return replace(body, controller=power.id, loyal_to=power.id, personal=True, hex=start.at)


def _rogues(rolls: Rolls, ground: Ground, armies: Sequence[Army]) -> list[Army]:
    """One for so many land hexes, rank and size by chance, away from the starts (WF-ACT-45)."""
    land = [at for at, one in sorted(ground.hexes.items()) if one.terrain != "water"]
    claimed = {at for at in land if any(site.owner for site in ground.hexes[at].sites)}
    taken = claimed | {army.hex for army in armies} | {start.at for start in ground.starts}
    free = [at for at in shuffled(rolls, "map.rogues", land) if at not in taken]
    free.sort(key=lambda at: any(distance(at, start.at) <= 1 for start in ground.starts))
    names = sorted(ANCESTRIES)
    found = []
    for number, at in enumerate(free[: len(land) // ROGUE_PER], 1):
        id = f"rogue-{number}"
        rank = 1 + rolls.roll(f"army:{id}", "build.rank", 3, 1)[0]
        size = 2 + rolls.roll(f"army:{id}", "build.size", 4, 1)[0]
        ancestry = names[rolls.roll(f"army:{id}", "build.ancestry", len(names), 1)[0] - 1]
        found.append(replace(random_build(rolls, id, ancestry, size, rank), hex=at))
    return found
