"""fog: each faction's view of every tick (rules section 10)."""

from collections.abc import Sequence

from services.fog import sighting, viewing
from shared.contracts.fog import GetMap, GetView, Map, View
from shared.contracts.lobby import MatchStarted
from shared.contracts.resolution import TickOutcome
from shared.runtime.service import Service, handles, rpc
from shared.storage.database import Transaction


class FogService(Service):
    """Keeps views of all ticks, the memory of the last one, the public map."""

    name = "fog"

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        sighting.seat_players(tx, event)

    @handles
    def tick_outcome(self, events: Sequence[TickOutcome], tx: Transaction) -> None:
        sighting.look_around(tx, events, self.ports.offload)

    @rpc
    def get_view(self, request: GetView) -> View:
        with self.database.read() as tx:
            return viewing.view(tx, request)

    @rpc
    def get_map(self, request: GetMap) -> Map:
        with self.database.read() as tx:
            return viewing.public_map(tx, request)
