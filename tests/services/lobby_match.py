"""Short words for tests of the lobby."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from services.lobby import store
from services.lobby.service import LobbyService
from shared.contracts.base import Refusal, Request
from shared.contracts.lobby import (
    CreateMatch,
    GetMatch,
    JoinMatch,
    ListMatches,
    MatchChanged,
    MatchDetail,
    ResignSeat,
    StartMatch,
    Status,
)
from shared.contracts.report import TickReported
from shared.runtime.ids import SystemIds
from shared.runtime.settings import Settings
from shared.storage.inbox import Outcome
from tests.services.harness import START, Running, build
from tests.services.tiny_ruleset import NAME


@dataclass
class Hall:
    """A lobby service; accounts are ``ann``, ``bob``, ..., with ``!`` after their handles."""

    running: Running[LobbyService]

    def ask(self, request: Request[Any]) -> Any:
        return self.running.ask(request)

    def create(self, account: str, **given: Any) -> MatchDetail:
        return self.running.ask(creation(account, **given))

    def join(self, account: str, match: str, **given: Any) -> MatchDetail:
        return self.running.ask(JoinMatch(account=account, handle=f"{account}!", match=match, **given))

    def start(self, account: str, match: str) -> MatchDetail:
        return self.running.ask(StartMatch(account=account, match=match))

    def resign(self, account: str, match: str) -> MatchDetail:
        return self.running.ask(ResignSeat(account=account, match=match))

    def started(self, *accounts: str, **given: Any) -> MatchDetail:
        match = self.create(accounts[0], **given)
        for account in accounts[1:]:
            self.join(account, match.id)
        return self.start(accounts[0], match.id)

    def get(self, account: str, match: str) -> MatchDetail:
        return self.running.ask(GetMatch(account=account, match=match))

    def list(self, account: str, status: tuple[Status, ...] = (), mine: bool = False) -> list[str]:
        request = ListMatches(account=account, status=status, mine=mine, limit=50, cursor=None)
        return [match.id for match in self.running.ask(request).items]

    def report(
        self,
        match: str,
        tick: int,
        *,
        public: str = "{}",
        result: str | None = None,
        ended: bool = False,
        ran_at: datetime = START,
    ) -> Outcome:
        return self.running.deliver(
            TickReported(
                match=match,
                tick=tick,
                ran_at=ran_at,
                public=msgspec.Raw(public.encode()),
                result=None if result is None else msgspec.Raw(result.encode()),
                ended=ended,
            )
        )

    def changes(self) -> "list[MatchChanged]":
        return self.running.emitted_of(MatchChanged)

    def row(self, match: str) -> sa.Row[Any]:
        with self.running.database.read() as tx:
            row = store.match(tx, match)
        assert row is not None
        return row


def hall(where: Path | str, settings: Settings | None = None) -> Hall:
    return Hall(build(LobbyService, where, settings=settings or Settings(), ids=SystemIds()))


def creation(account: str, **given: Any) -> CreateMatch:
    wish: dict[str, Any] = {
        "account": account,
        "handle": f"{account}!",
        "name": "A match",
        "seats": 4,
        "cadence_seconds": 60,
        "ruleset": NAME,
        "visibility": "public",
        "settings": msgspec.Raw(b"{}"),
    }
    return CreateMatch(**{**wish, **given})


def refusal(lobby: Hall, request: Request[Any]) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        lobby.ask(request)
    return refusal.value


def refused(lobby: Hall, request: Request[Any]) -> str:
    return refusal(lobby, request).code
