"""The proxy's faults look to a client like a network's."""

import socket
import socketserver
import threading
import time
from collections.abc import Iterator

import pytest

from tests.tcp_proxy import LOOPBACK, TcpProxy


class Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while data := self.request.recv(1024):
            self.request.sendall(data)


@pytest.fixture
def proxy() -> Iterator[TcpProxy]:
    with socketserver.ThreadingTCPServer((LOOPBACK, 0), Echo) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with TcpProxy(server.server_address[1]) as proxy:
            yield proxy
        server.shutdown()


def connect(proxy: TcpProxy) -> socket.socket:
    return socket.create_connection((LOOPBACK, proxy.port), timeout=5)


def echo(client: socket.socket, data: bytes = b"hold") -> bytes:
    client.sendall(data)
    return client.recv(1024)


def test_passes_both_ways_and_ends_with_the_client(proxy: TcpProxy) -> None:
    with connect(proxy) as client:
        assert echo(client) == b"hold"
        assert proxy.connections == 1
    deadline = time.monotonic() + 5
    while proxy.connections and time.monotonic() < deadline:
        time.sleep(0.01)
    assert proxy.connections == 0


def test_cut_resets_and_refuses_until_restored(proxy: TcpProxy) -> None:
    with connect(proxy) as client:
        assert echo(client) == b"hold"
        proxy.cut()
        with pytest.raises(ConnectionResetError):
            client.recv(1)
    with pytest.raises(ConnectionRefusedError):
        connect(proxy)
    proxy.restore()
    with connect(proxy) as client:
        assert echo(client) == b"hold"


def test_held_bytes_arrive_after_restore(proxy: TcpProxy) -> None:
    with connect(proxy) as client:
        echo(client)
        proxy.hold()
        client.sendall(b"late")
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.recv(1)
        proxy.restore()
        client.settimeout(5)
        assert client.recv(1024) == b"late"


def test_slow_delays_each_direction(proxy: TcpProxy) -> None:
    with connect(proxy) as client:
        echo(client)
        proxy.slow(0.1)
        started = time.monotonic()
        assert echo(client) == b"hold"
        assert time.monotonic() - started >= 0.2
