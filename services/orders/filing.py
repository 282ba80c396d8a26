"""Filing, replacing and cancelling orders: what is accepted is sealed, what is refused leaves nothing (K-04).

Each change happens under two locks: the tick's row, shared with all who file and taken alone by the seal, and
the faction's own list. The checks, which take longer, come before the locks, and again only when the list has
changed meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import sqlalchemy as sa

from services.orders import receipts, store, turnstile
from services.orders.briefings import Briefings
from services.orders.receipts import KeyRing, Signer
from services.orders.store import Filed, Player, lists, orders, snapshots, ticks
from shared.contracts.base import Refusal
from shared.contracts.orders import (
    Cancelled,
    CancelOrder,
    EveryoneAnswered,
    FiledOrder,
    FileOrder,
    OrderList,
    OrderResult,
    Receipt,
    ReplaceOrders,
)
from shared.rulesets import Broken, Json, ruleset
from shared.runtime.service import Ports
from shared.storage import idempotency
from shared.storage.database import Transaction
from shared.storage.upsert import insert_or_ignore

MOST_ORDERS = 500  # T-08
ANY = "*"
NEXT_LIST_SECONDS = 1
"""When to ask again between a seal and the next list (K-04)."""


@dataclass(frozen=True)
class Listed:
    """One faction's list of one tick."""

    version: int
    last_seq: int


@dataclass(frozen=True)
class Draft:
    """An order that may be filed."""

    id: str
    seq: int
    text: Json


class Filing:
    def __init__(self, ports: Ports, keys: KeyRing, briefings: Briefings) -> None:
        self._database = ports.database
        self._ids = ports.ids
        self._offload = ports.offload
        self._keys = keys
        self._briefings = briefings

    def file(self, request: FileOrder) -> FiledOrder:
        if request.dry_run:
            with self._database.read() as tx:
                return self._dry_run(tx, request)
        signer = self._keys.signer()
        with self._database.begin() as tx:
            return idempotency.first_answer(tx, request, lambda: self._file(tx, request, signer))

    def replace(self, request: ReplaceOrders) -> OrderList:
        signer = self._keys.signer()
        with self._database.begin() as tx:
            return idempotency.first_answer(tx, request, lambda: self._replace(tx, request, signer))

    def cancel(self, request: CancelOrder) -> Cancelled:
        signer = self._keys.signer()
        with self._database.begin() as tx:
            return idempotency.first_answer(tx, request, lambda: self._cancel(tx, request, signer))

    def _file(self, tx: Transaction, request: FileOrder, signer: Signer) -> FiledOrder:
        player = seated(tx, request)
        seen = listed(tx, player, request.tick)
        draft = self._one_more(tx, player, request, seen)
        found = _lock(tx, player, request.tick)
        if found != seen:
            draft = self._one_more(tx, player, request, found)
        (filed,) = _store(tx, player, request.tick, found, [draft], signer)
        _tell_when_answered(tx, player, request.tick)
        return shown(player.match, request.tick, filed)

    def _dry_run(self, tx: Transaction, request: FileOrder) -> FiledOrder:
        """The same answer, with no id and no signature: nobody shall prove with it what was never filed."""
        player = seated(tx, request)
        draft = self._one_more(tx, player, request, listed(tx, player, request.tick), id="")
        unsigned = Filed("", draft.seq, draft.text.decode(), tx.now(), key="", signature="")
        return shown(player.match, request.tick, unsigned)

    def _replace(self, tx: Transaction, request: ReplaceOrders, signer: Signer) -> OrderList:
        player = seated(tx, request, computer=request.computer)
        if len(request.orders) > MOST_ORDERS:
            raise _too_many()
        seen = listed(tx, player, request.tick)
        drafts = self._whole_list(tx, player, request, seen)
        found = _lock(tx, player, request.tick)
        if request.if_match not in (ANY, etag(request.tick, found.version)):
            raise Refusal("changed", "The list has changed since it was read; read it again.")
        if isinstance(drafts, Refusal):
            raise drafts
        if found != seen:
            drafts = self._whole_list(tx, player, request, found)
            if isinstance(drafts, Refusal):
                raise drafts
        tx.execute(sa.delete(orders).where(*_own(orders, player, request.tick)))
        filed = _store(tx, player, request.tick, found, drafts, signer)
        _tell_when_answered(tx, player, request.tick)
        return OrderList(
            tick=request.tick,
            open=True,
            etag=etag(request.tick, found.version + 1),
            orders=tuple(shown(player.match, request.tick, one) for one in filed),
        )

    def _cancel(self, tx: Transaction, request: CancelOrder, signer: Signer) -> Cancelled:
        player = seated(tx, request)
        found = _lock(tx, player, request.tick)
        named = (*_own(orders, player, request.tick), orders.c.id == request.order)
        text = tx.scalar(sa.select(orders.c.text).where(*named))
        if text is None:
            raise Refusal("not-found", "There is no such order in your list.")
        tx.execute(sa.delete(orders).where(*named))
        _advance(tx, player, request.tick, found, found.last_seq)
        return Cancelled(
            receipt=signer.receipt("cancelled", player.match, request.tick, text, tx.now()),
            etag=etag(request.tick, found.version + 1),
        )

    def _one_more(
        self, tx: Transaction, player: Player, request: FileOrder, found: Listed, id: str | None = None
    ) -> Draft:
        """Refusal if the order may not be filed beside those that are."""
        rules = ruleset(player.ruleset)
        id = self._ids.new("order") if id is None else id
        seq = found.last_seq + 1
        text = rules.order(bytes(request.order), id=id, seq=seq, faction=player.faction)
        if isinstance(text, Broken):
            raise Refusal(text.reason, text.message)
        beside = [one.text.encode() for one in store.filed(tx, player, request.tick)]
        if len(beside) >= MOST_ORDERS:
            raise _too_many()
        broken = rules.check(self._briefing(tx, player, request.tick), beside, text)
        if broken is not None:
            raise Refusal(broken.reason, broken.message)
        return Draft(id, seq, text)

    def _whole_list(
        self, tx: Transaction, player: Player, request: ReplaceOrders, found: Listed
    ) -> list[Draft] | Refusal:
        ids = [self._ids.new("order") for _ in request.orders]
        briefing = self._briefing(tx, player, request.tick)
        given = [bytes(order) for order in request.orders]
        return self._offload(_check_list, player, briefing, given, ids, found.last_seq + 1)

    def _briefing(self, tx: Transaction, player: Player, tick: int) -> Json:
        try:
            return self._briefings.of(tx, player, tick)
        except LookupError as error:
            raise closed(tx, player) from error


