"""The lobby before the start: opening, joining, leaving, who may know of what."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared import proof
from shared.contracts.accounts import AccountDeleted
from shared.contracts.lobby import (
    AddBots,
    CallOffMatch,
    GetInvite,
    GetMatch,
    JoinMatch,
    LeaveMatch,
    ListMatches,
    MatchChanged,
    RemoveSeat,
    SurveyMatches,
)
from shared.runtime.settings import Settings
from shared.storage import cursor as cursors
from tests.services.databases import ON_BOTH
from tests.services.harness import START
from tests.services.lobby_match import Hall, creation, hall, refusal, refused
from tests.services.tiny_ruleset import NAME


@pytest.fixture
def lobby(place: Path | str) -> Hall:
    return hall(place)


def test_a_creator_takes_seat_one(lobby: Hall) -> None:
    match = lobby.create("ann", name="  Dry season ", seats=4)
    assert (match.name, match.status, match.seats_total, match.tick) == ("Dry season", "lobby", 4, 0)
    assert (match.ruleset, match.cadence_seconds, match.practice) == (NAME, 60, False)
    assert (match.your_seat, match.you_created, match.invite_code) == (1, True, None)
    assert (match.created_at, match.now, match.started_at, match.next_deadline) == (START, START, None, None)
    assert msgspec.json.decode(match.settings) == {"rounds": 3, "early": True}
    assert msgspec.json.decode(match.public) == {}
    (seat,) = match.seats
    assert (seat.seat, seat.faction, seat.account, seat.handle, seat.bot) == (1, "f1", "ann", "ann!", None)
    assert lobby.ask(GetMatch(account="bob", match=match.id)).you_created is False
    assert lobby.changes() == [
        MatchChanged(match=match.id, status="lobby", seats=match.seats, accounts=("ann",), revision=1)
    ]


def test_the_seed_is_the_servers_and_only_its_commitment_is_told(lobby: Hall) -> None:
    match = lobby.create("ann")
    row = lobby.row(match.id)
    assert re.fullmatch(r"[0-9a-f]{64}", row.seed)
    assert (match.seed, match.seed_commitment) == (None, proof.commitment(row.seed))
    assert row.seed not in repr(match)
    lobby.ask(CallOffMatch(account="ann", match=match.id))
    assert lobby.get("ann", match.id).seed == row.seed


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "   "},
        {"name": "x" * 81},
        {"name": "two\nlines"},
        {"name": "nul\0"},
        {"name": "turned \u202e around"},
        {"name": "e\u0301"},
        {"seats": 1},
        {"seats": 51},
        {"seats": -1},
        {"cadence_seconds": 61},
        {"cadence_seconds": 0},
        {"ruleset": "chess"},
        {"ruleset": "nul\0"},
        {"settings": msgspec.Raw(b'{"rounds":0}')},
        {"settings": msgspec.Raw(b'{"unknown":1}')},
        {"settings": msgspec.Raw(b"[]")},
        {"seed": "ab"},
    ],
    ids=repr,
)
def test_what_a_creator_may_not_choose_is_malformed(lobby: Hall, wrong: dict[str, Any]) -> None:
    assert refused(lobby, creation("ann", **wrong)) == "malformed"
    assert lobby.changes() == []


def test_a_lone_surrogate_in_a_name_is_malformed(lobby: Hall) -> None:
    with pytest.raises(Exception, match="malformed"):
        lobby.running.service.create_match(creation("ann", name="\ud800"))


def test_operators_allow_faster_cadences_and_seeds_for_trials(tmp_path: Path) -> None:
    trial = hall(tmp_path, Settings(trial_cadences="5, 7", trial_seeds=True))
    match = trial.create("ann", cadence_seconds=7, seed="00ff")
    assert (match.practice, match.seed, match.cadence_seconds) == (True, None, 7)
    assert match.seed_commitment == proof.commitment("00ff")
    assert trial.create("ann").practice is False
    for seed in ("", "0" * 65, "FF", "xyz"):
        assert refused(trial, creation("ann", seed=seed)) == "malformed"
    assert refused(trial, creation("ann", cadence_seconds=6)) == "malformed"


def test_the_same_wish_opens_one_lobby(lobby: Hall) -> None:
    first = lobby.create("ann", key="k")
    lobby.running.clock.advance(60)
    assert lobby.create("ann", key="k") == first
    assert refused(lobby, creation("ann", name="other", key="k")) == "idempotency-mismatch"
    assert len(lobby.list("ann")) == 1


@ON_BOTH
def test_players_join_and_take_the_lowest_free_seat(lobby: Hall) -> None:
    match = lobby.create("ann", seats=4)
    joined = lobby.join("bob", match.id, faction_name=" Rust Choir ")
    assert (joined.your_seat, joined.you_created) == (2, False)
    assert joined.seats[1].faction_name == "Rust Choir"
    lobby.join("cat", match.id)
    lobby.ask(LeaveMatch(account="bob", match=match.id))
    assert lobby.join("dan", match.id).your_seat == 2
    assert [change.accounts for change in lobby.changes()] == [
        ("ann",),
        ("ann", "bob"),
        ("ann", "bob", "cat"),
        ("ann", "cat"),
        ("ann", "dan", "cat"),
    ]
    assert [change.revision for change in lobby.changes()] == [1, 2, 3, 4, 5]


def test_refusals_of_a_join(lobby: Hall) -> None:
    match = lobby.create("ann", seats=2)
    assert refused(lobby, JoinMatch(account="bob", handle="b", match="match-none")) == "not-found"
    assert refused(lobby, JoinMatch(account="bob", handle="b", match="\0")) == "not-found"
    assert refused(lobby, JoinMatch(account="ann", handle="a", match=match.id)) == "already-seated"
    own_name = match.seats[0].faction_name
    for name in (own_name, own_name.upper(), f" {own_name.lower()} "):
        assert (
            refused(lobby, JoinMatch(account="bob", handle="b", match=match.id, faction_name=name))
            == "name-taken"
        )
    for name in (
        *("", "  ", "x" * 41, "a\tb", "a\x85b", "e\u0301", "a\u2028b"),
        *("a\u202eb", "a\u200bb", "\ufeff", "\u200d", "\u200c \u200d"),
    ):
        assert (
            refused(lobby, JoinMatch(account="bob", handle="b", match=match.id, faction_name=name))
            == "malformed"
        )
    lobby.join("bob", match.id)
    assert refused(lobby, JoinMatch(account="cat", handle="c", match=match.id)) == "match-started"
    lobby.report(match.id, 0)
    assert refused(lobby, JoinMatch(account="cat", handle="c", match=match.id)) == "match-started"
    lobby.report(match.id, 1, ended=True)
    assert refused(lobby, JoinMatch(account="cat", handle="c", match=match.id)) == "match-ended"


def test_names_that_differ_in_case_alone_are_the_same(lobby: Hall) -> None:
    match = lobby.create("ann", seats=5)
    lobby.join("bob", match.id, faction_name="Stra\u00dfe")
    assert (
        refused(lobby, JoinMatch(account="cat", handle="c", match=match.id, faction_name="STRASSE"))
        == "name-taken"
    )
    assert (
        refused(lobby, JoinMatch(account="cat", handle="c", match=match.id, faction_name="Stra\u200d\u00dfe"))
        == "name-taken"
    )
    lobby.join("cat", match.id, faction_name="x" * 40)


def test_fifty_seats_all_get_names_of_their_own(lobby: Hall) -> None:
    match = lobby.create("ann", seats=50)
    filled = lobby.ask(AddBots(account="ann", match=match.id, count=49, level="counting"))
    names = [seat.faction_name for seat in filled.seats]
    assert len({name.casefold() for name in names}) == 50
    assert filled.seats[8].faction == "f09" and filled.seats[49].faction == "f50"


def test_a_private_match_is_for_those_invited(lobby: Hall) -> None:
    match = lobby.create("ann", visibility="private")
    code = match.invite_code
    assert code and re.fullmatch(r"[a-z2-7]{16}", code)
    stranger = [
        GetMatch(account="bob", match=match.id),
        JoinMatch(account="bob", handle="b", match=match.id),
        JoinMatch(account="bob", handle="b", match=match.id, invite_code="wrong"),
        LeaveMatch(account="bob", match=match.id),
        RemoveSeat(account="bob", match=match.id, seat=1),
        AddBots(account="bob", match=match.id, count=1, level="counting"),
        CallOffMatch(account="bob", match=match.id),
    ]
    for request in stranger:
        there, nowhere = refusal(lobby, request), refusal(lobby, msgspec.structs.replace(request, match="m0"))
        assert there.code == "not-found"
        assert (there.detail, there.extra) == (nowhere.detail, nowhere.extra), "tells nothing"
    assert lobby.list("bob") == []
    for wrong in ("", "nothing", "\0", code.upper()):
        assert refused(lobby, GetInvite(account="bob", code=wrong)) == "not-found"
    seen = lobby.ask(GetInvite(account="bob", code=code))
    assert (seen.id, seen.your_seat, seen.invite_code) == (match.id, None, None)
    assert refused(lobby, GetMatch(account="bob", match=match.id)) == "not-found"

    joined = lobby.join("bob", match.id, invite_code=code)
    assert (joined.your_seat, joined.invite_code) == (2, None)
    assert lobby.list("bob") == [match.id]
    lobby.ask(RemoveSeat(account="ann", match=match.id, seat=2))
    assert refused(lobby, GetMatch(account="bob", match=match.id)) == "not-found"
    assert lobby.get("ann", match.id).invite_code == code


def test_when_the_creator_leaves_the_earliest_player_follows(lobby: Hall) -> None:
    match = lobby.create("ann", seats=5, visibility="private")
    code = match.invite_code
    lobby.ask(AddBots(account="ann", match=match.id, count=1, level="counting"))
    lobby.join("bob", match.id, invite_code=code)
    lobby.join("cat", match.id, invite_code=code)
    lobby.ask(LeaveMatch(account="ann", match=match.id))
    assert lobby.get("bob", match.id).you_created
    assert lobby.get("bob", match.id).invite_code == code
    assert refused(lobby, AddBots(account="cat", match=match.id, count=1, level="counting")) == "forbidden"
    lobby.ask(LeaveMatch(account="cat", match=match.id))
    lobby.ask(LeaveMatch(account="bob", match=match.id))
    assert lobby.row(match.id).status == "ended"
    assert lobby.changes()[-1].accounts == ()
    assert (
        refused(lobby, JoinMatch(account="dan", handle="d", match=match.id, invite_code=code))
        == "match-ended"
    )


def test_refusals_of_leaving_and_removing(lobby: Hall) -> None:
    match = lobby.create("ann", seats=3)
    lobby.join("bob", match.id)
    assert refused(lobby, LeaveMatch(account="cat", match=match.id)) == "not-found"
    assert refused(lobby, RemoveSeat(account="bob", match=match.id, seat=1)) == "forbidden"
    assert refused(lobby, RemoveSeat(account="ann", match=match.id, seat=1)) == "forbidden"
    for seat in (3, 0, -1, 99):
        assert refused(lobby, RemoveSeat(account="ann", match=match.id, seat=seat)) == "not-found"
    assert [seat.seat for seat in lobby.ask(RemoveSeat(account="ann", match=match.id, seat=2)).seats] == [1]
    lobby.join("bob", match.id)
    lobby.start("ann", match.id)
    assert refused(lobby, LeaveMatch(account="bob", match=match.id)) == "match-started"
    assert refused(lobby, RemoveSeat(account="ann", match=match.id, seat=2)) == "match-started"
    lobby.report(match.id, 0, ended=True)
    assert refused(lobby, LeaveMatch(account="bob", match=match.id)) == "match-ended"
    assert refused(lobby, RemoveSeat(account="ann", match=match.id, seat=2)) == "match-ended"


def test_computer_players_fill_seats(lobby: Hall) -> None:
    match = lobby.create("ann", seats=5)
    add = AddBots(account="ann", match=match.id, count=2, level="counting", key="k")
    filled = lobby.ask(add)
    assert lobby.ask(add) == filled, "a call delivered twice seats nobody"
    assert [(seat.bot, seat.account, seat.handle) for seat in filled.seats[1:]] == [
        ("counting", f"bot:{match.id}:f2", None),
        ("counting", f"bot:{match.id}:f3", None),
    ]
    lobby.join("bob", match.id)

    def bots(count: int, level: str = "counting", account: str = "ann") -> str:
        return refused(lobby, AddBots(account=account, match=match.id, count=count, level=level))

    assert [bots(0), bots(-1), bots(1, "clever")] == ["malformed"] * 3
    assert bots(1, account="bob") == "forbidden"
    assert bots(2) == "match-full"
    assert len(lobby.get("ann", match.id).seats) == 4
    lobby.start("ann", match.id)
    assert bots(1) == "match-started"
    lobby.report(match.id, 0, ended=True)
    assert bots(1) == "match-ended"


def test_a_lobby_is_called_off_by_its_creator(lobby: Hall) -> None:
    match = lobby.create("ann")
    lobby.join("bob", match.id)
    assert refused(lobby, CallOffMatch(account="bob", match=match.id)) == "forbidden"
    lobby.ask(CallOffMatch(account="ann", match=match.id))
    off = lobby.get("bob", match.id)
    assert (off.status, off.ended_at, off.started_at) == ("ended", START, None)
    assert lobby.changes()[-1].accounts == ("ann", "bob")
    assert refused(lobby, CallOffMatch(account="ann", match=match.id)) == "match-ended"


@ON_BOTH
def test_an_account_sits_in_five_open_lobbies(lobby: Hall) -> None:
    others = [lobby.create("bob").id for _ in range(5)]
    for match in others[:3]:
        lobby.join("ann", match)
    own = [lobby.create("ann").id for _ in range(2)]
    assert refused(lobby, creation("ann")) == "too-many-matches"
    assert refused(lobby, JoinMatch(account="ann", handle="a", match=others[3])) == "too-many-matches"
    lobby.ask(LeaveMatch(account="ann", match=others[0]))
    lobby.join("ann", others[3])
    lobby.join("cat", own[0])
    lobby.start("ann", own[0])
    lobby.create("ann")


def test_an_account_never_sits_in_more_running_matches_than_allowed(tmp_path: Path) -> None:
    small = hall(tmp_path, Settings(running_matches=3))
    matches = [small.create("ann", seats=2).id for _ in range(3)]
    assert refused(small, creation("ann")) == "too-many-matches"
    for match in matches:
        small.join("bob", match)
        small.report(match, 0)
    assert refused(small, creation("ann")) == "too-many-matches"
    small.resign("ann", matches[0])
    small.report(matches[1], 1, ended=True)
    small.create("ann")
    small.create("ann")
    assert refused(small, creation("ann")) == "too-many-matches"


@ON_BOTH
def test_lists_are_paged_newest_first(lobby: Hall) -> None:
    made = []
    for at in range(7):
        lobby.running.clock.advance(at % 2)
        made.append(lobby.create(f"player{at}"))
    lobby.join("ann", made[2].id)
    pages, cursor = [], None
    while True:
        page = lobby.ask(ListMatches(account="ann", status=(), mine=False, limit=3, cursor=cursor))
        pages.append([match.id for match in page.items])
        if cursor is None:
            lobby.running.clock.advance(1)
            lobby.create("late")
        cursor = page.next_cursor
        if cursor is None:
            break
    assert [len(page) for page in pages] == [3, 3, 1]
    newest_first = sorted(made, key=lambda match: (match.created_at, match.id), reverse=True)
    assert [id for page in pages for id in page] == [match.id for match in newest_first]
    assert lobby.list("ann", mine=True) == [made[2].id]


@ON_BOTH
def test_lists_by_status(lobby: Hall) -> None:
    open_one = lobby.create("ann").id
    starting = lobby.started("bob", "cat").id
    running = lobby.started("dan", "eve").id
    lobby.report(running, 0)
    ended = lobby.create("fay").id
    lobby.ask(CallOffMatch(account="fay", match=ended))
    assert set(lobby.list("ann", status=("lobby",))) == {open_one, starting}
    assert lobby.list("ann", status=("running",)) == [running]
    assert set(lobby.list("ann", status=("running", "ended"))) == {running, ended}
    assert len(lobby.list("ann")) == 4
    rows = lobby.ask(SurveyMatches(status=("running",))).items
    assert [(row.id, row.status, row.seats) for row in rows] == [(running, "running", 2)]
    assert len(lobby.ask(SurveyMatches(status=(), limit=2)).items) == 2


@pytest.mark.parametrize(
    "cursor",
    [
        *("", "!", "AAAA", "W10", "WyIxIiwiMiJd", "WyIyMDI2LTAxLTAxIiwiYSJd", "é"),
        cursors.encode("0001-01-01T00:00:00+23:59", "x"),
        cursors.encode("9999-12-31T23:59:59-23:59", "x"),
    ],
)
def test_a_cursor_of_ones_own_making_is_malformed(lobby: Hall, cursor: str) -> None:
    assert (
        refused(lobby, ListMatches(account="a", status=(), mine=False, limit=5, cursor=cursor)) == "malformed"
    )


@pytest.mark.parametrize("limit", [0, -1, 201, 10**9])
def test_a_limit_out_of_bounds_is_malformed(lobby: Hall, limit: int) -> None:
    assert (
        refused(lobby, ListMatches(account="a", status=(), mine=False, limit=limit, cursor=None))
        == "malformed"
    )


@ON_BOTH
def test_an_unused_lobby_ends_after_fourteen_days(lobby: Hall) -> None:
    idle, joined = lobby.create("ann").id, lobby.create("ann").id
    started = lobby.started("bob", "cat").id
    lobby.running.clock.advance(13 * 86_400)
    lobby.join("dan", joined)
    lobby.running.clock.advance(86_400)
    lobby.running.run("end_unused")
    assert lobby.get("ann", idle).status == "lobby"
    lobby.running.clock.advance(1)
    lobby.running.run("end_unused")
    assert lobby.get("ann", idle).status == "ended"
    assert lobby.changes()[-1].match == idle
    assert lobby.get("ann", joined).status == "lobby"
    assert lobby.row(started).status == "starting"


@ON_BOTH
def test_a_deleted_account_leaves_its_lobbies(lobby: Hall) -> None:
    alone, shared = lobby.create("ann").id, lobby.create("ann").id
    lobby.join("bob", shared)
    lobby.running.deliver(AccountDeleted(account="ann"), AccountDeleted(account="nobody"))
    assert lobby.get("bob", alone).status == "ended"
    left = lobby.get("bob", shared)
    assert left.you_created and [seat.account for seat in left.seats] == ["bob"]
    assert refused(lobby, JoinMatch(account="ann", handle="a", match=shared)) == "unauthenticated"
    assert refused(lobby, creation("ann")) == "unauthenticated"
