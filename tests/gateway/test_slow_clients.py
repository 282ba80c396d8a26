"""Clients that are slow on purpose, against the gateway's own server with eight threads, over faked services.

    python -m tests.gateway.test_slow_clients PATIENCE FILES

is that server, which may open so many files: it writes its port and listens until it is told to stop.
"""

import json
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import repeat
from pathlib import Path

import msgspec
import pytest
from flask import Flask

from gateway.app import create_app
from gateway.departure import departure
from gateway.ports import GatewayPorts, StreamTimes
from gateway.serve import GatewayProcess, patience_of
from gateway.slow_clients import Patience, PatientSocket, TooSlow, Waits
from shared.contracts import fog
from shared.runtime import logs
from shared.runtime.ids import SystemIds
from shared.runtime.settings import Settings
from tests.gateway.fakes import ManualClock, Services, token
from tests.servers import ROOT

SHORT = Patience(head=0.8, request=1.6, pause=0.6, write=0.6, pace=1 << 30, leave=0.3, grace=0.2)
AGES = 3_600.0
CROWD = 6
PLACES = 3
STEADY = Patience(head=AGES, request=AGES, pause=AGES, grace=0.2, crowd=CROWD, places=PLACES)
THREADS = 8
FILES = 128
PATIENCE = 20.0
BIG = 16 << 20

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
ADA = f"Host: a\r\nAuthorization: Bearer {token('ada')}\r\n".encode()
MAP = b"GET /v1/matches/m1/map HTTP/1.1\r\n" + ADA + b"\r\n"
STREAM = b"GET /v1/matches/m1/stream HTTP/1.1\r\n" + ADA + b"\r\n"
JSON = b"Host: a\r\nContent-Type: application/json\r\n"


class FakedProcess(GatewayProcess):
    """The gateway's process, whose map is big."""

    def load(self) -> Flask:
        services = Services()
        big = fog.Map(match="m1", map=msgspec.Raw(b'"' + b"x" * BIG + b'"'))
        services.answers[fog.GetMap] = lambda _request: big
        settings = Settings(gateway_threads=THREADS, limits_factor=100)
        stream = StreamTimes(comment=0.2, look=0.2, ask=0.2)
        self.ports = GatewayPorts(
            call=services, clock=ManualClock(), ids=SystemIds(), settings=settings, stream=stream
        )
        return create_app(self.ports)


def main(patience: str, files: str) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(files), int(files)))
    logs.configure("info")
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    settings = Settings(gateway_threads=THREADS, drain=5)
    FakedProcess(settings, "", "", listener, Patience(**json.loads(patience))).run()


class Server:
    def __init__(self, patience: Patience, log: Path) -> None:
        self.log = log
        self._connections: list[socket.socket] = []
        module, words = "tests.gateway.test_slow_clients", json.dumps(asdict(patience))
        command = [sys.executable, "-m", module, words, str(FILES)]
        with log.open("wb") as file:
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=file)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline() or b"0")
        assert self.port, log.read_text()
        assert self.answers()

    def connect(self, sent: bytes, source: str = "127.0.0.1", buffer: int | None = None) -> socket.socket:
        connection = socket.socket()
        self._connections.append(connection)
        if buffer is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(PATIENCE)
        connection.bind((source, 0))
        connection.connect(("127.0.0.1", self.port))
        connection.sendall(sent)
        return connection

    def hang_up(self) -> None:
        while self._connections:
            self._connections.pop().close()

    def answers(self, source: str = "127.0.0.1") -> bool:
        with self.connect(LAST, source) as connection:
            return everything(connection).startswith(b"HTTP/1.1 200 ")

    def leave(self) -> None:
        """Once told to, having logged no fault."""
        try:
            assert self.process.wait(PATIENCE) == 0, self.log.read_text()
        finally:
            self.process.kill()
            self.process.communicate()
        for line in self.log.read_text().splitlines():
            assert json.loads(line)["level"] in ("info", "warning"), line


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    short = Server(SHORT, tmp_path_factory.mktemp("short") / "log")
    steady = Server(STEADY, tmp_path_factory.mktemp("steady") / "log")
    yield short, steady
    for server in (short, steady):
        server.process.terminate()
    for server in (short, steady):
        server.leave()


