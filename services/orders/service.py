"""orders: takes orders until the seal, and keeps them for ever after."""

from collections.abc import Sequence

from services.orders import opening, readiness, reading, sealing
from services.orders.briefings import Briefings
from services.orders.filing import Filing
from services.orders.receipts import SIZE, KeyRing
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchClosed, MatchStarted, SeatResigned
from shared.contracts.orders import (
    Cancelled,
    CancelOrder,
    Desk,
    FiledOrder,
    FileOrder,
    GetDesk,
    GetKeys,
    GetOutages,
    ListOrders,
    OrderList,
    Outages,
    PublicKeys,
    ReplaceOrders,
    SealedTicks,
    SealTicks,
)
from shared.contracts.resolution import TickOutcome
from shared.runtime.service import Ports, Service, every, handles, rpc
from shared.storage.database import Transaction


class OrdersService(Service):
    """Open lists, seals, receipts, signing keys, readiness marks."""

    name = "orders"

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.keys = KeyRing(ports.database, ports.settings.signing_key, ports.ids.secret(SIZE))
        self.briefings = Briefings()
        self.filing = Filing(ports, self.keys, self.briefings)

    @rpc
    def file_order(self, request: FileOrder) -> FiledOrder:
        return self.filing.file(request)

    @rpc
    def replace_orders(self, request: ReplaceOrders) -> OrderList:
        return self.filing.replace(request)

    @rpc
    def cancel_order(self, request: CancelOrder) -> Cancelled:
        return self.filing.cancel(request)

    @rpc
    def list_orders(self, request: ListOrders) -> OrderList:
        with self.database.read() as tx:
            return reading.own_list(tx, request)

    @rpc
    def get_desk(self, request: GetDesk) -> Desk:
        with self.database.read() as tx:
            return reading.desk(tx, request, self.briefings)

    @rpc
    def seal_ticks(self, request: SealTicks) -> SealedTicks:
        return sealing.seal(self.database, request, self.ports.ids)

    @rpc
    def get_keys(self, request: GetKeys) -> PublicKeys:
        return self.keys.public_keys()

    @rpc
    def get_outages(self, request: GetOutages) -> Outages:
        with self.database.begin() as tx:
            return readiness.outages(tx, request)

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        opening.seat_players(tx, event)

    @handles
    def seat_resigned(self, event: SeatResigned, tx: Transaction) -> None:
        opening.resign(tx, event)

    @handles
    def tick_outcome(self, events: Sequence[TickOutcome], tx: Transaction) -> None:
        opening.turn_pages(tx, events)

    @handles
    def deadline_set(self, events: Sequence[DeadlineSet], tx: Transaction) -> None:
        opening.note_deadlines(tx, events)

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        opening.close(tx, event)

    @every(1.0)
    def mark_ready(self) -> None:
        # Orders come over the broker: while it is away none can be taken (K-03).
        if not self.reachable():
            return
        with self.database.begin() as tx:
            readiness.mark(tx)
