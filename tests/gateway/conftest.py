"""The gateway over faked services."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog
from flask.testing import FlaskClient
from limits.storage import MemoryStorage

from gateway.app import create_app
from gateway.ports import GatewayPorts, StreamTimes
from shared.runtime.ids import SystemIds
from shared.runtime.settings import Settings
from tests.gateway.fakes import CSRF, ManualClock, Services, token

SOON = StreamTimes(comment=0.3, look=0.2, ask=0.25)


class Client:
    """A Flask test client signed in as somebody."""

    def __init__(self, client: FlaskClient, headers: dict[str, str]) -> None:
        self.client = client
        self.headers = headers

    def __call__(self, method: str, path: str, *, headers: dict[str, str] | None = None, **given: Any) -> Any:
        return self.client.open(path, method=method, headers={**self.headers, **(headers or {})}, **given)

    def get(self, path: str, **given: Any) -> Any:
        return self("GET", path, **given)

    def post(self, path: str, **given: Any) -> Any:
        return self("POST", path, **given)

    def put(self, path: str, **given: Any) -> Any:
        return self("PUT", path, **given)

    def delete(self, path: str, **given: Any) -> Any:
        return self("DELETE", path, **given)


class Gateway:
    """An app over faked services, and clients of it."""

    def __init__(self, **settings: Any) -> None:
        self.services = Services()
        self.clock = ManualClock()
        self.slept: list[float] = []
        self.limits: Any = MemoryStorage()
        self.ports = GatewayPorts(
            call=self.services,
            clock=self.clock,
            ids=SystemIds(),
            settings=Settings(**settings),
            limits=self.limits,
            stream=SOON,
            sleep=self.slept.append,
        )
        self.app = create_app(self.ports)

    def anyone(self) -> Client:
        return Client(self.app.test_client(), {})

    def as_(self, name: str) -> Client:
        return Client(self.app.test_client(), {"Authorization": f"Bearer {token(name)}"})

    def browser(self) -> Client:
        client = self.app.test_client()
        client.set_cookie("session", token("ada-browser"))
        return Client(client, {"X-CSRF-Token": CSRF})


@pytest.fixture
def make_gateway() -> Callable[..., Gateway]:
    return Gateway


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(trial_cadences="5", limits_factor=100)


@pytest.fixture
def ada(gateway: Gateway) -> Client:
    return gateway.as_("ada")


@pytest.fixture
def ben(gateway: Gateway) -> Client:
    return gateway.as_("ben")


@pytest.fixture
def cleo(gateway: Gateway) -> Client:
    return gateway.as_("cleo")


@pytest.fixture
def anyone(gateway: Gateway) -> Client:
    return gateway.anyone()


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[list[Any]]:
    """What was logged; secrets in tracebacks never reach a terminal."""
    with structlog.testing.capture_logs() as logs:
        yield logs


def refused(response: Any, status: int, code: str) -> dict[str, Any]:
    """Asserts that a response is the problem document of ``code``; its fields."""
    assert (response.status_code, response.json.get("code")) == (status, code), response.data
    assert response.content_type == "application/problem+json"
    body: dict[str, Any] = response.json
    assert {"type", "title", "status", "detail", "code"} <= set(body)
    assert body["status"] == status
    return body
