"""Where units go: what stays to guard, what takes ground, and where the rest gathers."""

from heapq import heappop, heappush
from typing import NamedTuple

from shared.lastwaters.marching import budget
from shared.lastwaters.options import reach
from shared.lastwaters.orders import Move
from shared.lastwaters.players.odds import attack_power, defence_power, strike, walls
from shared.lastwaters.players.scouting import Ground
from shared.lastwaters.players.styles import Style
from shared.lastwaters.tables import POWER_SCALE, UNITS

RIVAL_WORTH = 12  # added to the worth of another faction's ground: taking it weakens a rival
HOPELESS = 60  # percent of the needed defence below which nothing is kept back for a hold
AIMS = 3  # targets that the army is raised for at one time


class Target(NamedTuple):
    hold: str
    power: int
    """Attack power needed, doubled."""
    fortified: bool
    score: int


class Way(NamedTuple):
    cost: int
    origin: str
    path: tuple[str, ...]


class Campaign(NamedTuple):
    """``pull``: hops from each own hold to where units are wanted. ``wanted``: attack power, doubled, that is
    lacking for the aims; ``short``: defence power, doubled, that threatened own holds lack."""

    moves: list[Move]
    pull: dict[str, int]
    wanted: int
    besieging: bool
    """Whether the best target not taken is fortified."""
    short: dict[str, int]


def plan(ground: Ground, style: Style) -> Campaign:
    free = {hold: dict(units) for hold, units in sorted(ground.forces.items())}
    short = _keep_guards(ground, style, free)
    ways = _ways(ground, free)
    columns: dict[tuple[str, tuple[str, ...]], dict[str, int]] = {}
    missed: list[Target] = []
    taken: set[str] = set()
    for target in _targets(ground, style, ways):
        claims = ground.rival(target.hold) or len(ground.own) + len(taken) < style.holds_wanted
        if claims and _send(ground, free, ways.get(target.hold, []), target, columns):
            taken.add(target.hold)
        elif claims:
            missed.append(target)
    idle = sum(attack_power(units, ground.known, False) for units in free.values())
    aims = [t for t in missed if any(near in ground.own for near in ground.map.neighbours[t.hold])][:AIMS]
    pull = _pull(ground, _within_means(aims, idle), taken)
    _gather(ground, free, pull, columns)
    moves = [Move(origin, path, units) for (origin, path), units in sorted(columns.items())]
    wanted = max(0, sum(aim.power for aim in aims) - idle)
    return Campaign(moves, pull, wanted, bool(aims) and aims[0].fortified, short)


def _within_means(aims: list[Target], idle: int) -> list[Target]:
    """The best aims that idle units suffice for together, or the best one alone: force is kept together."""
    chosen: list[Target] = []
    for aim in aims:
        if chosen and aim.power > idle:
            break
        chosen.append(aim)
        idle -= aim.power
    return chosen


