"""The embedded stack's HTTP server reads requests as the gateway's own does."""

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import requests

from tests.stack.client import PASSWORD
from tests.stack.stacks import Running

POST = b"POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"


def send(running: Running, raw: bytes) -> tuple[int, bytes, bytes]:
    """Status, head and rest of what answers these bytes."""
    host, _, port = running.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(raw)
        with suppress(OSError):  # It may have answered and left before.
            connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, rest = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head, rest


def post_in_chunks(running: Running, pieces: Iterator[bytes]) -> tuple[int, dict[str, Any]]:
    """Opens an account with a body whose length nobody told."""
    answer = requests.post(
        f"{running.url}/v1/accounts", data=pieces, headers={"Content-Type": "application/json"}, timeout=30
    )
    return answer.status_code, answer.json()


def test_a_chunked_body_is_read(embedded: Running) -> None:
    handle = f"chunks-{uuid4().hex[:6]}"
    body = f'{{"handle": "{handle}", "password": "{PASSWORD}"}}'.encode()
    status, made = post_in_chunks(embedded, iter((body[:9], body[9:])))
    assert (status, made["handle"]) == (201, handle)


def test_a_chunked_body_is_refused_once_it_is_too_large(embedded: Running) -> None:
    try:
        status, problem = post_in_chunks(embedded, (b" " * 65_536 for _ in range(40)))
    except requests.ConnectionError:
        return  # it stopped listening before all was sent
    assert (status, problem["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    "raw",
    [
        b"nonsense\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
        POST + b"Content-Length: -1\r\n\r\n",
        POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
    ],
    ids=lambda raw: repr(raw[-40:]),
)
def test_what_is_not_http_is_malformed(embedded: Running, raw: bytes) -> None:
    status, head, body = send(embedded, raw)
    assert (status, json.loads(body)["code"]) == (400, "malformed")
    assert b"application/problem+json" in head


def test_a_body_that_waits_for_leave_gets_it(embedded: Running) -> None:
    raw = POST + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}"
    status, _, rest = send(embedded, raw)
    assert status == 100
    assert b'"code":"malformed"' in rest


def test_connections_beyond_what_may_be_open_do_not_end_the_service(embedded: Running) -> None:
    assert embedded.pid is not None
    host, _, port = embedded.url.removeprefix("http://").partition(":")
    opened = len(list(Path(f"/proc/{embedded.pid}/fd").iterdir()))
    usual = resource.prlimit(embedded.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(embedded.pid, resource.RLIMIT_NOFILE, (opened + 10, usual[1]))
    try:
        with ExitStack() as leaving:
            for _ in range(40):
                leaving.enter_context(socket.create_connection((host, int(port)), timeout=30))
    finally:
        resource.prlimit(embedded.pid, resource.RLIMIT_NOFILE, usual)
    assert requests.get(f"{embedded.url}/healthz", timeout=30).status_code == 200
