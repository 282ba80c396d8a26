"""bots: every open list of every seat is filed once, whatever fails, and no failure is anybody else's."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
import structlog

from services.bots.service import BotsService
from services.bots.store import turns
from services.fog.service import FogService
from shared import canonical
from shared.contracts.base import Refusal, Request
from shared.contracts.fog import GetMap, GetView
from shared.contracts.lobby import MatchClosed, SeatResigned
from shared.contracts.orders import Desk, FiledOrder, GetDesk, ListOrders, OrderList, Receipt, ReplaceOrders
from shared.contracts.report import TickReported
from shared.runtime.service import Unavailable
from tests.services.harness import START, ManualClock, Running, build
from tests.services.lone_match import LoneMatch, seat
from tests.services.racing import race
from tests.services.tiny_ruleset import NAME, RULESET, LoneNumbers

RECEIPT = Receipt(kind="filed", match="m", tick=1, text="", sha256="", filed_at=START, key="", signature="")


class Desks:
    """The orders service as far as bots know it: the open list of each account, with an etag."""

    def __init__(self, matches: dict[str, LoneMatch]) -> None:
        self.matches = matches
        self.open_tick: int | None = 1
        self.lists: dict[tuple[str, str, int], tuple[Any, ...]] = {}
        self.replaced: list[ReplaceOrders] = []
        self.faults: list[Callable[[Any], None]] = []

    def briefing(self, request: Any) -> bytes:
        match = self.matches[request.match]
        faction = next(seat.faction for seat in match.seats if seat.account == request.account)
        return RULESET.briefing(match.state, faction)

    def list(self, request: ListOrders) -> OrderList:
        self.fail(request)
        orders = self.lists.get((request.match, request.account, request.tick or 0), ())
        return OrderList(
            tick=request.tick or 0,
            open=True,
            etag=f"etag-{len(orders)}",
            orders=tuple(
                FiledOrder(id=f"o{n}", seq=n, tick=1, order=order, receipt=RECEIPT)
                for n, order in enumerate(orders)
            ),
        )

    def desk(self, request: GetDesk) -> Desk:
        self.fail(request)
        if self.open_tick is None:
            raise Refusal("tick-closed", "The next list opens soon.", open_tick=None)
        briefing = self.briefing(request)
        filed = self.lists.get((request.match, request.account, self.open_tick), ())
        return Desk(
            match=request.match,
            tick=self.open_tick,
            faction="f",
            ruleset=NAME,
            options=msgspec.Raw(RULESET.options(briefing, [bytes(order) for order in filed])),
            briefing=msgspec.Raw(briefing),
            etag=f"etag-{len(filed)}",
        )

    def replace(self, request: ReplaceOrders) -> OrderList:
        self.fail(request)
        key = request.match, request.account, request.tick
        if request.if_match != f"etag-{len(self.lists.get(key, ()))}":
            raise Refusal("changed", "The list has changed.")
        texts = [
            RULESET.order(bytes(order), id=f"o{n}", seq=n, faction="f")
            for n, order in enumerate(request.orders)
        ]
        broken = RULESET.check_all(self.briefing(request), [t for t in texts if isinstance(t, bytes)])
        errors = [
            {"index": at, "code": found.reason, "detail": found.message}
            for at, found in enumerate(broken)
            if found is not None
        ]
        if errors:
            raise Refusal(str(errors[0]["code"]), "refused", errors=errors)
        self.lists[key] = request.orders
        self.replaced.append(request)
        return OrderList(tick=request.tick, open=True, etag=f"etag-{len(request.orders)}", orders=())

    def fail(self, request: Request[Any]) -> None:
        for fault in self.faults:
            fault(request)


class Table:
    """Bots beside a real fog and the desks, on matches whose opening is told."""

    def __init__(self, where: Path | str, *matches: LoneMatch) -> None:
        self.matches = {match.match: match for match in matches or (LoneMatch(),)}
        self.match = next(iter(self.matches.values()))
        self.clock = ManualClock()
        self.desks = Desks(self.matches)
        self.where = where
        self.fog = build(FogService, where, clock=self.clock)
        self.bots = self.start_bots()
        for match in self.matches.values():
            self.fog.deliver(match.started(), *match.outcomes)

    def start_bots(self) -> Running[BotsService]:
        """Also a second replica, or the same one after a crash."""
        answers: dict[type[Request[Any]], Any] = {
            GetView: self.fog,
            GetMap: self.fog,
            GetDesk: self.desks.desk,
            ListOrders: self.desks.list,
            ReplaceOrders: self.desks.replace,
        }
        return build(BotsService, self.where, clock=self.clock, answers=answers)

    def reported(self, tick: int, match: LoneMatch | None = None) -> TickReported:
        outcome = (match or self.match).outcomes[tick]
        return TickReported(
            match=outcome.match,
            tick=tick,
            ran_at=outcome.ran_at,
            public=outcome.public,
            result=outcome.result,
            ended=outcome.ended,
        )

    def resolve(self) -> None:
        """The next tick happens, and fog and orders know of it."""
        self.fog.deliver(self.match.resolve({}))
        self.desks.open_tick = len(self.match.outcomes)

    def play(self, seconds: float = 0) -> None:
        self.clock.advance(seconds)
        self.bots.run("play_turns")

    def filed(self) -> list[tuple[str, str, int]]:
        return [(request.match, request.account, request.tick) for request in self.desks.replaced]

    def waiting(self) -> int:
        with self.bots.database.read() as tx:
            return int(tx.scalar(sa.select(sa.func.count()).select_from(turns)))


def three_bots(name: str = "m1") -> LoneMatch:
    """A match whose every seat is a computer player's."""
    match = LoneMatch(name)
    match.seats = tuple(seat(n, match=name, bot="counting") for n in (1, 2, 3))
    return match


