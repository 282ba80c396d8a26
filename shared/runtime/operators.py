"""The operators' way in: calls by name over a loopback address and a token in the embedded stack.

In the real stack operators call over the broker as everyone does. ``TOKEN_FILE`` in the data directory, readable
by its owner alone, says where and with which token.
"""

import hmac
import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from shared.contracts.base import Payload, Request
from shared.runtime import replies
from shared.runtime.health import Answer as HttpAnswer
from shared.runtime.health import Environ, as_json
from shared.runtime.private_files import write_private
from shared.runtime.service import Caller, Unavailable
from shared.runtime.settings import Settings

Answer = TypeVar("Answer")

PATH = "/operators/calls"
TOKEN_FILE = "operators.json"
LONGEST_BODY = 1 << 20

Ask = Callable[[str, str, str, float], object]


class WrittenCall(Payload):
    """A request as text, to a service's method."""

    service: str
    method: str
    request: str
    timeout: float = 5.0


class Door(Payload):
    url: str
    token: str


def open_door(data_dir: Path, host: str, port: int, token: str) -> None:
    """Writes where operators come in."""
    door = Door(url=f"http://{host}:{port}{PATH}", token=token)
    write_private(data_dir / TOKEN_FILE, msgspec.json.encode(door).decode() + "\n")


def close_door(data_dir: Path) -> None:
    (data_dir / TOKEN_FILE).unlink(missing_ok=True)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def route(token: str, ask: Ask) -> Callable[[Environ], HttpAnswer]:
    """Answers ``POST PATH``; ``ask`` is ``RpcClient.ask``."""

    def answer(environ: Environ) -> HttpAnswer:
        given = str(environ.get("HTTP_AUTHORIZATION", ""))
        if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
            return as_json({"error": "not an operator"}, HTTPStatus.UNAUTHORIZED)
        try:
            size = int(environ.get("CONTENT_LENGTH") or 0)
            if not 0 < size <= LONGEST_BODY:
                raise ValueError("size")
            call = msgspec.json.decode(environ["wsgi.input"].read(size), type=WrittenCall)
        except (ValueError, msgspec.MsgspecError):
            return as_json({"error": "not a call"}, HTTPStatus.BAD_REQUEST)
        try:
            reply = ask(call.service, call.method, call.request, min(call.timeout, 60.0))
        except Unavailable as error:
            return as_json({"unavailable": str(error)}, HTTPStatus.SERVICE_UNAVAILABLE)
        return HTTPStatus.OK, "application/json", str(reply).encode()

    return answer


class OperatorClient:
    """A ``Caller`` through the door of the embedded stack that runs on ``data_dir``."""

    def __init__(self, data_dir: Path) -> None:
        """Raises ``Unavailable`` when no stack has opened a door there."""
        try:
            self._door = msgspec.json.decode((data_dir / TOKEN_FILE).read_bytes(), type=Door)
        except FileNotFoundError as error:
            raise Unavailable(
                "the embedded stack",
                f"not running on {data_dir.parent} (LASTWATERS_DATA_DIR), and LASTWATERS_AMQP_URL is not set",
            ) from error

    def __call__(self, request: Request[Answer], timeout: float = 5.0) -> Answer:
        call = WrittenCall(
            service=request.receiver(),
            method=request.method(),
            request=replies.encode_request(request),
            timeout=timeout,
        )
        post = urllib.request.Request(
            self._door.url,
            data=msgspec.json.encode(call),
            headers={"Authorization": f"Bearer {self._door.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(post, timeout=timeout + 5) as answer:
                return replies.read(request, answer.read().decode())
        except urllib.error.HTTPError as error:
            found: dict[str, Any] = json.loads(error.read() or b"{}")
            raise Unavailable(request.receiver(), str(found.get("unavailable", error.reason))) from error
        except (urllib.error.URLError, OSError) as error:
            raise Unavailable("the embedded stack", f"not reachable at {self._door.url}") from error


def caller(settings: Settings) -> Caller:
    """Over the broker if there is one, else through the embedded stack's door. Raises ``Unavailable``."""
    if settings.amqp_url is None:
        return OperatorClient(settings.embedded_dir)
    from shared.runtime.rpc_client import RpcClient

    return RpcClient(settings.amqp_url, size=2)
