"""P1 and P2 as checks on what the services have stored, after whatever was done to them."""

import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from services.fog import store as fog_store
from services.messaging import store as messaging_store
from services.orders import store as orders_store
from services.report import store as report_store
from services.resolution import store
from shared import canonical
from shared.contracts.lobby import Seat
from shared.contracts.orders import SealedTick
from shared.contracts.resolution import TickOutcome, TickResolved
from shared.runtime.envelope import full_name
from shared.storage import outbox
from shared.storage.deflate import inflate
from tests.drills.ledger import Attempt, Ledger
from tests.drills.replay import KeptMatch, KeptTick, differences
from tests.drills.yard import PATIENCE, Yard, until


def latest(yard: Yard, matches: Iterable[str]) -> dict[str, int]:
    """The last resolved tick of each match; -1 before its opening."""
    names = list(matches)
    query = sa.select(store.matches.c.match, store.matches.c.tick).where(store.matches.c.match.in_(names))
    with yard.engine("resolution").connect() as connection:
        found = {row.match: row.tick for row in connection.execute(query)}
    return {match: found.get(match, store.OPENING) for match in names}


def wait_for_ticks(yard: Yard, matches: Sequence[str], further: int, seconds: float = PATIENCE) -> float:
    """Until every match has resolved so many ticks more than it has now; how long it took."""
    before = latest(yard, matches)
    return until(
        f"{further} more ticks of every match",
        lambda: all(tick >= before[match] + further for match, tick in latest(yard, matches).items()),
        seconds,
    )


def kept(yard: Yard, matches: Iterable[str]) -> list[KeptMatch]:
    """Matches as resolution keeps them."""
    found = []
    with yard.engine("resolution").connect() as connection:
        for match in matches:
            row = connection.execute(sa.select(store.matches).where(store.matches.c.match == match)).one()
            rows = connection.execute(
                sa.select(store.ticks).where(store.ticks.c.match == match).order_by(store.ticks.c.tick)
            ).all()
            found.append(
                KeptMatch(
                    match=match,
                    ruleset=row.ruleset,
                    seed=row.seed,
                    settings=row.settings.decode(),
                    seats=msgspec.json.decode(row.seats, type=tuple[Seat, ...]),
                    ticks=tuple(_kept_tick(tick) for tick in rows),
                )
            )
    return found


def _kept_tick(row: sa.Row[Any]) -> KeptTick:
    proceedings = {} if row.proceedings is None else json.loads(inflate(row.proceedings))
    return KeptTick(
        tick=row.tick,
        rules_version=row.rules_version,
        hash=row.hash,
        state=inflate(row.state).decode(),
        orders=tuple(proceedings.get("orders", ())),
        digests=proceedings.get("digests", {}),
    )


def sealed_ticks(yard: Yard, matches: Iterable[str]) -> dict[tuple[str, int], SealedTick]:
    query = sa.select(orders_store.ticks).where(
        orders_store.ticks.c.match.in_(list(matches)), orders_store.ticks.c.sealed.is_not(None)
    )
    with yard.engine("orders").connect() as connection:
        rows = connection.execute(query).all()
    return {
        (row.match, row.tick): msgspec.json.decode(zlib.decompress(row.sealed), type=SealedTick)
        for row in rows
    }


def check_once(yard: Yard, matches: Sequence[str]) -> None:
    """P1: each tick resolved once and told once everywhere, none left out, and as one process alone makes it."""
    # In this order: the matches may go on meanwhile.
    found = kept(yard, matches)
    sealed = sealed_ticks(yard, matches)
    for match in found:
        assert not list(differences(match))
        for tick in match.ticks[1:]:
            texts = [canonical.text(order) for order in tick.orders]
            assert texts == list(sealed[match.match, tick.tick].orders), f"{match.match} tick {tick.tick}"
    _check_told_once(yard, matches)
    _wait_until_told(yard, {match.match: match.ticks[-1].tick for match in found})
    reported = _hashes(yard, matches)
    for match in found:
        for tick in match.ticks[1:]:
            assert reported[match.match, tick.tick] == tick.hash, f"{match.match} tick {tick.tick}"


def _check_told_once(yard: Yard, matches: Sequence[str]) -> None:
    table = outbox.outbox
    told: Counter[tuple[str, str, int]] = Counter()
    ours = set(matches)
    events = [full_name(event) for event in (TickOutcome, TickResolved)]
    with yard.engine("resolution").connect() as connection:
        for row in connection.execute(
            sa.select(table.c.event, table.c.envelope).where(table.c.event.in_(events))
        ):
            event = json.loads(row.envelope)
            if event["match"] in ours:
                told[row.event, event["match"], event["tick"]] += 1
    assert told and set(told.values()) == {1}, [one for one, times in told.items() if times > 1]


