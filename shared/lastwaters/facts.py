"""What any account may see of a match: pacts, eliminations, and where the match stands (D-05, P-02)."""

from msgspec import Struct

from shared.lastwaters.views import FactionView
from shared.lastwaters.world import Pact, Result, Snapshot


class Facts(Struct, frozen=True):
    tick: int
    tick_cap: int
    factions: tuple[FactionView, ...]
    """With the tick each was eliminated in, or null."""
    pacts: tuple[Pact, ...]
    result: Result | None


class Place(Struct, frozen=True):
    id: str
    name: str
    x: int
    y: int


class PublicGraph(Struct, frozen=True):
    """The map without what stands on it (W-05)."""

    holds: tuple[Place, ...]
    routes: tuple[tuple[str, str], ...]


def facts(snapshot: Snapshot) -> Facts:
    return Facts(
        tick=snapshot.tick,
        tick_cap=snapshot.settings.tick_cap,
        factions=tuple(FactionView(f.id, f.seat, f.name, f.eliminated_tick) for f in snapshot.factions),
        pacts=snapshot.pacts,
        result=snapshot.result,
    )


def public_graph(snapshot: Snapshot) -> PublicGraph:
    return PublicGraph(
        holds=tuple(Place(hold.id, hold.name, hold.x, hold.y) for hold in snapshot.holds),
        routes=snapshot.routes,
    )
