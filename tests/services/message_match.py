"""Short words for tests of messaging."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.messaging.service import MessagingService
from shared.contracts.base import Refusal, Request
from shared.contracts.lobby import MatchStarted, Seat
from shared.contracts.messaging import (
    BlockAccount,
    Conversations,
    ListConversations,
    ListMessages,
    MarkRead,
    Message,
    MessagePage,
    SendMessage,
    Sent,
    SwitchOff,
)
from shared.contracts.resolution import TickResolved
from shared.runtime.ids import SystemIds
from tests.services.harness import START, Running, build

MATCH = "m1"


def account(faction: str) -> str:
    """``f1`` is the faction of the account ``a1``."""
    return faction.replace("f", "a", 1)


@dataclass
class Post:
    """A messaging service with a match of ``f1`` to ``fN``."""

    running: Running[MessagingService]
    factions: tuple[str, ...]

    def ask(self, request: Request[Any]) -> Any:
        return self.running.ask(request)

    def send(self, sender: str, *to: str, text: str = "hello", key: str | None = None) -> Sent:
        return self.running.ask(sending(sender, *to, text=text, key=key))

    def list(self, reader: str, **given: Any) -> MessagePage:
        asked: dict[str, Any] = {"with_": None, "after": None, "limit": 50, "cursor": None}
        return self.running.ask(ListMessages(account=account(reader), match=MATCH, **{**asked, **given}))

    def read(self, reader: str, **given: Any) -> "list[Message]":
        return list(self.list(reader, **given).items)

    def conversations(self, reader: str) -> Conversations:
        return self.running.ask(ListConversations(account=account(reader), match=MATCH))

    def unread(self, reader: str) -> dict[str, int]:
        return {one.with_: one.unread for one in self.conversations(reader).items}

    def mark(self, reader: str, with_: str, up_to: str) -> None:
        self.running.ask(MarkRead(account=account(reader), match=MATCH, with_=with_, up_to=up_to))

    def block(self, blocker: str, blocked: str) -> None:
        self.running.ask(BlockAccount(account=account(blocker), blocked=account(blocked)))

    def switch(self, faction: str, *, off: bool) -> None:
        self.running.ask(SwitchOff(account=account(faction), match=MATCH, off=off))

    def resolve(
        self,
        tick: int,
        *,
        live: tuple[str, ...] | None = None,
        allowances: dict[str, int] | None = None,
        per_player: int = 10,
        ended: bool = False,
    ) -> None:
        outcome = self.running.deliver(
            TickResolved(
                match=MATCH,
                tick=tick,
                deadline=None,
                ran_at=START,
                ended=ended,
                live=self.factions if live is None else live,
                allowances=dict.fromkeys(self.factions, 20) if allowances is None else allowances,
                per_player=per_player,
                windows_close_early=False,
            )
        )
        assert outcome.handled == 1

    def begin(self) -> None:
        self.running.deliver(started(self.factions))


def started(factions: tuple[str, ...]) -> MatchStarted:
    return MatchStarted(
        match=MATCH,
        name="A match",
        ruleset="lone-numbers",
        settings=msgspec.Raw(b"{}"),
        seed="00",
        practice=False,
        cadence_seconds=60,
        started_at=START,
        seats=tuple(
            Seat(seat=at, faction=faction, faction_name=faction, account=account(faction), handle=faction)
            for at, faction in enumerate(factions, start=1)
        ),
    )


def post(where: Path | str, factions: int = 4) -> Post:
    """The match runs: tick 0 is resolved, twenty an hour, ten to one player."""
    width = len(str(factions))
    names = tuple(f"f{number:0{width}}" for number in range(1, factions + 1))
    opened = Post(build(MessagingService, where, ids=SystemIds()), names)
    opened.begin()
    opened.resolve(0)
    return opened


def sending(sender: str, *to: str, text: str = "hello", key: str | None = None) -> SendMessage:
    return SendMessage(account=account(sender), match=MATCH, to=to, text=text, key=key)


def refusal(mail: Post, request: Request[Any]) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        mail.ask(request)
    return refusal.value


def refused(mail: Post, request: Request[Any]) -> str:
    return refusal(mail, request).code
