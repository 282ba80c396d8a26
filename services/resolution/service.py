"""resolution: opens matches and resolves their ticks, each once (design promise P1), and keeps them for ever."""

import sqlalchemy as sa

from services.resolution import exporting, stalled, store
from services.resolution.resolving import Resolver
from services.resolution.store import matches
from shared.contracts.base import Nothing
from shared.contracts.clock import TicksDue
from shared.contracts.lobby import MatchClosed, MatchStarted
from shared.contracts.resolution import (
    ExportHead,
    ExportTick,
    GetExportHead,
    GetExportTick,
    RetryTick,
    StalledMatches,
    SurveyStalled,
)
from shared.runtime.service import NotYet, Ports, Service, every, handles, hears, rpc
from shared.storage.database import Transaction


class ResolutionService(Service):
    """States of all ticks, the proof chain, claims, stalled matches, exports."""

    name = "resolution"

    def __init__(self, ports: Ports) -> None:
        super().__init__(ports)
        self.resolver = Resolver(ports)

    @hears
    def ticks_due(self, event: TicksDue) -> None:
        self.resolver.resolve(event.ticks)

    @handles
    def match_started(self, event: MatchStarted, tx: Transaction) -> None:
        store.add_match(tx, event)

    @handles
    def match_closed(self, event: MatchClosed, tx: Transaction) -> None:
        """A tick at hand changes no row any more."""
        ended = sa.update(matches).where(matches.c.match == event.match)
        if tx.execute(ended.values(ended=True, lease_until=None, stalled_at=None)).rowcount == 0:
            raise NotYet(f"{event.match} has not started here")

    @every(0.25)
    def open_matches(self) -> None:
        """Apart from the event that starts a match: making a map takes longer than a transaction should."""
        while self._some_to_open() and self.resolver.open():
            pass

    @every(15)
    def count_stalled(self) -> None:
        with self.database.read() as tx:
            stalled.count(tx)

    @rpc
    def get_export_head(self, request: GetExportHead) -> ExportHead:
        with self.database.read() as tx:
            return exporting.head(tx, request)

    @rpc
    def get_export_tick(self, request: GetExportTick) -> ExportTick:
        with self.database.read() as tx:
            return exporting.entry(tx, request)

    @rpc
    def survey_stalled(self, request: SurveyStalled) -> StalledMatches:
        with self.database.read() as tx:
            return stalled.survey(tx, request)

    @rpc
    def retry_tick(self, request: RetryTick) -> Nothing:
        with self.database.begin() as tx:
            due = stalled.set_going(tx, request)
        if due is not None:
            self.resolver.resolve((due,))
        return Nothing()

    def _some_to_open(self) -> bool:
        with self.database.read() as tx:
            opening = sa.select(matches.c.match).where(
                matches.c.tick == store.OPENING, sa.not_(matches.c.ended)
            )
            return tx.scalar(opening.limit(1)) is not None