def test_a_computer_player_files_for_each_open_list_once(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0))
    table.play()
    table.resolve()
    table.bots.deliver(table.reported(1))
    table.bots.deliver(table.reported(1))
    table.play()
    table.play(3600)
    assert table.filed() == [("m1", "bot:m1:f3", 1), ("m1", "bot:m1:f3", 2)]
    assert table.waiting() == 0


def test_its_luck_is_its_own_and_no_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lucks: list[str] = []
    play = LoneNumbers.play
    monkeypatch.setattr(
        LoneNumbers, "play", lambda *a, **given: (lucks.append(given["luck"]), play(*a, **given))[1]
    )
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        match = three_bots()
        match.seed = "cd" * 32 if folder == "two" else match.seed
        table = Table(tmp_path / folder, match)
        table.bots.deliver(match.started(), table.reported(0))
        table.play()
    assert len(set(lucks)) == 3
    assert lucks[:3] == lucks[3:]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_in_any_order_the_open_list_alone_is_played(tmp_path: Path, order: tuple[int, ...]) -> None:
    table = Table(tmp_path)
    table.resolve()
    events = [table.match.started(), table.reported(0), table.reported(1)]
    for at in order:
        table.bots.deliver(events[at])
    table.clock.advance(60)
    table.bots.retry()
    table.play()
    assert table.filed() == [("m1", "bot:m1:f3", 2)]


@pytest.mark.parametrize("method", [GetView, GetMap, GetDesk, ReplaceOrders])
def test_a_service_that_is_away_is_asked_again(tmp_path: Path, method: type[Request[Any]]) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0))
    call, away = table.bots.service.filing.call, [True]

    def sometimes(request: Request[Any], timeout: float = 5.0) -> Any:
        if away[0] and isinstance(request, method):
            raise Unavailable(request.service(), "away")
        return call(request, timeout)

    table.bots.service.filing.call = sometimes
    for _ in range(20):
        table.play(60)
    assert (table.filed(), table.waiting()) == ([], 1)
    away[0] = False
    table.play(300)
    assert (table.filed(), table.waiting()) == ([("m1", "bot:m1:f3", 1)], 0)


