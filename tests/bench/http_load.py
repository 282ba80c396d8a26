"""Requests a second that a server answers: a few connections, each kept open, one request after the other."""

import socket
import threading
import time
from collections.abc import Mapping

CONNECTIONS = 8


def requests_per_second(host: str, port: int, path: str, headers: Mapping[str, str], seconds: float) -> float:
    """Raises RuntimeError when an answer is not 200."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        *(f"{name}: {headers[name]}" for name in headers),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    clients = [Client(host, port, request, seconds) for _ in range(CONNECTIONS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    for client in clients:
        if client.problem is not None:
            raise RuntimeError(f"GET {path}: {client.problem}")
    return sum(client.answered for client in clients) / seconds


class Client(threading.Thread):
    """Counts what one connection gets answered in ``seconds``. Connects anew when the server closes it."""

    def __init__(self, host: str, port: int, request: bytes, seconds: float) -> None:
        super().__init__()
        self.answered = 0
        self.problem: str | None = None
        self._address = host, port
        self._request = request
        self._seconds = seconds

    def run(self) -> None:
        try:
            self._ask_until(time.perf_counter() + self._seconds)
        except (OSError, ValueError) as error:
            self.problem = f"{type(error).__name__}: {error}"

    def _ask_until(self, end: float) -> None:
        while time.perf_counter() < end:
            with socket.create_connection(self._address, timeout=10) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                open_ = True
                while open_ and time.perf_counter() < end:
                    connection.sendall(self._request)
                    open_ = read_answer(connection)
                    self.answered += 1


def read_answer(connection: socket.socket) -> bool:
    """Whether the connection stays open. ValueError for anything but a whole 200 with a length."""
    text = b""
    while b"\r\n\r\n" not in text:
        text += received(connection)
    head, _, body = text.partition(b"\r\n\r\n")
    status, *lines = head.split(b"\r\n")
    if not status.startswith(b"HTTP/1.1 200 "):
        raise ValueError(status.decode(errors="replace"))
    fields = dict(line.lower().split(b": ", 1) for line in lines)
    missing = int(fields[b"content-length"]) - len(body)
    while missing > 0:
        missing -= len(received(connection))
    return fields.get(b"connection") != b"close"


def received(connection: socket.socket) -> bytes:
    piece = connection.recv(65_536)
    if not piece:
        raise ValueError("the connection ended before its answer")
    return piece
