"""The embedded stack: every service and the gateway in this process, SQLite files, no server to install.

What is queued in the broker dies with the process; what must survive stands in the outboxes and is published
again at the next start.
"""

import errno
import fcntl
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import eventlet
import eventlet.wsgi
import structlog
from eventlet.greenpool import GreenPool

from shared.contracts.accounts import SessionsEnded
from shared.runtime import memory_transport, nameko_host, operators, topology
from shared.runtime.broker import Line, Lines
from shared.runtime.event_ear import EventEar
from shared.runtime.health import OpsServer, PortTaken
from shared.runtime.hosting import Host, SystemClock
from shared.runtime.ids import Ids, SystemIds
from shared.runtime.process import StopSignal
from shared.runtime.rpc_client import RpcClient
from shared.runtime.serve import run
from shared.runtime.service import Fanout, Ports, Service
from shared.runtime.settings import Settings
from shared.storage import migrations, outbox
from shared.storage.database import Database
from shared.storage.engine import create_engine, file_url

CONNECTIONS = 2_000
LAST_ANSWERS_SECONDS = 3.0
SILENCE_SECONDS = 30.0
"""How long a client may keep a connection that it sends nothing on, and takes nothing from."""
NO_FILES_SECONDS = 1.0

log = structlog.get_logger()


class DataInUse(Exception):
    """Another process runs on the data directory."""


class Embedded:
    """``serve`` runs it. ``address`` and ``ops_port`` are known once it is made, which takes both ports.

    Raises ``DataInUse``, ``health.PortTaken``.
    """

    def __init__(self, settings: Settings, ids: Callable[[str], Ids] = lambda _name: SystemIds()) -> None:
        """``ids`` gives the names and secrets of a service, or of ``gateway``."""
        self.settings = settings
        self._ids = ids
        self.data_dir = settings.embedded_dir
        self.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _lock(self.data_dir)
        self._socket = _listen(settings.host, settings.port)
        self.port: int = self._socket.getsockname()[1]
        memory_transport.register()
        # Enough for every worker of every service, or calls would wait for each other's connections.
        size = settings.workers * len(topology.NAMES) + settings.gateway_calls
        self._lines: Lines[Line] = Lines(Line, memory_transport.URL, size)
        self.call = RpcClient(memory_transport.URL, size)
        self._token = operators.new_token()
        self._hosts: list[Host] = []
        self._ops = OpsServer(
            lambda: {name: why for host in self._hosts for name, why in host.broken().items()},
            {("POST", operators.PATH): operators.route(self._token, self.call.ask)},
        )
        self.ops_port = self._ops.listen(settings.ops_host, settings.ops_port)

    @property
    def address(self) -> str:
        return f"http://{self.settings.host}:{self.port}"

    def serve(
        self,
        stop: StopSignal,
        started: Callable[[], None] = lambda: None,
        stopping: Callable[[], None] = lambda: None,
    ) -> None:
        """Until told to stop; ``started`` runs once everything is there, ``stopping`` before it goes."""
        from gateway import problems
        from gateway.app import create_app
        from gateway.ports import GatewayPorts

        gateway = GatewayPorts(
            call=self.call,
            clock=SystemClock(),
            ids=self._ids("gateway"),
            settings=self.settings,
            ready=lambda: not self._ops_missing(),
        )
        self._hosts += [self._host(kind, gateway.hub) for kind in topology.all_services()]
        ear = EventEar(
            memory_transport.URL,
            SessionsEnded,
            lambda event: gateway.hub.sessions_ended(event.token_digests),
        )
        answering = GreenPool(CONNECTIONS)
        app = create_app(gateway)
        refusal = problems.on_the_wire(problems.not_http())

        def open_doors() -> None:
            ear.start(wait=5.0)
            eventlet.spawn_n(_answer_http, self._socket, app, answering, refusal)
            operators.open_door(self.data_dir, self.settings.ops_host, self.ops_port, self._token)
            log.info("listening", address=self.address)
            started()

        def close_doors() -> None:
            stopping()
            operators.close_door(self.data_dir)
            self._socket.close()
            gateway.hub.close()
            with eventlet.Timeout(LAST_ANSWERS_SECONDS, False):
                answering.waitall()
            memory_transport.stopping()
            ear.stop()

        run(
            self._hosts,
            memory_transport.URL,
            self.settings,
            stop,
            self._ops,
            started=open_doors,
            stopping=close_doors,
        )

    def close(self) -> None:
        self._socket.close()
        self.call.close()
        self._lines.close()
        self._ops.close()
        for host in self._hosts:
            host.service.database.engine.dispose()
        self._lock.close()

    def _ops_missing(self) -> bool:
        return any(host.broken() for host in self._hosts)

    def _host(self, kind: type[Service], fanout: Fanout) -> Host:
        clock, ids = SystemClock(), self._ids(kind.name)
        engine = create_engine(file_url(self.data_dir / f"{kind.name}.sqlite"), kind.name)
        migrations.upgrade(engine, kind.name)
        ports = Ports(
            database=Database(engine, clock.now, outbox.OutboxEmitter(ids)),
            call=self.call,
            clock=clock,
            ids=ids,
            offload=nameko_host.offload,
            fanout=fanout,
            settings=self.settings,
        )
        return Host(kind(ports), self._lines)


