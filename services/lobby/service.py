"""The lobby: matches and their seats, from the opening to the end."""

from collections.abc import Sequence

from services.lobby import closing, detail, opening, progress, seating, starting, survey
from shared.contracts.accounts import AccountDeleted
from shared.contracts.base import Nothing
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import (
    AddBots,
    CallOffMatch,
    CloseMatch,
    CreateMatch,
    GetInvite,
    GetMatch,
    JoinMatch,
    LeaveMatch,
    ListMatches,
    MatchDetail,
    MatchPage,
    MatchRows,
    RemoveSeat,
    ResignSeat,
    StartMatch,
    SurveyMatches,
)
from shared.contracts.report import TickReported
from shared.runtime.service import Service, every, handles, rpc
from shared.storage.database import Transaction

SWEEP_SECONDS = 600.0


class LobbyService(Service):
    name = "lobby"

    @rpc
    def create_match(self, request: CreateMatch) -> MatchDetail:
        return opening.create(self.ports, request)

    @rpc
    def list_matches(self, request: ListMatches) -> MatchPage:
        return detail.list_page(self.ports, request)

    @rpc
    def get_match(self, request: GetMatch) -> MatchDetail:
        return detail.get(self.ports, request.account, request.match)

    @rpc
    def get_invite(self, request: GetInvite) -> MatchDetail:
        return detail.get_invited(self.ports, request.account, request.code)

    @rpc
    def join_match(self, request: JoinMatch) -> MatchDetail:
        return seating.join(self.ports, request)

    @rpc
    def leave_match(self, request: LeaveMatch) -> Nothing:
        seating.leave(self.ports, request)
        return Nothing()

    @rpc
    def remove_seat(self, request: RemoveSeat) -> MatchDetail:
        return seating.remove(self.ports, request)

    @rpc
    def add_bots(self, request: AddBots) -> MatchDetail:
        return seating.add_bots(self.ports, request)

    @rpc
    def start_match(self, request: StartMatch) -> MatchDetail:
        return starting.start(self.ports, request)

    @rpc
    def call_off_match(self, request: CallOffMatch) -> Nothing:
        closing.call_off(self.ports, request)
        return Nothing()

    @rpc
    def resign_seat(self, request: ResignSeat) -> MatchDetail:
        return seating.resign(self.ports, request)

    @rpc
    def close_match(self, request: CloseMatch) -> Nothing:
        closing.close(self.ports, request.match)
        return Nothing()

    @rpc
    def survey_matches(self, request: SurveyMatches) -> MatchRows:
        return survey.survey(self.ports, request)

    @handles
    def tick_reported(self, events: Sequence[TickReported], tx: Transaction) -> None:
        progress.ticks_reported(tx, events)

    @handles
    def deadline_set(self, events: Sequence[DeadlineSet], tx: Transaction) -> None:
        progress.deadlines_set(tx, events)

    @handles
    def account_deleted(self, event: AccountDeleted, tx: Transaction) -> None:
        seating.account_deleted(self.ports, tx, event)

    @every(SWEEP_SECONDS)
    def end_unused(self) -> None:
        closing.end_unused(self.ports)
