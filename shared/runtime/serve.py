"""Hosts services over RabbitMQ, PostgreSQL and Redis until a signal says to leave."""

from collections.abc import Callable, Sequence

import eventlet
import structlog
from nameko.runners import ServiceRunner

from shared.runtime import health, logs, nameko_host, topology
from shared.runtime.broker import Line, Lines
from shared.runtime.fanout import NoFanout, RedisFanout
from shared.runtime.health import OpsServer
from shared.runtime.hosting import Host, SystemClock
from shared.runtime.ids import SystemIds
from shared.runtime.process import StopSignal, leave_within
from shared.runtime.rpc_client import RpcClient
from shared.runtime.servers import MissingServer, needed, wait_for
from shared.runtime.service import Fanout, Ports
from shared.runtime.settings import Settings
from shared.storage import outbox
from shared.storage.database import Database
from shared.storage.engine import assert_wait_function, create_engine

CALLERS = ("clock", "bots", "resolution")

log = structlog.get_logger()


def serve(names: Sequence[str], settings: Settings) -> None:
    """Runs the named services in this process; returns after a clean stop.

    Raises ``LookupError`` for an unknown name, ``MissingServer``, ``health.PortTaken``; and whatever kills a
    container, for a supervisor to start the process again.
    """
    logs.configure(settings.log_level)
    stop = StopSignal()
    classes = [topology.service_class(name) for name in names]
    servers = needed(settings, names)
    wait_for(servers, settings.start_wait, lambda: stop.given)
    if stop.given:
        return
    assert settings.amqp_url is not None
    lines = Lines(Line, settings.amqp_url, size=settings.workers * len(names) + 4)
    call = RpcClient(settings.amqp_url, size=settings.workers * len(names) + 4)
    fanout: Fanout = RedisFanout(settings.redis_url) if settings.redis_url else NoFanout()
    hosts = [Host(kind(_ports(kind.name, settings, call, fanout)), lines) for kind in classes]
    if any(settings.service_database_url(name) for name in names):
        assert_wait_function()
    ops = OpsServer(lambda: {k: v for host in hosts for k, v in host.broken().items()})
    ops.listen(settings.ops_host, settings.ops_port)
    try:
        run(hosts, settings.amqp_url, settings, stop, ops)
    finally:
        call.close()
        lines.close()
        ops.close()


def run(
    hosts: Sequence[Host],
    url: str,
    settings: Settings,
    stop: StopSignal,
    ops: OpsServer,
    *,
    started: Callable[[], None] = lambda: None,
    stopping: Callable[[], None] = lambda: None,
) -> None:
    """Consumes until told to stop, then drains; ``stopping`` comes before the services'."""
    runner = nameko_host.runner(list(hosts), url, settings.workers)
    runner.start()
    names = [host.service.name for host in hosts]
    log.info("serving", services=names)
    watched = eventlet.spawn(_watch, runner, stop)
    try:
        started()
        stop.wait()
        log.info("stopping", services=names)
    finally:
        cancel = leave_within(settings.drain)
        ops.drain()
        stopping()
        watched.kill()
        drain(runner, hosts)
        cancel()
    log.info("stopped", services=names)


def drain(runner: ServiceRunner, hosts: Sequence[Host]) -> None:
    """Ends all work at hand. Who calls leaves before who is called, or calls would wait for nobody."""
    for host in hosts:
        host.drain()
    for host in hosts:
        host.rest()
    for name in CALLERS:
        if name in runner.service_map:
            runner.service_map[name].stop()
    runner.stop()


def _watch(runner: ServiceRunner, stop: StopSignal) -> None:
    try:
        runner.wait()
    except Exception as error:  # noqa: BLE001 - told to whoever waits for the end
        stop.fail(error)


def _ports(name: str, settings: Settings, call: RpcClient, fanout: Fanout) -> Ports:
    clock, ids = SystemClock(), SystemIds()
    url = settings.service_database_url(name)
    assert url is not None
    engine = create_engine(url, name, pool_size=settings.workers + 2)
    return Ports(
        database=Database(engine, clock.now, outbox.OutboxEmitter(ids)),
        call=call,
        clock=clock,
        ids=ids,
        offload=nameko_host.offload,
        fanout=fanout,
        settings=settings,
    )


__all__ = ["MissingServer", "health", "run", "serve"]
