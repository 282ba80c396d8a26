"""``lastwaters serve gateway``: the app under gunicorn, on threads, more of them than streams.

Nothing here imports eventlet or nameko (reliability 14). One process a gateway; more gateways are more processes.
"""

import socket
import threading
import time
from collections.abc import Mapping
from types import FrameType
from typing import Any

import structlog
from flask import Flask
from gunicorn import util
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException

from gateway import problems
from gateway.app import create_app
from gateway.over_redis import RedisKept, RedisSlots, limits_storage
from gateway.ports import GatewayPorts
from gateway.slots import LocalSlots
from gateway.slow_clients import Patience, PatientWorker
from shared.contracts.accounts import SessionsEnded
from shared.runtime import logs, servers
from shared.runtime.event_ear import EventEar
from shared.runtime.fanout import RedisEar
from shared.runtime.health import OpsServer, PortTaken
from shared.runtime.hosting import SystemClock
from shared.runtime.ids import SystemIds
from shared.runtime.rpc_client import RpcClient
from shared.runtime.servers import MissingServer
from shared.runtime.settings import PREFIX, Settings, read_settings

BACKLOG = 1_024
KEEPALIVE_SECONDS = 30
STUCK_SECONDS = 60
READY_SECONDS = 1.0
SPARE_THREADS = 64

log = structlog.get_logger()


def main() -> None:
    """Serves until a signal says to leave. Raises ``BadSettings``, ``MissingServer``, ``PortTaken``."""
    serve(read_settings())


def serve(settings: Settings) -> None:
    logs.configure(settings.log_level)
    amqp_url, redis_url = settings.amqp_url, settings.redis_url
    unset = [name for name, url in (("AMQP_URL", amqp_url), ("REDIS_URL", redis_url)) if url is None]
    if amqp_url is None or redis_url is None:
        names = ", ".join(PREFIX + name for name in unset)
        raise MissingServer(f"not set: {names}; `lastwaters settings` explains")
    servers.wait_for([servers.broker(amqp_url), servers.redis_server(redis_url)], settings.start_wait)
    _listen(settings.ops_host, settings.ops_port, "OPS_PORT").close()
    listener = _listen(settings.host, settings.port, "PORT")
    GatewayProcess(settings, amqp_url, redis_url, listener).run()


def _listen(host: str, port: int, setting: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise PortTaken(f"{host}:{port} ({PREFIX}{setting}): {error.strerror}") from error


def patience_of(settings: Settings) -> Patience:
    """Threads are left for other addresses, unless all clients have the same one, a proxy's."""
    if settings.proxy_hops:
        return Patience()
    threads = settings.gateway_threads
    return Patience(crowd=threads // 2, places=max(2, threads // 8))


class GatewayProcess(BaseApplication):  # type: ignore[misc]
    """One gunicorn with one worker, which builds the app after it was forked."""

    def __init__(
        self,
        settings: Settings,
        amqp_url: str,
        redis_url: str,
        listener: socket.socket,
        patience: Patience | None = None,
    ) -> None:
        self._settings = settings
        self.patience = patience or patience_of(settings)
        self._amqp_url = amqp_url
        self._redis_url = redis_url
        self._address = f"{settings.host}:{listener.getsockname()[1]}"
        self._descriptor = listener.detach()
        self.ports: GatewayPorts | None = None
        self._ops: OpsServer | None = None
        super().__init__()

    def load_config(self) -> None:
        threads = self._settings.gateway_threads
        given: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "worker_class": GatewayWorker,
            "logger_class": JsonLogger,
            "workers": 1,
            "threads": threads,
            "worker_connections": 2 * threads + 1_000,
            "keepalive": KEEPALIVE_SECONDS,
            "timeout": STUCK_SECONDS,
            "graceful_timeout": int(self._settings.drain),
            "forwarded_allow_ips": "",
            "secure_scheme_headers": {},
            "control_socket_disable": True,
            "limit_request_fields": 64,
            "sendfile": False,  # it would go past the socket's patience
        }
        for name, value in given.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        settings, clock = self._settings, SystemClock()
        call = RpcClient(self._amqp_url, settings.gateway_calls)
        readiness = Readiness(self._amqp_url)
        local = LocalSlots(max(1, settings.gateway_threads - SPARE_THREADS))
        ports = GatewayPorts(
            call=call,
            clock=clock,
            ids=SystemIds(),
            settings=settings,
            limits=limits_storage(self._redis_url),
            slots=RedisSlots(self._redis_url, local),
            kept=RedisKept(self._redis_url),
            ready=lambda: not readiness.missing(),
        )
        app = create_app(ports)
        RedisEar(self._redis_url, ports.hub.publish).start()
        EventEar(
            self._amqp_url, SessionsEnded, lambda event: ports.hub.sessions_ended(event.token_digests)
        ).start(wait=0)
        self._ops = OpsServer(readiness.missing)
        self._ops.listen(settings.ops_host, settings.ops_port)
        self.ports = ports
        log.info("listening", address=f"http://{self._address}")
        return app

    def stopping(self) -> None:
        """Ends the streams, so that nothing but requests at work is left."""
        if self._ops is not None:
            self._ops.drain()
        if self.ports is not None:
            self.ports.hub.close()


class Readiness:
    """What a gateway cannot do without. Redis is not among it: play goes on while it is away."""

    def __init__(self, amqp_url: str) -> None:
        self._broker = servers.broker(amqp_url)
        self._lock = threading.Lock()
        self._until = 0.0
        self._missing: Mapping[str, str] = {}

    def missing(self) -> Mapping[str, str]:
        """Looked at once a second at most, however often it is asked."""
        with self._lock:
            if time.monotonic() >= self._until:
                problem = self._broker.problem()
                self._missing = {"broker": problem} if problem else {}
                self._until = time.monotonic() + READY_SECONDS
            return self._missing


class GatewayWorker(PatientWorker):
    """Threads that end their streams when they shall leave, and never answer in HTML."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        # Not in the signal handler: the thread that it interrupts may hold the lock.
        threading.Thread(target=self.app.stopping, daemon=True).start()

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """For what is not even HTTP, before any route has seen it."""
        if isinstance(exc, ParseException):
            answer = problems.not_http()
        else:
            log.error("request failed", exc_info=exc)
            answer = problems.respond(problems.INTERNAL)
        try:
            util.write_nonblock(client, problems.on_the_wire(answer))
        except OSError:
            log.debug("the client is gone")


class JsonLogger(Logger):  # type: ignore[misc]
    """gunicorn's words go where all others go."""

    def setup(self, cfg: Any) -> None:
        self.error_log.handlers.clear()
        self.error_log.propagate = True
        self.access_log.disabled = True
