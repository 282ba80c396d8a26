"""What must hold in every simulated world once it has come to rest: P1, P2, P3, P7, P8."""

import zlib
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import msgspec
import sqlalchemy as sa

from services.clock.service import ClockService
from services.orders import store as orders_store
from services.orders.service import OrdersService
from services.resolution import store as resolution_store
from services.resolution.service import ResolutionService
from shared import proof
from shared.contracts.base import Event
from shared.contracts.clock import DeadlineSet
from shared.contracts.orders import SealedTick
from shared.contracts.resolution import MatchStalled, TickOutcome, TickResolved
from shared.outage import least
from shared.runtime import envelope
from shared.storage import outbox
from tests.services.tiny_ruleset import RULESET
from tests.simulation.match import CADENCE, ROUNDS, Match, Players, Wish
from tests.simulation.world import World, store_of

SECOND = timedelta(seconds=1)


def rows(service: Any, statement: Any) -> list[Any]:
    with store_of(service).engine.connect() as connection:
        return list(connection.execute(statement).all())


def events(service: Any, kind: type[Event]) -> list[Any]:
    found = rows(
        service,
        sa.select(outbox.outbox.c.envelope)
        .where(outbox.outbox.c.event == envelope.full_name(kind))
        .order_by(outbox.outbox.c.seq),
    )
    return [envelope.open_as(kind, envelope.decode(row.envelope)) for row in found]


def sealed_ticks() -> dict[tuple[str, int], SealedTick]:
    ticks = orders_store.ticks
    return {
        (row.match, row.tick): msgspec.json.decode(zlib.decompress(row.sealed), type=SealedTick)
        for row in rows(OrdersService, sa.select(ticks).where(ticks.c.sealed.is_not(None)))
    }


def once(matches: list[Match]) -> None:
    """P1: no gap, nothing twice, and what a single process makes of the same sealed orders."""
    ticks = resolution_store.ticks
    found = rows(ResolutionService, sa.select(ticks).order_by(ticks.c.match, ticks.c.tick))
    wanted = sorted((match.id, tick) for match in matches for tick in range(ROUNDS + 1))
    assert [(row.match, row.tick) for row in found] == wanted
    for kind in (TickOutcome, TickResolved):
        assert sorted((event.match, event.tick) for event in events(ResolutionService, kind)) == wanted
    sealed = sealed_ticks()
    state, previous = b"", ""
    for row in found:
        stored = zlib.decompress(row.state)
        digests: list[str] = []
        if row.tick == 0:
            state = stored
            previous = ""
        else:
            seal = sealed[row.match, row.tick]
            digests = [seal.digests[faction] for faction in sorted(seal.digests)]
            state = RULESET.resolve(state, [text.encode() for text in seal.orders]).state
        assert stored == state
        assert row.hash == proof.state_hash(state.decode(), previous, digests, RULESET.version)
        previous = row.hash


def nothing_lost(players: Players) -> None:
    """P2 and P3: an accepted order is in its tick's seal or was taken back; a refused one nowhere; none twice."""
    sealed = sealed_ticks()
    marked: dict[str, list[tuple[str, int, str]]] = {}
    for (match, tick), seal in sealed.items():
        for text in seal.orders:
            order = msgspec.json.decode(text)
            if order["kind"] == "boast":
                marked.setdefault(order["words"], []).append((match, tick, order["id"]))
    wishes = players.wishes
    for wish in wishes:
        if wish.kind == "cancel":
            continue
        for mark in wish.marks:
            places = marked.pop(mark, [])
            assert len(places) <= 1, f"{mark} is sealed {len(places)} times: {wish}"
            if places:
                match, tick, order = places[0]
                assert wish.outcome != "refused", f"refused and sealed: {wish}"
                assert (match, tick) == (wish.match, wish.tick), f"sealed for another tick: {wish}"
                if wish.outcome == "accepted":
                    assert wish.ids[mark] == order
                    sealed_at = sealed[match, tick].sealed_at
                    assert wish.filed_at is not None
                    assert sealed_at is not None
                    assert wish.filed_at <= sealed_at
            elif wish.outcome == "accepted":
                assert _taken_back(wish, wish.ids[mark], wishes), f"accepted and lost: {mark} of {wish}"
    assert not marked, f"sealed, and nobody wished it: {sorted(marked)}"
    for wish in wishes:
        if wish.kind == "cancel" and wish.outcome == "accepted":
            texts = sealed[wish.match, wish.tick].orders if (wish.match, wish.tick) in sealed else ()
            assert not any(f'"id":"{wish.cancels}"' in text for text in texts), (
                f"cancelled and sealed: {wish}"
            )