def _lock(data_dir: Path) -> IO[str]:
    file = (data_dir / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise DataInUse(f"process {holder} runs on {data_dir.parent} (LASTWATERS_DATA_DIR)") from error
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _listen(host: str, port: int) -> Any:
    try:
        # With the default a second process could take the same port without an error.
        return eventlet.listen((host, port), reuse_port=False, backlog=128)
    except OSError as error:
        raise PortTaken(f"{host}:{port} (LASTWATERS_PORT): {error.strerror}") from error


class _NoLog:
    def write(self, text: str) -> None:
        """The gateway logs its own requests."""


def _with_chunks(app: Any) -> Any:
    """``app``, told that a chunked body ends by itself: without a told length Werkzeug would take it for none."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input_terminated"] = environ["wsgi.input"].chunked_input
        return app(environ, start_response)

    return answer


class _Protocol(eventlet.wsgi.HttpProtocol):  # type: ignore[misc]
    """Has a kept answer for what is not HTTP: eventlet's own are HTML or empty. ``refusal`` is that answer."""

    refusal: bytes
    wfile: Any

    def handle_one_request(self) -> None:
        self._client = self.wfile
        self.wfile = of_eventlet = io.BytesIO()
        try:
            super().handle_one_request()
        finally:
            self.wfile = self._client
        if of_eventlet.getvalue():
            self.close_connection = True
            self._client.write(self.refusal)

    def get_environ(self) -> dict[str, Any]:
        """The request is HTTP: from here on answers are the app's."""
        self.wfile = self._client
        environ: dict[str, Any] = super().get_environ()
        # The socket itself, past eventlet's: what only asks it may not wait.
        environ["lastwaters.socket"] = self.connection.fd
        return environ


def _accepting(accept: Callable[[], Any]) -> Callable[[], Any]:
    """Goes on where the process may open no more files: some will be closed."""

    def wait() -> Any:
        while True:
            try:
                return accept()
            except OSError as error:
                if error.errno not in (errno.EMFILE, errno.ENFILE):
                    raise
                log.warning("no more connections", error=error.strerror)
                eventlet.sleep(NO_FILES_SECONDS)

    return wait


def _answer_http(sock: Any, app: Any, pool: GreenPool, refusal: bytes) -> None:
    sock.accept = _accepting(sock.accept)
    try:
        eventlet.wsgi.server(
            sock,
            _with_chunks(app),
            log=_NoLog(),
            protocol=type("_Refusing", (_Protocol,), {"refusal": refusal}),
            log_output=False,
            custom_pool=pool,
            minimum_chunk_size=1,  # else events would wait for a full buffer
            socket_timeout=SILENCE_SECONDS,
            keepalive=SILENCE_SECONDS,
            debug=False,
        )
    except OSError:
        log.info("not listening any more")
