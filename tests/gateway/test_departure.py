"""Whether the client of a stream has left is seen without a word to it."""

import socket

from gateway.departure import SOCKETS, departure


def test_a_client_that_hangs_up_has_left() -> None:
    for key in SOCKETS:
        ours, theirs = socket.socketpair()
        with ours:
            gone = departure({key: ours})
            assert not gone()
            theirs.sendall(b"the next request")
            assert not gone()
            assert ours.recv(16) == b"the next request"
            theirs.close()
            assert gone()


def test_a_connection_that_is_shut_has_lost_its_client() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    ours.close()
    assert departure({SOCKETS[0]: ours})()


def test_where_there_is_no_connection_nobody_leaves() -> None:
    assert not departure({})()