@pytest.fixture
def server(servers: tuple[Server, Server]) -> Iterator[Server]:
    yield servers[0]
    servers[0].hang_up()


@pytest.fixture
def steady(servers: tuple[Server, Server]) -> Iterator[Server]:
    """Waits for ages, but only in a few threads an address."""
    yield servers[1]
    servers[1].hang_up()


def everything(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    received = bytearray()
    with suppress(ConnectionResetError):
        while piece := connection.recv(1 << 20):
            received += piece
    return bytes(received)


def one_answer(connection: socket.socket) -> bytes:
    """Of /healthz."""
    received = b""
    while not received.endswith(b"}"):
        piece = connection.recv(1)
        assert piece, received
        received += piece
    return received


def drip(connection: socket.socket, pieces: Iterator[bytes]) -> None:
    """A piece now and then, until the other side does not want it any more."""
    give_up = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < give_up:
            connection.sendall(next(pieces))
            time.sleep(0.15)
    except (BrokenPipeError, ConnectionResetError):
        return
    pytest.fail("it is waited for without an end")


def test_half_heads_hold_no_thread_for_long(server: Server) -> None:
    half = [server.connect(b"GET / HT") for _ in range(2 * THREADS)]
    assert server.answers()
    assert [everything(connection) for connection in half] == [b""] * len(half)


def test_who_sends_nothing_holds_no_thread_at_all(steady: Server) -> None:
    silent = [steady.connect(b"") for _ in range(4 * THREADS)]
    began = time.monotonic()
    assert steady.answers()
    assert time.monotonic() - began < 15, "gunicorn would wait in each thread for five seconds"
    for connection in silent:
        connection.sendall(HEALTH)
        assert b"200 OK" in one_answer(connection)


@pytest.mark.parametrize("length", [b"Content-Length: 100", b"Transfer-Encoding: chunked"])
def test_half_bodies_are_told_that_they_are_broken_off(server: Server, length: bytes) -> None:
    sent = b"POST /v1/accounts HTTP/1.1\r\n" + JSON + length + b'\r\n\r\n7\r\n{"hand'
    half = [server.connect(sent) for _ in range(2 * THREADS)]
    assert server.answers()
    for connection in half:
        answer = everything(connection)
        assert answer.startswith(b"HTTP/1.1 400 ") and b'"malformed"' in answer


HEAD = b"GET /healthz HTTP/1.1\r\nX: "
BODY = b"POST /v1/accounts HTTP/1.1\r\n" + JSON + b"Content-Length: 9999\r\n\r\n"
UNREAD = b"POST /v1/matches HTTP/1.1\r\n" + JSON + b"Content-Length: 9999\r\n\r\n"
CHUNKS = b"POST /v1/accounts HTTP/1.1\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "piece"),
    [(HEAD, b"x"), (BODY, b" "), (UNREAD, b" "), (CHUNKS, b"1\r\n \r\n")],
    ids=["head", "body", "body that nobody reads", "chunks"],
)
def test_what_drips_in_ends_too(server: Server, sent: bytes, piece: bytes) -> None:
    drip(server.connect(sent), repeat(piece))


def test_who_does_not_read_the_answer_holds_no_thread_for_long(server: Server) -> None:
    deaf = [server.connect(MAP, buffer=4_096) for _ in range(THREADS)]
    assert server.answers()
    for connection in deaf:
        assert len(everything(connection)) < BIG


