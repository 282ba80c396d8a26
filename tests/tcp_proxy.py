"""A TCP proxy between a service and a server, with a network that can be made to fail."""

import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

CHUNK_BYTES = 65_536
LOOPBACK = "127.0.0.1"
LINGER_NOT_AT_ALL = struct.pack("ii", 1, 0)


class _Connection:
    """One client joined to the server; closed when both directions have ended, or when reset."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.ends = (client, server)
        self.directions_left = 2
        self.is_reset = False

    def reset(self) -> None:
        self.is_reset = True  # first, so that no pump takes the end of its source for an orderly one
        for end in self.ends:
            _reset(end)


class TcpProxy:
    """Forwards connections to `target`; `port` is where to connect instead of there.

    - `cut()`: every connection is reset and new ones are refused, as when the server's machine is gone.
    - `hold()`: connections stay open and nothing passes, as when packets are dropped.
    - `slow(seconds)`: every chunk is that much late, in both directions.
    - `restore()`: all is well again; held bytes are delivered, cut connections have to be made anew.
    """

    def __init__(self, target_port: int, target_host: str = LOOPBACK) -> None:
        self._target = (target_host, target_port)
        self._delay = 0.0
        self._passing = threading.Event()
        self._passing.set()
        self._lock = threading.Lock()
        self._connections: set[_Connection] = set()
        self._threads: list[threading.Thread] = []
        self._listener: socket.socket | None = None
        self.port = 0
        self._listen()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def connections(self) -> int:
        """How many connections are open through the proxy."""
        with self._lock:
            return len(self._connections)

    def cut(self) -> None:
        self._stop_listening()
        self._reset_connections()

    def hold(self) -> None:
        self._passing.clear()

    def slow(self, seconds: float) -> None:
        self._delay = seconds

    def restore(self) -> None:
        self._delay = 0.0
        self._passing.set()
        self._listen()

    def close(self) -> None:
        """Cut everything for good; returns when no thread is left."""
        self.cut()
        self._passing.set()
        for thread in self._threads:
            thread.join(timeout=10)

    def _listen(self) -> None:
        if self._listener is not None:
            return
        listener = socket.create_server((LOOPBACK, self.port))
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._spawn(lambda: self._accept(listener))

    def _stop_listening(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # wakes accept(), which close() alone does not
            listener.close()

    def _reset_connections(self) -> None:
        with self._lock:
            connections, self._connections = self._connections, set()
        for connection in connections:
            connection.reset()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self._target, timeout=10)
            except OSError:
                _reset(client)
                continue
            server.settimeout(None)
            connection = _Connection(client, server)
            with self._lock:
                self._connections.add(connection)
            if self._listener is not listener:  # cut while this connection was being made
                self._reset_connections()
            self._spawn(lambda made=connection: self._pump(made, *made.ends))
            self._spawn(lambda made=connection: self._pump(made, *reversed(made.ends)))

    def _pump(self, connection: _Connection, source: socket.socket, sink: socket.socket) -> None:
        try:
            while chunk := source.recv(CHUNK_BYTES):
                time.sleep(self._delay)
                self._passing.wait()
                sink.sendall(chunk)
            self._passing.wait()
            if not connection.is_reset:
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            connection.reset()
        with self._lock:
            connection.directions_left -= 1
            over = connection.directions_left == 0
            if over:
                self._connections.discard(connection)
        if over:
            for end in connection.ends:
                end.close()

    def _spawn(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, daemon=True)
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        thread.start()


def _reset(end: socket.socket) -> None:
    """End with RST, not FIN: the other side gets an error and no orderly close."""
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT_AT_ALL)
        end.shutdown(socket.SHUT_RD)  # wakes a thread waiting in recv(), sending nothing
    end.close()
