"""The operations port: is the process alive, is it ready and if not what is missing, its figures.

Plain WSGI on a thread of its own; a greenlet where eventlet has patched threads.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

Environ = Mapping[str, Any]
Answer = tuple[HTTPStatus, str, bytes]
Route = Callable[[Environ], Answer]
Check = Callable[[], Mapping[str, str]]


class PortTaken(Exception):
    """Another process listens there."""


class OpsServer:
    """``/healthz``, ``/readyz``, ``/metrics`` and further ``routes`` by (method, path).

    ``check`` gives what is missing, by name, with the reason; empty when ready.
    """

    def __init__(self, check: Check, routes: Mapping[tuple[str, str], Route] | None = None) -> None:
        self._check = check
        self._draining = False
        self._server: WSGIServer | None = None
        self._routes: dict[tuple[str, str], Route] = {
            ("GET", "/healthz"): lambda _environ: as_json({"alive": True}),
            ("GET", "/readyz"): lambda _environ: self._ready(),
            ("GET", "/metrics"): lambda _environ: (HTTPStatus.OK, CONTENT_TYPE_LATEST, generate_latest()),
            **(routes or {}),
        }

    def listen(self, host: str, port: int) -> int:
        """Serves from now on; the port. Raises ``PortTaken``."""
        try:
            server = make_server(host, port, self._answer, _Server, _Quiet)
        except OSError as error:
            raise PortTaken(f"{host}:{port} (LASTWATERS_OPS_PORT): {error.strerror}") from error
        self._server = server
        threading.Thread(target=server.serve_forever, name="ops", daemon=True).start()
        return server.server_port

    def drain(self) -> None:
        """Not ready any more, whatever the check says."""
        self._draining = True

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def _ready(self) -> Answer:
        missing = {"process": "stopping"} if self._draining else dict(self._check())
        status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
        return as_json({"ready": not missing, "missing": missing}, status)

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        route = self._routes.get((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        status, kind, body = (
            route(environ) if route else as_json({"error": "not found"}, HTTPStatus.NOT_FOUND)
        )
        start(f"{status.value} {status.phrase}", [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]


def as_json(value: object, status: HTTPStatus = HTTPStatus.OK) -> Answer:
    return status, "application/json", json.dumps(value).encode() + b"\n"


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    timeout = 10

    def log_message(self, format: str, *args: Any) -> None:
        """Probes come every few seconds."""