def _wait_until_told(yard: Yard, ticks: dict[str, int]) -> None:
    def missing() -> list[str]:
        behind = []
        for service, table in (("fog", fog_store.matches), ("report", report_store.matches)):
            query = sa.select(table.c.match, table.c.next_tick).where(table.c.match.in_(list(ticks)))
            with yard.engine(service).connect() as connection:
                told = {row.match: row.next_tick for row in connection.execute(query)}
            behind += [f"{service} {m}" for m, tick in ticks.items() if told.get(m, 0) <= tick]
        return behind

    until("every tick is seen and reported", lambda: not missing())


def _hashes(yard: Yard, matches: Sequence[str]) -> dict[tuple[str, int], str]:
    table = report_store.ticks
    with yard.engine("report").connect() as connection:
        rows = connection.execute(sa.select(table).where(table.c.match.in_(list(matches)))).all()
    return {(row.match, row.tick): row.state_hash for row in rows}


def check_kept(yard: Yard, matches: Sequence[str], ledger: Ledger) -> None:
    """P2: whatever was answered 2xx is there, once, in its tick and no other; whatever was refused is not."""
    # Each match has a course of its own: one that lost a worker is ticks behind the others.
    last: dict[str, int] = defaultdict(int)
    for one in ledger.attempts:
        last[one.match] = max(last[one.match], one.tick)
    until(
        "the last orders are sealed",
        lambda: all(tick >= last[match] for match, tick in latest(yard, matches).items()),
    )
    sealed = sealed_ticks(yard, matches)
    lists: dict[tuple[str, int, str], list[Attempt]] = defaultdict(list)
    for one in ledger.attempts:
        if one.kind != "message":
            lists[one.match, one.tick, one.faction].append(one)
    for (match, number), tick in sealed.items():
        for text in tick.orders:
            order = json.loads(text)
            own = lists[match, number, order["faction"]]
            filed = [one for one in own if one.kind == "file" and one.mark == str(order["number"])]
            assert [one for one in filed if one.outcome != "refused"], f"{match} {number}: nobody sent {text}"
        held = Counter(json.loads(text)["faction"] for text in tick.orders)
        assert all(times == 1 for times in held.values()), f"{match} {number}: {tick.orders}"
    for (match, number, _), own in lists.items():
        texts = set(sealed[match, number].orders) if (match, number) in sealed else set()
        _check_list(own, texts)
    _check_messages(yard, matches, ledger)


def _check_list(own: Sequence[Attempt], texts: set[str]) -> None:
    """One faction's attempts for one tick against that tick's sealed orders."""
    for one in own:
        if one.kind != "file" or one.outcome != "accepted":
            continue
        cancels = {other.outcome for other in own if other.kind == "cancel" and other.mark == one.mark}
        if "accepted" in cancels:
            assert one.receipt not in texts, f"cancelled and sealed: {one}"
        elif "unknown" not in cancels:
            assert one.receipt in texts, f"accepted and lost: {one}"


def _check_messages(yard: Yard, matches: Sequence[str], ledger: Ledger) -> None:
    table = messaging_store.messages
    with yard.engine("messaging").connect() as connection:
        rows = connection.execute(
            sa.select(table.c.text, table.c.match).where(table.c.match.in_(list(matches)))
        )
        held = Counter((row.match, row.text) for row in rows)
    for one in ledger.attempts:
        if one.kind == "message":
            times = held[one.match, one.mark]
            expected = {"accepted": {1}, "refused": {0}, "unknown": {0, 1}}[one.outcome]
            assert times in expected, f"{one.outcome} and there {times} times: {one}"


def lateness(yard: Yard, matches: Sequence[str], since: datetime, returned: datetime | None = None) -> float:
    """Seconds that the latest tick due after ``since`` was later than its deadline, or than ``returned``."""
    table = store.ticks
    with yard.engine("resolution").connect() as connection:
        rows = connection.execute(
            sa.select(table.c.deadline, table.c.ran_at).where(
                table.c.match.in_(list(matches)), table.c.deadline >= since
            )
        ).all()
    assert rows
    return max((row.ran_at - max(row.deadline, returned or row.deadline)).total_seconds() for row in rows)