def test_who_reads_slowly_gets_all_of_it(steady: Server) -> None:
    slow = steady.connect(MAP.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    time.sleep(2 * STEADY.grace)
    assert len(everything(slow)) > BIG


def test_who_does_not_close_holds_up_nobody(server: Server) -> None:
    """gunicorn's main loop would wait two seconds for each."""
    for _ in range(2 * THREADS):
        one_answer(server.connect(LAST))
    began = time.monotonic()
    assert server.answers()
    assert time.monotonic() - began < 2 * THREADS


def test_more_connections_than_files_end_nothing(steady: Server) -> None:
    stream = steady.connect(STREAM)
    assert stream.recv(4_096)
    silent = [steady.connect(b"") for _ in range(FILES)]
    give_up = time.monotonic() + PATIENCE
    while "too many open files" not in steady.log.read_text():
        assert time.monotonic() < give_up
        time.sleep(0.05)
    for connection in silent:
        connection.close()
    assert steady.answers()
    assert stream.recv(4_096)


def test_one_address_waits_in_few_threads_and_others_are_served(steady: Server) -> None:
    half = [steady.connect(b"GET / HT") for _ in range(2 * THREADS)]
    assert steady.answers("127.0.0.2")
    assert steady.answers(), "its own whole requests are taken too"
    give_up = time.monotonic() + PATIENCE
    while len(left := [one for one in half if not closed(one)]) > PLACES:
        assert time.monotonic() < give_up
        time.sleep(0.05)
    assert left, "those that it has are its own"
    left[0].sendall(b"TP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert everything(left[0]).startswith(b"HTTP/1.1 200 ")


def closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        connection.settimeout(PATIENCE)


def test_a_stream_stays_open_past_every_deadline(server: Server) -> None:
    stream = server.connect(STREAM)
    received = b""
    until = time.monotonic() + SHORT.request + SHORT.write + 0.5
    while time.monotonic() < until or received.count(b": still here") < 3:
        piece = stream.recv(4_096)
        assert piece, received
        received += piece


def test_a_connection_is_kept_past_every_deadline_and_used_again(server: Server) -> None:
    connection = server.connect(HEALTH)
    assert b"200 OK" in one_answer(connection)
    time.sleep(SHORT.request + 0.2)
    for _ in range(2):
        connection.sendall(HEALTH + HEALTH)
        assert b"200 OK" in one_answer(connection)
        assert b"200 OK" in one_answer(connection)


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    patient = PatientSocket(ours, "127.0.0.1", SHORT, Waits(SHORT))
    with patient, theirs:
        yield patient, theirs


def test_a_stream_that_looks_for_its_client_does_not_wait(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    gone = departure({"gunicorn.socket": ours})
    began = time.monotonic()
    assert not any(gone() for _ in range(1_000))
    assert time.monotonic() - began < 1_000 * SHORT.pause / 10
    theirs.close()
    assert gone()


def test_a_shorter_timeout_of_the_socket_holds_and_a_longer_one_does_not(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    for timeout in (0.01, AGES):
        ours.settimeout(timeout)
        with pytest.raises(TooSlow):
            ours.recv(1)
    theirs.sendall(b"x")
    ours.setblocking(False)
    assert ours.recv(1) == b"x"
    with pytest.raises(BlockingIOError):
        ours.recv(1)


def test_what_is_there_is_not_taken_after_the_deadline(pair: tuple[socket.socket, socket.socket]) -> None:
    """A client that never makes anybody wait could go on for ever."""
    ours, theirs = pair
    theirs.sendall(b"xx")
    assert ours.recv(1) == b"x"
    time.sleep(SHORT.head)
    with pytest.raises(TooSlow):
        ours.recv(1)


def test_either_way_to_write_ends_at_a_client_that_does_not_read(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    assert ours.send(b"100 Continue") == 12
    assert theirs.recv(100) == b"100 Continue"
    for write in (ours.send, ours.sendall):
        with pytest.raises(TooSlow):
            write(b"x" * BIG)


def test_for_a_crowd_of_one_address_no_more_threads_wait_even_briefly() -> None:
    patience = Patience(head=AGES, pause=AGES, grace=AGES, crowd=1)
    waits = Waits(patience)
    ours, theirs = socket.socketpair()
    with PatientSocket(ours, "127.0.0.1", patience, waits) as patient, theirs:
        with waits.all.one("127.0.0.1"):
            theirs.sendall(b"x")
            assert patient.recv(1) == b"x", "nobody has to wait"
            with pytest.raises(TooSlow):
                patient.recv(1)
        with waits.all.one("127.0.0.2"):
            timer = threading.Timer(0.1, theirs.sendall, (b"x",))
            timer.start()
            assert patient.recv(1) == b"x"
            timer.join()


def test_behind_a_proxy_addresses_are_not_counted() -> None:
    alone = patience_of(Settings(gateway_threads=512))
    assert (alone.crowd, alone.places) == (256, 64)
    proxied = patience_of(Settings(gateway_threads=512, proxy_hops=1))
    assert (proxied.crowd, proxied.places) == (None, None)


if __name__ == "__main__":
    main(*sys.argv[1:])
