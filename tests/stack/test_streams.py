"""Streams that a client leaves, as every reload of a page does, soon make room for its next ones."""

import socket
from urllib.parse import urlsplit

from tests.stack.client import Seat, wait_for
from tests.stack.stacks import Running

RELOADS = 12
SOON = 10.0
"""Seconds; a stream that only hears of it by writing takes twice the pause between two comments, 30."""


def open_and_leave(seat: Seat) -> int:
    """The status; the connection is cut as a browser cuts it, with nobody reading any more."""
    address = urlsplit(seat.client.url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        token = seat.client._session.headers["Authorization"]
        head = (
            f"GET {seat.path}/stream HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: {token!s}\r\n\r\n"
        )
        connection.sendall(head.encode())
        return int(connection.makefile("rb").readline().split()[1])


def test_a_page_that_is_loaded_again_and_again_keeps_its_stream(running: Running) -> None:
    seat = running.player("restless").open_match(name="Reloaded", seats=3)
    for _ in range(RELOADS):
        assert wait_for(lambda: open_and_leave(seat), lambda status: status == 200, SOON) == 200