def test_tries_come_after_growing_pauses(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.desks.open_tick = None
    table.bots.deliver(table.match.started(), table.reported(0))
    tries: list[float] = []
    table.desks.faults.append(
        lambda request: (
            tries.append((table.clock.now() - START).total_seconds())
            if isinstance(request, GetDesk)
            else None
        )
    )
    for _ in range(120):
        table.play(0.5)
    assert tries == [0.5, 1.0, 2.0, 4.0, 9.0, 19.0, 49.0]


def test_between_the_seal_and_the_next_list_it_waits(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.desks.open_tick = None
    table.bots.deliver(table.match.started(), table.reported(0))
    table.play()
    assert (table.filed(), table.waiting()) == ([], 1)
    table.desks.open_tick = 1
    table.play(1)
    assert (table.filed(), table.waiting()) == ([("m1", "bot:m1:f3", 1)], 0)


def test_a_turn_that_is_too_late_is_dropped(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0))
    table.desks.open_tick = 2
    table.play()
    assert (table.filed(), table.waiting()) == ([], 0)


def test_the_next_tick_drops_what_was_not_filed(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0))
    table.resolve()
    table.bots.deliver(table.reported(1))
    assert table.waiting() == 1
    table.play()
    assert table.filed() == [("m1", "bot:m1:f3", 2)]


def test_nothing_is_filed_after_the_end(tmp_path: Path) -> None:
    table = Table(tmp_path, LoneMatch(rounds=1))
    table.bots.deliver(table.match.started(), table.reported(0))
    table.resolve()
    table.bots.deliver(table.reported(1))
    table.play()
    assert (table.filed(), table.waiting()) == ([], 0)


def test_a_closed_match_is_left_alone(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0), MatchClosed(match="m1", at=START))
    table.play()
    table.resolve()
    table.bots.deliver(table.reported(1))
    table.play()
    assert (table.filed(), table.waiting()) == ([], 0)


def test_a_crash_after_filing_files_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0))
    with monkeypatch.context() as patch:
        patch.setattr("services.bots.turns.done", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            table.play()
    assert len(table.filed()) == 1
    table.bots = table.start_bots()
    table.play()
    assert table.waiting() == 1  # its lease is not over
    table.play(60)
    assert (len(table.filed()), table.waiting()) == (1, 0)


def test_a_crash_before_filing_loses_no_turn(tmp_path: Path) -> None:
    table = Table(tmp_path, three_bots())
    table.bots.deliver(table.match.started(), table.reported(0))

    class Killed(BaseException):
        pass

    def kill(request: Request[Any]) -> None:
        if isinstance(request, ReplaceOrders) and request.account == "bot:m1:f2":
            raise Killed

    table.desks.faults.append(kill)
    with pytest.raises(Killed):
        table.play()
    table.desks.faults.clear()
    table.bots = table.start_bots()
    table.play(60)
    assert sorted(account for _, account, _ in table.filed()) == ["bot:m1:f1", "bot:m1:f2", "bot:m1:f3"]
    assert table.waiting() == 0


def test_two_workers_share_the_turns_and_a_paused_one_files_nothing_twice(tmp_path: Path) -> None:
    table = Table(tmp_path, three_bots())
    table.bots.deliver(table.match.started(), table.reported(0))
    second = table.start_bots()
    paused = []

    def pause(request: Request[Any]) -> None:
        if isinstance(request, ReplaceOrders) and not paused:
            paused.append(request)
            table.clock.advance(61)  # longer than the lease: another worker comes to the same turn
            second.run("play_turns")

    table.desks.faults.append(pause)
    table.play()
    table.play(61)
    assert sorted(account for _, account, _ in table.filed()) == ["bot:m1:f1", "bot:m1:f2", "bot:m1:f3"]
    assert table.waiting() == 0


def test_workers_at_once_file_each_turn_once(where: Path | str) -> None:
    matches = [three_bots(f"m{n}") for n in range(12)]
    table = Table(where, *matches)
    for match in matches:
        table.bots.deliver(match.started(), table.reported(0, match))
    workers = [table.start_bots() for _ in range(4)]
    race([lambda worker=worker: str(worker.run("play_turns")) for worker in workers])
    assert len(set(table.filed())) == len(table.filed()) == 36
    assert table.waiting() == 0


def test_one_that_fails_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path, three_bots(), three_bots("m2"))
    play = LoneNumbers.play

    def stumble(self: LoneNumbers, level: str, *, faction: str, view: bytes, **given: Any) -> list[bytes]:
        if faction == "f1":
            raise LookupError(view)
        return play(self, level, faction=faction, view=view, **given)

    monkeypatch.setattr(LoneNumbers, "play", stumble)
    for match in table.matches.values():
        table.bots.deliver(match.started(), table.reported(0, match))
    with structlog.testing.capture_logs() as logs:
        table.play()
    assert sorted(account for _, account, _ in table.filed()) == [
        "bot:m1:f2",
        "bot:m1:f3",
        "bot:m2:f2",
        "bot:m2:f3",
    ]
    assert table.waiting() == 2
    assert [entry["error"] for entry in logs] == ["LookupError", "LookupError"]
    hidden = {str(seat["hidden"]) for seat in msgspec.json.decode(table.match.state)["seats"]}
    assert not [number for number in hidden if number in repr(logs)]