def _check_list(
    player: Player, briefing: Json, given: Sequence[Json], ids: Sequence[str], first_seq: int
) -> list[Draft] | Refusal:
    """All of a list, or a refusal that names each order that cannot be filed."""
    rules = ruleset(player.ruleset)
    drafts: dict[int, Draft] = {}
    broken: dict[int, Broken] = {}
    for index, order in enumerate(given):
        seq = first_seq + index
        text = rules.order(order, id=ids[index], seq=seq, faction=player.faction)
        if isinstance(text, Broken):
            broken[index] = text
        else:
            drafts[index] = Draft(ids[index], seq, text)
    checked = rules.check_all(briefing, [draft.text for draft in drafts.values()])
    broken.update({index: why for index, why in zip(drafts, checked, strict=True) if why is not None})
    if not broken:
        return list(drafts.values())
    first = min(broken)
    errors = [
        {"index": index, "code": why.reason, "detail": why.message} for index, why in sorted(broken.items())
    ]
    return Refusal(broken[first].reason, broken[first].message, errors=errors)


def seated(
    tx: Transaction, request: FileOrder | ReplaceOrders | CancelOrder, *, computer: bool = False
) -> Player:
    """Who files. Refusals: ``running``'s, forbidden for whoever resigned the seat."""
    player = running(tx, request.match, request.account, request.tick)
    if player.resigned and not computer:
        raise Refusal("forbidden", "You have resigned; a computer player files for your seat.")
    return player


def running(tx: Transaction, match: str, account: str, tick: int) -> Player:
    """The seat of ``account``, while ``tick`` takes orders. Refusals: not-found, not-started, match-ended, tick-closed."""
    player = store.player(tx, match, account)
    if player.ended:
        raise _ended()
    if player.tick == 0:
        raise Refusal("not-started", "The match is not running yet.")
    if tick == player.tick and store.is_open(tx, match, tick):
        return player
    refusal = closed(tx, player)
    if refusal.extra.get("open_tick") != tick:
        raise refusal
    # Its list was opened between the two looks.
    return store.player(tx, match, account)


def closed(tx: Transaction, player: Player) -> Refusal:
    """Why a list takes no orders, as things stand now: the wait for a lock may have been long."""
    row = tx.one(sa.select(store.matches).where(store.matches.c.match == player.match))
    assert row is not None
    if row.ended:
        return _ended()
    now = replace(player, tick=row.tick, deadline_tick=row.deadline_tick, deadline=row.deadline)
    opened = store.is_open(tx, player.match, now.tick)
    return Refusal(
        "tick-closed",
        "This tick takes no orders.",
        open_tick=now.tick if opened else None,
        next_deadline=msgspec.to_builtins(now.next_deadline) if opened else None,
        **({} if opened else {"retry_after": NEXT_LIST_SECONDS}),
    )


