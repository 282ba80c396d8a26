"""The seal: from here on a tick's orders are what they are, for ever (K-04, P-04)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from services.orders import store, turnstile
from services.orders.store import matches, orders, ready_spans, ticks
from shared import proof
from shared.contracts.orders import SealedTick, SealedTicks, SealRequestItem, SealTicks, TickName
from shared.runtime.ids import Ids
from shared.storage import presence
from shared.storage.database import Database, Transaction
from shared.storage.deflate import deflate, inflate
from shared.storage.locks import wait_at_most, waited_too_long

NOT_OPEN = "not-open"
"""There is no such list: the tick before it has not been told yet, or the match is unknown."""
MATCH_ENDED = "match-ended"
OUTAGE = "outage"
"""Orders could not be taken for a while that the deadline does not reckon with yet (K-03)."""
BUSY = "busy"
"""Another process keeps the tick locked, and may stand still."""
TOGETHER_MS = 2_000
ALONE_MS = 300
"""How long a lock is waited for; with twenty ticks in all less than whoever asks waits for the answer."""
NONCE_BYTES = 32

Name = tuple[str, int]
"""Match and tick."""


def seal(database: Database, request: SealTicks, ids: Ids) -> SealedTicks:
    """All at once; where a process that stands still keeps one of them locked, each by itself."""
    try:
        return SealedTicks(items=_seal_together(database, request.ticks, ids, TOGETHER_MS))
    except DBAPIError as error:
        if not waited_too_long(error):
            raise
    return SealedTicks(items=tuple(_seal_alone(database, item, ids) for item in request.ticks))


def _seal_alone(database: Database, item: SealRequestItem, ids: Ids) -> SealedTick:
    try:
        (answer,) = _seal_together(database, [item], ids, ALONE_MS)
    except DBAPIError as error:
        if not waited_too_long(error):
            raise
        return _refused((item.match, item.tick), BUSY)
    return answer


def _seal_together(
    database: Database, items: Sequence[SealRequestItem], ids: Ids, patience: int
) -> tuple[SealedTick, ...]:
    with database.begin() as tx:
        wait_at_most(tx, patience)
        return _seal_rows(tx, items, ids)


def _seal_rows(tx: Transaction, items: Sequence[SealRequestItem], ids: Ids) -> tuple[SealedTick, ...]:
    """Seals what is not sealed, in one order so that two seals never wait for each other in a ring."""
    wanted = [(item.match, item.tick) for item in items]
    answers = _sealed(tx, wanted)
    rest = sorted({name for name in wanted if name not in answers})
    if rest:
        turnstile.alone(tx, rest)
        opened = _lock_open(tx, rest)
        if opened:
            ready_at = {(item.match, item.tick): item.ready_at for item in items}
            outages = presence.gaps(
                tx, ready_spans, min(_times(ready_at.values()), default=tx.now()), tx.now()
            )
            unreckoned = {name for name in opened if any(_after(gap, ready_at[name]) for gap in outages)}
            answers |= {name: _refused(name, OUTAGE) for name in unreckoned}
            opened = [name for name in opened if name not in unreckoned]
        if opened:
            answers |= _seal(tx, opened, ids)
        # Those that another seal was first to take.
        answers |= _sealed(tx, [name for name in rest if name not in answers])
    ended = _ended(tx, [name for name in wanted if name not in answers])
    return tuple(
        answers[name] if name in answers else _refused(name, MATCH_ENDED if name[0] in ended else NOT_OPEN)
        for name in wanted
    )


def sealed_among(
    tx: Transaction, names: Iterable[TickName]
) -> tuple[tuple[TickName, ...], tuple[TickName, ...]]:
    """Those that are sealed, and those of which a seal under way will decide. The others stay open until ``tx`` ends."""
    wanted = [(name.match, name.tick) for name in names]
    if not wanted:
        return (), ()
    found = sa.select(ticks.c.match, ticks.c.tick, ticks.c.sealed_at).order_by(ticks.c.match, ticks.c.tick)
    held = tx.all(found.where(_among(ticks, wanted)).with_for_update(read=True, skip_locked=True))
    sealed = {(row.match, row.tick): row.sealed_at is not None for row in held}
    skipped = [name for name in wanted if name not in sealed]
    known = tx.all(found.where(_among(ticks, skipped))) if skipped else []
    return (
        _names([*(name for name, is_sealed in sealed.items() if is_sealed), *_rows(known, sealed=True)]),
        _names(_rows(known, sealed=False)),
    )


def _rows(rows: Iterable[sa.Row[Any]], *, sealed: bool) -> list[Name]:
    return [(row.match, row.tick) for row in rows if (row.sealed_at is not None) is sealed]


def _names(names: Iterable[Name]) -> tuple[TickName, ...]:
    return tuple(TickName(match=match, tick=tick) for match, tick in names)


def _times(moments: Iterable[datetime | None]) -> list[datetime]:
    return [moment for moment in moments if moment is not None]


def _after(gap: presence.Span, ready_at: datetime | None) -> bool:
    return ready_at is not None and gap.end > ready_at


def _sealed(tx: Transaction, names: Iterable[Name]) -> dict[Name, SealedTick]:
    rows = tx.all(
        sa.select(ticks.c.match, ticks.c.tick, ticks.c.sealed).where(
            _among(ticks, names), ticks.c.sealed.is_not(None)
        )
    )
    return {(row.match, row.tick): msgspec.json.decode(inflate(row.sealed), type=SealedTick) for row in rows}


def _lock_open(tx: Transaction, names: Iterable[Name]) -> list[Name]:
    """Waits for every filing that is on its way."""
    rows = tx.all(
        sa.select(ticks.c.match, ticks.c.tick)
        .join(matches, matches.c.match == ticks.c.match)
        .where(_among(ticks, names), ticks.c.sealed_at.is_(None), sa.not_(matches.c.ended))
        .order_by(ticks.c.match, ticks.c.tick)
        .with_for_update(of=ticks)
    )
    return [(row.match, row.tick) for row in rows]


def _seal(tx: Transaction, opened: list[Name], ids: Ids) -> dict[Name, SealedTick]:
    factions = store.factions(tx, {match for match, _ in opened})
    filed: dict[Name, dict[str, list[tuple[int, str]]]] = {
        name: {faction: [] for faction in factions[name[0]]} for name in opened
    }
    for row in tx.all(
        sa.select(orders.c.match, orders.c.tick, orders.c.faction, orders.c.seq, orders.c.text)
        .where(_among(orders, opened))
        .order_by(orders.c.seq)
    ):
        filed[row.match, row.tick][row.faction].append((row.seq, row.text))
    now = tx.now()
    sealed = {name: _freeze(name, filed[name], ids, now) for name in opened}
    tx.execute(
        sa.update(ticks)
        .where(ticks.c.match == sa.bindparam("the_match"), ticks.c.tick == sa.bindparam("the_tick"))
        .values(sealed_at=now, sealed=sa.bindparam("the_copy")),
        [
            {"the_match": match, "the_tick": tick, "the_copy": deflate(msgspec.json.encode(copy))}
            for (match, tick), copy in sealed.items()
        ],
    )
    return sealed


def _freeze(name: Name, filed: dict[str, list[tuple[int, str]]], ids: Ids, now: datetime) -> SealedTick:
    """A nonce and a digest for every faction by seat, whether it filed or not, eliminated ones too (P-04)."""
    nonces = {faction: ids.secret(NONCE_BYTES).hex() for faction in filed}
    by_seq = sorted((seq, seat, text) for seat, own in enumerate(filed.values()) for seq, text in own)
    return SealedTick(
        match=name[0],
        tick=name[1],
        sealed_at=now,
        orders=tuple(text for _, _, text in by_seq),
        nonces=nonces,
        digests={
            faction: proof.digest(nonces[faction], (text for _, text in own))
            for faction, own in filed.items()
        },
    )


def _refused(name: Name, error: str) -> SealedTick:
    return SealedTick(
        match=name[0], tick=name[1], sealed_at=None, orders=(), nonces={}, digests={}, error=error
    )


def _ended(tx: Transaction, names: Iterable[Name]) -> set[str]:
    over = sa.select(matches.c.match).where(matches.c.match.in_({m for m, _ in names}), matches.c.ended)
    return {row.match for row in tx.all(over)}


def _among(table: sa.Table, names: Iterable[Name]) -> sa.ColumnElement[bool]:
    return sa.tuple_(table.c.match, table.c.tick).in_(list(names))
