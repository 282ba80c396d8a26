"""report: each faction's report of each tick (rules section 12), and every player's numbered feed."""

from collections.abc import Sequence

from services.report import feed, news, reading, seating, telling
from shared.contracts.clock import DeadlineSet
from shared.contracts.fog import TickFogged
from shared.contracts.lobby import MatchChanged, MatchStarted
from shared.contracts.messaging import MessageSent
from shared.contracts.report import Feed, GetFeed, GetReport, ListReports, Report, ReportPage
from shared.runtime.service import Service, every, handles, rpc
from shared.storage.database import Transaction


class ReportService(Service):
    """Keeps reports for good and feeds for a day."""

    name = "report"

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        seating.start(tx, event)

    @handles
    def match_changed(self, event: MatchChanged, tx: Transaction) -> None:
        news.match_changed(tx, event, self.ports.fanout)

    @handles
    def deadline_set(self, events: Sequence[DeadlineSet], tx: Transaction) -> None:
        news.deadlines_set(tx, events, self.ports.fanout)

    @handles
    def message_sent(self, event: MessageSent, tx: Transaction) -> None:
        news.message_sent(tx, event, self.ports.fanout)

    @handles
    def tick_fogged(self, events: Sequence[TickFogged], tx: Transaction) -> None:
        telling.tell(tx, events, self.ports.offload, self.ports.fanout)

    @rpc
    def get_report(self, request: GetReport) -> Report:
        with self.database.read() as tx:
            return reading.report(tx, request)

    @rpc
    def list_reports(self, request: ListReports) -> ReportPage:
        with self.database.read() as tx:
            return reading.page(tx, request)

    @rpc
    def get_feed(self, request: GetFeed) -> Feed:
        with self.database.read() as tx:
            return feed.read(tx, request)

    @every(60.0)
    def prune_feeds(self) -> None:
        with self.database.begin() as tx:
            feed.prune(tx)
