"""The event stream: nothing lost, nothing doubled, nothing for others, and an end when the session ends."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from gateway.hub import Hub
from gateway.slots import STREAMS_AN_ACCOUNT
from shared.contracts import accounts, report
from shared.contracts.base import Refusal
from shared.runtime.service import Unavailable
from tests.gateway.conftest import Client, Gateway, refused
from tests.gateway.fakes import digest

PATH = "/v1/matches/m1/stream"
PATIENCE = 20.0


class Listener:
    """Reads a stream in a thread, as a client does."""

    def __init__(self, response: Any) -> None:
        self.response = response
        self.text = ""
        self.ended = threading.Event()
        self._grown = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for piece in self.response.response:
            with self._grown:
                self.text += piece.decode()
                self._grown.notify_all()
        self.ended.set()

    def wait_for(self, what: str, times: int = 1) -> str:
        with self._grown:
            assert self._grown.wait_for(lambda: self.text.count(what) >= times, PATIENCE), self.text
            return self.text

    def ids(self) -> list[int]:
        """Of events."""
        blocks = [block for block in self.text.split("\n\n") if "event: " in block]
        return [int(block.partition("\n")[0].removeprefix("id: ")) for block in blocks]


@pytest.fixture
def listen(gateway: Gateway) -> Iterator[Callable[..., Listener]]:
    opened: list[Listener] = []

    def open_one(name: str = "ada", last: int | None = None) -> Listener:
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        response = gateway.as_(name).get(PATH, headers=headers)
        assert response.status_code == 200
        assert response.content_type == "text/event-stream"
        opened.append(Listener(response))
        opened[-1].wait_for(": open")
        return opened[-1]

    yield open_one
    gateway.ports.hub.close()
    for one in opened:
        assert one.ended.wait(PATIENCE)
        one.response.close()


def test_what_happens_is_sent_as_it_happens(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    gateway.services.grow("tick", {"tick": 1})
    listener = listen()
    gateway.services.grow("deadline", {"at": "2026-01-01T12:00:00Z", "tick": 5})
    gateway.ports.hub.wake("m1", "acc-ada")
    text = listener.wait_for("id: 2\n")
    assert text.startswith("retry: 2000\nid: 1\n: open\n\n"), "where to go on should nothing ever happen"
    assert 'id: 2\nevent: deadline\ndata: {"at":"2026-01-01T12:00:00Z","tick":5}\n\n' in text
    assert listener.ids() == [2], "a stream without Last-Event-ID begins now"


def test_lost_word_only_delays(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    listener = listen()
    gateway.services.grow("tick", {"tick": 1})
    listener.wait_for("id: 1\n")


def test_a_stream_resumes_without_loss_or_doubles(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    for tick in range(1, 251):
        gateway.services.grow("tick", {"tick": tick})
    listener = listen(last=7)
    listener.wait_for("id: 250")
    gateway.services.grow("tick", {"tick": 251})
    for _ in range(3):
        gateway.ports.hub.wake("m1", "acc-ada")
    listener.wait_for("id: 251")
    assert listener.ids() == list(range(8, 252))


def test_an_id_that_was_never_given_begins_now(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    gateway.services.grow("tick", {"tick": 1})
    listener = listen(last=999)
    gateway.services.grow("tick", {"tick": 2})
    listener.wait_for("id: 2\n")
    assert listener.ids() == [2]
    assert "id: 1\n: open" in listener.text, "the client forgets the wrong one"


def test_comments_keep_it_open(listen: Callable[..., Listener]) -> None:
    listen().wait_for(": still here", times=2)


def test_each_viewer_reads_its_own_feed(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    ada, ben = listen("ada"), listen("ben")
    own = {"acc-ada": 0, "acc-ben": 0}

    def feed(request: Any) -> Any:
        own[request.account] += 1
        gateway.services._seated(request)
        event = report.FeedEvent(
            n=1,
            event="message",
            data=msgspec.Raw(b'{"id":"for-%s"}' % request.account.encode()),
            at=gateway.clock.now(),
        )
        return report.Feed(items=(event,) if request.after == 0 else (), latest=1)

    gateway.services.answers[report.GetFeed] = feed
    ada.wait_for("for-acc-ada")
    ben.wait_for("for-acc-ben")
    assert "for-acc-ben" not in ada.text
    assert "for-acc-ada" not in ben.text


def test_refusals_come_before_the_first_byte(
    gateway: Gateway, cleo: Client, ada: Client, anyone: Client
) -> None:
    refused(anyone.get(PATH), 401, "unauthenticated")
    refused(cleo.get(PATH), 404, "not-found")
    refused(ada.get("/v1/matches/m-unknown/stream"), 404, "not-found")
    for last in ("x", "-1", "1.5", "9" * 40):
        refused(ada.get(PATH, headers={"Last-Event-ID": last}), 400, "malformed")

    def away(_request: Any) -> Any:
        raise Unavailable("report", "away")

    gateway.services.answers[report.GetFeed] = away
    for _ in range(2 * STREAMS_AN_ACCOUNT):
        refused(ada.get(PATH), 503, "unavailable")


def test_four_streams_an_account(gateway: Gateway, ada: Client, ben: Client) -> None:
    streams = [ada.get(PATH) for _ in range(STREAMS_AN_ACCOUNT)]
    fifth = ada.get(PATH)
    refused(fifth, 429, "rate-limited")
    assert "Retry-After" in fifth.headers
    streams.append(ben.get(PATH))
    streams[0].close()
    streams.append(ada.get(PATH))
    assert [stream.status_code for stream in streams] == [200] * 6
    for stream in streams:
        stream.close()


def test_fifty_at_once_get_four(gateway: Gateway) -> None:
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: gateway.as_("ada").get(PATH), range(50)))
    assert sorted(answer.status_code for answer in answers) == [200] * 4 + [429] * 46
    for answer in answers:
        answer.close()
    again = gateway.as_("ada").get(PATH)
    assert again.status_code == 200
    again.close()


def test_a_stream_that_was_never_read_gives_its_slot_back(gateway: Gateway, ada: Client) -> None:
    for _ in range(3 * STREAMS_AN_ACCOUNT):
        answer = ada.get(PATH)
        assert answer.status_code == 200
        answer.close()


def test_head_opens_no_stream(gateway: Gateway, ada: Client) -> None:
    for _ in range(3 * STREAMS_AN_ACCOUNT):
        assert ada("HEAD", PATH).status_code == 405
    answer = ada.get(PATH)
    assert answer.status_code == 200
    answer.close()


def test_word_of_an_ended_session_ends_its_streams_alone(
    gateway: Gateway, listen: Callable[..., Listener]
) -> None:
    ada, ben = listen("ada"), listen("ben")
    gateway.ports.hub.sessions_ended([digest("ada")])
    assert ada.ended.wait(PATIENCE)
    assert not ben.ended.is_set()


def test_a_session_ends_its_streams_even_if_no_word_comes(
    gateway: Gateway, listen: Callable[..., Listener]
) -> None:
    ada = listen("ada")
    del gateway.services.sessions[digest("ada")]
    assert ada.ended.wait(PATIENCE)


def test_the_real_pauses_end_a_dead_session_within_five_seconds() -> None:
    from gateway.ports import StreamTimes

    times = StreamTimes()
    assert times.ask + 0.5 < 5.0
    assert times.comment == 15.0


def test_services_that_are_away_for_a_while_end_nothing(
    gateway: Gateway, listen: Callable[..., Listener]
) -> None:
    ada = listen("ada")
    asked = threading.Semaphore(0)

    def away(request: Any) -> Any:
        asked.release()
        raise Unavailable(request.service(), "away")

    gateway.services.answers[report.GetFeed] = away
    gateway.services.answers[accounts.Authenticate] = away
    for _ in range(4):
        assert asked.acquire(timeout=PATIENCE)
    gateway.services.grow("tick", {"tick": 1})
    gateway.services.answers.clear()
    ada.wait_for("id: 1\n")
    assert ada.ids() == [1]


def test_a_seat_just_taken_is_waited_for(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    looks = iter([False, False])

    def feed(request: report.GetFeed) -> report.Feed:
        if next(looks, True):
            return gateway.services.get_feed(request)
        raise Refusal("not-found", "not heard of yet")

    gateway.services.answers[report.GetFeed] = feed
    listen("ada")
    assert next(looks, None) is None


def test_a_lost_seat_ends_the_stream(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    ada = listen("ada")

    def gone(_request: Any) -> Any:
        raise Refusal("not-found", "left the lobby")

    gateway.services.answers[report.GetFeed] = gone
    assert ada.ended.wait(PATIENCE)


def test_a_stopping_gateway_ends_every_stream(gateway: Gateway, listen: Callable[..., Listener]) -> None:
    streams = [listen("ada"), listen("ben")]
    gateway.ports.hub.close()
    assert all(one.ended.wait(PATIENCE) for one in streams)


def test_a_wake_between_two_waits_is_not_lost() -> None:
    hub = Hub()
    with hub.subscribe("m1", "acc-ada", "digest") as subscription:
        hub.wake("m1", "acc-ada")
        start = time.monotonic()
        assert subscription.wait(PATIENCE)
        assert time.monotonic() - start < PATIENCE / 2
        assert not subscription.wait(0.0)
        hub.wake("m1", "acc-ben")
        hub.wake("m2", "acc-ada")
        assert not subscription.wait(0.0)
    hub.wake("m1", "acc-ada")
    assert not hub._waiting
