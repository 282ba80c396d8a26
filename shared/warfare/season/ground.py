"""The map of a campaign: terrain, starts and towns, from the seed (WF-CMP-01)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from shared.warfare.army import Place
from shared.warfare.content.ancestries import ANCESTRIES, MORTAL
from shared.warfare.dice import Rolls
from shared.warfare.season.marching import NEIGHBOURS, neighbours
from shared.warfare.world import Hex, Site, TerrainName, distance

SHARES: Final[tuple[tuple[TerrainName, int], ...]] = (
    ("plains", 40),
    ("forest", 20),
    ("mountains", 12),
    ("desert", 10),
    ("coast", 12),
    ("water", 6),
)
RADIUS: Final = 3
"""And half the powers."""
TOWNS: Final = 3
FOLK: Final = 2
"""Ancestries of a town."""
POPULATION: Final = (4, 9)
WALL_DIE: Final = 4
"""A town's wall is this die less two, at least none."""
CHANCE: Final = "match"
"""The actor of the map's rolls, in season 0."""


class Start(NamedTuple):
    at: Place
    towns: tuple[Place, ...]
    """Nearest first; the first is at the start itself."""


class Ground(NamedTuple):
    hexes: dict[Place, Hex]
    starts: tuple[Start, ...]


def shuffled(rolls: Rolls, purpose: str, places: Sequence[Place]) -> list[Place]:
    left = list(places)
    for end in range(len(left) - 1, 0, -1):
        at = rolls.roll(CHANCE, purpose, end + 1, 1)[0] - 1
        left[end], left[at] = left[at], left[end]
    return left


def make_ground(rolls: Rolls, powers: int) -> Ground:
    radius = RADIUS + powers // 2
    places = sorted(
        (q, r)
        for q in range(-radius, radius + 1)
        for r in range(-radius, radius + 1)
        if distance((q, r), (0, 0)) <= radius
    )
    starts = _starts(rolls, powers, radius)
    towns = {town for start in starts for town in start.towns}
    terrain = _terrain(rolls, places, towns)
    hexes = {at: Hex(at=at, terrain=terrain[at]) for at in places}
    _build(rolls, hexes, starts)
    return Ground(hexes, starts)


def ring(radius: int) -> list[Place]:
    """The hexes at a distance from the middle, in their order around it."""
    found, at = [], (0, -radius)
    for dq, dr in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        for _ in range(radius):
            found.append(at)
            at = (at[0] + dq, at[1] + dr)
    return found


def _starts(rolls: Rolls, powers: int, radius: int) -> tuple[Start, ...]:
    """Evenly around a ring one within the edge, turned by chance; mean distances stay within one hex."""
    around = ring(radius - 1)
    turn = rolls.roll(CHANCE, "map.turn", len(around), 1)[0] - 1
    fair = [
        found
        for shift in range(len(around))
        if even(
            found := [around[(turn + shift + i * len(around) // powers) % len(around)] for i in range(powers)]
        )
    ]
    taken = set(fair[0])
    starts = []
    for at in fair[0]:
        near = shuffled(rolls, "map.towns", _towns_for(at, radius, taken))
        near.sort(key=lambda place: distance(place, at))
        towns = [at]
        for place in near:
            if len(towns) < TOWNS and all(distance(place, other) > 1 for other in towns):
                towns.append(place)
        taken |= set(towns)
        starts.append(Start(at, tuple(towns)))
    return tuple(starts)


def even(starts: Sequence[Place]) -> bool:
    """Whether all mean distances to the others are within one hex of each other."""
    sums = [sum(distance(a, b) for b in starts) for a in starts]
    return max(sums) - min(sums) <= len(starts) - 1


def _towns_for(at: Place, radius: int, taken: set[Place]) -> list[Place]:
    """Where a start's other towns may be: two or three hexes off, next to no town."""
    return sorted(
        (at[0] + q, at[1] + r)
        for q in range(-3, 4)
        for r in range(-3, 4)
        if 2 <= distance((q, r), (0, 0)) <= 3
        and distance((at[0] + q, at[1] + r), (0, 0)) <= radius
        and all(distance((at[0] + q, at[1] + r), other) > 1 for other in taken)
    )


def _terrain(rolls: Rolls, places: list[Place], dry: set[Place]) -> dict[Place, TerrainName]:
    """Each terrain's share of the hexes; the land stays connected, and coasts lie by the water if they can."""
    counts = {name: len(places) * share // 100 for name, share in SHARES}
    counts["plains"] += len(places) - sum(counts.values())
    found: dict[Place, TerrainName] = {}
    land = set(places)
    for at in shuffled(rolls, "map.water", places):
        if len(found) < counts["water"] and at not in dry and connected(land - {at}):
            found[at] = "water"
            land.discard(at)
    rest = shuffled(rolls, "map.land", sorted(land))
    rest.sort(key=lambda at: not any(other in found for other in neighbours(at)))
    names: list[TerrainName] = ["coast"] * counts["coast"]
    inland = [name for name, _ in SHARES if name not in ("coast", "water")]
    for at, name in zip(rest, names, strict=False):
        found[at] = name
    open_ = shuffled(rolls, "map.inland", rest[len(names) :])
    sown = [name for name in inland for _ in range(counts[name])]
    sown += ["plains"] * (len(open_) - len(sown))
    for at, name in zip(open_, sown, strict=True):
        found[at] = name
    return found


def connected(places: set[Place]) -> bool:
    left = set(places)
    edge = [left.pop()] if left else []
    while edge:
        at = edge.pop()
        for dq, dr in NEIGHBOURS:
            other = (at[0] + dq, at[1] + dr)
            if other in left:
                left.discard(other)
                edge.append(other)
    return not left


def _build(rolls: Rolls, hexes: dict[Place, Hex], starts: Sequence[Start]) -> None:
    """Towns. All powers get the same populations and walls, nearest first; whose they are is the campaign's."""
    low, high = POPULATION
    people = [low - 1 + face for face in rolls.roll(CHANCE, "map.population", high - low + 1, TOWNS)]
    walls = [max(0, face - 2) for face in rolls.roll(CHANCE, "map.walls", WALL_DIE, TOWNS)]
    mortal = sorted(name for name, row in ANCESTRIES.items() if row.group == MORTAL)
    for seat, start in enumerate(starts, 1):
        for index, at in enumerate(start.towns):
            folk: list[str] = []
            while len(folk) < FOLK:
                name = mortal[rolls.roll(CHANCE, "map.folk", len(mortal), 1)[0] - 1]
                if name not in folk:
                    folk.append(name)
            town = Site(
                id=f"town-{seat}-{index + 1}",
                kind="town",
                wall=walls[index],
                population=people[index],
                ancestries=tuple(sorted(folk)),
            )
            hexes[at] = Hex(at=at, terrain=hexes[at].terrain, sites=(town,))
