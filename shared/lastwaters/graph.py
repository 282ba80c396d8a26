"""The public map as a graph: who neighbours whom, and what lies within how many routes.

All of it depends on the routes alone, so it is worked out once a map and kept.
"""

from functools import lru_cache

Routes = tuple[tuple[str, str], ...]


class Graph:
    """Undirected. ``neighbours`` maps a hold to the sorted holds one route away."""

    def __init__(self, routes: Routes) -> None:
        joined: dict[str, list[str]] = {}
        for one, other in routes:
            joined.setdefault(one, []).append(other)
            joined.setdefault(other, []).append(one)
        self.neighbours = {hold: tuple(sorted(near)) for hold, near in joined.items()}
        self._within: dict[tuple[str, int], frozenset[str]] = {}

    def joined(self, one: str, other: str) -> bool:
        return other in self.neighbours.get(one, ())

    def within(self, hold: str, routes: int) -> frozenset[str]:
        """The holds at most ``routes`` routes from ``hold``, itself included."""
        found = self._within.get((hold, routes))
        if found is None:
            if routes == 0:
                found = frozenset((hold,))
            else:
                inner = self.within(hold, routes - 1)
                near = self.neighbours
                found = inner.union(*(near.get(one, ()) for one in inner))
            self._within[hold, routes] = found
        return found


@lru_cache(maxsize=256)
def graph(routes: Routes) -> Graph:
    return Graph(routes)
