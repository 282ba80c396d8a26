"""Taking seats and giving them up, before the start and after."""

import hmac
from typing import Any

from services.lobby import access, detail, faction_names, starting, store, texts
from services.lobby.announcing import announce
from services.lobby.store import Row
from shared import rulesets
from shared.contracts.accounts import AccountDeleted
from shared.contracts.base import Refusal
from shared.contracts.lobby import (
    AddBots,
    JoinMatch,
    LeaveMatch,
    MatchDetail,
    RemoveSeat,
    ResignSeat,
    SeatResigned,
)
from shared.runtime.service import Ports
from shared.storage import idempotency
from shared.storage.database import Transaction

FACTION_NAME_LENGTH = 40


def join(ports: Ports, request: JoinMatch) -> MatchDetail:
    with ports.database.begin() as tx:
        return idempotency.first_answer(tx, request, lambda: _join(ports, tx, request))


def _join(ports: Ports, tx: Transaction, request: JoinMatch) -> MatchDetail:
    name = None
    if request.faction_name is not None:
        name = texts.check_name(request.faction_name, "A faction's name", FACTION_NAME_LENGTH)
    player = store.lock_player(tx, request.account)
    row = access.find(tx, request.match, lock=True)
    taken = store.seats_of(tx, [row.id])[row.id]
    own = access.seat_of(taken, request.account)
    if row.visibility == "private" and own is None and not _invited(row, request.invite_code):
        raise access.unknown()
    access.check_open(row)
    if own is not None:
        raise Refusal("already-seated", "You have a seat in this match.")
    if len(taken) >= row.seats_total:
        raise Refusal("match-full", "Every seat is taken.")
    _check_limits(ports, tx, player)
    names = {seat.folded_name for seat in taken}
    if name is None:
        (name,) = faction_names.free_names(row.id, names, 1)
    elif texts.folded(name) in names:
        raise Refusal("name-taken", "Another faction of this match has this name.")

    (number,) = _free_numbers(row, taken, 1)
    joined = row.joins + 1
    store.add_seats(tx, [player_row(row.id, number, joined, request.account, request.handle, name)])
    return _seated(ports, tx, row, request.account, joins=joined)


def add_bots(ports: Ports, request: AddBots) -> MatchDetail:
    with ports.database.begin() as tx:
        return idempotency.first_answer(tx, request, lambda: _add_bots(ports, tx, request))


def _add_bots(ports: Ports, tx: Transaction, request: AddBots) -> MatchDetail:
    if request.count < 1:
        raise Refusal("malformed", "count is at least 1.")
    row = access.lock_as_creator(tx, request.account, request.match)
    access.check_open(row)
    levels = rulesets.ruleset(row.ruleset).levels
    if request.level not in levels:
        raise Refusal("malformed", f"level is one of {', '.join(levels)}.")
    taken = store.seats_of(tx, [row.id])[row.id]
    if request.count > row.seats_total - len(taken):
        raise Refusal("match-full", "There are fewer free seats than that.")

    names = faction_names.free_names(row.id, {seat.folded_name for seat in taken}, request.count)
    numbers = _free_numbers(row, taken, request.count)
    store.add_seats(
        tx,
        [
            _seat_row(row.id, number, row.joins + at, name, bot=request.level)
            for at, (number, name) in enumerate(zip(numbers, names, strict=True), start=1)
        ],
    )
    return _seated(ports, tx, row, request.account, joins=row.joins + request.count)


def _seated(ports: Ports, tx: Transaction, row: Row, account: str, *, joins: int) -> MatchDetail:
    """Somebody has come; a full match starts by itself (K-02)."""
    store.change_match(tx, row.id, joins=joins, touched_at=ports.clock.now())
    if len(store.seats_of(tx, [row.id])[row.id]) == row.seats_total:
        starting.begin_match(tx, row)
    announce(tx, row.id)
    return detail.stored_detail(tx, row.id, account, ports.clock.now())


def leave(ports: Ports, request: LeaveMatch) -> None:
    with ports.database.begin() as tx:
        row = access.known(tx, request.account, request.match, lock=True)
        own = access.seat_of(store.seats_of(tx, [row.id])[row.id], request.account)
        if own is None:
            raise Refusal("not-found", "You have no seat in this match.")
        access.check_open(row)
        vacate(ports, tx, row, own)


def remove(ports: Ports, request: RemoveSeat) -> MatchDetail:
    with ports.database.begin() as tx:
        row = access.lock_as_creator(tx, request.account, request.match)
        access.check_open(row)
        taken = store.seats_of(tx, [row.id])[row.id]
        seat = next((seat for seat in taken if seat.seat == request.seat), None)
        if seat is None:
            raise Refusal("not-found", "Nobody sits there.")
        if seat.account == request.account:
            raise Refusal("forbidden", "To give up your own seat, leave the match.")
        vacate(ports, tx, row, seat)
        return detail.stored_detail(tx, row.id, request.account, ports.clock.now())