def _taken_back(wish: Wish, order: str, wishes: list[Wish]) -> bool:
    """By a cancel, or by a later list; of either it may be unknown whether it was stored."""
    return any(
        other.outcome != "refused"
        and other is not wish
        and (other.account, other.match, other.tick) == (wish.account, wish.match, wish.tick)
        and (other.cancels == order or other.kind == "replace")
        for other in wishes
    )


def on_time(world: World, matches: list[Match]) -> None:
    """P8: never two ticks in a burst; an outage is never charged to the players; moved only where K-03 says so."""
    resolved: dict[str, list[TickResolved]] = {}
    for event in events(ResolutionService, TickResolved):
        resolved.setdefault(event.match, []).append(event)
    deadlines: dict[tuple[str, int], list[DeadlineSet]] = {}
    for event in events(ClockService, DeadlineSet):
        deadlines.setdefault((event.match, event.tick), []).append(event)
    sealed = sealed_ticks()
    for match in matches:
        before = match.started_at
        for event in resolved[match.id]:
            if event.tick == 0:
                continue
            told = deadlines[match.id, event.tick]
            assert event.deadline == told[-1].at
            assert event.ran_at >= event.deadline
            on_grid = told[0].at
            assert (on_grid - match.started_at) % CADENCE == timedelta(0)
            assert all(later.moved_from == on_grid for later in told[1:])
            if not match.early:
                assert on_grid >= before + CADENCE / 2 or event.tick == 1
                assert all(a.at < b.at for a, b in pairwise(told))
                sealed_at = sealed[match.id, event.tick].sealed_at
                assert sealed_at is not None
                _not_charged(world, on_grid, before, sealed_at)
            before = max(event.ran_at, event.deadline)


def _not_charged(world: World, deadline: datetime, opened_at: datetime, sealed_at: datetime) -> None:
    last_tenth = deadline - (deadline - opened_at) / 10
    for start, end in _orders_away(world):
        length = end - start
        if length > least(CADENCE) and last_tenth < end <= sealed_at:
            left = sealed_at - end
            assert left >= min(length, CADENCE / 10), (
                f"an outage from {start} to {end} left {left} before the seal; the deadline was {deadline}"
            )


def _orders_away(world: World) -> list[tuple[datetime, datetime]]:
    """When no replica of orders could take orders."""
    replicas = [str(node) for node in world.nodes if node.name == OrdersService.name]
    spans: list[tuple[datetime, datetime]] = []
    edges = sorted({edge for _, *span in world.downs for edge in span})
    for start, end in pairwise(edges):
        away = {who for who, since, until in world.downs if since <= start and end <= until}
        if OrdersService.name in away or away.issuperset(replicas):
            if spans and spans[-1][1] == start:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
    return spans


def broken_alone(matches: list[Match], stalled: list[tuple[str, int]]) -> None:
    """P7: what was found stalled before the operator came is the broken match and no other."""
    assert stalled == [(match.id, 1) for match in matches if match.broken]
    told = [(event.match, event.tick) for event in events(ResolutionService, MatchStalled)]
    assert sorted(told) == sorted(stalled)


def punctual(matches: list[Match]) -> None:
    """Where nothing goes wrong nothing is late and nothing is moved."""
    broken = {match.id for match in matches if match.broken}
    for event in events(ResolutionService, TickResolved):
        if event.deadline is not None and event.match not in broken:
            assert event.ran_at - event.deadline < 5 * SECOND
    for event in events(ClockService, DeadlineSet):
        early = next(match.early for match in matches if match.id == event.match)
        assert early or event.moved_from is None
