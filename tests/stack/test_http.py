"""The embedded stack's HTTP server reads requests as the gateway's own does."""

import socket
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import requests

from tests.stack.client import PASSWORD
from tests.stack.stacks import Running


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


@pytest.mark.parametrize("rest", [b"zz\r\n{}\r\n0\r\n\r\n", b"5\r\n{}"], ids=["bad length", "broken off"])
def test_bad_chunks_are_malformed(embedded: Running, rest: bytes) -> None:
    host, _, port = embedded.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(
            b"POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n" + rest
        )
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"malformed"' in answer
