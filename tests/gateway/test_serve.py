"""The gateway as a process: gunicorn on threads, over a real broker and Redis, with no service behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from deploy.ports import free_port
from tests.servers import ROOT, Servers

PATIENCE = 60.0


def start(settings: dict[str, Any], log: Path) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LASTWATERS_")}
    environment |= {f"LASTWATERS_{name}": str(value) for name, value in settings.items()}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "shared.cli", "serve", "gateway"]
    with log.open("wb") as file:
        return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=file, stderr=file)


class Process:
    def __init__(self, servers: Servers, tmp_path: Path) -> None:
        self.port, self.ops_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ops_url = f"http://127.0.0.1:{self.ops_port}"
        self.log = tmp_path / "log"
        self.settings = {
            "AMQP_URL": servers.addresses.amqp_url,
            "REDIS_URL": servers.addresses.redis_url,
            "PORT": self.port,
            "OPS_PORT": self.ops_port,
        }
        self.process = start(self.settings, self.log)
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                requests.get(f"{self.url}/healthz", timeout=5)
                return
            except requests.ConnectionError:
                assert self.process.poll() is None and time.monotonic() < give_up, self.log.read_text()
                time.sleep(0.1)

    def send(self, raw: bytes) -> tuple[int, dict[str, Any]]:
        """The answer to whatever bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(raw)
            received = b""
            while piece := connection.recv(65_536):
                received += piece
        head, _, body = received.partition(b"\r\n\r\n")
        assert b"application/problem+json" in head, received
        return int(head.split()[1]), json.loads(body)


@pytest.fixture(scope="module")
def gateway(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    process = Process(servers, tmp_path_factory.mktemp("gateway"))
    yield process
    if process.process.poll() is None:
        process.process.kill()
        process.process.wait()


def test_health_and_readiness_on_both_ports(gateway: Process) -> None:
    assert requests.get(f"{gateway.url}/healthz", timeout=PATIENCE).json() == {"status": "ok"}
    assert requests.get(f"{gateway.url}/readyz", timeout=PATIENCE).json() == {"status": "ok"}
    assert requests.get(f"{gateway.ops_url}/readyz", timeout=PATIENCE).json()["ready"] is True
    metrics = requests.get(f"{gateway.ops_url}/metrics", timeout=PATIENCE).text
    assert "lastwaters_request_seconds" in metrics
    assert requests.get(f"{gateway.url}/metrics", timeout=PATIENCE).status_code == 404


def test_a_service_that_never_started_is_unavailable_at_once(gateway: Process) -> None:
    before = time.monotonic()
    answer = requests.get(f"{gateway.url}/v1/keys", timeout=PATIENCE)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert time.monotonic() - before < 20


@pytest.mark.parametrize(
    "raw",
    [
        b"nonsense\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nBad Header: x\r\n\r\n",
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
        b"POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/accounts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=lambda raw: repr(raw[:40]),
)
def test_what_is_not_http_is_malformed(gateway: Process, raw: bytes) -> None:
    status, problem = gateway.send(raw)
    assert (status, problem["code"]) == (400, "malformed")


def test_a_chunked_body_is_refused_once_it_is_too_large(gateway: Process) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 65_536

    try:
        answer = requests.post(
            f"{gateway.url}/v1/accounts",
            data=pieces(),
            headers={"Content-Type": "application/json"},
            timeout=PATIENCE,
        )
    except requests.ConnectionError:
        return  # it stopped listening before all was sent
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_forwarded_headers_mean_nothing_without_a_proxy(gateway: Process) -> None:
    made = requests.get(f"{gateway.url}/v1/me", headers={"X-Forwarded-Proto": "https"}, timeout=PATIENCE)
    assert made.status_code == 401


def test_a_second_gateway_on_the_port_says_so(gateway: Process, tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert start({**gateway.settings, "OPS_PORT": free_port()}, log).wait(PATIENCE) == 1
    assert f"127.0.0.1:{gateway.port} (LASTWATERS_PORT)" in log.read_text()
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "LASTWATERS_AMQP_URL, LASTWATERS_REDIS_URL"),
        (
            {"AMQP_URL": "amqp://127.0.0.1:1//", "REDIS_URL": "redis://127.0.0.1:1/0", "START_WAIT": 0},
            "127.0.0.1:1",
        ),
    ],
)
def test_a_missing_server_is_one_line(settings: dict[str, Any], words: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert start(settings, log).wait(PATIENCE) == 1
    lines = log.read_text().splitlines()
    assert len(lines) == 1
    assert words in lines[0]


def test_it_leaves_cleanly_and_logs_json(gateway: Process) -> None:
    """Last: it ends the module's process."""
    gateway.process.send_signal(signal.SIGTERM)
    assert gateway.process.wait(PATIENCE) == 0, gateway.log.read_text()
    for line in gateway.log.read_text().splitlines():
        json.loads(line)
