"""Whether the client of a long answer has gone: a stream writes seldom, and would hold its slot for as long."""

import socket
from collections.abc import Callable, Mapping
from typing import Any

SOCKETS = ("lastwaters.socket", "gunicorn.socket")
"""Where the servers put the connection's socket into a request's environ."""


def departure(environ: Mapping[str, Any]) -> Callable[[], bool]:
    """Asks the connection, without waiting and without taking from it; False where it cannot be asked."""
    connection = next((environ[key] for key in SOCKETS if environ.get(key) is not None), None)

    def gone() -> bool:
        if connection is None:
            return False
        try:
            return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True

    return gone
