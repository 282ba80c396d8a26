"""How long a client may keep a thread waiting: gunicorn's threads would wait for one for ever.

A connection holds a thread from its first byte on. Its socket measures how long the thread waits, for the
request and over each write of the answer, and then gives up as if the client had hung up. An event stream may
stay open for as long as it likes, since each of its writes is measured alone.
"""

import errno
import math
import select
import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from gunicorn import util
from gunicorn.workers.gthread import TConn, ThreadWorker

from gateway.ratelimits import address_key

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE)
NOT_THERE = (errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED)
FULL_SECONDS = 1.0
"""Without a descriptor for one more connection none is accepted for so long."""

log = structlog.get_logger()


@dataclass(frozen=True)
class Patience:
    """In seconds. ``head`` and ``request`` are counted from the request's first byte on.

    ``pause``: for the next bytes; ``write``: until the client takes more of what is written, all of which
    it takes at ``pace`` bytes a second or faster; ``leave``: for the client to close too, so that it gets the
    last answer. For one address ``crowd`` threads may wait at a time, ``places`` of them for longer than
    ``grace`` or for it to close; None: any number.
    """

    head: float = 10.0
    request: float = 30.0
    pause: float = 10.0
    write: float = 30.0
    pace: int = 8_192
    leave: float = 2.0
    grace: float = 3.0
    crowd: int | None = None
    places: int | None = None


class TooSlow(ConnectionResetError):
    """The client is waited for no longer. gunicorn ends the connection without a word in the log."""

    def __init__(self) -> None:
        super().__init__(errno.ECONNRESET, "the client is too slow")


class Waiting:
    """The threads that wait, counted by the address that they wait for."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._threads: Counter[str] = Counter()

    @contextmanager
    def one(self, address: str) -> Iterator[None]:
        """Raises ``TooSlow`` if no more may wait for this address."""
        with self._lock:
            if self._most is not None and self._threads[address] >= self._most:
                raise TooSlow
            self._threads[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._threads[address] -= 1
                if not self._threads[address]:
                    del self._threads[address]


class Waits:
    """``all``: all threads that wait; ``long``: those of them that do so for long."""

    def __init__(self, patience: Patience) -> None:
        self.all = Waiting(patience.crowd)
        self.long = Waiting(patience.places)


class PatientSocket(socket.socket):
    """An accepted connection. It does all waiting here, and has no timeout as sockets have: with one set,
    Python waits even where ``MSG_DONTWAIT`` is asked for, and so would a stream that looks for its client."""

    def __init__(self, accepted: socket.socket, address: str, patience: Patience, waits: Waits) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self._address = address_key(address)
        self._patience = patience
        self._waits = waits
        self.expect_request()

    def expect_request(self) -> None:
        """The first byte is there."""
        self._began = time.monotonic()
        self._read_until = self._began + self._patience.head
        self._grace = self._patience.grace

    def expect_body(self) -> None:
        self._read_until = self._began + self._patience.request

    def leave(self) -> None:
        """Closes it, without taking from the client what it has not read yet."""
        self._read_until = time.monotonic() + self._patience.leave
        self._grace = 0.0
        util.close_graceful(self, self._patience.leave)

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        timeout = self.gettimeout()
        if flags or timeout == 0:
            return super().recv(bufsize, flags)
        left = self._read_until - time.monotonic()
        if left <= 0:
            raise TooSlow
        if timeout is None:
            try:
                return super().recv(bufsize, socket.MSG_DONTWAIT)
            except BlockingIOError:
                timeout = self._patience.pause
        self._grace = self._wait(select.POLLIN, min(left, timeout, self._patience.pause), self._grace)
        return super().recv(bufsize)

    def send(self, data: "ReadableBuffer", flags: int = 0, /) -> int:
        if flags or self.gettimeout() == 0:
            return super().send(data, flags)
        self.sendall(data)
        return memoryview(data).nbytes

    def sendall(self, data: "ReadableBuffer", flags: int = 0, /) -> None:
        if flags or self.gettimeout() == 0:
            return super().sendall(data, flags)
        unsent = memoryview(data).cast("B")
        grace = self._patience.grace
        until = time.monotonic() + self._patience.write + len(unsent) / self._patience.pace
        while unsent:
            try:
                unsent = unsent[super().send(unsent, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                left = until - time.monotonic()
                grace = self._wait(select.POLLOUT, min(left, self._patience.write), grace)
        return None

    def _wait(self, event: int, seconds: float, grace: float) -> float:
        """For the client; what is left of ``grace`` then. Raises ``TooSlow`` after so many seconds."""
        poll = select.poll()
        poll.register(self, event)
        began = time.monotonic()
        with self._waits.all.one(self._address):
            ready = poll.poll(_milliseconds(min(seconds, grace)))
            if not ready and seconds > grace:
                with self._waits.long.one(self._address):
                    ready = poll.poll(_milliseconds(seconds - grace))
        if not ready:
            raise TooSlow
        return max(0.0, grace - (time.monotonic() - began))


def _milliseconds(seconds: float) -> int:
    # A negative number would be for ever.
    return max(0, math.ceil(seconds * 1_000))


class Connection(TConn):  # type: ignore[misc]
    """A connection that the main loop never waits for."""

    sock: PatientSocket

    def close(self, graceful: bool = False) -> None:
        """At once: the loop calls it, and a thread has waited for the client before."""
        util.close(self.sock)


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's threads, none of which waits for a client for ever. The app says how long: ``patience``."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._patience: Patience = self.app.patience
        self._waits = Waits(self._patience)
        self._full_until = 0.0

    def accept(self, listener: Any) -> None:
        """As in gunicorn, but a thread is taken only once the client has sent something."""
        try:
            accepted, client = listener.accept()
        except OSError as error:
            if error.errno in NO_DESCRIPTOR:
                # Raised, it would end the process and every stream with it.
                self.worker_connections = 0
                self._full_until = time.monotonic() + FULL_SECONDS
                log.warning("too many open files", connections=self.nr_conns)
            elif error.errno not in NOT_THERE:
                raise
            return
        self.nr_conns += 1
        patient = PatientSocket(accepted, client[0], self._patience, self._waits)
        connection = Connection(self.cfg, patient, client, listener.getsockname())
        connection.set_timeout()
        self.pending_conns.append(connection)
        wake = partial(self.on_pending_socket_readable, connection)
        self.poller.register(patient, selectors.EVENT_READ, wake)

    def murder_pending(self) -> None:
        """The main loop's turn, once a second at least."""
        super().murder_pending()
        if time.monotonic() >= self._full_until:
            self.worker_connections = self.cfg.worker_connections

    def handle(self, conn: Connection) -> Any:
        conn.sock.expect_request()
        kept = super().handle(conn)
        if not kept:
            conn.sock.leave()
        return kept

    def handle_request(self, req: Any, conn: Connection) -> Any:
        conn.sock.expect_body()
        return super().handle_request(req, conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """A worker that stops waits no longer for a first request than for a further one."""
        super()._cap_keepalive(deadline)
        for connection in self.pending_conns:
            connection.timeout = min(connection.timeout, deadline)