def listed(tx: Transaction, player: Player, tick: int) -> Listed:
    row = tx.one(sa.select(lists.c.version, lists.c.last_seq).where(*_own(lists, player, tick)))
    return Listed(0, 0) if row is None else Listed(row.version, row.last_seq)


def etag(tick: int, version: int) -> str:
    return f"{tick}.{version}"


def shown(match: str, tick: int, filed: Filed, result: OrderResult | None = None) -> FiledOrder:
    return FiledOrder(
        id=filed.id,
        seq=filed.seq,
        tick=tick,
        order=msgspec.Raw(filed.text.encode()),
        receipt=receipt(match, tick, filed),
        result=result,
    )


def receipt(match: str, tick: int, filed: Filed) -> Receipt:
    return receipts.kept("filed", match, tick, filed.text, filed.filed_at, filed.key, filed.signature)


def _lock(tx: Transaction, player: Player, tick: int) -> Listed:
    """Holds the seal off and the faction's own other requests back until ``tx`` ends.

    Where all answers together may close a tick, filing takes turns, so that somebody's is seen to be the last.
    """
    shared = not player.closes_early
    if shared:
        turnstile.share(tx, player.match, tick)
    row = tx.one(
        sa.select(ticks.c.sealed_at)
        .where(ticks.c.match == player.match, ticks.c.tick == tick)
        .with_for_update(read=shared)
    )
    if row is None or row.sealed_at is not None:
        raise closed(tx, player)
    locked = sa.select(lists.c.version, lists.c.last_seq).where(*_own(lists, player, tick)).with_for_update()
    found = tx.one(locked)
    if found is None:
        new = {"match": player.match, "tick": tick, "faction": player.faction, "last_seq": 0, "version": 0}
        tx.execute(insert_or_ignore(lists, new))
        found = tx.one(locked)
        assert found is not None
    return Listed(found.version, found.last_seq)


def _store(
    tx: Transaction, player: Player, tick: int, found: Listed, drafts: Sequence[Draft], signer: Signer
) -> list[Filed]:
    """Adds ``drafts`` to the locked list ``found``, each with its receipt of this moment."""
    now = tx.now()
    filed = []
    for draft in drafts:
        signed = signer.receipt("filed", player.match, tick, draft.text.decode(), now)
        filed.append(Filed(draft.id, draft.seq, signed.text, now, signed.key, signed.signature))
    if filed:
        own = {"match": player.match, "tick": tick, "faction": player.faction}
        tx.execute(sa.insert(orders), [{**own, **vars(one)} for one in filed])
    _advance(tx, player, tick, found, filed[-1].seq if filed else found.last_seq)
    return filed


def _advance(tx: Transaction, player: Player, tick: int, found: Listed, last_seq: int) -> None:
    tx.execute(
        sa.update(lists)
        .where(*_own(lists, player, tick))
        .values(version=found.version + 1, last_seq=last_seq)
    )


def _tell_when_answered(tx: Transaction, player: Player, tick: int) -> None:
    """Emits EveryoneAnswered once a tick, if the ruleset says so."""
    if not player.closes_early:
        return
    row = (ticks.c.match == player.match, ticks.c.tick == tick)
    if tx.scalar(sa.select(ticks.c.answered).where(*row)):
        return
    state = store.snapshot(tx, player.match, tick)
    assert state is not None, f"{snapshots.name} holds none of {player.match} for its open tick {tick}"
    answers: dict[str, list[Json]] = {}
    for order in tx.all(
        sa.select(orders.c.faction, orders.c.text)
        .where(orders.c.match == player.match, orders.c.tick == tick)
        .order_by(orders.c.faction, orders.c.seq)
    ):
        answers.setdefault(order.faction, []).append(order.text.encode())
    if ruleset(player.ruleset).answered(state, answers):
        tx.execute(sa.update(ticks).where(*row).values(answered=True))
        tx.emit(EveryoneAnswered(match=player.match, tick=tick))


def _own(table: sa.Table, player: Player, tick: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (table.c.match == player.match, table.c.tick == tick, table.c.faction == player.faction)


def _ended() -> Refusal:
    return Refusal("match-ended", "The match has ended.")


def _too_many() -> Refusal:
    return Refusal("too-many-orders", f"At most {MOST_ORDERS} orders a tick.")
