"""bots: files orders for the seats that computer players hold, through the same path as everyone."""

from collections.abc import Sequence

from services.bots import schedule
from services.bots.filing import Filing
from shared.contracts.lobby import MatchClosed, MatchStarted, SeatResigned
from shared.contracts.report import TickReported
from shared.runtime.service import Ports, Service, every, handles
from shared.storage.database import Transaction


class BotsService(Service):
    """A turn is a list to file for one seat; turns wait in the database until they are filed or too late."""

    name = "bots"

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.filing = Filing(ports)

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        schedule.start(tx, event)

    @handles
    def seat_resigned(self, event: SeatResigned, tx: Transaction) -> None:
        schedule.take_over(tx, event)

    @handles
    def tick_reported(self, events: Sequence[TickReported], tx: Transaction) -> None:
        schedule.plan(tx, events)

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        schedule.close(tx, event)

    @every(0.5)
    def play_turns(self) -> None:
        self.filing.play_due()
