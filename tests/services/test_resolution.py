"""resolution: every tick once, failing matches alone, the chain, exports."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from services.resolution.claims import LEASE, MOST_ATTEMPTS
from services.resolution.service import ResolutionService
from services.resolution.store import matches, ticks
from shared import proof
from shared.contracts.base import Refusal
from shared.contracts.clock import DueTick, TicksDue
from shared.contracts.lobby import MatchClosed
from shared.contracts.orders import SealedTick, SealedTicks, SealTicks
from shared.contracts.resolution import (
    GetExportHead,
    GetExportTick,
    MatchStalled,
    RetryTick,
    SurveyStalled,
    TickOutcome,
    TickResolved,
)
from shared.runtime import crashpoints
from shared.runtime.service import Unavailable
from tests.services import harness, tiny_ruleset
from tests.services.harness import START, ManualClock, Running
from tests.services.lone_match import CADENCE, LoneMatch
from tests.services.racing import race

Resolution = Running[ResolutionService]


class SealingOrders:
    """Answers seals like orders: the same tick gives the same list for ever."""

    def __init__(self) -> None:
        self.filed: dict[tuple[str, int], list[str]] = {}
        self.errors: dict[str, str] = {}
        self.sealed: dict[tuple[str, int], SealedTick] = {}
        self.calls: list[SealTicks] = []
        self.down = False
        self.factions = ("f1", "f2", "f3")
        self.at_seal: Callable[[], None] = lambda: None

    def file(self, match: str, tick: int, faction: str, number: int, seq: int = 1) -> None:
        order = tiny_ruleset.RULESET.order(
            msgspec.json.encode({"kind": "name", "number": number}),
            id=f"{faction}-{tick}-{seq}",
            seq=seq,
            faction=faction,
        )
        assert isinstance(order, bytes)
        self.filed.setdefault((match, tick), []).append(order.decode())

    def __call__(self, request: SealTicks) -> SealedTicks:
        self.calls.append(request)
        if self.down:
            raise Unavailable("orders", "the test says so")
        self.at_seal()
        return SealedTicks(items=tuple(self._seal(item.match, item.tick) for item in request.ticks))

    def _seal(self, match: str, tick: int) -> SealedTick:
        if match in self.errors:
            return SealedTick(
                match=match,
                tick=tick,
                sealed_at=None,
                orders=(),
                nonces={},
                digests={},
                error=self.errors[match],
            )
        if (match, tick) not in self.sealed:
            texts = self.filed.get((match, tick), [])
            nonces = {f: proof.sha256(f"{match}/{tick}/{f}") for f in self.factions}
            self.sealed[match, tick] = SealedTick(
                match=match,
                tick=tick,
                sealed_at=START,
                orders=tuple(texts),
                nonces=nonces,
                digests={
                    f: proof.digest(nonces[f], [t for t in texts if f'"faction":"{f}"' in t])
                    for f in self.factions
                },
            )
        return self.sealed[match, tick]


def built(
    where: Path | str, orders: SealingOrders | None = None, clock: ManualClock | None = None
) -> tuple[Resolution, SealingOrders]:
    orders = orders or SealingOrders()
    return harness.build(ResolutionService, where, answers={SealTicks: orders}, clock=clock), orders


def opened(where: Path | str, *names: str, rounds: int = 3) -> tuple[Resolution, SealingOrders]:
    resolution, orders = built(where)
    for match in names or ("m1",):
        assert resolution.deliver(LoneMatch(match, rounds=rounds).started()).handled == 1
    resolution.run("open_matches")
    return resolution, orders


def due(*names: str, tick: int = 1) -> TicksDue:
    return TicksDue(ticks=tuple(DueTick(match=m, tick=tick, deadline=START + tick * CADENCE) for m in names))


def resolved(resolution: Resolution) -> list[tuple[str, int]]:
    """Match and tick of every event, in the order emitted."""
    return [(event.match, event.tick) for event in resolution.emitted_of(TickResolved)]


def row(resolution: Resolution, match: str = "m1") -> Any:
    with resolution.database.read() as tx:
        return tx.one(sa.select(matches).where(matches.c.match == match))


def stalled(resolution: Resolution) -> list[tuple[str, int, int]]:
    return [(item.match, item.tick, item.attempts) for item in resolution.ask(SurveyStalled()).items]


def refused(code: str, resolution: Resolution, request: Any) -> None:
    with pytest.raises(Refusal) as caught:
        resolution.ask(request)
    assert caught.value.code == code


def test_a_started_match_gets_its_tick_0_once(tmp_path: Path) -> None:
    resolution, _ = opened(tmp_path)
    resolution.run("open_matches")
    (outcome,) = resolution.emitted_of(TickOutcome)
    state = LoneMatch().state
    assert bytes(outcome.state) == state
    assert outcome.state_hash == proof.state_hash(state.decode(), "", [], 1)
    assert (outcome.tick, outcome.record, outcome.deadline, outcome.ran_at) == (0, None, None, START)
    assert (outcome.sealed, outcome.nonces, outcome.digests, outcome.results) == ({}, {}, {}, {})
    (light,) = resolution.emitted_of(TickResolved)
    assert light.live == ("f1", "f2", "f3")
    assert light.allowances == {"f1": 3, "f2": 3, "f3": 3}
    assert (light.per_player, light.windows_close_early, light.ended) == (2, True, False)


def test_a_due_tick_is_sealed_resolved_chained_and_told(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path)
    orders.file("m1", 1, "f1", 9)
    orders.file("m1", 1, "f2", 4)
    resolution.clock.advance(CADENCE.total_seconds() + 2)
    resolution.hear(due("m1"))
    first, second = resolution.emitted_of(TickOutcome)
    sealed = orders.sealed["m1", 1]
    assert second.sealed == {"f1": (sealed.orders[0],), "f2": (sealed.orders[1],), "f3": ()}
    assert (second.nonces, second.digests) == (sealed.nonces, sealed.digests)
    assert second.state_hash == proof.state_hash(
        bytes(second.state).decode(), first.state_hash, [sealed.digests[f] for f in ("f1", "f2", "f3")], 1
    )
    assert {o: r.status for o, r in second.results.items()} == {"f1-1-1": "done", "f2-1-1": "done"}
    assert second.deadline == START + CADENCE
    assert second.ran_at == START + CADENCE + timedelta(seconds=2)
    assert msgspec.json.decode(second.public)["points"] == msgspec.json.decode(bytes(second.public))["points"]
    light = resolution.emitted_of(TickResolved)[1]
    assert (light.tick, light.deadline, light.ran_at) == (1, second.deadline, second.ran_at)


def test_many_matches_cost_one_seal_and_few_commits(tmp_path: Path) -> None:
    names = [f"m{n:02}" for n in range(20)]
    resolution, orders = opened(tmp_path, *names)
    commits: list[None] = []
    sa.event.listen(resolution.database.engine, "commit", lambda _: commits.append(None))
    resolution.hear(due(*names))
    assert len(orders.calls) == 1
    assert sorted(resolved(resolution)[20:]) == [(name, 1) for name in names]
    assert len(commits) == 1 + 1 + 1


def test_ticks_twice_early_and_out_of_order_change_nothing(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path)
    resolution.hear(due("m1", tick=2))
    resolution.hear(due("m1", tick=1))
    resolution.hear(due("m1", tick=1))
    resolution.hear(due("unknown", tick=1))
    resolution.hear(due("m1", tick=3))
    assert resolved(resolution) == [("m1", 0), ("m1", 1)]
    assert len(orders.calls) == 1


def test_the_last_tick_ends_the_match(tmp_path: Path) -> None:
    resolution, _ = opened(tmp_path, rounds=1)
    resolution.hear(due("m1"))
    (outcome,) = resolution.emitted_of(TickOutcome)[1:]
    assert outcome.ended
    assert outcome.result is not None
    assert msgspec.json.decode(outcome.result)["tick"] == 1
    resolution.hear(due("m1", tick=2))
    assert resolved(resolution) == [("m1", 0), ("m1", 1)]


def test_three_workers_resolve_each_tick_once(where: Path | str) -> None:
    names = [f"m{n}" for n in range(8)]
    resolution, orders = opened(where, *names)
    workers = [resolution, *(built(where, orders, resolution.clock)[0] for _ in range(2))]
    for worker in workers[1:]:
        worker.service.ports.ids._count = resolution.ids._count + 10_000 * workers.index(worker)
    for tick in (1, 2, 3):
        calls = [
            lambda worker=worker, half=half, tick=tick: str(worker.hear(due(*half, tick=tick)))  # type: ignore[misc]
            for worker in workers
            for half in (names[:5], names[3:], names)
        ]
        race(calls)
        resolution.clock.advance(LEASE.total_seconds() + 1)
        resolution.hear(due(*names, tick=tick))
    with resolution.database.read() as tx:
        found = [(r.match, r.tick) for r in tx.all(sa.select(ticks).order_by(ticks.c.match, ticks.c.tick))]
    assert found == [(name, tick) for name in names for tick in range(4)]
    assert sorted(resolved(resolution)) == found


def test_a_worker_paused_past_its_lease_changes_no_row(where: Path | str) -> None:
    resolution, orders = opened(where)
    other, other_orders = built(where, clock=resolution.clock)
    other.service.ports.ids._count = 10_000
    other_orders.sealed = orders.sealed

    def paused() -> None:
        if resolution.service.database.engine.dialect.name == "postgresql":
            with resolution.database.begin() as tx:
                tx.execute(sa.update(matches).values(lease_until=START - LEASE))
        else:
            resolution.clock.advance(LEASE.total_seconds() + 1)
        other.hear(due("m1"))

    orders.at_seal = paused
    resolution.hear(due("m1"))
    assert resolved(resolution) == [("m1", 0), ("m1", 1)]
    found = row(resolution)
    assert (found.tick, found.fence, found.attempts) == (1, 3, 0)


def test_while_orders_is_away_nothing_is_counted_and_nothing_lost(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path)
    orders.down = True
    for _ in range(2 * MOST_ATTEMPTS):
        resolution.hear(due("m1"))
    assert row(resolution).attempts == 0
    orders.down = False
    resolution.hear(due("m1"))
    assert resolved(resolution) == [("m1", 0), ("m1", 1)]


def test_a_list_that_is_not_open_yet_waits_and_holds_up_nobody(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path, "m1", "m2")
    orders.errors["m1"] = "not-open"
    for _ in range(MOST_ATTEMPTS + 1):
        resolution.hear(due("m1", "m2"))
    assert resolved(resolution)[2:] == [("m2", 1)]
    del orders.errors["m1"]
    resolution.hear(due("m1", "m2"))
    assert resolved(resolution)[3:] == [("m1", 1)]


def test_a_broken_match_stops_alone_and_is_resolved_once_when_retried(tmp_path: Path) -> None:
    names = [f"m{n:02}" for n in range(20)]
    resolution, orders = opened(tmp_path, *names)
    orders.file("m07", 1, "f1", 50)
    tiny_ruleset.broken_matches.add("m07")
    for attempt in range(6):
        resolution.hear(due(*names))
        # Not again before its pause is over.
        resolution.hear(due(*names))
        assert row(resolution, "m07").attempts == min(attempt + 1, MOST_ATTEMPTS)
        resolution.clock.advance(10)
    assert sorted(resolved(resolution)[20:]) == [(name, 1) for name in names if name != "m07"]
    assert stalled(resolution) == [("m07", 1, MOST_ATTEMPTS)]
    assert resolution.emitted_of(MatchStalled) == [MatchStalled(match="m07", tick=1)]
    (item,) = resolution.ask(SurveyStalled()).items
    assert item.error == "RuntimeError: this match is broken by a test"

    resolution.ask(RetryTick(match="m07"))
    assert stalled(resolution) == [("m07", 1, MOST_ATTEMPTS)]
    tiny_ruleset.broken_matches.clear()
    resolution.ask(RetryTick(match="m07"))
    assert stalled(resolution) == []
    refused("not-found", resolution, RetryTick(match="m07"))
    assert resolved(resolution)[-1] == ("m07", 1)
    (outcome,) = [o for o in resolution.emitted_of(TickOutcome) if (o.match, o.tick) == ("m07", 1)]
    assert outcome.sealed["f1"] == tuple(orders.filed["m07", 1])
    resolution.hear(due(*names))
    assert resolved(resolution)[-1] == ("m07", 1)


def test_a_match_that_kills_its_workers_is_stalled_and_its_neighbours_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolution, orders = opened(tmp_path, "m1", "m2", "m3")

    class Killed(BaseException):
        pass

    def deadly(*args: Any) -> Any:
        if orders.calls[-1].ticks and any(item.match == "m2" for item in orders.calls[-1].ticks):
            raise Killed
        return harness.offload(*args)

    monkeypatch.setattr(resolution.service.resolver, "_offload", deadly)
    for _ in range(MOST_ATTEMPTS + 2):
        try:
            resolution.hear(due("m1", "m2", "m3"))
        except Killed:
            resolution.clock.advance(LEASE.total_seconds() + 1)
    assert sorted(resolved(resolution)[3:]) == [("m1", 1), ("m3", 1)]
    assert stalled(resolution) == [("m2", 1, MOST_ATTEMPTS)]


def failing_third_attempt(resolution: Resolution, name: str, before: Callable[[], None]) -> None:
    """Two attempts fail; of the third ``before`` is run in its midst."""
    tiny_ruleset.broken_matches.add(name)
    for _ in range(MOST_ATTEMPTS - 1):
        resolution.hear(due(name))
        resolution.clock.advance(10)
    before()
    resolution.hear(due(name))


def test_a_commit_whose_answer_is_lost_stalls_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolution, _ = opened(tmp_path)

    def lost(point: str) -> None:
        if point == crashpoints.AFTER_COMMIT:
            raise ConnectionError("the answer never came")

    def mended() -> None:
        tiny_ruleset.broken_matches.clear()
        monkeypatch.setattr(crashpoints, "on_reach", lost)

    failing_third_attempt(resolution, "m1", mended)
    assert resolved(resolution) == [("m1", 0), ("m1", 1)]
    assert not stalled(resolution)
    assert not resolution.emitted_of(MatchStalled)
    monkeypatch.setattr(crashpoints, "on_reach", lambda _: None)
    resolution.hear(due("m1", tick=2))
    assert resolved(resolution)[-1] == ("m1", 2), "at once: no pause for a failure that was none"


def test_a_match_closed_in_its_last_attempt_is_over_and_not_stalled(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path)

    def closing() -> None:
        orders.at_seal = lambda: resolution.deliver(MatchClosed(match="m1", at=START))

    failing_third_attempt(resolution, "m1", closing)
    assert row(resolution).ended
    assert not stalled(resolution)
    assert not resolution.emitted_of(MatchStalled)


def test_a_row_that_cannot_be_written_fails_alone(tmp_path: Path) -> None:
    resolution, _ = opened(tmp_path, "m1", "m2", "m3")
    with resolution.database.begin() as tx:
        row = {"match": "m2", "tick": 1, "ran_at": START, "rules_version": 1, "hash": "", "state": b""}
        tx.execute(sa.insert(ticks).values(row))
    resolution.hear(due("m1", "m2", "m3"))
    assert sorted(resolved(resolution)[3:]) == [("m1", 1), ("m3", 1)]
    assert row_error(resolution, "m2").startswith("IntegrityError")


def row_error(resolution: Resolution, match: str) -> str:
    error: str = row(resolution, match).error
    return error


@pytest.mark.parametrize("point", crashpoints.POINTS[:6])
def test_a_kill_at_any_point_resolves_the_tick_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    resolution, orders = opened(tmp_path, "m1", "m2")

    class Killed(BaseException):
        pass

    def kill(reached: str) -> None:
        if reached == point:
            raise Killed

    monkeypatch.setattr(crashpoints, "on_reach", kill)
    with pytest.raises(Killed):
        resolution.hear(due("m1", "m2"))
    monkeypatch.undo()
    resolution.clock.advance(LEASE.total_seconds() + 1)
    again, _ = built(tmp_path, orders, resolution.clock)
    again.service.ports.ids._count = 10_000
    again.hear(due("m1", "m2"))
    assert sorted(resolved(again)[2:]) == [("m1", 1), ("m2", 1)]
    assert (row(again).attempts, row(again).tick) == (0, 1)


def test_a_closed_match_resolves_no_further(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path)

    def closed_meanwhile() -> None:
        resolution.deliver(MatchClosed(match="m1", at=START))

    orders.at_seal = closed_meanwhile
    resolution.hear(due("m1"))
    resolution.hear(due("m1"))
    assert resolved(resolution) == [("m1", 0)]
    assert resolution.ask(GetExportHead(account=None, match="m1")).ticks == 0


def test_an_opening_that_fails_is_stalled_and_can_be_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolution, _ = built(tmp_path)
    resolution.deliver(LoneMatch().started())

    def fail(*args: Any) -> Any:
        raise RuntimeError("no map today")

    monkeypatch.setattr(resolution.service.resolver, "_offload", fail)
    for _ in range(MOST_ATTEMPTS + 2):
        resolution.run("open_matches")
        resolution.run("open_matches")
        resolution.clock.advance(10)
    assert stalled(resolution) == [("m1", 0, MOST_ATTEMPTS)]
    monkeypatch.setattr(resolution.service.resolver, "_offload", harness.offload)
    resolution.ask(RetryTick(match="m1"))
    resolution.run("open_matches")
    assert resolved(resolution) == [("m1", 0)]


def test_the_export_verifies_and_is_for_the_seated_after_the_end(tmp_path: Path) -> None:
    resolution, orders = opened(tmp_path, rounds=3)
    head = GetExportHead(account="account-1", match="m1")
    refused("not-ended", resolution, head)
    refused("not-ended", resolution, GetExportTick(account="account-1", match="m1", tick=0))
    for tick in (1, 2, 3):
        orders.file("m1", tick, "f1", 9)
        orders.file("m1", tick, "f2", 9 + tick)
        resolution.hear(due("m1", tick=tick))
    for stranger in ("stranger", ""):
        refused("not-found", resolution, GetExportHead(account=stranger, match="m1"))
        refused("not-found", resolution, GetExportTick(account=stranger, match="m1", tick=1))
    refused("not-found", resolution, GetExportTick(account="account-1", match="m1", tick=4))
    answer = resolution.ask(head)
    assert answer == resolution.ask(GetExportHead(account=None, match="m1"))
    export = msgspec.json.decode(answer.head)
    assert answer.ticks == 3
    assert export["match"]["factions"] == ["Name 1", "Name 2", "Name 3"]
    assert export["match"]["seats"] == 3
    export["ticks"] = [
        msgspec.json.decode(resolution.ask(GetExportTick(account="account-2", match="m1", tick=n)).entry)
        for n in range(4)
    ]
    assert set(export["ticks"][0]) == {"tick", "snapshot", "hash"}
    assert set(export["ticks"][1]) == {
        *("tick", "deadline", "ran_at", "orders", "nonces", "digests", "snapshot", "hash", "results", "round")
    }
    assert export["ticks"][1]["deadline"] == "2026-01-01T13:00:00Z"
    assert export["checksums"] == proof.export_checksums(export)
    assert tiny_ruleset.RULESET.verify(msgspec.json.encode(export)) == []
    export["ticks"][2]["orders"][0]["number"] = 10
    assert tiny_ruleset.RULESET.verify(msgspec.json.encode(export)) != []