def test_of_orders_that_are_refused_the_others_are_filed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)
    numbers = [canonical.encode({"kind": "name", "number": n}) for n in (41, 42, 43)]
    monkeypatch.setattr(LoneNumbers, "play", lambda *_, **__: numbers)
    table.bots.deliver(table.match.started(), table.reported(0))
    with structlog.testing.capture_logs() as logs:
        table.play()
    (request,) = table.desks.replaced
    assert [bytes(order) for order in request.orders] == numbers[:1]
    assert table.waiting() == 0
    assert [(entry["event"], entry["codes"], entry["of"]) for entry in logs] == [
        ("orders refused", ["already-named", "already-named"], 3)
    ]


def test_a_refusal_that_names_no_order_is_not_repeated_hot(tmp_path: Path) -> None:
    table = Table(tmp_path)
    asked = []

    def refuse(request: Request[Any]) -> None:
        if isinstance(request, ReplaceOrders):
            asked.append(request)
            errors = [{"index": 99, "code": "out", "detail": ""}]
            raise Refusal("too-many-orders", "no", errors=errors)

    table.desks.faults.append(refuse)
    table.bots.deliver(table.match.started(), table.reported(0))
    table.play()
    assert (len(asked), table.waiting()) == (1, 1)


def test_nothing_to_order_files_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path)
    monkeypatch.setattr(LoneNumbers, "play", lambda *_, **__: [])
    table.bots.deliver(table.match.started(), table.reported(0))
    table.play()
    assert (table.filed(), table.waiting()) == ([], 0)


def test_who_resigned_is_played_for_from_the_next_list_on(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.bots.deliver(table.match.started(), table.reported(0))
    table.bots.deliver(SeatResigned(match="m1", faction="f1", account="account-1", level="counting"))
    table.play()
    assert table.filed() == [("m1", "bot:m1:f3", 1)]
    table.resolve()
    table.bots.deliver(table.reported(1))
    table.play()
    assert sorted(table.filed()[1:]) == [("m1", "account-1", 2), ("m1", "bot:m1:f3", 2)]


def test_many_matches_are_asked_one_turn_at_a_time(tmp_path: Path) -> None:
    matches = [three_bots(f"m{n}") for n in range(20)]
    table = Table(tmp_path, *matches)
    for match in matches:
        table.bots.deliver(match.started(), table.reported(0, match))
    maps = []
    table.bots.service.filing.call = counting(table.bots.service.filing.call, GetMap, maps)
    table.play()
    assert len(set(table.filed())) == len(table.filed()) == 60
    assert len(maps) == 20


def counting(call: Any, kind: type[Request[Any]], found: list[Any]) -> Any:
    def counted(request: Request[Any], timeout: float = 5.0) -> Any:
        if isinstance(request, kind):
            found.append(request)
        return call(request, timeout)

    return counted
