"""clock: when each match's next tick is due, and the announcement when it is."""

from collections.abc import Sequence

from services.clock import course, operating
from services.clock.firing import Firing
from shared.contracts.base import Nothing
from shared.contracts.clock import (
    CalendarRows,
    MoveDeadline,
    PauseMatch,
    ReannounceTick,
    ResumeMatch,
    SurveyCalendar,
)
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.orders import EveryoneAnswered
from shared.contracts.resolution import TickResolved
from shared.runtime.service import Ports, Service, every, handles, rpc
from shared.storage.database import Transaction


class ClockService(Service):
    """The calendar. A row a match, fired by deadline by whichever replica leads."""

    name = "clock"

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.firing = Firing(ports)

    @every(0.2)
    def fire(self) -> None:
        self.firing.round()

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        course.start(tx, event)

    @handles
    def tick_resolved(self, events: Sequence[TickResolved], tx: Transaction) -> None:
        course.go_on(tx, events)

    @handles
    def everyone_answered(self, event: EveryoneAnswered, tx: Transaction) -> None:
        course.bring_forward(tx, event)

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        course.close(tx, event)

    @rpc
    def survey_calendar(self, request: SurveyCalendar) -> CalendarRows:
        with self.database.read() as tx:
            return operating.survey(tx, request)

    @rpc
    def pause_match(self, request: PauseMatch) -> Nothing:
        with self.database.begin() as tx:
            operating.pause(tx, request)
        return Nothing()

    @rpc
    def resume_match(self, request: ResumeMatch) -> Nothing:
        with self.database.begin() as tx:
            operating.resume(tx, request)
        return Nothing()

    @rpc
    def move_deadline(self, request: MoveDeadline) -> Nothing:
        with self.database.begin() as tx:
            operating.move(tx, request)
        return Nothing()

    @rpc
    def reannounce_tick(self, request: ReannounceTick) -> Nothing:
        with self.database.begin() as tx:
            operating.reannounce(tx, request)
        return Nothing()