def vacate(ports: Ports, tx: Transaction, row: Row, seat: Row) -> None:
    """A seat of an open lobby becomes free. The earliest player left becomes creator; with none left it ends."""
    now = ports.clock.now()
    store.remove_seat(tx, row.id, seat.seat)
    store.change_match(tx, row.id, touched_at=now)
    if seat.account is not None and seat.account == row.creator:
        players = [left for left in store.seats_of(tx, [row.id])[row.id] if left.account is not None]
        if players:
            store.change_match(tx, row.id, creator=min(players, key=lambda left: left.joined).account)
        else:
            store.change_match(tx, row.id, status=store.ENDED, ended_at=now)
    announce(tx, row.id)


def resign(ports: Ports, request: ResignSeat) -> MatchDetail:
    with ports.database.begin() as tx:
        row = access.known(tx, request.account, request.match, lock=True)
        own = access.seat_of(store.seats_of(tx, [row.id])[row.id], request.account)
        if own is None:
            raise Refusal("not-found", "You have no seat in this match.")
        if row.status == store.ENDED:
            raise Refusal("match-ended", "The match has ended.")
        if row.status != store.RUNNING:
            raise Refusal("not-started", "The match has not started; leave it instead.")
        if not own.resigned:
            _hand_to_computer(tx, row, own)
            announce(tx, row.id)
        return detail.stored_detail(tx, row.id, request.account, ports.clock.now())


def _hand_to_computer(tx: Transaction, row: Row, seat: Row) -> None:
    level = rulesets.ruleset(row.ruleset).takeover_level
    store.change_seat(tx, row.id, seat.seat, resigned=True, bot=level)
    faction = detail.faction_id(seat.seat, row.seats_total)
    tx.emit(SeatResigned(match=row.id, faction=faction, account=seat.account, level=level))


def account_deleted(ports: Ports, tx: Transaction, event: AccountDeleted) -> None:
    """Its seats in lobbies become free; in matches under way a computer player goes on without its handle."""
    store.lock_player(tx, event.account)
    store.forget_player(tx, event.account)
    for match in store.matches_of(tx, event.account):
        row = access.find(tx, match, lock=True)
        seat = access.seat_of(store.seats_of(tx, [match])[match], event.account)
        if seat is None:
            continue
        if row.status == store.LOBBY:
            vacate(ports, tx, row, seat)
            continue
        store.change_seat(tx, match, seat.seat, handle=None)
        if row.status != store.ENDED and not seat.resigned:
            _hand_to_computer(tx, row, seat)
        announce(tx, match)


def check_room(ports: Ports, tx: Transaction, account: str) -> None:
    """Refusal too-many-matches unless ``account`` may sit in one more lobby; what it does waits for us from here."""
    _check_limits(ports, tx, store.lock_player(tx, account))


def _check_limits(ports: Ports, tx: Transaction, player: Row) -> None:
    if player.gone:
        raise Refusal("unauthenticated", "The account is gone.")
    held = store.held(tx, player.account)
    lobbies, running = ports.settings.open_lobbies, ports.settings.running_matches
    if held.get(store.LOBBY, 0) >= lobbies:
        raise Refusal("too-many-matches", f"You sit in {lobbies} open lobbies, which is the most.")
    # Each lobby may start while its players are away, so lobbies count too: nobody ever has too many running.
    if sum(held.values()) >= running:
        raise Refusal("too-many-matches", f"You sit in {running} matches, which is the most.")


def player_row(
    match: str, number: int, joined: int, account: str, handle: str, faction_name: str
) -> dict[str, Any]:
    return _seat_row(match, number, joined, faction_name, account=account, handle=handle)


def _seat_row(
    match: str,
    number: int,
    joined: int,
    faction_name: str,
    *,
    account: str | None = None,
    handle: str | None = None,
    bot: str | None = None,
) -> dict[str, Any]:
    return {
        "match": match,
        "seat": number,
        "joined": joined,
        "account": account,
        "handle": handle,
        "faction_name": faction_name,
        "folded_name": texts.folded(faction_name),
        "bot": bot,
        "resigned": False,
    }


def _invited(row: Row, code: str | None) -> bool:
    return code is not None and hmac.compare_digest(
        row.invite_code.encode(), code.encode(errors="surrogatepass")
    )


def _free_numbers(row: Row, taken: list[Row], count: int) -> list[int]:
    used = {seat.seat for seat in taken}
    return [number for number in range(1, row.seats_total + 1) if number not in used][:count]
