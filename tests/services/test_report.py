"""report: what each faction is told of a tick, its proof, and nothing of anybody else's."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from services.report.service import ReportService
from shared import proof
from shared.contracts.base import Refusal
from shared.contracts.clock import DeadlineSet
from shared.contracts.report import GetReport, ListReports, Report, ReportPage, TickReported
from tests.services.harness import START, Running, build
from tests.services.lone_match import CADENCE, LoneMatch, fogged


def report(tmp_path: Path) -> Running[ReportService]:
    return build(ReportService, tmp_path)


def played(rounds: int = 2, of: int = 3) -> LoneMatch:
    match = LoneMatch(rounds=of)
    for _ in range(rounds):
        match.resolve({"f1": 10, "f2": 20})
    return match


def told(tmp_path: Path, match: LoneMatch) -> Running[ReportService]:
    running = report(tmp_path)
    running.deliver(match.started(), *map(fogged, match.outcomes))
    return running


def read(running: Running[ReportService], account: str, tick: int) -> Report:
    return running.ask(GetReport(account=account, match="m1", tick=tick))


def refused(running: Running[ReportService], request: GetReport | ListReports) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        running.ask(request)
    return refusal.value


def test_a_report_carries_the_readers_own_proof(tmp_path: Path) -> None:
    match = played()
    running = told(tmp_path, match)
    found = read(running, "account-1", 2)
    outcome = match.outcomes[2]
    assert (found.faction, found.tick, found.nonce) == ("f1", 2, match.nonce(2, "f1"))
    assert found.sealed == outcome.sealed["f1"]
    assert proof.digest(found.nonce, found.sealed) == found.digests["f1"]
    assert found.digests == outcome.digests
    assert (found.state_hash, found.rules_version) == (outcome.state_hash, outcome.rules_version)
    assert (found.deadline, found.ran_at, found.moved_from) == (outcome.deadline, outcome.ran_at, None)
    assert msgspec.json.decode(found.report)["named"].keys() == {"f1"}


def test_who_filed_nothing_has_a_proof_of_that(tmp_path: Path) -> None:
    match = LoneMatch()
    match.resolve({"f1": 10})
    found = read(told(tmp_path, match), "account-2", 1)
    assert found.sealed == ()
    assert proof.digest(found.nonce, ()) == found.digests["f2"]


def test_there_is_no_report_of_the_opening_nor_of_the_future(tmp_path: Path) -> None:
    running = told(tmp_path, played(1))
    for tick in (0, 2, -1, 2**40):
        assert refused(running, GetReport(account="account-1", match="m1", tick=tick)).code == "not-found"


def test_strangers_computer_players_and_unknown_matches_get_the_same_answer(tmp_path: Path) -> None:
    running = told(tmp_path, played(1))
    answers = [
        refused(running, request)
        for request in (
            GetReport(account="stranger", match="m1", tick=1),
            GetReport(account="account-1", match="m2", tick=1),
            ListReports(account="stranger", match="m1", limit=5, cursor=None),
        )
    ]
    assert {(answer.code, answer.detail) for answer in answers} == {("not-found", "There is no such match.")}


def test_before_the_opening_there_is_nothing_to_report(tmp_path: Path) -> None:
    running = report(tmp_path)
    running.deliver(LoneMatch().started())
    assert refused(running, GetReport(account="account-1", match="m1", tick=1)).code == "not-started"
    listing = ListReports(account="account-1", match="m1", limit=5, cursor=None)
    assert refused(running, listing).code == "not-started"


def test_reports_are_listed_newest_first_page_by_page(tmp_path: Path) -> None:
    match = played(5, of=9)
    running = told(tmp_path, match)
    pages: list[ReportPage] = []
    cursor = None
    while not pages or cursor is not None:
        pages.append(running.ask(ListReports(account="account-1", match="m1", limit=2, cursor=cursor)))
        cursor = pages[-1].next_cursor
    assert [[item.tick for item in page.items] for page in pages] == [[5, 4], [3, 2], [1]]
    assert pages[0].items[0].state_hash == match.outcomes[5].state_hash


@pytest.mark.parametrize("cursor", ["", "2", "%00", "WyIyIiwiMyJd", "WyJhIl0", "x" * 5000])
def test_a_made_up_cursor_is_malformed(tmp_path: Path, cursor: str) -> None:
    running = told(tmp_path, played(1))
    listing = ListReports(account="account-1", match="m1", limit=5, cursor=cursor)
    assert refused(running, listing).code == "malformed"


def moved(at: timedelta, moved_from: timedelta | None) -> DeadlineSet:
    return DeadlineSet(
        match="m1", tick=1, at=START + at, moved_from=None if moved_from is None else START + moved_from
    )


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_a_report_tells_the_first_deadline_that_was_moved(tmp_path: Path, order: tuple[int, ...]) -> None:
    match, running = played(1), report(tmp_path)
    running.deliver(match.started(), fogged(match.outcomes[0]))
    events = [
        moved(CADENCE, None),
        moved(2 * CADENCE, CADENCE),
        moved(3 * CADENCE, 2 * CADENCE),
        fogged(match.outcomes[1]),
    ]
    running.deliver(*(events[at] for at in order))
    assert read(running, "account-1", 1).moved_from == START + CADENCE


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_a_report_tells_of_no_move_where_the_deadline_came_forward(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    match, running = played(1), report(tmp_path)
    running.deliver(match.started(), fogged(match.outcomes[0]))
    events = [
        moved(CADENCE, None),
        moved(2 * CADENCE, CADENCE),
        msgspec.structs.replace(moved(CADENCE / 2, CADENCE), revision=1),
        fogged(match.outcomes[1]),
    ]
    running.deliver(*(events[at] for at in order))
    assert read(running, "account-1", 1).moved_from is None


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_in_any_order_each_tick_is_told_once(tmp_path: Path, order: tuple[int, ...]) -> None:
    match, running = played(2), report(tmp_path)
    events = [match.started(), *map(fogged, match.outcomes)]
    for at in order:
        running.deliver(events[at])
        running.deliver(events[at], id="the same")
    for _ in range(4):
        running.clock.advance(60)
        running.retry()
    assert [event.tick for event in running.emitted_of(TickReported)] == [0, 1, 2]
    assert read(running, "account-2", 2).nonce == match.nonce(2, "f2")


def test_a_tick_that_waits_for_the_one_before_it_is_told_as_well(database: str) -> None:
    """It was taken for told already, and lost, when the one before it was committed while it waited for the match."""
    match = played()
    running = build(ReportService, database)
    running.deliver(match.started(), fogged(match.outcomes[0]))
    with ThreadPoolExecutor(1) as pool:
        with running.database.begin() as tx:
            running.service.tick_fogged([fogged(match.outcomes[1])], tx)
            waiting = pool.submit(running.deliver, fogged(match.outcomes[2]))
            wait_for_a_lock(running)
        assert waiting.result().handled == 1
    assert [event.tick for event in running.emitted_of(TickReported)] == [0, 1, 2]


def wait_for_a_lock(running: Running[ReportService]) -> None:
    waits = sa.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    for _ in range(600):
        with running.database.read() as tx:
            if tx.scalar(waits):
                return
        time.sleep(0.05)
    raise AssertionError("nobody waits")


def test_the_others_are_told_the_public_facts(tmp_path: Path) -> None:
    match = played(3)
    last = told(tmp_path, match).emitted_of(TickReported)[-1]
    outcome = match.outcomes[3]
    assert (last.public, last.result, last.ended) == (outcome.public, outcome.result, True)


def test_a_crash_in_the_middle_leaves_nothing_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, running = played(1), report(tmp_path)
    running.deliver(match.started(), fogged(match.outcomes[0]))
    published = list(running.fanout.published)
    with monkeypatch.context() as patch:
        patch.setattr("services.report.telling.TickReported", lambda **_: 1 / 0)
        assert running.deliver(fogged(match.outcomes[1]), id="e1").failed == 1
    assert refused(running, GetReport(account="account-1", match="m1", tick=1)).code == "not-found"
    assert running.fanout.published == published
    restarted = build(ReportService, tmp_path, clock=running.clock, ids=running.ids)
    running.clock.advance(60)
    assert restarted.retry().handled == 1
    assert restarted.deliver(fogged(match.outcomes[1]), id="e1").repeated == 1
    assert read(restarted, "account-1", 1).tick == 1
    assert [event.tick for event in restarted.emitted_of(TickReported)] == [0, 1]


def test_nobody_is_told_a_nonce_an_order_or_a_hidden_number_of_another(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    match = played(2)
    running = told(tmp_path, match)
    for reader, other in itertools.permutations(("1", "2"), 2):
        for tick in (1, 2):
            answer = msgspec.json.encode(read(running, f"account-{reader}", tick))
            assert match.nonce(tick, f"f{reader}").encode() in answer
            assert f"f{reader}-order-{tick}".encode() in answer
            for secret in secrets_of(match, tick, f"f{other}") | secrets_of(match, tick, "f3"):
                assert secret not in answer
    outwards = msgspec.json.encode(running.emitted())
    logged = "".join(capfd.readouterr()).encode()
    for tick, faction in itertools.product((1, 2), ("f1", "f2", "f3")):
        for secret in secrets_of(match, tick, faction):
            assert secret not in outwards
            assert secret not in logged


def secrets_of(match: LoneMatch, tick: int, faction: str) -> set[bytes]:
    """Texts that only this faction may ever read while the match goes on."""
    named = msgspec.json.decode(match.outcomes[tick].record or b"")["named"]
    numbers = {str(named[faction]).encode()} if faction in named else set()
    return {match.nonce(tick, faction).encode(), f"{faction}-order-{tick}".encode(), *numbers}
