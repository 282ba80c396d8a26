"""A match as one reader may see it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from services.lobby import store
from services.lobby.access import find, known, seat_of
from services.lobby.store import Row
from shared import proof
from shared.contracts.base import Refusal
from shared.contracts.lobby import ListMatches, MatchDetail, MatchPage, Seat, Status
from shared.runtime.service import Ports
from shared.storage import cursor as cursors
from shared.storage.database import Transaction
from shared.storage.text import storable

MOST = 200
NOTHING_YET = b"{}"
SHOWN: dict[str, Status] = {
    store.LOBBY: "lobby",
    store.STARTING: "lobby",
    store.RUNNING: "running",
    store.ENDED: "ended",
}
STORED: dict[Status, tuple[str, ...]] = {
    "lobby": (store.LOBBY, store.STARTING),
    "running": (store.RUNNING,),
    "ended": (store.ENDED,),
}


def faction_id(seat: int, seats: int) -> str:
    """``f1`` and so on, zero-padded to the width of the last one."""
    return f"f{seat:0{len(str(seats))}}"


def seats(row: Row, taken: Sequence[Row]) -> tuple[Seat, ...]:
    """In the lobby numbers and faction ids may still change."""
    shown = []
    for seat in taken:
        faction = faction_id(seat.seat, row.seats_total)
        shown.append(
            Seat(
                seat=seat.seat,
                faction=faction,
                faction_name=seat.faction_name,
                account=seat.account or f"bot:{row.id}:{faction}",
                handle=seat.handle,
                bot=seat.bot,
                resigned=seat.resigned,
            )
        )
    return tuple(shown)


def next_deadline(row: Row) -> datetime | None:
    """Of the tick after the one shown: null until both have been told, which may be in any order."""
    waiting = row.status == store.RUNNING and row.deadline_tick == row.tick + 1
    return row.deadline if waiting else None


def stored_statuses(shown: Iterable[Status]) -> list[str]:
    return [stored for status in dict.fromkeys(shown) for stored in STORED[status]]


def detail(row: Row, taken: Sequence[Row], account: str, now: datetime) -> MatchDetail:
    mine = seat_of(taken, account)
    ended = row.status == store.ENDED
    created = row.creator == account
    return MatchDetail(
        id=row.id,
        name=row.name,
        ruleset=row.ruleset,
        status=SHOWN[row.status],
        visibility=row.visibility,
        practice=row.practice,
        seats_total=row.seats_total,
        seats=seats(row, taken),
        cadence_seconds=row.cadence_seconds,
        settings=msgspec.Raw(row.settings),
        tick=row.tick,
        now=now,
        next_deadline=next_deadline(row),
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        public=msgspec.Raw(row.public),
        seed_commitment=proof.commitment(row.seed),
        seed=row.seed if ended else None,
        result=None if row.result is None else msgspec.Raw(row.result),
        your_seat=None if mine is None else mine.seat,
        you_created=created,
        invite_code=row.invite_code if created else None,
    )


def stored_detail(tx: Transaction, match: str, account: str, now: datetime) -> MatchDetail:
    """As the transaction has left it."""
    return detail(find(tx, match), store.seats_of(tx, [match])[match], account, now)


def get(ports: Ports, account: str, match: str) -> MatchDetail:
    with ports.database.read() as tx:
        row = known(tx, account, match)
        return detail(row, store.seats_of(tx, [match])[match], account, ports.clock.now())


def get_invited(ports: Ports, account: str, code: str) -> MatchDetail:
    with ports.database.read() as tx:
        row = store.match_of_invite(tx, code) if storable(code) else None
        if row is None:
            raise Refusal("not-found", "There is no such invitation.")
        return detail(row, store.seats_of(tx, [row.id])[row.id], account, ports.clock.now())


def list_page(ports: Ports, request: ListMatches) -> MatchPage:
    """Newest first; a page goes on after the last match of the page before, whatever has come since."""
    limit = request.limit
    if not 1 <= limit <= MOST:
        raise Refusal("malformed", f"limit is 1 to {MOST}.")
    before = None if request.cursor is None else _place(request.cursor)
    wanted = stored_statuses(request.status)
    with ports.database.read() as tx:
        rows = store.list_matches(tx, request.account, wanted, request.mine, before, limit + 1)
        page = rows[:limit]
        taken = store.seats_of(tx, [row.id for row in page])
    now = ports.clock.now()
    last = page[-1] if len(rows) > limit else None
    return MatchPage(
        items=tuple(detail(row, taken[row.id], request.account, now) for row in page),
        next_cursor=None if last is None else cursors.encode(last.created_at.isoformat(), last.id),
    )


def _place(cursor: str) -> tuple[datetime, str]:
    at, id = cursors.decode(cursor, 2)
    try:
        moment = datetime.fromisoformat(at)
        in_utc = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Refusal("malformed", "This cursor is not one that a list gave.") from error
    if moment.tzinfo is None or not storable(id):
        raise Refusal("malformed", "This cursor is not one that a list gave.")
    return in_utc, id
