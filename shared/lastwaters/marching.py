"""How far a column gets: the checks of a path that filing and the movement phase share (M-02, M-03)."""

from collections.abc import Container, Iterable, Sequence

from shared.lastwaters.effects import Effects
from shared.lastwaters.graph import Graph
from shared.lastwaters.tables import HOP_COST, SPEED_BUDGET


def budget(units: Iterable[str], known: Effects) -> int:
    """The largest path cost for a column of these unit types: its slowest member counts."""
    return SPEED_BUDGET * min(known.speed[unit] for unit in units)


def hop_cost(end: str, known: Effects, owned: Container[str]) -> int:
    return HOP_COST - known.hop_discount if end in owned else HOP_COST


def path_problem(
    origin: str,
    path: Sequence[str],
    units: Iterable[str],
    graph: Graph,
    known: Effects,
    owned: Container[str],
) -> str | None:
    """path-broken, too-far or None. ``owned``: the faction's holds in the snapshot."""
    stops = (origin, *path)
    if len(set(stops)) != len(stops):
        return "path-broken"
    for one, other in zip(stops, path, strict=False):
        if not graph.joined(one, other):
            return "path-broken"
    if sum(hop_cost(end, known, owned) for end in path) > budget(units, known):
        return "too-far"
    return None