def _keep_guards(ground: Ground, style: Style, free: dict[str, dict[str, int]]) -> dict[str, int]:
    """Takes out of ``free`` what has to stay; returns what threatened holds lack, most worthy first."""
    short: dict[str, int] = {}
    if not style.caution:
        return short
    for hold in sorted(ground.own, key=lambda h: (-ground.worth(h), h)):
        units = free.get(hold, {})
        need = ground.threat(hold) * style.caution // 100
        ramparts = walls(ground.own[hold].buildings, ground.known)
        if need and defence_power(units, ramparts, ground.known) * 100 < HOPELESS * need:
            short[hold] = need
            continue
        if not need and any(ground.rival(near) for near in ground.map.neighbours[hold]):
            need = 1
        for unit in sorted(units, key=lambda u: (-ground.known.defence[u], UNITS[u].attack)):
            each = POWER_SCALE * (ground.known.defence[unit] + ramparts)
            kept = min(units[unit], -(-need // each)) if need > 0 else 0
            units[unit] -= kept
            need -= kept * each
        if need > 0 and ground.threat(hold):
            short[hold] = need
    return short


def _ways(ground: Ground, free: dict[str, dict[str, int]]) -> dict[str, list[Way]]:
    """For each hold the ways that units have to it this tick, cheapest first."""
    ways: dict[str, list[Way]] = {}
    for origin, units in free.items():
        marching = [unit for unit, count in units.items() if count > 0]
        if not marching:
            continue
        most = max(budget((unit,), ground.known) for unit in marching)
        for end, path, cost in reach(origin, most, ground.map, ground.known, ground.own):
            ways.setdefault(end, []).append(Way(cost, origin, path))
    for found in ways.values():
        found.sort()
    return ways


def _targets(ground: Ground, style: Style, ways: dict[str, list[Way]]) -> list[Target]:
    """Ground that may be taken, in reach or beside own ground, best first."""
    around = {near for hold in ground.own for near in ground.map.neighbours[hold]} | ways.keys()
    targets = []
    for hold in sorted(around - ground.own.keys()):
        rival = ground.rival(hold)
        if not (ground.open_ground(hold) or (rival and style.attacks)):
            continue
        guard = ground.guard(hold)
        power = guard.power + guard.recruits
        worth = ground.worth(hold) + (RIVAL_WORTH if rival else 0)
        need = power * (style.enemy_margin if rival else style.margin) // 100
        targets.append(Target(hold, need, guard.fortified, 1000 * worth // (power * 3 // 2 + 10)))
    return sorted(targets, key=lambda t: (-t.score, t.hold))


def _send(
    ground: Ground,
    free: dict[str, dict[str, int]],
    ways: list[Way],
    target: Target,
    columns: dict[tuple[str, tuple[str, ...]], dict[str, int]],
) -> bool:
    """Adds columns that take the target, the nearest units first, if there are enough."""
    sent: list[tuple[Way, str, int]] = []
    lacking = max(1, target.power)
    for way in ways:
        for unit in UNITS:
            have = free[way.origin].get(unit, 0)
            if have <= 0 or budget((unit,), ground.known) < way.cost:
                continue
            each = strike(unit, ground.known, target.fortified)
            count = min(have, -(-lacking // each))
            sent.append((way, unit, count))
            lacking -= count * each
            if lacking <= 0:
                break
        if lacking <= 0:
            break
    if lacking > 0:
        return False
    for way, unit, count in sent:
        free[way.origin][unit] -= count
        column = columns.setdefault((way.origin, way.path), {})
        column[unit] = column.get(unit, 0) + count
    return True


def _pull(ground: Ground, aims: list[Target], taken: set[str]) -> dict[str, int]:
    """Hops over own ground to where units are wanted: beside the aims, else beside ground just taken, else
    beside other factions."""
    near = ground.map.neighbours
    queue = [(0, hold) for aim in aims for hold in near[aim.hold] if hold in ground.own]
    queue = queue or [(0, hold) for place in sorted(taken) for hold in near[place] if hold in ground.own]
    queue = queue or [
        (0, hold) for hold in ground.own if any(ground.owner(n) not in (None, ground.me) for n in near[hold])
    ]
    pull: dict[str, int] = {}
    queue.sort()
    while queue:
        far, hold = heappop(queue)
        if hold in pull:
            continue
        pull[hold] = far
        for other in near[hold]:
            if other in ground.own and other not in pull:
                heappush(queue, (far + 1, other))
    return pull


def _gather(
    ground: Ground,
    free: dict[str, dict[str, int]],
    pull: dict[str, int],
    columns: dict[tuple[str, tuple[str, ...]], dict[str, int]],
) -> None:
    """Sends what is left towards the pull, over own ground; guests come home."""
    nowhere = 10**6
    for origin, units in free.items():
        for unit, count in units.items():
            if count <= 0:
                continue
            here = pull.get(origin, nowhere) if origin in ground.own else nowhere + 1
            best: tuple[int, int, tuple[str, ...]] = (here, 0, ())
            most = budget((unit,), ground.known)
            for end, path, cost in reach(origin, most, ground.map, ground.known, ground.own):
                if end in ground.own:
                    best = min(best, (pull.get(end, nowhere), cost, path))
            if best[2] and best[0] < here:
                column = columns.setdefault((origin, best[2]), {})
                column[unit] = column.get(unit, 0) + count
