"""fog: who sees what of a match, and that each tick is looked at once, in order."""

import itertools
from pathlib import Path

import msgspec
import pytest

from services.fog.service import FogService
from shared.contracts.base import Refusal
from shared.contracts.fog import GetMap, GetView, TickFogged, View
from shared.contracts.lobby import MatchClosed
from shared.runtime import envelope
from shared.runtime.ids import SystemIds
from tests.services.harness import START, Running, build
from tests.services.lone_match import LoneMatch
from tests.services.racing import race
from tests.services.tiny_ruleset import RULESET


def fog(where: Path | str) -> Running[FogService]:
    return build(FogService, where, ids=SystemIds())


def played(rounds: int = 3) -> LoneMatch:
    match = LoneMatch()
    for _ in range(rounds):
        match.resolve({"f1": 10, "f2": 20, "f3": 30})
    return match


def view(running: Running[FogService], account: str, tick: int | None = None) -> View:
    return running.ask(GetView(account=account, match="m1", tick=tick))


def refused(running: Running[FogService], request: GetView | GetMap) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        running.ask(request)
    return refusal.value


def test_each_seat_sees_its_own_view_of_every_tick(tmp_path: Path) -> None:
    match, running = played(2), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    memory = None
    for outcome in match.outcomes:
        looked = RULESET.look(bytes(outcome.state), outcome.record and bytes(outcome.record), memory)
        memory = looked.memory
        for seat in match.seats:
            seen = view(running, seat.account, outcome.tick)
            assert (seen.faction, seen.tick, seen.current) == (seat.faction, outcome.tick, outcome.tick == 2)
            assert bytes(seen.view) == looked.views[seat.faction]
    assert view(running, "account-1") == view(running, "account-1", 2)


def test_the_next_service_is_told_what_it_needs_and_no_state(tmp_path: Path) -> None:
    match, running = played(1), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    opening, first = running.emitted_of(TickFogged)
    assert (opening.tick, opening.record, opening.entitled) == (0, None, None)
    outcome = match.outcomes[1]
    assert (first.tick, first.record, first.nonces) == (1, outcome.record, outcome.nonces)
    assert first.entitled is not None
    assert bytes(outcome.state) not in msgspec.json.encode(first)


def test_the_map_is_for_the_seated(tmp_path: Path) -> None:
    match, running = played(0), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    assert bytes(running.ask(GetMap(account="account-2", match="m1")).map) == RULESET.graph(match.state)
    assert refused(running, GetMap(account="stranger", match="m1")).code == "not-found"


def test_strangers_and_unknown_matches_get_the_same_answer(tmp_path: Path) -> None:
    match, running = played(0), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    stranger = refused(running, GetView(account="stranger", match="m1"))
    unknown = refused(running, GetView(account="account-1", match="m2"))
    assert (stranger.code, stranger.detail, stranger.extra) == ("not-found", unknown.detail, unknown.extra)


def test_there_is_nothing_to_see_before_the_opening_nor_of_the_future(tmp_path: Path) -> None:
    match, running = played(0), fog(tmp_path)
    running.deliver(match.started())
    assert refused(running, GetView(account="account-1", match="m1")).code == "not-started"
    assert refused(running, GetMap(account="account-1", match="m1")).code == "not-started"
    running.deliver(match.outcomes[0])
    for tick in (1, -1, 2**40):
        assert refused(running, GetView(account="account-1", match="m1", tick=tick)).code == "not-found"


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_in_any_order_each_tick_is_looked_at_once(tmp_path: Path, order: tuple[int, ...]) -> None:
    match, running = played(2), fog(tmp_path)
    events = [match.started(), *match.outcomes]
    for at in order:
        running.deliver(events[at])
        running.deliver(events[at], id="the same")
    for _ in range(4):
        running.clock.advance(60)
        running.retry()
    assert [event.tick for event in running.emitted_of(TickFogged)] == [0, 1, 2]
    (tmp_path / "straight").mkdir()
    straight = fog(tmp_path / "straight")
    straight.deliver(*events)
    assert running.emitted_of(TickFogged) == straight.emitted_of(TickFogged)
    assert view(running, "account-1") == view(straight, "account-1")


def test_replicas_told_of_a_tick_at_once_look_at_it_once(where: Path | str) -> None:
    match, running = played(3), fog(where)
    running.deliver(match.started(), match.outcomes[0])
    for outcome in match.outcomes[1:]:
        texts = [
            envelope.encode(envelope.seal(outcome, id=f"e{outcome.tick}-{n}", at=START)) for n in range(6)
        ]
        outcomes = race([lambda text=text: str(running.deliver_texts(text).handled) for text in texts])
        assert outcomes == ["1"] * 6
    assert [event.tick for event in running.emitted_of(TickFogged)] == [0, 1, 2, 3]


def test_a_crash_in_the_middle_leaves_nothing_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, running = played(1), fog(tmp_path)
    running.deliver(match.started(), match.outcomes[0])
    with monkeypatch.context() as patch:
        patch.setattr("services.fog.store.advance", lambda *_: 1 / 0)
        assert running.deliver(match.outcomes[1], id="e1").failed == 1
    assert view(running, "account-1").tick == 0
    assert len(running.emitted_of(TickFogged)) == 1
    restarted = build(FogService, tmp_path, clock=running.clock, ids=running.ids)
    running.clock.advance(60)
    assert restarted.retry().handled == 1
    assert restarted.deliver(match.outcomes[1], id="e1").repeated == 1
    assert view(restarted, "account-1").tick == 1
    assert len(restarted.emitted_of(TickFogged)) == 2


def test_an_ended_match_shows_everything_in_its_last_view_alone(tmp_path: Path) -> None:
    match, running = played(3), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    last, before = (bytes(view(running, "account-1", tick).view) for tick in (3, 2))
    assert all(number in last for number in hidden(match, 3))
    assert [number for number in hidden(match, 2) if number in before] == [hidden_of(match, 2, "f1")]


def test_an_operators_end_does_not_lift_the_fog(tmp_path: Path) -> None:
    match, running = played(1), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    before = view(running, "account-1")
    assert running.deliver(MatchClosed(match="m1", at=running.clock.now())).failed == 0
    assert view(running, "account-1") == before


def test_nobody_is_shown_a_hidden_number_of_another(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    match, running = played(2), fog(tmp_path)
    running.deliver(match.started(), *match.outcomes)
    for seat in match.seats:
        for tick in range(3):
            answer = msgspec.json.encode(view(running, seat.account, tick))
            secrets = hidden(match, tick) - {hidden_of(match, tick, seat.faction)}
            secrets |= {match.nonce(tick, other.faction).encode() for other in match.seats}
            secrets |= {match.seed.encode()}
            assert not [secret for secret in secrets if secret in answer]
    logged = "".join(capfd.readouterr()).encode()
    assert not [number for tick in range(3) for number in hidden(match, tick) if number in logged]


def hidden_of(match: LoneMatch, tick: int, faction: str) -> bytes:
    seats = msgspec.json.decode(match.outcomes[tick].state)["seats"]
    return next(str(seat["hidden"]).encode() for seat in seats if seat["id"] == faction)


def hidden(match: LoneMatch, tick: int) -> set[bytes]:
    return {hidden_of(match, tick, seat.faction) for seat in match.seats}
