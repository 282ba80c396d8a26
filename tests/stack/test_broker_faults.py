"""A broker that stops answering, and one that comes back (reliability 6, 10, 11)."""

import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from shared.contracts.accounts import FindHandle
from shared.runtime.broker import BROKER_ERRORS, Line, Lines, call_queue
from shared.runtime.hosting import Host
from shared.runtime.rpc_client import RpcClient
from shared.runtime.service import Unavailable


def test_a_publish_to_a_silent_broker_ends_at_its_deadline(servers: Any) -> None:
    url = servers.addresses.amqp_url
    lines: Lines[Line] = Lines(Line, url, 2)
    with lines.line(5.0) as line:
        call_queue("accounts")(line.channel).declare()
    servers.rabbitmq.pause()
    try:
        start = time.monotonic()
        with pytest.raises(BROKER_ERRORS), lines.line(5.0) as line:
            line.publish("x", exchange="nameko-rpc", routing_key="accounts.x", timeout=1.0)
        assert 0.5 < time.monotonic() - start < 6
    finally:
        servers.rabbitmq.resume()
    with lines.line(5.0) as line:
        line.publish("x", exchange="nameko-rpc", routing_key="accounts.x", mandatory=True)
        call_queue("accounts")(line.channel).purge()
    lines.close()


def test_a_call_to_a_silent_broker_ends_at_its_deadline_and_the_next_works(servers: Any) -> None:
    url = servers.addresses.amqp_url
    call = RpcClient(url, 2)
    with pytest.raises(Unavailable):
        call(FindHandle(handle="ann"), timeout=0.2)
    servers.rabbitmq.pause()
    try:
        start = time.monotonic()
        with pytest.raises(Unavailable):
            call(FindHandle(handle="ann"), timeout=1.0)
        assert time.monotonic() - start < 6
    finally:
        servers.rabbitmq.resume()
    with pytest.raises(Unavailable, match="no answer"):
        call(FindHandle(handle="ann"), timeout=0.5)
    call.close()


def test_a_silent_broker_is_out_of_reach_soon_and_in_reach_once_it_is_back(servers: Any) -> None:
    lines: Lines[Line] = Lines(Line, servers.addresses.amqp_url, 2)
    with lines.line(5.0) as line:
        call_queue("orders")(line.channel).declare()
    host = cast(Host, SimpleNamespace(lines=lines, service=SimpleNamespace(name="orders")))
    assert Host.reachable(host)
    servers.rabbitmq.pause()
    try:
        start = time.monotonic()
        assert not Host.reachable(host)
        assert time.monotonic() - start < 5
    finally:
        servers.rabbitmq.resume()
    assert Host.reachable(host)
    lines.close()


def test_lines_are_bounded_and_idle_ones_that_died_are_replaced(servers: Any) -> None:
    lines: Lines[Line] = Lines(Line, servers.addresses.amqp_url, 1)
    with lines.line(5.0) as first, pytest.raises(TimeoutError, match="in use"), lines.line(0.1):
        pass
    with lines.line(5.0) as again:
        assert again is first
    first.connection.connection.transport.sock.close()
    with lines.line(5.0) as other:
        assert other is not first
        other.publish("x", exchange="nameko-rpc", routing_key="accounts.x")
    with pytest.raises(ValueError, match="ours"), lines.line(5.0) as failed:
        raise ValueError("ours")
    with lines.line(5.0) as fresh:
        assert fresh is not failed
    lines.close()
