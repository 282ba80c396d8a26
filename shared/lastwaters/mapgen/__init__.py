"""Makes the map and the first snapshot of a match (W-02 to W-10): a pure function of its arguments.

`generate` is the way in. The modules follow the making of a map: `scatter` finds places for holds, `routes`
which routes may be drawn, `starts` who begins where, `evening` gives starts equal room, `wealth` lays
garrisons and yields, `fairness` measures what came out, and `titles` names the holds. `chance` holds the draws.
"""

from collections.abc import Sequence
from typing import NamedTuple

from shared.lastwaters import tables, world
from shared.lastwaters.errors import BadInput
from shared.lastwaters.mapgen.chance import Chance, chance_of, shuffle
from shared.lastwaters.mapgen.evening import around, even_out
from shared.lastwaters.mapgen.fairness import sound, unfairness
from shared.lastwaters.mapgen.routes import Web, distances, drawable, lay
from shared.lastwaters.mapgen.scatter import Point, scatter
from shared.lastwaters.mapgen.starts import settle
from shared.lastwaters.mapgen.titles import titles
from shared.lastwaters.mapgen.wealth import Yields, garrisons, yields
from shared.lastwaters.names import FACTIONS

MEAN_DEGREE_PERCENT = (270, 310)  # routes first laid; evening out then adds and removes a few


class Ground(NamedTuple):
    """A map without names. Holds are indices in the order of (x, y); `starts` are by seat."""

    attempt: int
    """Which attempt it is (W-10), from 1."""
    unfairness: int
    """0 if it keeps the tolerances of its attempt."""
    points: list[Point]
    web: Web
    starts: list[int]
    garrison: list[int]
    yields: list[Yields]


def generate(
    seed: str,
    seats: int,
    holds_per_seat: int = tables.HOLDS_PER_SEAT_DEFAULT,
    tick_cap: int = tables.TICK_CAP_DEFAULT,
    match_id: str = "m1",
    names: Sequence[str] | None = None,
) -> world.Snapshot:
    """The snapshot of tick 0. `seed` is hex text as in W-11; `names` are the factions' names by seat.

    Raises BadInput for numbers outside the rules' bounds, a seed that is no hex text, or a number of names
    other than `seats`.
    """
    _check(seed, seats, holds_per_seat, tick_cap, names)
    ground = survey(seed, seats, holds_per_seat)
    ids = padded_ids("h", len(ground.points))
    factions = padded_ids("f", seats)
    called = titles(chance_of(seed, "names"), len(ids))
    owners = dict(zip(ground.starts, factions, strict=True))
    holds = []
    for i, (x, y) in enumerate(ground.points):
        owner = owners.get(i)
        militia = ground.garrison[i] if owner is None else tables.START_MILITIA
        holds.append(
            world.Hold(
                id=ids[i],
                name=called[i],
                x=x,
                y=y,
                owner=owner,
                yields=world.Resources(*ground.yields[i]),
                buildings=(tables.START_BUILDING,) if owner else (),
                garrison={owner or tables.NEUTRAL: {tables.NEUTRAL_UNIT: militia}},
            )
        )
    return world.Snapshot(
        ruleset=tables.RULESET,
        rules_version=tables.RULES_VERSION,
        match_id=match_id,
        seed=seed,
        tick=0,
        settings=world.Settings(tick_cap=tick_cap),
        factions=tuple(
            world.Faction(
                id=factions[seat - 1],
                seat=seat,
                name=name,
                stock=world.Resources(*tables.START_STOCK),
                techs=(),
                research=None,
                eliminated_tick=None,
            )
            for seat, name in enumerate(names or FACTIONS[:seats], 1)
        ),
        holds=tuple(holds),
        routes=tuple(
            (ids[i], ids[j]) for i, joined in enumerate(ground.web) for j in sorted(joined) if i < j
        ),
        pacts=(),
        proposals=(),
        truces=(),
        result=None,
    )


def survey(seed: str, seats: int, holds_per_seat: int) -> Ground:
    """The map of these settings: the first fair attempt, else the best one (W-10)."""
    best: Ground | None = None
    for attempt in range(1, tables.ATTEMPTS + 1):
        ground = _attempt(chance_of(seed, attempt), attempt, seats, seats * holds_per_seat)
        if ground is not None and (best is None or ground.unfairness < best.unfairness):
            best = ground
        if best is not None and best.unfairness == 0:
            break
    if best is None:
        raise RuntimeError(f"no sound map in {tables.ATTEMPTS} attempts: {seed=} {seats=} {holds_per_seat=}")
    return best


def padded_ids(letter: str, count: int) -> list[str]:
    """h1, h2, ... zero-padded to one width (W-10)."""
    width = len(str(count))
    return [f"{letter}{number:0{width}}" for number in range(1, count + 1)]


def _attempt(chance: Chance, attempt: int, seats: int, count: int) -> Ground | None:
    """One map, fair or not; None if it would break what W-10 promises always."""
    points = scatter(chance, count)
    near = drawable(points)
    settled = settle(chance, points, near, seats)
    if settled is None:
        return None
    held, allowed = settled
    starts = list(held)
    fixed = [(min(start, gate), max(start, gate)) for start, gates_ in held.items() for gate in gates_]
    low, high = MEAN_DEGREE_PERCENT
    web = lay(chance, points, allowed, fixed, count * (low + chance(high - low + 1, "degree")) // 200)
    if web is None:
        return None
    even_out(chance, points, allowed, held, web)
    if not sound(web, starts):
        return None
    shuffle(chance, starts, "seats")
    far = distances(web, starts)
    balls = {start: around(web, start) for start in starts}
    garrison = garrisons(chance, far, balls)
    ground = yields(chance, far, balls)
    return Ground(
        attempt, unfairness(balls, garrison, ground, attempt), points, web, starts, garrison, ground
    )


def _check(seed: str, seats: int, holds_per_seat: int, tick_cap: int, names: Sequence[str] | None) -> None:
    if not 1 <= len(seed) <= 64 or not set(seed) <= set("0123456789abcdefABCDEF"):
        raise BadInput("seed", "not 1 to 64 hex digits")
    for what, value, (low, high) in (
        ("seats", seats, tables.SEATS),
        ("holds_per_seat", holds_per_seat, tables.HOLDS_PER_SEAT),
        ("tick_cap", tick_cap, tables.TICK_CAP),
    ):
        if not low <= value <= high:
            raise BadInput(what, f"not from {low} to {high}")
    if names is not None and len(names) != seats:
        raise BadInput("names", f"{len(names)} names for {seats} seats")
