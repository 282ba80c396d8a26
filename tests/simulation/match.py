"""Matches of Lone Numbers in a simulated world, and players who write down what they were answered."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from shared import canonical
from shared.contracts.base import Refusal, Request
from shared.contracts.lobby import MatchStarted, Seat
from shared.contracts.orders import CancelOrder, FileOrder, ListOrders, ReplaceOrders
from shared.runtime.service import Unavailable
from tests.services.tiny_ruleset import NAME
from tests.simulation.world import World

CADENCE = timedelta(seconds=40)
ROUNDS = 3

Outcome = Literal["accepted", "refused", "unknown"]


@dataclass
class Wish:
    """One thing a player wanted. ``marks``: the words by which its orders are told apart from all others."""

    key: str
    kind: Literal["file", "replace", "cancel"]
    match: str
    tick: int
    account: str
    made_at: datetime
    marks: tuple[str, ...] = ()
    cancels: str = ""
    outcome: Outcome = "unknown"
    code: str = ""
    ids: dict[str, str] = field(default_factory=dict)
    """Order id by mark, of an accepted wish."""
    filed_at: datetime | None = None


@dataclass
class Match:
    id: str
    early: bool
    broken: bool
    seats: tuple[Seat, ...]
    started_at: datetime

    def started(self) -> MatchStarted:
        return MatchStarted(
            match=self.id,
            name=self.id,
            ruleset=NAME,
            settings=msgspec.Raw(canonical.encode({"rounds": ROUNDS, "early": self.early})),
            seed="5e" * 32,
            practice=True,
            cadence_seconds=int(CADENCE.total_seconds()),
            started_at=self.started_at,
            seats=self.seats,
        )


def begin(
    world: World, id: str, *, seats: int = 2, early: bool = False, broken: bool = False, bots: int = 0
) -> Match:
    players = tuple(
        Seat(
            seat=n,
            faction=f"f{n}",
            faction_name=f"Name {n}",
            account=f"bot:{id}:f{n}" if n > seats else f"{id}-account-{n}",
            handle=None if n > seats else f"handle-{n}",
            bot="counting" if n > seats else None,
        )
        for n in range(1, seats + bots + 1)
    )
    match = Match(id, early, broken, players, world.now())
    world.tell(match.started())
    return match


class Players:
    """Everybody who plays; they act at random, most of all around the deadlines."""

    def __init__(self, world: World, matches: list[Match]) -> None:
        self.world = world
        self.wishes: list[Wish] = []
        self._etags: dict[str, str] = {}
        self._filed: dict[str, list[tuple[int, str]]] = {}
        chance = world.chance
        for match in matches:
            for seat in match.seats:
                if seat.bot is not None:
                    continue
                for tick in range(1, ROUNDS + 1):
                    deadline = match.started_at + tick * CADENCE
                    for _ in range(chance.randint(1, 3)):
                        world.at(deadline - CADENCE * chance.random(), self._act(match, seat.account))
                    for _ in range(chance.randint(0, 4)):
                        moment = deadline + timedelta(seconds=chance.gauss(0, 0.6))
                        world.at(moment, self._act(match, seat.account))

    def _act(self, match: Match, account: str) -> Any:
        return lambda: self._wish(match, account)

    def _wish(self, match: Match, account: str) -> None:
        chance = self.world.chance
        try:
            own = self.world.ask(ListOrders(account=account, match=match.id))
        except (Refusal, Unavailable):
            return
        tick = own.tick if chance.random() < 0.9 else own.tick + chance.choice((-1, 1))
        kind = chance.choice(("file", "file", "replace", "cancel"))
        if kind == "cancel" and not own.orders:
            kind = "file"
        name = f"{account}-{len(self.wishes)}"
        wish = Wish(f"key-{name}", kind, match.id, tick, account, self.world.now())  # type: ignore[arg-type]
        if kind == "cancel":
            wish.cancels = chance.choice(own.orders).id
        else:
            wish.marks = tuple(f"{name}-{n}" for n in range(1 if kind == "file" else chance.randint(0, 3)))
        self.wishes.append(wish)
        self._try(wish, own.etag, tries=3)

    def _try(self, wish: Wish, etag: str, tries: int) -> None:
        try:
            self._done(wish, self.world.ask(_request(wish, etag)))
        except Refusal as refusal:
            wish.outcome, wish.code = "refused", refusal.code
        except Unavailable:
            if tries > 1:
                self.world.later(self.world.chance.uniform(1, 6), lambda: self._try(wish, etag, tries - 1))

    def _done(self, wish: Wish, answer: Any) -> None:
        wish.outcome = "accepted"
        if wish.kind == "file":
            wish.ids = {wish.marks[0]: answer.id}
            wish.filed_at = answer.receipt.filed_at
            assert answer.receipt.tick == wish.tick
        elif wish.kind == "replace":
            wish.ids = {mark: order.id for mark, order in zip(wish.marks, answer.orders, strict=True)}
            wish.filed_at = answer.orders[0].receipt.filed_at if answer.orders else None


def _request(wish: Wish, etag: str) -> Request[Any]:
    orders = tuple(msgspec.Raw(canonical.encode({"kind": "boast", "words": mark})) for mark in wish.marks)
    if wish.kind == "file":
        return FileOrder(
            account=wish.account, match=wish.match, tick=wish.tick, order=orders[0], key=wish.key
        )
    if wish.kind == "replace":
        return ReplaceOrders(
            account=wish.account, match=wish.match, tick=wish.tick, orders=orders, if_match=etag, key=wish.key
        )
    return CancelOrder(
        account=wish.account, match=wish.match, tick=wish.tick, order=wish.cancels, key=wish.key
    )
